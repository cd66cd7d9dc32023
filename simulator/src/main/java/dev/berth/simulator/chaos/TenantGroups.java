package dev.berth.simulator.chaos;

import static dev.berth.simulator.world.ObjectTree.of;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Disruption budgets and PodGroups of tenants.
final class TenantGroups {
  private static final int MOST_BUDGETS = 4;

  private final TenantAccess access;
  private final World world;
  private final Chance chance;
  private final Journal journal;
  private final List<String> queues;

  TenantGroups(TenantAccess access, List<String> queues) {
    this.access = access;
    this.world = access.world;
    this.chance = access.chance;
    this.journal = access.journal;
    this.queues = queues;
  }

  // Budgets

  /// Creates a disruption budget, or deletes one.
  void budgets() {
    var there = world.list(Kind.DISRUPTION_BUDGET);
    if (!there.isEmpty() && (chance.comes(0.4) || there.size() >= MOST_BUDGETS)) {
      access.delete(chance.of(there), Kind.DISRUPTION_BUDGET);
      return;
    }
    var pods = access.pods();
    if (pods.isEmpty()) {
      return;
    }
    String app = ObjectTree.label(chance.of(pods), "app");
    var selector = app.isEmpty() || chance.comes(0.2) ? of() : of("matchLabels", of("app", app));
    String name = "nobody-leaves-" + access.nextNumber();
    world.create(
        Kind.DISRUPTION_BUDGET,
        of(
            "metadata",
            of("namespace", ClusterGenerator.NAMESPACE, "name", name),
            "spec",
            of("selector", selector, "maxUnavailable", chance.comes(0.7) ? 0L : 1L)));
    journal.tell("tenant: budget " + name + " for " + (selector.isEmpty() ? "all" : app));
    if (chance.comes(0.7)) {
      var budget =
          world.find(new ObjectRef(Kind.DISRUPTION_BUDGET, ClusterGenerator.NAMESPACE, name));
      access.later(() -> budget.ifPresent(it -> access.delete(it, Kind.DISRUPTION_BUDGET)));
    }
  }

  // Groups

  /// Edits, deletes or creates a PodGroup.
  void groups() {
    var groups = world.list(Kind.POD_GROUP);
    if (groups.isEmpty() || chance.comes(0.1)) {
      squat();
      return;
    }
    var group = chance.of(groups);
    boolean tree = ObjectTree.has(group, "spec", "subGroups");
    switch (chance.below(6)) {
      case 0 -> access.delete(group, Kind.POD_GROUP);
      case 1 -> edit(group, of("queue", chance.of(queues)));
      case 2 -> edit(group, of("priorityClassName", chance.of(ClusterGenerator.PRIORITIES)));
      case 3 ->
          edit(
              group,
              of(
                  "preemptibility",
                  chance.of(List.of("Preemptible", "NonPreemptible", "SemiPreemptible"))));
      default -> {
        long top =
            ObjectTree.maps(group, "spec", "subGroups").stream()
                .filter(each -> ObjectTree.text(each, "parent").isEmpty())
                .count();
        edit(
            group,
            tree
                ? of("minSubGroup", (long) chance.between(1, (int) top))
                : of("minMember", (long) chance.between(1, 6)));
      }
    }
  }

  private void edit(Map<String, Object> group, Map<String, Object> spec) {
    world.patch(ObjectRef.to(Kind.POD_GROUP, group), of("spec", spec));
    journal.tell("tenant: PodGroup " + ObjectTree.name(group) + " gets " + spec);
  }

  /// A PodGroup in the name of a job or a pod of others.
  private void squat() {
    var others = new ArrayList<>(world.list(Kind.JOB));
    others.addAll(access.pods());
    if (!others.isEmpty()) {
      String name = ObjectTree.name(chance.of(others));
      world.create(
          Kind.POD_GROUP,
          of(
              "metadata",
              of("namespace", ClusterGenerator.NAMESPACE, "name", name),
              "spec",
              of("minMember", (long) chance.between(1, 3), "queue", chance.of(queues))));
      journal.tell("tenant: makes PodGroup " + name);
      var squatted = world.find(new ObjectRef(Kind.POD_GROUP, ClusterGenerator.NAMESPACE, name));
      access.later(() -> squatted.ifPresent(it -> access.delete(it, Kind.POD_GROUP)));
    }
  }
}
