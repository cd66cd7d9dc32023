package dev.berth.simulator.world;

import dev.berth.controllers.client.Watcher;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// The kubelets of all nodes: admit what is bound to them, give out devices, start, finish, end.
///
/// A pod beyond the node's allocatable fails, in the words of the real kubelet. A pod with the
/// annotation `sim.berth.dev/duration` succeeds after it. Devices are physical, their UUIDs last as
/// long as the node: which free one a pod gets is the device plugin's arbitrary choice. A holder
/// reports its own as the termination message of its first start; of every other pod with devices
/// the annotation `sim.berth.dev/devices` tells what it got, so that the truth can be checked from
/// objects alone.
public final class Kubelet implements Watcher {
  public static final String DURATION = "sim.berth.dev/duration";
  public static final String DEVICES = "sim.berth.dev/devices";

  /// How long a pod takes to end once asked to; never longer than its grace, unless it is [#NEVER].
  public static final String TERMINATION = "sim.berth.dev/termination";

  public static final String NEVER = "never";

  private static final Duration SHORTEST_END = Duration.ofMillis(100);
  private final World world;
  private final Time time;
  private final Chance chance;
  private final TreeMap<String, NodeRun> nodes = new TreeMap<>();

  /// What became of pods that are over, by UID: their kubelets do not start them again.
  private final TreeMap<String, String> over = new TreeMap<>();

  /// Pods that stand in an earlier state of the API, and were not looked at since.
  private final TreeSet<String> told = new TreeSet<>();

  public Kubelet(World world) {
    this.world = world;
    this.time = world.time();
    this.chance = new Chance(world.settings().seed(), "kubelet");
  }

  public void start() {
    world.watch(EnumSet.of(Kind.NODE, Kind.POD), this);
  }

  /// The API server tells an earlier state. What runs, and stands there, runs on, and what was told
  /// of it is told again; what stands there no more is ended. What stands there and has ended
  /// meanwhile is over as it was, and begins anew where it was deleted before it was over.
  public void restart() {
    world.unwatch(this);
    told.clear();
    var placed = new TreeMap<String, TreeSet<String>>();
    for (var node : world.list(Kind.NODE)) {
      node(ObjectTree.name(node)).update(node);
      placed.put(ObjectTree.name(node), new TreeSet<>());
    }
    for (var pod : world.list(Kind.POD)) {
      var there = placed.get(PodRules.node(pod));
      if (there != null) {
        there.add(ObjectTree.uid(pod));
        told.add(ObjectTree.uid(pod));
      }
    }
    nodes.keySet().retainAll(placed.keySet());
    nodes.forEach((name, node) -> node.retain(placed.getOrDefault(name, new TreeSet<>())));
    world.list(Kind.POD).forEach(this::takeBack);
    start();
  }

  /// What is told of one that does not run, or runs with other devices since: else two would tell
  /// the same device until their kubelet has told all anew.
  private void takeBack(Map<String, Object> pod) {
    if (PodRules.isOver(pod)) {
      return; // it is not started again
    }
    if (nodes.values().stream()
        .anyMatch(node -> node.has(ObjectTree.uid(pod)) && isAsItRuns(node, pod))) {
      return;
    }
    if (!ObjectTree.annotation(pod, DEVICES).isEmpty()) {
      world.patch(
          ObjectRef.to(Kind.POD, pod),
          ObjectTree.of(
              "metadata", ObjectTree.of("annotations", ObjectTree.of(DEVICES, ObjectTree.ABSENT))));
    }
    if (!reported(pod).isEmpty()) {
      status(pod, ObjectTree.of("phase", "Pending", "containerStatuses", ObjectTree.ABSENT));
    }
  }

  private void tellAgain(NodeRun node, Map<String, ?> pod) {
    String uid = ObjectTree.uid(pod);
    if (over.containsKey(uid)) {
      status(pod, ObjectTree.of("phase", over.get(uid)));
    } else if (!node.has(uid)) {
      admit(node, pod);
    } else if (node.runs(uid) && !isAsItRuns(node, pod)) {
      time.after(chance.between(Duration.ofMillis(10), SHORTEST_END), () -> run(node, pod));
    }
  }

