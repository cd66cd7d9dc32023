package dev.berth.simulator.scenario;

import dev.berth.controllers.client.Watcher;
import dev.berth.engine.request.WellKnownNames;
import dev.berth.simulator.world.Kubelet;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import dev.berth.simulator.world.World;
import java.util.List;
import java.util.Map;

/// The controllers of all workloads, in small: a pod that has an owner and is evicted comes back,
/// under the same name, with a new UID and without anything that Berth wrote on it. One that is
/// over stays over.
final class WorkloadControllers implements Watcher {
  /// What Berth and the kubelets write on a pod.
  private static final List<String> WRITTEN =
      List.of(
          WellKnownNames.PLAN,
          WellKnownNames.PREEMPTOR,
          WellKnownNames.GPU_DEVICES,
          WellKnownNames.GPU_SHARE,
          Kubelet.DEVICES,
          Kubelet.TERMINATION);

  private final World world;

  WorkloadControllers(World world) {
    this.world = world;
  }

  @Override
  public void seen(Kind kind, Map<String, ?> object) {}

  @Override
  public void gone(Kind kind, Map<String, ?> object) {
    var pod = PodView.of(object);
    boolean over = pod.phase().equals("Succeeded") || pod.phase().equals("Failed");
    if (!over
        && !pod.isHolder()
        && !ObjectTree.list(object, "metadata", "ownerReferences").isEmpty()) {
      world.create(Kind.POD, anew(object));
    }
  }

  @Override
  public void synced(Kind kind) {}

  private static Map<String, Object> anew(Map<String, ?> object) {
    var pod = ObjectTree.thaw(object);
    pod.remove("status");
    var metadata = ObjectTree.under(pod, "metadata");
    for (String field :
        List.of(
            "uid",
            "resourceVersion",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds")) {
      metadata.remove(field);
    }
    var annotations = ObjectTree.under(metadata, "annotations");
    WRITTEN.forEach(annotations::remove);
    ObjectTree.under(pod, "spec").remove("nodeName");
    return pod;
  }
}
