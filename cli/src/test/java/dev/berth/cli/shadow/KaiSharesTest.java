package dev.berth.cli.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.request.PodManifest;
import dev.berth.simulator.world.ObjectTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KaiSharesTest {
  private final List<Map<String, Object>> pods = new ArrayList<>();

  private Map<String, Object> share(String name, String fraction, Object... gpus) {
    var pod =
        ObjectTree.thaw(
            ObjectTree.of(
                "metadata",
                ObjectTree.of(
                    "name",
                    name,
                    "namespace",
                    "team",
                    "labels",
                    ObjectTree.of(gpus),
                    "annotations",
                    ObjectTree.of("gpu-fraction", fraction)),
                "spec",
                ObjectTree.of(
                    "nodeName",
                    "worker",
                    "schedulerName",
                    "berth",
                    "containers",
                    List.of(ObjectTree.of("name", "main")))));
    pods.add(pod);
    return pod;
  }

  private static Placement placement(Map<String, Object> pod) {
    return PodManifest.read(pod).orElseThrow().written().plan().placement();
  }

  @Test
  void podsOfOneGpuAreOnOneSlot() {
    var one = share("one", "0.5", "runai-gpu-group", "g-b");
    var two = share("two", "0.25", "runai-gpu-group", "g-a");
    var three = share("three", "0.5", "runai-gpu-group", "g-b");
    KaiShares.place(pods, List.of());
    var node = new NodeName("worker");
    assertThat(placement(one)).isEqualTo(new Placement(node, List.of(1), 500));
    assertThat(placement(two)).isEqualTo(new Placement(node, List.of(0), 250));
    assertThat(placement(three)).isEqualTo(placement(one));
  }

  @Test
  void aShareOfTwoGpusIsOnTwoSlots() {
    var pod = share("two", "0.5", "runai-gpu-group/g-b", "g-b", "runai-gpu-group/g-a", "g-a");
    ObjectTree.under(ObjectTree.under(pod, "metadata"), "annotations")
        .put("gpu-fraction-num-devices", "2");
    KaiShares.place(pods, List.of());
    assertThat(placement(pod)).isEqualTo(new Placement(new NodeName("worker"), List.of(0, 1), 500));
  }

  @Test
  void aShareWithoutALabelHasNoSlot() {
    var pod = share("new", "0.5");
    KaiShares.place(pods, List.of());
    assertThat(placement(pod)).isEqualTo(Placement.NONE);
  }

  /// It would count for the whole GPU beside the shares.
  @Test
  void thePodThatReservesTheGpuIsNoWork() {
    var whole = ObjectTree.of("limits", ObjectTree.of("nvidia.com/gpu", "1"));
    var pod =
        ObjectTree.thaw(
            ObjectTree.of(
                "metadata",
                ObjectTree.of("name", "r", "labels", ObjectTree.of("runai-gpu-group", "g-a")),
                "spec",
                ObjectTree.of(
                    "containers", List.of(ObjectTree.of("name", "main", "resources", whole)))));
    assertThat(KaiShares.isReservation(pod)).isTrue();
    ObjectTree.under(ObjectTree.under(pod, "metadata"), "labels").clear();
    assertThat(KaiShares.isReservation(pod)).isFalse();
    assertThat(KaiShares.isReservation(share("s", "0.5", "runai-gpu-group", "g-a"))).isFalse();
  }
}