  private static boolean isAsItRuns(NodeRun node, Map<String, ?> pod) {
    String devices = String.join(",", node.devicesOf(ObjectTree.uid(pod)));
    boolean holder = ObjectTree.has(pod, "metadata", "labels", WorldHolders.LABEL);
    return ObjectTree.text(pod, "status", "phase").equals("Running")
        && (holder ? reported(pod) : ObjectTree.annotation(pod, DEVICES)).equals(devices);
  }

  private static String reported(Map<String, ?> holder) {
    for (var container : ObjectTree.maps(holder, "status", "containerStatuses")) {
      return ObjectTree.text(container, "lastState", "terminated", "message").strip();
    }
    return "";
  }

  @Override
  public void seen(Kind kind, Map<String, ?> object) {
    if (kind == Kind.NODE) {
      node(ObjectTree.name(object)).update(object);
    } else if (!PodRules.node(object).isEmpty()) {
      podSeen(object);
    }
  }

  @Override
  public void gone(Kind kind, Map<String, ?> object) {
    if (kind == Kind.NODE) {
      nodes.remove(ObjectTree.name(object));
    } else if (!PodRules.node(object).isEmpty()) {
      node(PodRules.node(object)).release(ObjectTree.uid(object));
    }
  }

  @Override
  public void synced(Kind kind) {}

  private NodeRun node(String name) {
    return nodes.computeIfAbsent(name, _ -> new NodeRun(name));
  }

  /// The kubelet of a node that is lost starts and ends nothing any more.
  private boolean isThere(NodeRun node) {
    return nodes.containsValue(node);
  }

  private void podSeen(Map<String, ?> pod) {
    var node = node(PodRules.node(pod));
    boolean again = told.remove(ObjectTree.uid(pod));
    if (PodRules.isOver(pod)) {
      over.put(ObjectTree.uid(pod), ObjectTree.text(pod, "status", "phase"));
      node.release(ObjectTree.uid(pod));
    } else if (PodRules.isLeaving(pod)) {
      if (node.isNew(ObjectTree.uid(pod))) {
        node.takeOver(ObjectTree.uid(pod), RequestedAmounts.of(pod), chance);
      }
      boolean ends = !ObjectTree.annotation(pod, TERMINATION).equals(NEVER);
      long grace = ObjectTree.number(pod, 30, "metadata", "deletionGracePeriodSeconds");
      if (node.startEnding(ObjectTree.uid(pod), grace) && ends) {
        time.after(endingOf(pod), () -> remove(pod));
      }
    } else if (again) {
      tellAgain(node, pod);
    } else if (node.isNew(ObjectTree.uid(pod))) {
      if (ObjectTree.text(pod, "status", "phase").equals("Pending")) {
        admit(node, pod);
      } else {
        node.takeOver(
            ObjectTree.uid(pod), RequestedAmounts.of(pod), chance); // ran before Berth was there
      }
    }
  }

  private void admit(NodeRun node, Map<String, ?> pod) {
    var refusal = node.admit(ObjectTree.uid(pod), RequestedAmounts.of(pod), chance);
    if (refusal.isPresent()) {
      status(
          pod,
          ObjectTree.of(
              "phase",
              "Failed",
              "reason",
              refusal.get().reason(),
              "message",
              "Pod was rejected: " + refusal.get().message()));
      return;
    }
    Duration start = chance.between(Duration.ofMillis(100), world.settings().startLongest());
    if (ObjectTree.has(pod, "metadata", "labels", WorldHolders.LABEL)) {
      start = start.dividedBy(4); // a tiny image that is on every node
    }
    time.after(start, () -> run(node, pod));
  }

