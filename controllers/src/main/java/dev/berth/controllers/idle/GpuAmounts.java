package dev.berth.controllers.idle;

import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;

/// How much of a device each GPU of a pod is.
public final class GpuAmounts {
  private static final long DEVICE = 1000;

  private GpuAmounts() {}

  /// Thousandths: of a share what it has, of a GPU that is the pod's alone all of it, of MIG
  /// instances the mean of their compute slices, as series do not tell which is which.
  public static long each(Pod pod, Placement at) {
    var request = pod.asks().request();
    if (request.devices().isShare() && !at.slots().isEmpty()) {
      return at.millis();
    }
    var amounts = request.amounts();
    long instances = 0;
    long slices = 0;
    for (int i = 0; i < amounts.size(); i++) {
      int each = amounts.resource(i).migSlices();
      instances += each > 0 ? amounts.value(i) : 0;
      slices += each * amounts.value(i);
    }
    return instances == 0 ? DEVICE : DEVICE * slices / instances;
  }
}
