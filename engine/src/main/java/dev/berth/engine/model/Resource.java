package dev.berth.engine.model;

import java.math.BigDecimal;

/// A resource by its Kubernetes name. Amounts are integers: `cpu` in milli-cores, `memory` and
/// `ephemeral-storage` in bytes, everything else in units.
public record Resource(String name) implements Comparable<Resource> {
  public static final Resource CPU = new Resource("cpu");
  public static final Resource MEMORY = new Resource("memory");
  public static final Resource STORAGE = new Resource("ephemeral-storage");
  public static final Resource PODS = new Resource("pods");

  /// Every accelerator of a queue, shares included, in thousandths of a device.
  public static final Resource GPU = new Resource("gpu");

  public static final Resource NVIDIA = new Resource("nvidia.com/gpu");
  public static final Resource AMD = new Resource("amd.com/gpu");
  public static final Resource INTEL_I915 = new Resource("gpu.intel.com/i915");
  public static final Resource INTEL_XE = new Resource("gpu.intel.com/xe");

  private static final String MIG = "nvidia.com/mig-";
  private static final String[] BINARY = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

  /// Whether one unit is one physical device that a device plugin hands out.
  public boolean isDevice() {
    return equals(NVIDIA) || equals(AMD) || equals(INTEL_I915) || equals(INTEL_XE);
  }

  /// Whether this is a partition of a device, `nvidia.com/mig-3g.40gb`.
  public boolean isMig() {
    return name.startsWith(MIG);
  }

  /// Compute slices of a MIG instance: 3 of `nvidia.com/mig-3g.40gb`; 0 where the name tells none.
  public int migSlices() {
    int value = 0;
    for (int i = MIG.length(); isMig() && i < name.length(); i++) {
      char c = name.charAt(i);
      if (c < '0' || c > '9') {
        return c == 'g' ? value : 0;
      }
      value = value * 10 + (c - '0');
    }
    return 0;
  }

  /// An amount as a status writes it: thousandths of `gpu` and of its models as a number of
  /// devices, cores as `4` or `500m`, bytes of memory in the largest whole unit.
  public String text(long amount) {
    if (isGpuOfQueues()) {
      return BigDecimal.valueOf(amount, 3).stripTrailingZeros().toPlainString();
    }
    if (equals(CPU)) {
      return amount % 1000 == 0 ? Long.toString(amount / 1000) : amount + "m";
    }
    boolean bytes = equals(MEMORY) || equals(STORAGE);
    int unit = 0;
    long left = amount;
    while (bytes && left != 0 && left % 1024 == 0 && unit < BINARY.length - 1) {
      left /= 1024;
      unit++;
    }
    return left + BINARY[unit];
  }

  /// One physical model in a queue's quota: `gpu/NVIDIA-H100-80GB-HBM3`.
  public static Resource gpuOfModel(String model) {
    return new Resource("gpu/" + model);
  }

  /// Whether queues count devices by it, in thousandths: `gpu`, or one model of it.
  public boolean isGpuOfQueues() {
    return equals(GPU) || name.startsWith("gpu/");
  }

  @Override
  public int compareTo(Resource other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
