package dev.berth.simulator.chaos;

import static dev.berth.simulator.world.ObjectTree.of;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import dev.berth.simulator.world.World;
import java.util.List;
import java.util.Map;

/// Edits of pods by tenants that the API server lets through.
final class TenantPods {
  private final TenantAccess access;
  private final World world;
  private final Chance chance;
  private final Journal journal;
  private final List<String> queues;

  TenantPods(TenantAccess access, List<String> queues) {
    this.access = access;
    this.world = access.world;
    this.chance = access.chance;
    this.journal = access.journal;
    this.queues = queues;
  }

  private void patch(Map<String, Object> pod, String what, Map<String, Object> metadata) {
    access.writes.patch(ObjectRef.to(Kind.POD, pod), of("metadata", metadata));
    journal.tell("tenant: pod " + ObjectTree.name(pod) + " gets " + what);
  }

  // Labels

  /// Changes labels and annotations by which queue, group, priority and budget are found.
  void relabel() {
    var pods = access.pods();
    if (pods.isEmpty()) {
      return;
    }
    var pod = chance.of(pods);
    Object value;
    switch (chance.below(7)) {
      case 0, 1 -> label(pod, "berth.dev/queue", chance.comes(0.1) ? "nowhere" : chance.of(queues));
      case 2 -> {
        value = chance.of(List.of("preemptible", "non-preemptible", ObjectTree.ABSENT));
        label(pod, "berth.dev/preemptibility", value);
      }
      case 3 -> label(pod, "priorityClassName", chance.of(ClusterGenerator.PRIORITIES));
      case 4 -> label(pod, "berth.dev/pod-group", group());
      case 5 -> label(pod, "app", ObjectTree.label(chance.of(pods), "app"));
      default -> {
        value = chance.of(List.of("1", "2", "3", ObjectTree.ABSENT));
        patch(
            pod, "min-member " + word(value), of("annotations", of("berth.dev/min-member", value)));
      }
    }
  }

  /// That of another, one that does not exist, or none.
  private Object group() {
    var groups = world.list(Kind.POD_GROUP);
    return groups.isEmpty() || chance.comes(0.3)
        ? chance.of(List.of("no-such-group", ObjectTree.ABSENT))
        : ObjectTree.name(chance.of(groups));
  }

  private void label(Map<String, Object> pod, String name, Object value) {
    patch(pod, "label " + name + " " + word(value), of("labels", of(name, value)));
  }

  private static String word(Object value) {
    return value == ObjectTree.ABSENT ? "(none)" : value.toString();
  }

  // Owners

  /// Changes the owners of a pod.
  void owners() {
    var pods = access.pods();
    var jobs = world.list(Kind.JOB);
    if (pods.isEmpty()) {
      return;
    }
    var running = pods.stream().filter(each -> !PodView.of(each).node().isEmpty()).toList();
    var pod = chance.of(running.isEmpty() || chance.comes(0.5) ? pods : running);
    var odd = of("apiVersion", "example.com/v1", "kind", "Widget", "name", "-_!", "uid", "odd");
    switch (chance.below(5)) {
      case 0, 1 -> {
        if (!jobs.isEmpty()) {
          String queue = ObjectTree.label(pod, "berth.dev/queue");
          var others =
              jobs.stream()
                  .filter(
                      each -> !ObjectTree.label(template(each), "berth.dev/queue").equals(queue));
          var job = chance.of(chance.comes(0.5) ? jobs : orElse(others.toList(), jobs));
          owned(
              pod,
              ObjectTree.ownedBy("batch/v1", "Job", ObjectTree.name(job), ObjectTree.uid(job)));
        }
      }
      case 2 -> {
        owned(pod, ObjectTree.ownedBy("batch/v1", "Job", "ghost", "ghost-" + access.nextNumber()));
        access.later(() -> collect(pod));
      }
      case 3 -> owned(pod, List.of(odd));
      default -> owned(pod, ObjectTree.ABSENT);
    }
  }

  private static Map<String, Object> template(Map<String, Object> job) {
    return ObjectTree.map(job, "spec", "template");
  }

  private static <T> List<T> orElse(List<T> some, List<T> others) {
    return some.isEmpty() ? others : some;
  }

  private void owned(Map<String, Object> pod, Object owners) {
    patch(pod, "owners " + word(owners), of("ownerReferences", owners));
  }

  /// The garbage collector deletes what has no owner but such that do not exist.
  private void collect(Map<String, Object> pod) {
    world
        .find(ObjectRef.to(Kind.POD, pod))
        .filter(is -> ObjectTree.uid(is).equals(ObjectTree.uid(pod)))
        .filter(is ->
            ObjectTree.maps(is, "metadata", "ownerReferences").stream()
                .anyMatch(owner -> ObjectTree.text(owner, "name").equals("ghost")))
        .ifPresent(is -> {
          journal.tell("pod " + ObjectTree.name(is) + " is collected: its owner does not exist");
          world.delete(ObjectRef.to(Kind.POD, is));
        });
  }

  // Gates of their own

  /// Removes scheduling gates that are not Berth's.
  void liftGates() {
    for (var pod : access.pods()) {
      var gates = ObjectTree.maps(pod, "spec", "schedulingGates");
      var left =
          gates.stream()
              .filter(gate -> !ObjectTree.text(gate, "name").equals(Tenants.ANY_GATE))
              .toList();
      if (left.size() < gates.size() && chance.comes(0.5)) {
        journal.tell("tenant: lifts " + Tenants.ANY_GATE + " of " + ObjectTree.name(pod));
        access.writes.patch(
            ObjectRef.to(Kind.POD, pod),
            of("spec", of("schedulingGates", left.isEmpty() ? ObjectTree.ABSENT : left)));
      }
    }
  }
}
