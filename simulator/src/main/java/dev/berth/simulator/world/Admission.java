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
    if (PodRules.isOver(pod)
        || ObjectTree.has(pod, "metadata", "annotations", WellKnownNames.PLAN)) {
      complete(ObjectTree.under(pod, "spec"));
    } else {
      admit(pod);
    }
  }

  private void complete(Map<String, Object> spec) {
    spec.putIfAbsent("schedulerName", WellKnownNames.DEFAULT_SCHEDULER);
    resolvePriority(spec);
  }

  void admit(Map<String, Object> pod) {
    var spec = ObjectTree.under(pod, "spec");
    complete(spec);
    if (ObjectTree.text(spec, "schedulerName").equals(WellKnownNames.SCHEDULER)
        && !ObjectTree.has(spec, "nodeName")) {
      gate(spec);
    }
    var status = ObjectTree.under(pod, "status");
    status.putIfAbsent("phase", "Pending");
    if (!ObjectTree.list(spec, "schedulingGates").isEmpty()) {
      Conditions.set(
          status,
          "PodScheduled",
          false,
          "SchedulingGated",
          "Scheduling is blocked due to non-empty scheduling gates");
    }
  }

  private static void gate(Map<String, Object> spec) {
    var gates = new ArrayList<>(ObjectTree.list(spec, "schedulingGates"));
    if (ObjectTree.maps(spec, "schedulingGates").stream()
        .noneMatch(gate -> ObjectTree.text(gate, "name").equals(GATE))) {
      gates.add(ObjectTree.of("name", GATE));
      spec.put("schedulingGates", gates);
    }
  }

  private void resolvePriority(Map<String, Object> spec) {
    String className = ObjectTree.text(spec, "priorityClassName");
    if (ObjectTree.has(spec, "priority")) {
      return;
    }
    long priority = 0;
    for (var priorityClass : world.list(Kind.PRIORITY_CLASS)) {
      if (className.isEmpty()
          ? ObjectTree.isTrue(priorityClass, "globalDefault")
          : ObjectTree.name(priorityClass).equals(className)) {
        priority = ObjectTree.number(priorityClass, 0, "value");
        String policy = ObjectTree.text(priorityClass, "preemptionPolicy");
        if (!policy.isEmpty()) {
          spec.putIfAbsent("preemptionPolicy", policy);
        }
      }
    }
    spec.put("priority", priority);
  }
}
