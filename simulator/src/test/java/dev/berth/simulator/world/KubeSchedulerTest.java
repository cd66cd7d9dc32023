package dev.berth.simulator.world;

import static dev.berth.simulator.world.Objects.node;
import static dev.berth.simulator.world.Objects.pod;
import static dev.berth.simulator.world.Objects.withPriority;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class KubeSchedulerTest {
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final World world = new World(time, WorldSettings.of(3));
  private final Scripted extender = new Scripted();

  /// An extender that does as it is told and writes down what it was asked.
  private final class Scripted implements Extender {
    private final List<String> asked = new ArrayList<>();
    private final TreeSet<String> refuses = new TreeSet<>();
    private final List<Consumer<String>> held = new ArrayList<>();
    private String bindError = "";
    private String filterError = "";
    private boolean holds;

    @Override
    public Filtered filter(Map<String, ?> pod, List<String> nodes) {
      asked.add("filter " + ObjectTree.name(pod) + " " + nodes);
      var passes = new ArrayList<>(nodes);
      passes.removeAll(refuses);
      var refused = new TreeMap<String, String>();
      nodes.stream()
          .filter(refuses::contains)
          .forEach(n -> refused.put(n, "berth: planned on another node"));
      return new Filtered(passes, new TreeMap<>(), refused, filterError);
    }

    @Override
    public Map<String, Integer> prioritize(Map<String, ?> pod, List<String> nodes) {
      asked.add("prioritize " + ObjectTree.name(pod) + " " + nodes);
      return Map.of(nodes.getLast(), 10);
    }

    @Override
    public SortedMap<String, List<String>> preempt(
        Map<String, ?> pod, SortedMap<String, List<String>> victimsByNode) {
      return new TreeMap<>();
    }

    @Override
    public void bind(Binding binding, Consumer<String> answer) {
      asked.add("bind " + binding.name() + " " + binding.node() + " at " + time.instant());
      if (holds) {
        held.add(answer);
      } else if (!bindError.isEmpty()) {
        answer.accept(bindError);
      } else {
        world.bind(
            ObjectRef.pod(binding.namespace(), binding.name()),
            binding.uid(),
            binding.node(),
            Map.of());
        answer.accept("");
      }
    }

    private List<String> verbs() {
      return asked.stream().map(line -> line.replaceAll(" at .*", "")).toList();
    }
  }

  private KubeScheduler started() {
    var scheduler = new KubeScheduler(world, SchedulerSettings.BERTH, Optional.of(extender));
    scheduler.start();
    return scheduler;
  }

  private void release(String name) {
    var key = new PodKey("team", name);
    try {
      new WorldPods(world).lift(key, uid(name), 0, "plan");
    } catch (ClientException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private PodUid uid(String name) {
    return new PodUid(ObjectTree.uid(find(name)));
  }

  private Map<String, Object> find(String name) {
    return world.find(ObjectRef.pod("team", name)).orElseThrow();
  }

  private String scheduled(String name, String field) {
    return ObjectTree.text(Conditions.find(find(name), "PodScheduled"), field);
  }

  @Test
  void gatedPodsAreLeftAlone() {
    started();
    world.create(Kind.NODE, node("n1", 8));
    world.create(Kind.POD, pod("a", "berth"));
    time.runFor(Duration.ofMinutes(1));
    assertThat(extender.asked).isEqualTo(List.of());
  }

  @Test
  void theNominatedNodeIsTriedFirstAndAlone() throws ClientException {
    started();
    List.of("n1", "n2", "n3").forEach(n -> world.create(Kind.NODE, node(n, 8)));
    world.create(Kind.POD, pod("a", "berth"));
    new WorldPods(world).nominate(new PodKey("team", "a"), uid("a"), new NodeName("n2"));
    release("a");
    time.runFor(Duration.ofSeconds(1));
    assertThat(extender.verbs()).isEqualTo(List.of("filter a [n2]", "bind a n2"));
  }

  @Test
  void prioritizeDecidesBetweenSeveral() {
    started();
    List.of("n1", "n2", "n3").forEach(n -> world.create(Kind.NODE, node(n, 8)));
    world.create(Kind.POD, pod("a", "berth"));
    release("a");
    time.runFor(Duration.ofSeconds(1));
    assertThat(extender.verbs())
        .isEqualTo(List.of("filter a [n1, n2, n3]", "prioritize a [n1, n2, n3]", "bind a n3"));
  }

  @Test
  void aRefusedPodIsToldInKubeSchedulersWordsAndSettles() {
    var scheduler = started();
    extender.refuses.addAll(List.of("n1", "n2"));
    List.of("n1", "n2").forEach(n -> world.create(Kind.NODE, node(n, 8)));
    var cordoned = node("n3", 8);
    cordoned.put("spec", ObjectTree.of("unschedulable", true));
    world.create(Kind.NODE, cordoned);
    world.create(Kind.POD, pod("a", "berth"));
    release("a");
    time.runFor(Duration.ofMinutes(5));
    assertThat(scheduled("a", "reason")).isEqualTo("Unschedulable");
    assertThat(scheduled("a", "message"))
        .isEqualTo(
            "0/3 nodes are available: 1 node(s) were unschedulable, 2 berth: planned on another"
                + " node. preemption: 0/3 nodes are available: 3 Preemption is not helpful for"
                + " scheduling.");
    assertThat(scheduler.attempts())
        .as("its own condition wakes it once, then it settles")
        .isEqualTo(2);
  }

  @Test
  void inTreeFiltersAnswerBeforeTheExtenderIsAsked() {
    started();
    world.create(Kind.NODE, node("n1", 1));
    world.create(Kind.POD, pod("a", "berth", "nvidia.com/gpu", "2", "cpu", "9"));
    release("a");
    time.runFor(Duration.ofSeconds(1));
    assertThat(extender.asked).isEqualTo(List.of());
    assertThat(
            scheduled("a", "message")
                .startsWith(
                    "0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient nvidia.com/gpu."))
        .as(scheduled("a", "message"))
        .isTrue();
  }

  @Test
  void aFailedBindBacksOffOneSecondThenTwo() {
    started();
    extender.bindError = "no";
    world.create(Kind.NODE, node("n1", 8));
    world.create(Kind.POD, pod("a", "berth"));
    release("a");
    time.runFor(Duration.ofMillis(4500));
    var tries =
        extender.asked.stream()
            .filter(line -> line.startsWith("bind"))
            .map(line -> Instant.parse(line.substring(line.indexOf(" at ") + 4)))
            .toList();
    assertThat(tries.size()).isEqualTo(3);
    assertThat(between(tries, 0) >= 1000 && between(tries, 0) < 1100)
        .as("first backoff: 1 s")
        .isTrue();
    assertThat(between(tries, 1) >= 2000 && between(tries, 1) < 2100)
        .as("second backoff: 2 s")
        .isTrue();
    assertThat(scheduled("a", "reason")).isEqualTo("SchedulerError");
  }

  private static long between(List<Instant> tries, int i) {
    return Duration.between(tries.get(i), tries.get(i + 1)).toMillis();
  }

  @Test
  void anErrorOfTheFilterIsNoRefusal() {
    started();
    extender.filterError = "not ready";
    world.create(Kind.NODE, node("n1", 8));
    world.create(Kind.POD, pod("a", "berth"));
    release("a");
    time.runFor(Duration.ofMillis(500));
    assertThat(scheduled("a", "reason")).isEqualTo("SchedulerError");
    assertThat(scheduled("a", "message")).isEqualTo("not ready");
  }

  @Test
  void aPodInBindKeepsItsRoom() {
    started();
    extender.holds = true;
    world.create(Kind.NODE, node("n1", 1));
    world.create(Kind.POD, withPriority(pod("a", "berth", "nvidia.com/gpu", "1"), 10));
    world.create(Kind.POD, pod("b", "berth", "nvidia.com/gpu", "1"));
    release("a");
    release("b");
    time.runFor(Duration.ofSeconds(5));
    assertThat(extender.verbs()).isEqualTo(List.of("filter a [n1]", "bind a n1"));
    extender.held.getFirst().accept("the gang failed");
    time.runFor(Duration.ofMillis(500));
    assertThat(extender.verbs().getLast())
        .as("its room is given to the next")
        .isEqualTo("bind b n1");
  }

  @Test
  void aRestartForgetsWhatItAssumedAndAsksAgain() {
    var scheduler = started();
    extender.holds = true;
    world.create(Kind.NODE, node("n1", 8));
    world.create(Kind.POD, pod("a", "berth"));
    release("a");
    time.runFor(Duration.ofSeconds(1));
    scheduler.restart();
    time.runFor(Duration.ofSeconds(1));
    assertThat(extender.held.size()).as("a second bind for the same pod").isEqualTo(2);
    extender.held.getFirst().accept("late"); // the earlier process is gone
    time.runFor(Duration.ofSeconds(5));
    assertThat(extender.held.size()).isEqualTo(2);
  }

  // Volumes

  /// With a claim that waits for its pod.
  private KubeScheduler waitingForVolumes() {
    var settings = SchedulerSettings.BERTH.waitingForVolumes(Duration.ofSeconds(60));
    var scheduler = new KubeScheduler(world, settings, Optional.of(extender));
    scheduler.start();
    aPodWithAClaim();
    return scheduler;
  }

  private void aPodWithAClaim() {
    world.create(Kind.NODE, node("n1", 1));
    world.create(
        Kind.STORAGE_CLASS,
        ObjectTree.of(
            "metadata",
            ObjectTree.of("name", "slow"),
            "volumeBindingMode",
            "WaitForFirstConsumer"));
    world.create(
        Kind.VOLUME_CLAIM,
        ObjectTree.of(
            "metadata",
            ObjectTree.of("namespace", "team", "name", "data"),
            "spec",
            ObjectTree.of("storageClassName", "slow")));
    create("a", World.FINALIZER);
    release("a");
    time.runFor(Duration.ofSeconds(5));
  }

  /// Why it gave up, before it tries again.
  private String words() {
    for (int i = 0; i < 30 && find("a").get("status") instanceof Map<?, ?> status; i++) {
      if (status.toString().contains("PreBind")) {
        break;
      }
      time.runFor(Duration.ofMillis(50));
    }
    return scheduled("a", "message");
  }

  private void create(String name, String finalizer) {
    var pod = pod(name, "berth", "nvidia.com/gpu", "1");
    ObjectTree.under(pod, "metadata").put("finalizers", List.of(finalizer));
    var claim = ObjectTree.of("claimName", "data");
    ObjectTree.under(pod, "spec")
        .put("volumes", List.of(ObjectTree.of("name", "data", "persistentVolumeClaim", claim)));
    world.create(Kind.POD, pod);
  }

  private static final ObjectRef CLAIM = new ObjectRef(Kind.VOLUME_CLAIM, "team", "data");

  private String selectedNode() {
    return ObjectTree.annotation(world.find(CLAIM).orElseThrow(), VolumeClaims.SELECTED_NODE);
  }

  private void annotate(String annotation, Object value) {
    var annotations = ObjectTree.of(annotation, value);
    world.patch(CLAIM, ObjectTree.of("metadata", ObjectTree.of("annotations", annotations)));
  }

  private void isProvisioned(Object... spec) {
    world.create(
        Kind.VOLUME,
        ObjectTree.of("metadata", ObjectTree.of("name", "disk"), "spec", ObjectTree.of(spec)));
    annotate(VolumeClaims.BOUND, "yes");
    world.patch(CLAIM, ObjectTree.of("spec", ObjectTree.of("volumeName", "disk")));
  }

  private List<String> kept(KubeScheduler scheduler) {
    return scheduler.kept().stream()
        .map(room -> ObjectTree.name(room.pod()) + " on " + room.node())
        .toList();
  }

  @Test
  void aPodWhoseVolumeIsNotThereIsBoundWhenItIs() {
    var scheduler = waitingForVolumes();
    assertThat(extender.verbs()).isEqualTo(List.of("filter a [n1]"));
    assertThat(selectedNode()).isEqualTo("n1");
    assertThat(kept(scheduler)).isEqualTo(List.of("a on n1"));
    isProvisioned();
    time.runFor(Duration.ofSeconds(2));
    assertThat(extender.verbs()).isEqualTo(List.of("filter a [n1]", "bind a n1"));
    assertThat(kept(scheduler)).isEqualTo(List.of());
  }

  @Test
  void withoutThatSettingItIsBoundAtOnce() {
    var scheduler = started();
    aPodWithAClaim();
    assertThat(extender.verbs()).isEqualTo(List.of("filter a [n1]", "bind a n1"));
    assertThat(kept(scheduler)).isEqualTo(List.of());
    assertThat(selectedNode()).isEqualTo("");
  }

  @Test
  void itGivesUpWhenItsTimeIsOverAndTriesAgainThere() {
    waitingForVolumes();
    world.create(Kind.NODE, node("n2", 1));
    time.runFor(Duration.ofSeconds(54));
    assertThat(extender.verbs()).isEqualTo(List.of("filter a [n1]"));
    time.runFor(Duration.ofMillis(1100));
    assertThat(scheduled("a", "message"))
        .isEqualTo(
            "running PreBind plugin \"VolumeBinding\": binding volumes: context deadline exceeded");
    time.runFor(Duration.ofSeconds(2));
    assertThat(extender.verbs())
        .as("its volume is asked for on that node")
        .isEqualTo(List.of("filter a [n1]", "filter a [n1]"));
  }

  @Test
  void itGivesUpWhenProvisioningFails() {
    waitingForVolumes();
    annotate(VolumeClaims.SELECTED_NODE, ObjectTree.ABSENT);
    String words = words();
    assertThat(words)
        .isEqualTo(
            "running PreBind plugin \"VolumeBinding\": binding volumes: provisioning failed for PVC"
                + " \"data\"");
  }

  @Test
  void itGivesUpWhenTheClaimIsGone() {
    waitingForVolumes();
    world.delete(CLAIM);
    String words = words();
    assertThat(words.contains("failed to check provisioning pvc: could not find"))
        .as(words)
        .isTrue();
  }

  @Test
  void itGivesUpWhenTheVolumeIsNotReached() {
    waitingForVolumes();
    var elsewhere =
        ObjectTree.of("key", "zone", "operator", "In", "values", List.<Object>of("elsewhere"));
    var term = ObjectTree.of("matchExpressions", List.of(elsewhere));
    isProvisioned(
        "nodeAffinity",
        ObjectTree.of("required", ObjectTree.of("nodeSelectorTerms", List.of(term))));
    String words = words();
    assertThat(words.contains("pv \"disk\" node affinity doesn't match node \"n1\""))
        .as(words)
        .isTrue();
  }

  @Test
  void itWaitsOnForAVolumeThatDoesNotExist() {
    var scheduler = waitingForVolumes();
    annotate(VolumeClaims.BOUND, "yes");
    world.patch(CLAIM, ObjectTree.of("spec", ObjectTree.of("volumeName", "no-disk")));
    time.runFor(Duration.ofSeconds(30));
    assertThat(kept(scheduler)).isEqualTo(List.of("a on n1"));
  }

  @Test
  void aPodThatIsDeletedAndStaysKeepsItsRoomUntilItIsGone() {
    var scheduler = waitingForVolumes();
    world.delete(ObjectRef.pod("team", "a"));
    create("b", "another");
    release("b");
    time.runFor(Duration.ofSeconds(10));
    assertThat(kept(scheduler)).isEqualTo(List.of("a on n1"));
    assertThat(extender.verbs()).as("no room for the other").isEqualTo(List.of("filter a [n1]"));
    world.patch(
        ObjectRef.pod("team", "a"),
        ObjectTree.of("metadata", ObjectTree.of("finalizers", ObjectTree.ABSENT)));
    time.runFor(Duration.ofSeconds(3));
    assertThat(kept(scheduler)).isEqualTo(List.of("b on n1"));
  }

  @Test
  void aPodThatIsDeletedAndStaysIsTriedNoMoreWhenItsTimeIsOver() {
    var scheduler = waitingForVolumes();
    world.delete(ObjectRef.pod("team", "a"));
    time.runFor(Duration.ofSeconds(120));
    assertThat(kept(scheduler)).isEqualTo(List.of());
    assertThat(extender.verbs()).isEqualTo(List.of("filter a [n1]"));
  }

  @Test
  void aRestartForgetsWhichPodsItWaitsWith() {
    var scheduler = waitingForVolumes();
    scheduler.restart();
    assertThat(kept(scheduler)).isEqualTo(List.of());
    time.runFor(Duration.ofSeconds(1));
    assertThat(extender.verbs()).isEqualTo(List.of("filter a [n1]", "filter a [n1]"));
    isProvisioned();
    time.runFor(Duration.ofSeconds(2));
    assertThat(extender.verbs().stream().filter("bind a n1"::equals).count()).isEqualTo(1);
  }

  @Test
  void thePlainSchedulerBindsItself() {
    new KubeScheduler(world, SchedulerSettings.named("default-scheduler"), Optional.empty())
        .start();
    world.create(Kind.NODE, node("n1", 8));
    world.create(Kind.POD, pod("a", "default-scheduler", "cpu", "1"));
    time.runFor(Duration.ofSeconds(1));
    assertThat(PodRules.node(find("a"))).isEqualTo("n1");
  }
}
