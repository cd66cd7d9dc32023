package dev.berth.simulator.world;

import static dev.berth.simulator.world.Objects.node;
import static dev.berth.simulator.world.Objects.pod;
import static dev.berth.simulator.world.Objects.withPriority;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    assertEquals(List.of(), extender.asked);
  }

  @Test
  void theNominatedNodeIsTriedFirstAndAlone() throws ClientException {
    started();
    List.of("n1", "n2", "n3").forEach(n -> world.create(Kind.NODE, node(n, 8)));
    world.create(Kind.POD, pod("a", "berth"));
    new WorldPods(world).nominate(new PodKey("team", "a"), uid("a"), new NodeName("n2"));
    release("a");
    time.runFor(Duration.ofSeconds(1));
    assertEquals(List.of("filter a [n2]", "bind a n2"), extender.verbs());
  }

  @Test
  void prioritizeDecidesBetweenSeveral() {
    started();
    List.of("n1", "n2", "n3").forEach(n -> world.create(Kind.NODE, node(n, 8)));
    world.create(Kind.POD, pod("a", "berth"));
    release("a");
    time.runFor(Duration.ofSeconds(1));
    assertEquals(
        List.of("filter a [n1, n2, n3]", "prioritize a [n1, n2, n3]", "bind a n3"),
        extender.verbs());
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
    assertEquals("Unschedulable", scheduled("a", "reason"));
    assertEquals(
        "0/3 nodes are available: 1 node(s) were unschedulable, 2 berth: planned on another node."
            + " preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
        scheduled("a", "message"));
    assertEquals(2, scheduler.attempts(), "its own condition wakes it once, then it settles");
  }

  @Test
  void inTreeFiltersAnswerBeforeTheExtenderIsAsked() {
    started();
    world.create(Kind.NODE, node("n1", 1));
    world.create(Kind.POD, pod("a", "berth", "nvidia.com/gpu", "2", "cpu", "9"));
    release("a");
    time.runFor(Duration.ofSeconds(1));
    assertEquals(List.of(), extender.asked);
    assertTrue(
        scheduled("a", "message")
            .startsWith(
                "0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient nvidia.com/gpu."),
        scheduled("a", "message"));
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
    assertEquals(3, tries.size());
    assertTrue(between(tries, 0) >= 1000 && between(tries, 0) < 1100, "first backoff: 1 s");
    assertTrue(between(tries, 1) >= 2000 && between(tries, 1) < 2100, "second backoff: 2 s");
    assertEquals("SchedulerError", scheduled("a", "reason"));
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
    assertEquals("SchedulerError", scheduled("a", "reason"));
    assertEquals("not ready", scheduled("a", "message"));
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
    assertEquals(List.of("filter a [n1]", "bind a n1"), extender.verbs());
    extender.held.getFirst().accept("the gang failed");
    time.runFor(Duration.ofMillis(500));
    assertEquals("bind b n1", extender.verbs().getLast(), "its room is given to the next");
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
    assertEquals(2, extender.held.size(), "a second bind for the same pod");
    extender.held.getFirst().accept("late"); // nobody listens any more
    time.runFor(Duration.ofSeconds(5));
    assertEquals(2, extender.held.size());
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
    assertEquals(List.of("filter a [n1]"), extender.verbs());
    assertEquals("n1", selectedNode());
    assertEquals(List.of("a on n1"), kept(scheduler));
    isProvisioned();
    time.runFor(Duration.ofSeconds(2));
    assertEquals(List.of("filter a [n1]", "bind a n1"), extender.verbs());
    assertEquals(List.of(), kept(scheduler));
  }

  @Test
  void withoutThatSettingItIsBoundAtOnce() {
    var scheduler = started();
    aPodWithAClaim();
    assertEquals(List.of("filter a [n1]", "bind a n1"), extender.verbs());
    assertEquals(List.of(), kept(scheduler));
    assertEquals("", selectedNode());
  }

  @Test
  void itGivesUpWhenItsTimeIsOverAndTriesAgainThere() {
    waitingForVolumes();
    world.create(Kind.NODE, node("n2", 1));
    time.runFor(Duration.ofSeconds(54));
    assertEquals(List.of("filter a [n1]"), extender.verbs());
    time.runFor(Duration.ofMillis(1100));
    assertEquals(
        "running PreBind plugin \"VolumeBinding\": binding volumes: context deadline exceeded",
        scheduled("a", "message"));
    time.runFor(Duration.ofSeconds(2));
    assertEquals(
        List.of("filter a [n1]", "filter a [n1]"),
        extender.verbs(),
        "its volume is asked for on that node");
  }

  @Test
  void itGivesUpWhenProvisioningFails() {
    waitingForVolumes();
    annotate(VolumeClaims.SELECTED_NODE, ObjectTree.ABSENT);
    String words = words();
    assertEquals(
        "running PreBind plugin \"VolumeBinding\": binding volumes: provisioning failed for PVC"
            + " \"data\"",
        words);
  }

  @Test
  void itGivesUpWhenTheClaimIsGone() {
    waitingForVolumes();
    world.delete(CLAIM);
    String words = words();
    assertTrue(words.contains("failed to check provisioning pvc: could not find"), words);
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
    assertTrue(words.contains("pv \"disk\" node affinity doesn't match node \"n1\""), words);
  }

  @Test
  void itWaitsOnForAVolumeThatDoesNotExist() {
    var scheduler = waitingForVolumes();
    annotate(VolumeClaims.BOUND, "yes");
    world.patch(CLAIM, ObjectTree.of("spec", ObjectTree.of("volumeName", "no-disk")));
    time.runFor(Duration.ofSeconds(30));
    assertEquals(List.of("a on n1"), kept(scheduler));
  }

  @Test
  void aPodThatIsDeletedAndStaysKeepsItsRoomUntilItIsGone() {
    var scheduler = waitingForVolumes();
    world.delete(ObjectRef.pod("team", "a"));
    create("b", "another");
    release("b");
    time.runFor(Duration.ofSeconds(10));
    assertEquals(List.of("a on n1"), kept(scheduler));
    assertEquals(List.of("filter a [n1]"), extender.verbs(), "no room for the other");
    world.patch(
        ObjectRef.pod("team", "a"),
        ObjectTree.of("metadata", ObjectTree.of("finalizers", ObjectTree.ABSENT)));
    time.runFor(Duration.ofSeconds(3));
    assertEquals(List.of("b on n1"), kept(scheduler));
  }

  @Test
  void aPodThatIsDeletedAndStaysIsTriedNoMoreWhenItsTimeIsOver() {
    var scheduler = waitingForVolumes();
    world.delete(ObjectRef.pod("team", "a"));
    time.runFor(Duration.ofSeconds(120));
    assertEquals(List.of(), kept(scheduler));
    assertEquals(List.of("filter a [n1]"), extender.verbs());
  }

  @Test
  void aRestartForgetsWhomItWaitsWith() {
    var scheduler = waitingForVolumes();
    scheduler.restart();
    assertEquals(List.of(), kept(scheduler));
    time.runFor(Duration.ofSeconds(1));
    assertEquals(List.of("filter a [n1]", "filter a [n1]"), extender.verbs());
    isProvisioned();
    time.runFor(Duration.ofSeconds(2));
    assertEquals(1, extender.verbs().stream().filter("bind a n1"::equals).count());
  }

  @Test
  void thePlainSchedulerBindsItself() {
    new KubeScheduler(world, SchedulerSettings.named("default-scheduler"), Optional.empty())
        .start();
    world.create(Kind.NODE, node("n1", 8));
    world.create(Kind.POD, pod("a", "default-scheduler", "cpu", "1"));
    time.runFor(Duration.ofSeconds(1));
    assertEquals("n1", PodRules.node(find("a")));
  }
}
