package dev.berth.simulator.world;

import dev.berth.controllers.client.Watcher.Kind;
import java.util.List;
import java.util.Map;

/// kube-scheduler's plugin for volumes, in small, in its words: a bound claim's volume must be
/// reached from the node. What it does not model: volumes to be found for claims, limits of nodes.
/// Claims that wait for their pod stay unbound.
///
/// It reads the store itself: its picture is never late. A world without any claim says nothing of
/// volumes, as dumps of clusters often do, and there all pods pass.
final class VolumeBinding {
  private static final String ELSEWHERE = "node(s) didn't match PersistentVolume's node affinity";
  private static final String GONE =
      "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)";
  private static final String UNBOUND = "pod has unbound immediate PersistentVolumeClaims";

  private final World world;

  VolumeBinding(World world) {
    this.world = world;
  }

  /// Why a node will not do; empty = it will.
  String objection(Map<String, ?> pod, Map<String, ?> node) {
    for (var volume : ObjectTree.maps(pod, "spec", "volumes")) {
      String name = claim(pod, volume);
      String words = name.isEmpty() ? "" : objection(pod, name, node);
      if (!words.isEmpty()) {
        return words;
      }
    }
    return "";
  }

  private static String claim(Map<String, ?> pod, Map<String, ?> volume) {
    return ObjectTree.has(volume, "ephemeral")
        ? ObjectTree.name(pod) + "-" + ObjectTree.text(volume, "name")
        : ObjectTree.text(volume, "persistentVolumeClaim", "claimName");
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
    if (!annotations.containsKey("pv.kubernetes.io/bind-completed")) {
      return volume.isEmpty() ? unbound(claim, node) : UNBOUND;
    }
    if (volume.isEmpty()) {
      return unbound(claim, node);
    }
    var bound = world.find(new ObjectRef(Kind.VOLUME, "", volume));
    if (bound.isEmpty()) {
      return world.list(Kind.VOLUME).isEmpty() ? "" : GONE;
    }
    return bound
        .map(there ->
            ObjectTree.maps(there, "spec", "nodeAffinity", "required", "nodeSelectorTerms"))
        .filter(terms -> !terms.isEmpty())
        .filter(terms -> terms.stream().noneMatch(term -> NodeFilters.matches(term, node)))
        .map(_ -> ELSEWHERE)
        .orElse("");
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