  private void run(NodeRun node, Map<String, ?> pod) {
    if (!isThere(node) || !node.runs(ObjectTree.uid(pod)) || isOverMeanwhile(pod)) {
      return;
    }
    List<String> devices = node.devicesOf(ObjectTree.uid(pod));
    boolean holder = ObjectTree.has(pod, "metadata", "labels", WorldHolders.LABEL);
    if (!devices.isEmpty() && !holder) {
      quietly(() ->
          world.patch(
              ObjectRef.to(Kind.POD, pod),
              ObjectTree.of(
                  "metadata",
                  ObjectTree.of(
                      "uid",
                      ObjectTree.uid(pod),
                      "annotations",
                      ObjectTree.of(DEVICES, String.join(",", devices))))));
    }
    var status =
        ObjectTree.of(
            "phase",
            "Running",
            "startTime",
            time.instant().toString(),
            "conditions",
            List.of(Conditions.condition("Ready", true, "", "")));
    if (holder) {
      status.put("containerStatuses", List.of(report(devices)));
    }
    status(pod, status);
    String duration = ObjectTree.annotation(pod, DURATION);
    if (!duration.isEmpty()) {
      time.after(GoDurations.parse(duration), () -> finish(node, pod));
    }
  }

  /// Evicted before it ran, and that is still on its way to Berth.
  private boolean isOverMeanwhile(Map<String, ?> pod) {
    return world
        .find(ObjectRef.to(Kind.POD, pod))
        .filter(there -> ObjectTree.uid(there).equals(ObjectTree.uid(pod)))
        .filter(PodRules::isOver)
        .isPresent();
  }

  private Map<String, Object> report(List<String> devices) {
    return ObjectTree.of(
        "name",
        "hold",
        "state",
        ObjectTree.of("running", ObjectTree.of("startedAt", time.instant().toString())),
        "lastState",
        ObjectTree.of(
            "terminated",
            ObjectTree.of(
                "exitCode",
                0L,
                "reason",
                "Completed",
                "message",
                String.join(",", devices) + "\n")));
  }

  private void finish(NodeRun node, Map<String, ?> pod) {
    if (isThere(node) && node.runs(ObjectTree.uid(pod))) {
      status(pod, ObjectTree.of("phase", "Succeeded"));
    }
  }

  private Duration endingOf(Map<String, ?> pod) {
    var grace =
        Duration.ofSeconds(ObjectTree.number(pod, 30, "metadata", "deletionGracePeriodSeconds"));
    String told = ObjectTree.annotation(pod, TERMINATION);
    var longest = world.settings().terminationLongest();
    var shortest = longest.compareTo(SHORTEST_END) < 0 ? longest : SHORTEST_END;
    var ending = told.isEmpty() ? chance.between(shortest, longest) : GoDurations.parse(told);
    return ending.compareTo(grace) > 0 ? grace : ending;
  }

  /// Its containers have ended. Where that was not requested, in the state that the API server went
  /// back to, it has failed.
  private void remove(Map<String, ?> pod) {
    var node = nodes.get(PodRules.node(pod));
    if (node != null) {
      node.release(ObjectTree.uid(pod));
    }
    world
        .find(ObjectRef.to(Kind.POD, pod))
        .filter(there -> ObjectTree.uid(there).equals(ObjectTree.uid(pod)))
        .ifPresent(there -> {
          if (PodRules.isLeaving(there)) {
            quietly(() -> world.remove(ObjectRef.to(Kind.POD, pod)));
          } else {
            status(pod, ObjectTree.of("phase", "Failed"));
          }
        });
  }

  private void status(Map<String, ?> pod, Map<String, ?> status) {
    quietly(() ->
        world.patchStatus(
            ObjectRef.to(Kind.POD, pod),
            ObjectTree.of(
                "metadata", ObjectTree.of("uid", ObjectTree.uid(pod)), "status", status)));
  }

  /// The pod may be gone meanwhile: then there is nothing to tell.
  private static void quietly(Runnable write) {
    try {
      write.run();
    } catch (ApiRefusal refusal) {
      if (refusal.status() != 404 && refusal.status() != 409) {
        throw refusal;
      }
    }
  }
}
