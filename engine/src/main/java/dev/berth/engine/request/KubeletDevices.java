package dev.berth.engine.request;

import java.util.ArrayList;
import java.util.List;

/// The device IDs that the kubelet says it gave to the containers of a pod:
/// `status.containerStatuses[].allocatedResourcesStatus` (KEP-4680, feature gate
/// `ResourceHealthStatus`, on by default from Kubernetes 1.36). The ID is the device plugin's.
final class KubeletDevices {
  private static final String VENDOR = "nvidia.com/";

  private KubeletDevices() {}

  /// IDs of GPUs and of their partitions, in the order of the containers; empty = the kubelet says
  /// nothing.
  static List<String> of(ManifestTree status) {
    var ids = new ArrayList<String>(0);
    for (ManifestTree container : status.objects("containerStatuses")) {
      for (ManifestTree resource : container.objects("allocatedResourcesStatus")) {
        if (resource.text("name").startsWith(VENDOR)) {
          for (ManifestTree device : resource.objects("resources")) {
            String id = device.text("resourceID");
            if (!id.isEmpty() && !ids.contains(id)) {
              ids.add(id);
            }
          }
        }
      }
    }
    return ids;
  }
}
