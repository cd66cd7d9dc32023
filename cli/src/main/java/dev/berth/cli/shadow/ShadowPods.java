package dev.berth.cli.shadow;

import static dev.berth.simulator.world.ObjectTree.map;
import static dev.berth.simulator.world.ObjectTree.maps;
import static dev.berth.simulator.world.ObjectTree.text;
import static dev.berth.simulator.world.ObjectTree.under;

import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Resource;
import dev.berth.engine.request.PodManifest;
import dev.berth.engine.request.WellKnownNames;
import dev.berth.simulator.world.ObjectTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Rewrites the pods of other schedulers that ask for GPUs: they are Berth's, and those without a
/// node wait at Berth's gate. Pods of other gates than Berth's and Kueue's keep them: they have not
/// come yet.
///
/// A pod on a node began to run when it was bound: no scheduler is to blame for the time that
/// images and volumes take.
final class ShadowPods {
  private static final String OF_KUEUE = "kueue.x-k8s.io/";

  private final ShadowRules rules;

  ShadowPods(ShadowRules rules) {
    this.rules = rules;
  }

  /// Whether it asks for GPUs, and a scheduler that counts places it. Pods of DaemonSets and of
  /// nodes have no choice, holders and placeholders are no work.
  boolean counts(Map<String, Object> pod) {
    String scheduler = WellKnownNames.scheduler(text(pod, "spec", "schedulerName"));
    if (!rules.schedulers().isEmpty() && !rules.schedulers().contains(scheduler)) {
      return false;
    }
    boolean isOfNodes =
        maps(pod, "metadata", "ownerReferences").stream()
            .map(owner -> text(owner, "kind"))
            .anyMatch(kind -> kind.equals("DaemonSet") || kind.equals("Node"));
    return !isOfNodes
        && ObjectTree.label(pod, WellKnownNames.HOLDER).isEmpty()
        && ObjectTree.label(pod, WellKnownNames.PLACEHOLDER).isEmpty()
        && PodManifest.read(pod).filter(ShadowPods::asksForGpus).isPresent();
  }

  private static boolean asksForGpus(Pod pod) {
    var request = pod.asks().request();
    return !request.devices().equals(DeviceRequest.NONE)
        || !pod.traits().claims().isEmpty()
        || request.amounts().resources().stream().anyMatch(Resource::isMig);
  }

  /// @param pod that counts; it is changed
  static void rewrite(Map<String, Object> pod) {
    var spec = under(pod, "spec");
    if (text(spec, "schedulerName").equals(WellKnownNames.SCHEDULER)) {
      return;
    }
    spec.put("schedulerName", WellKnownNames.SCHEDULER);
    if (text(spec, "nodeName").isEmpty()) {
      waits(pod, spec);
    } else {
      boundAt(pod);
    }
  }

  private static void waits(Map<String, Object> pod, Map<String, Object> spec) {
    var gates = new ArrayList<Object>();
    gates.add(ObjectTree.of("name", WellKnownNames.GATE));
    for (Map<String, Object> gate : maps(pod, "spec", "schedulingGates")) {
      String name = text(gate, "name");
      if (!name.startsWith(OF_KUEUE) && !name.equals(WellKnownNames.GATE)) {
        gates.add(gate);
      }
    }
    spec.put("schedulingGates", gates);
    var status = under(pod, "status");
    status.put("conditions", without(maps(pod, "status", "conditions"), "PodScheduled"));
    status.remove("nominatedNodeName");
  }

  private static List<Object> without(List<Map<String, Object>> conditions, String type) {
    return new ArrayList<>(
        conditions.stream().filter(each -> !text(each, "type").equals(type)).toList());
  }

  private static void boundAt(Map<String, Object> pod) {
    for (Map<String, Object> condition : maps(pod, "status", "conditions")) {
      String at = text(condition, "lastTransitionTime");
      if (text(condition, "type").equals("PodScheduled")
          && text(condition, "status").equals("True")
          && !at.isEmpty()) {
        under(pod, "status").put("startTime", at);
      }
    }
  }

  /// Puts it into a queue.
  static void into(Map<String, Object> pod, String queue) {
    under(under(pod, "metadata"), "labels").put(WellKnownNames.QUEUE, queue);
  }

  /// Makes it a member of a gang, whatever its owners say.
  static void joins(Map<String, Object> pod, String group, long minMember) {
    var metadata = under(pod, "metadata");
    under(metadata, "labels").put(WellKnownNames.POD_GROUP, group);
    under(metadata, "annotations").put(WellKnownNames.MIN_MEMBER, Long.toString(minMember));
  }

  /// What its owners say counts.
  static void leavesGroup(Map<String, Object> pod) {
    if (!map(pod, "metadata", "annotations").isEmpty()) {
      under(under(pod, "metadata"), "annotations").remove(WellKnownNames.POD_GROUP_ALIAS);
    }
    if (!map(pod, "metadata", "labels").isEmpty()) {
      under(under(pod, "metadata"), "labels").remove(WellKnownNames.POD_GROUP_LABEL);
    }
  }
}
