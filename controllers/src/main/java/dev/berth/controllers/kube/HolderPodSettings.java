package dev.berth.controllers.kube;

/// @param namespace where holders live
/// @param image of both containers: it has `sh` and `sleep`
/// @param priorityClass a class that no user's pod may preempt; empty = the default. A pod of
///   `system-node-critical` is not evicted by its kubelet, either
/// @param runtimeClass for nodes whose default runtime is not the device vendor's; empty = default
public record HolderPodSettings(
    String namespace, String image, String priorityClass, String runtimeClass) {
  public static final HolderPodSettings DEFAULT =
      new HolderPodSettings("berth-system", "busybox:1.37", "system-node-critical", "");

  public HolderPodSettings {
    if (namespace.isEmpty() || image.isEmpty()) {
      throw new IllegalArgumentException("holders need a namespace and an image");
    }
  }
}
