package dev.berth.simulator.world;

import dev.berth.controllers.client.Watcher.Kind;
import java.util.List;
import java.util.Map;

/// kube-scheduler's plugin for volumes, in small, in its words: a bound claim's volume must be
/// reached from the node, and a claim whose volume is asked for on one node keeps its pods from
/// others. What it does not model: volumes to be found for claims, limits of nodes. Where
/// kube-scheduler does not wait for volumes, claims that wait for their pod stay unbound.
///
/// It reads the store itself: its picture is never late. A world without any claim says nothing of
/// volumes, as dumps of clusters often do, and there all pods pass.
final class VolumeBinding {
  private static final String ELSEWHERE = "node(s) didn't match PersistentVolume's node affinity";
  private static final String GONE =
      "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)";
  private static final String UNBOUND = "pod has unbound immediate PersistentVolumeClaims";

  private static final String ASKED_ELSEWHERE =
      "node(s) didn't find available persistent volumes to bind";

  private final World world;
  private final boolean waits;

  /// @param waits whether kube-scheduler waits for volumes before it binds
  VolumeBinding(World world, boolean waits) {
    this.world = world;
    this.waits = waits;
  }

  /// Why a node will not do; empty = it will.
  String objection(Map<String, ?> pod, Map<String, ?> node) {
    for (var volume : ObjectTree.maps(pod, "spec", "volumes")) {
      String name = VolumeClaims.name(pod, volume);
      String words = name.isEmpty() ? "" : objection(pod, name, node);
      if (!words.isEmpty()) {
        return words;
      }
    }
    return "";
  }

  private String objection(Map<String, ?> pod, String name, Map<String, ?> node) {
    var ref = new ObjectRef(Kind.VOLUME_CLAIM, ObjectTree.text(pod, "metadata", "namespace"), name);
    var found = world.find(ref);
    if (found.isEmpty()) {
      boolean areAny = !world.list(Kind.VOLUME_CLAIM).isEmpty();
      return !areAny ? "" : "persistentvolumeclaim \"" + name + "\" not found";
    }
    var claim = found.get();
    if (ObjectTree.has(claim, "metadata", "deletionTimestamp")) {
      return "persistentvolumeclaim \"" + name + "\" is being deleted";
    }
    if (ObjectTree.text(claim, "status", "phase").equals("Lost")) {
      return "persistentvolumeclaim \"" + name + "\" bound to non-existent persistentvolume";
    }
    var annotations = ObjectTree.map(claim, "metadata", "annotations");
    String volume = ObjectTree.text(claim, "spec", "volumeName");
    if (!annotations.containsKey(VolumeClaims.BOUND)) {
      return volume.isEmpty() ? unbound(claim, node) : UNBOUND;
    }
    if (volume.isEmpty()) {
      return unbound(claim, node);
    }
    var bound = world.find(new ObjectRef(Kind.VOLUME, "", volume));
    if (bound.isEmpty()) {
      return world.list(Kind.VOLUME).isEmpty() ? "" : GONE;
    }
    return VolumeClaims.isReached(bound.get(), node) ? "" : ELSEWHERE;
  }

  private String unbound(Map<String, ?> claim, Map<String, ?> node) {
    var storageClass =
        world.find(
            new ObjectRef(
                Kind.STORAGE_CLASS, "", ObjectTree.text(claim, "spec", "storageClassName")));
    if (storageClass
        .filter(it -> ObjectTree.text(it, "volumeBindingMode").equals("WaitForFirstConsumer"))
        .isEmpty()) {
      return UNBOUND;
    }
    String selected = ObjectTree.annotation(claim, VolumeClaims.SELECTED_NODE);
    if (waits && !selected.isEmpty() && !selected.equals(ObjectTree.name(node))) {
      return ASKED_ELSEWHERE;
    }
    var topologies = ObjectTree.maps(storageClass.get(), "allowedTopologies");
    boolean may = topologies.isEmpty() || topologies.stream().anyMatch(each -> isIn(each, node));
    return may ? "" : "node(s) did not have enough free storage";
  }

  private static boolean isIn(Map<String, ?> topology, Map<String, ?> node) {
    var labels = ObjectTree.map(node, "metadata", "labels");
    return ObjectTree.maps(topology, "matchLabelExpressions").stream()
        .allMatch(each -> {
          List<Object> values = ObjectTree.list(each, "values");
          return values.contains(ObjectTree.text(labels, ObjectTree.text(each, "key")));
        });
  }
}
