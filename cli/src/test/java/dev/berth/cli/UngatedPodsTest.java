package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.PlannerSettings;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.LedgerSettings;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Numa;
import dev.berth.engine.model.Numa.Policy;
import dev.berth.engine.model.Numa.Scope;
import dev.berth.engine.model.Numa.Zone;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Resource;
import dev.berth.engine.request.NodeManifest;
import dev.berth.engine.request.PodManifest;
import dev.berth.extender.verbs.UngatedPodPlanner.Judgement;
import dev.berth.extender.verbs.UngatedPodPlanner.Judgement.Fits;
import dev.berth.extender.verbs.UngatedPodPlanner.Judgement.Refused;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What kube-scheduler is told of pods that come without a gate.
class UngatedPodsTest {
  private static final List<NodeName> NODES = List.of(new NodeName("a"), new NodeName("b"));

  private final Ledger ledger = new Ledger(LedgerSettings.DEFAULT, () -> {});
  private final UngatedPods ungated = new UngatedPods(PlannerSettings.DEFAULT);

  private Pod seen(String name, Map<String, String> annotations) {
    var metadata =
        Map.of(
            "name", name, "namespace", "default", "uid", "uid-" + name, "annotations", annotations);
    var spec = Map.of("schedulerName", "berth", "containers", List.of(Map.of("name", "main")));
    var pod = PodManifest.read(Map.of("metadata", metadata, "spec", spec)).orElseThrow();
    ledger.record(new Fact.PodSeen(pod));
    return pod;
  }

  private void node(String name, int gpus) {
    var allocatable =
        Map.of("cpu", "8", "memory", "8Gi", "pods", "10", "nvidia.com/gpu", "" + gpus);
    ledger.record(
        new Fact.NodeSeen(
            NodeManifest.read(
                    Map.of(
                        "metadata",
                        Map.of("name", name),
                        "status",
                        Map.of("allocatable", allocatable)))
                .orElseThrow()));
  }

  private List<Judgement> judged(Pod pod) {
    return ungated.judge(ledger.snapshot(Instant.EPOCH), pod, NODES);
  }

  @Test
  void whatCannotBeMeantIsToldInFullOnce() {
    node("a", 1);
    node("b", 1);
    var judgements = judged(seen("p", Map.of("gpu-fraction", "half")));
    assertThat(judgements).hasSize(2).doesNotHaveAnyElementsOfTypes(Fits.class);
    assertThat(((Refused) judgements.getFirst()).words())
        .contains("gpu-fraction")
        .contains("half")
        .contains("Helps: ");
    assertThat(judgements.getLast()).isEqualTo(new Refused("BadRequest", false));
  }

  private void zones(String node, long version, long devices, long left) {
    var zone = new Zone(Amounts.of(Resource.NVIDIA, devices), Amounts.of(Resource.NVIDIA, left));
    var numa = new Numa(Policy.SINGLE_NUMA_NODE, Scope.CONTAINER, List.of(zone, zone));
    ledger.record(new Fact.NumaSeen(new NodeName(node), version, numa));
  }

  private Pod asking(int devices) {
    var container =
        Map.of(
            "name", "main", "resources", Map.of("limits", Map.of("nvidia.com/gpu", "" + devices)));
    var tree =
        Map.of(
            "metadata",
            Map.of("name", "p", "namespace", "default", "uid", "uid-p"),
            "spec",
            Map.of("schedulerName", "other", "containers", List.of(container)));
    return PodManifest.read(tree).orElseThrow();
  }

  @Test
  void whatNoZoneHasIsToldWithTheNumbers() {
    node("a", 8);
    node("b", 8);
    zones("a", 1, 4, 4);
    assertThat(judged(asking(6)))
        .containsExactly(
            new Refused("NUMA: no zone has 6 nvidia.com/gpu, the largest has 4", false),
            new Fits());
  }

  @Test
  void whatZonesHaveLeftCountsAtOnce() {
    node("a", 8);
    node("b", 8);
    zones("a", 1, 4, 4);
    zones("b", 1, 4, 2);
    var pod = asking(3);
    assertThat(ungated.scores(ledger.snapshot(Instant.EPOCH), pod, NODES)).containsExactly(10, 0);
    zones("a", 2, 4, 1);
    zones("b", 2, 4, 3);
    assertThat(ungated.scores(ledger.snapshot(Instant.EPOCH), pod, NODES)).containsExactly(0, 10);
  }

  @Test
  void whatTheLedgerHearsOfCountsAtOnce() {
    node("a", 1);
    node("b", 0);
    var pod = seen("p", Map.of("gpu-fraction", "0.5"));
    assertThat(judged(pod).getFirst()).isInstanceOf(Fits.class);
    assertThat(judged(pod).getLast()).isInstanceOf(Refused.class);
    ledger.record(new Fact.NodeGone(new NodeName("a"), 9));
    assertThat(judged(pod)).doesNotHaveAnyElementsOfTypes(Fits.class);
    node("b", 1);
    assertThat(judged(pod).getLast()).isInstanceOf(Fits.class);
  }
}
