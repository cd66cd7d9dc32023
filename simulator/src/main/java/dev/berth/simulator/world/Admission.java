package dev.berth.simulator.world;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.engine.request.WellKnownNames;
import java.util.ArrayList;
import java.util.Map;

/// What the API server makes of a pod before it stores it: the priority of its class, and the gate
/// that `manifests/` sets on pods of scheduler `berth` that are not bound already.
final class Admission {
  static final String GATE = "berth.dev/queued";

  private final World world;

  Admission(World world) {
    this.world = world;
  }

  /// A pod that was found elsewhere: gated only where it would be behind its gate still.
  void adopt(Map<String, Object> pod) {
    if (PodRules.isOver(pod) || Tree.has(pod, "metadata", "annotations", WellKnownNames.PLAN)) {
      complete(Tree.under(pod, "spec"));
    } else {
      admit(pod);
    }
  }

  private void complete(Map<String, Object> spec) {
    spec.putIfAbsent("schedulerName", "default-scheduler");
    resolvePriority(spec);
  }

  void admit(Map<String, Object> pod) {
    var spec = Tree.under(pod, "spec");
    complete(spec);
    if (Tree.text(spec, "schedulerName").equals(WellKnownNames.SCHEDULER)
        && !Tree.has(spec, "nodeName")) {
      gate(spec);
    }
    var status = Tree.under(pod, "status");
    status.putIfAbsent("phase", "Pending");
    if (!Tree.list(spec, "schedulingGates").isEmpty()) {
      Conditions.set(
          status,
          "PodScheduled",
          false,
          "SchedulingGated",
          "Scheduling is blocked due to non-empty scheduling gates");
    }
  }

  private static void gate(Map<String, Object> spec) {
    var gates = new ArrayList<>(Tree.list(spec, "schedulingGates"));
    if (Tree.maps(spec, "schedulingGates").stream()
        .noneMatch(gate -> Tree.text(gate, "name").equals(GATE))) {
      gates.add(Tree.of("name", GATE));
      spec.put("schedulingGates", gates);
    }
  }

  private void resolvePriority(Map<String, Object> spec) {
    String className = Tree.text(spec, "priorityClassName");
    if (Tree.has(spec, "priority")) {
      return;
    }
    long priority = 0;
    for (var priorityClass : world.list(Kind.PRIORITY_CLASS)) {
      if (className.isEmpty()
          ? Tree.isTrue(priorityClass, "globalDefault")
          : Tree.name(priorityClass).equals(className)) {
        priority = Tree.number(priorityClass, 0, "value");
        String policy = Tree.text(priorityClass, "preemptionPolicy");
        if (!policy.isEmpty()) {
          spec.putIfAbsent("preemptionPolicy", policy);
        }
      }
    }
    spec.put("priority", priority);
  }
}
