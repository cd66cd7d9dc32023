package dev.berth.engine.model;

import java.util.List;

/// What a pod asks for, as kube-scheduler will count it and as Berth divides devices.
///
/// @param amounts cpu, memory, storage and every extended resource, whole devices and MIG instances
///   included, shares not: the largest of containers' sum and init containers, plus overhead
/// @param devices what it asks of accelerators
/// @param deviceContainer the container that gets the share; empty = the pod asks for none
/// @param models accepted device models; empty = any
/// @param isolation how a share must be enforced; empty = not at all
/// @param hostPorts host ports, as `protocol:ip:port`
/// @param alignment what of it must come from one NUMA zone on nodes that say so
/// @param runtimeClass `spec.runtimeClassName` of a pod that asks for a share; empty = none, or no
///   share
public record PodRequest(
    Amounts amounts,
    DeviceRequest devices,
    String deviceContainer,
    List<String> models,
    Isolation isolation,
    List<String> hostPorts,
    Alignment alignment,
    String runtimeClass) {
  public static final PodRequest NOTHING =
      new PodRequest(Amounts.NONE, DeviceRequest.NONE, "", List.of(), Isolation.NONE, List.of());

  public PodRequest {
    models = List.copyOf(models);
    hostPorts = List.copyOf(hostPorts);
  }

  /// Of the default runtime class.
  public PodRequest(
      Amounts amounts,
      DeviceRequest devices,
      String deviceContainer,
      List<String> models,
      Isolation isolation,
      List<String> hostPorts,
      Alignment alignment) {
    this(amounts, devices, deviceContainer, models, isolation, hostPorts, alignment, "");
  }

  /// From wherever on the node.
  public PodRequest(
      Amounts amounts,
      DeviceRequest devices,
      String deviceContainer,
      List<String> models,
      Isolation isolation,
      List<String> hostPorts) {
    this(amounts, devices, deviceContainer, models, isolation, hostPorts, Alignment.NONE);
  }

  /// The same request, from such zones.
  public PodRequest aligned(Alignment other) {
    return alignment.equals(other)
        ? this
        : new PodRequest(
            amounts, devices, deviceContainer, models, isolation, hostPorts, other, runtimeClass);
  }

  /// GPUs that it has, or has a share of; MIG instances count as one each. Claims of devices (DRA)
  /// are not among them.
  public int gpus() {
    long instances = 0;
    for (int i = 0; i < amounts.size(); i++) {
      instances += amounts.resource(i).isMig() ? amounts.value(i) : 0;
    }
    return devices.count() + Math.toIntExact(Math.min(instances, Short.MAX_VALUE));
  }

  public boolean hasGpus() {
    return gpus() > 0;
  }

  /// How the share of a device is kept: not at all, or by one of the enforced modes.
  public enum Isolation {
    NONE,
    MPS,
    HAMI,
    NVIDIA
  }
}
