package dev.berth.simulator.world;

import static dev.berth.simulator.world.ObjectTree.of;

import dev.berth.controllers.client.Watcher.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The claims of pods as kube-scheduler's plugin VolumeBinding handles them in PreBind: it writes
/// where it wants the volume, and looks once a second whether it is there.
///
/// It reads the store itself: its picture is never late.
public final class VolumeClaims {
  /// Written by kube-scheduler on a claim that waits for its pod; taken off by a provisioner that
  /// fails.
  public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

  /// Written by the component that has bound a claim.
  public static final String BOUND = "pv.kubernetes.io/bind-completed";

  private final World world;

  public VolumeClaims(World world) {
    this.world = world;
  }

  /// How far the volumes of a pod are.
  sealed interface Progress {
    record AreBound() implements Progress {}

    record AreAwaited() implements Progress {}

    /// @param words of kube-scheduler
    record Failed(String words) implements Progress {}
  }

  /// The name of the claim that a volume of a pod names; empty = it names none.
  static String name(Map<String, ?> pod, Map<String, ?> volume) {
    return ObjectTree.has(volume, "ephemeral")
        ? ObjectTree.name(pod) + "-" + ObjectTree.text(volume, "name")
        : ObjectTree.text(volume, "persistentVolumeClaim", "claimName");
  }

  /// What a pod names, whether it is there or not.
  public static List<ObjectRef> namedBy(Map<String, ?> pod) {
    var claims = new ArrayList<ObjectRef>();
    for (var volume : ObjectTree.maps(pod, "spec", "volumes")) {
      String name = name(pod, volume);
      if (!name.isEmpty()) {
        String namespace = ObjectTree.text(pod, "metadata", "namespace");
        claims.add(new ObjectRef(Kind.VOLUME_CLAIM, namespace, name));
      }
    }
    return claims;
  }

  public static boolean isBound(Map<String, ?> claim) {
    return !ObjectTree.text(claim, "spec", "volumeName").isEmpty()
        && !ObjectTree.annotation(claim, BOUND).isEmpty();
  }

  /// The claims of a pod that wait for it and are not bound.
  List<Map<String, Object>> unbound(Map<String, ?> pod) {
    return namedBy(pod).stream()
        .flatMap(claim -> world.find(claim).stream())
        .filter(claim -> !isBound(claim) && waitsForPod(claim))
        .toList();
  }

  private boolean waitsForPod(Map<String, ?> claim) {
    String name = ObjectTree.text(claim, "spec", "storageClassName");
    return ObjectTree.text(claim, "spec", "volumeName").isEmpty()
        && world
            .find(new ObjectRef(Kind.STORAGE_CLASS, "", name))
            .filter(it -> ObjectTree.text(it, "volumeBindingMode").equals("WaitForFirstConsumer"))
            .isPresent();
  }

  /// @throws ApiRefusal where a claim is not what it was
  void select(List<Map<String, Object>> claims, String node) {
    for (var claim : claims) {
      String version = ObjectTree.text(claim, "metadata", "resourceVersion");
      var annotations = of(SELECTED_NODE, node);
      world.patch(
          ObjectRef.to(Kind.VOLUME_CLAIM, claim),
          of("metadata", of("resourceVersion", version, "annotations", annotations)));
    }
  }

  /// How far the volumes are that were asked for on a node.
  Progress look(List<Map<String, Object>> claims, Map<String, ?> node) {
    for (var asked : claims) {
      String name = ObjectTree.name(asked);
      var claim = world.find(ObjectRef.to(Kind.VOLUME_CLAIM, asked));
      if (claim.isEmpty()) {
        return new Progress.Failed(
            "failed to check provisioning pvc: could not find v1.PersistentVolumeClaim \""
                + ObjectTree.text(asked, "metadata", "namespace")
                + "/"
                + name
                + "\"");
      }
      if (!ObjectTree.annotation(claim.get(), SELECTED_NODE).equals(ObjectTree.name(node))) {
        return new Progress.Failed("provisioning failed for PVC \"" + name + "\"");
      }
      String volumeName = ObjectTree.text(claim.get(), "spec", "volumeName");
      var volume = volume(volumeName);
      if (!volumeName.isEmpty() && volume.isEmpty()) {
        return new Progress.AreAwaited(); // it may be too new to be known
      }
      if (volume.isPresent() && !isReached(volume.get(), node)) {
        return new Progress.Failed(
            "pv \""
                + volumeName
                + "\" node affinity doesn't match node \""
                + ObjectTree.name(node)
                + "\": no matching NodeSelectorTerms");
      }
      if (!isBound(claim.get())) {
        return new Progress.AreAwaited();
      }
    }
    return new Progress.AreBound();
  }

  /// Whether kube-scheduler waits for a volume of a pod that it has put on a node, if it has.
  public boolean isAwaited(Map<String, ?> pod, String node) {
    return namedBy(pod).stream()
        .flatMap(claim -> world.find(claim).stream())
        .filter(claim -> ObjectTree.annotation(claim, SELECTED_NODE).equals(node))
        .anyMatch(claim -> !hasItsVolume(claim));
  }

  /// A claim that is told to have lost its volume has none, whatever became of that: the controller
  /// of volumes has yet to say otherwise.
  private boolean hasItsVolume(Map<String, ?> claim) {
    return isBound(claim)
        && !ObjectTree.text(claim, "status", "phase").equals("Lost")
        && volume(ObjectTree.text(claim, "spec", "volumeName")).isPresent();
  }

  private Optional<Map<String, Object>> volume(String name) {
    return world.find(new ObjectRef(Kind.VOLUME, "", name));
  }

  static boolean isReached(Map<String, ?> volume, Map<String, ?> node) {
    var terms = ObjectTree.maps(volume, "spec", "nodeAffinity", "required", "nodeSelectorTerms");
    return terms.isEmpty() || terms.stream().anyMatch(term -> NodeFilters.matches(term, node));
  }
}
