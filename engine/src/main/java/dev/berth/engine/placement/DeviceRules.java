package dev.berth.engine.placement;

import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Injection;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.Node.Mig;
import dev.berth.engine.model.PodRequest;
import dev.berth.engine.model.PodRequest.Isolation;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Resource;
import dev.berth.engine.placement.NodeRules.Objection;
import dev.berth.engine.session.PodClass;
import java.util.Locale;
import java.util.Optional;

/// What the devices of a node say to a pod whatever else is on the node: whether they are healthy,
/// their model, how they are partitioned, whether their memory is known, and whether shares can be
/// enforced as asked. Only devices of NVIDIA are shared: a container is told which one it has by
/// `NVIDIA_VISIBLE_DEVICES`.
final class DeviceRules {
  /// Label of a node: the modes in which it can enforce shares, separated by dots (a label value
  /// holds no comma).
  static final String ISOLATION_LABEL = "berth.dev/gpu-isolation";

  /// Label of a node: the major version of the driver, of which 615 is the first that enforces
  /// shares in the mode `nvidia`.
  private static final String DRIVER_LABEL =
      "gpu-fractioning.kai.scheduler/nvidia-driver-version.major";

  private static final String VENDOR = "nvidia.com/";

  /// Label of a node: whether it has GPUs, by GPU feature discovery.
  private static final String PRESENT_LABEL = "nvidia.com/gpu.present";

  /// The first driver that enforces shares.
  private static final int FIRST_DRIVER = 615;

  private DeviceRules() {}

  static Optional<Objection> objection(PodClass podClass, Node node) {
    return objection(podClass, node, true);
  }

  /// The same, were they of the model that is asked for.
  static Optional<Objection> besidesModel(PodClass podClass, Node node) {
    return objection(podClass, node, false);
  }

  private static Optional<Objection> objection(PodClass podClass, Node node, boolean modelCounts) {
    if (!podClass.usesDevices()) {
      return Optional.empty();
    }
    var request = podClass.request();
    var accelerator = node.accelerator();
    if (!accelerator.sick().isEmpty()) {
      return Optional.of(new Objection(Obstacle.DEVICE_HEALTH, accelerator.sick()));
    }
    String lacking = withoutPlugin(node);
    if (!lacking.isEmpty()) {
      return Optional.of(new Objection(Obstacle.DEVICE_PLUGIN, lacking));
    }
    if (podClass.isShare() && accelerator.count() == 0) {
      return Optional.of(
          accelerator.mig() == Mig.NONE
              ? new Objection(Obstacle.NO_DEVICES, "")
              : new Objection(Obstacle.DEVICE_MODE, strategy(accelerator.mig())));
    }
    if (modelCounts && !request.models().isEmpty() && !accepts(request, accelerator.model())) {
      return Optional.of(new Objection(Obstacle.DEVICE_MODEL, accelerator.model()));
    }
    var tooSmall = tooMuch(request, accelerator);
    if (tooSmall.isPresent()) {
      return tooSmall;
    }
    if (podClass.isShare() && !accelerator.resource().equals(Resource.NVIDIA)) {
      return Optional.of(
          new Objection(
              Obstacle.DEVICE_MODE, accelerator.resource().name() + ": as whole GPUs alone"));
    }
    if (!suits(podClass, accelerator.mig())) {
      return Optional.of(new Objection(Obstacle.DEVICE_MODE, strategy(accelerator.mig())));
    }
    if (podClass.isShare()) {
      var injection = accelerator.injection();
      if (!injection.fault().isEmpty()) {
        return Optional.of(new Objection(Obstacle.INJECTION, injection.fault()));
      }
      if (!injection.accepts(request.runtimeClass())) {
        return Optional.of(new Objection(Obstacle.RUNTIME_CLASS, classes(injection, request)));
      }
    }
    boolean needsMemory =
        request.devices() instanceof DeviceRequest.Memory
            || podClass.isShare() && request.isolation() != Isolation.NONE; // its limit is in MiB
    if (needsMemory && accelerator.memoryMib() <= 0) {
      return Optional.of(new Objection(Obstacle.DEVICE_MEMORY_UNKNOWN, ""));
    }
    return !podClass.isShare() || enforces(node, request.isolation())
        ? Optional.empty()
        : Optional.of(new Objection(Obstacle.ISOLATION, word(request.isolation())));
  }

  /// What of the request is more than the node has, sick devices included; empty = nothing.
  private static Optional<Objection> tooMuch(PodRequest request, Node.Accelerator accelerator) {
    var devices = request.devices();
    boolean others =
        devices instanceof DeviceRequest.Whole(var resource, _)
            && !resource.equals(accelerator.resource());
    if (accelerator.capacity() == 0 || others) {
      return Optional.empty();
    }
    if (devices instanceof DeviceRequest.Memory(long mib, _, _)
        && accelerator.memoryMib() > 0
        && mib > accelerator.memoryMib()) {
      return Optional.of(
          new Objection(
              Obstacle.DEVICE_TOO_SMALL,
              "a GPU there has "
                  + accelerator.memoryMib()
                  + " MiB, and "
                  + mib
                  + " are asked for"));
    }
    return devices.count() > accelerator.capacity()
        ? Optional.of(
            new Objection(
                Obstacle.TOO_SMALL,
                "it has "
                    + gpus(accelerator.capacity())
                    + (", and " + devices.count() + " are asked for")))
        : Optional.empty();
  }

  private static String gpus(int count) {
    return count == 1 ? "1 GPU" : count + " GPUs";
  }

  /// How the node shows that it has GPUs which its device plugin does not offer. Once a device
  /// plugin is gone the kubelet says 0 allocatable at once, and 0 of capacity five minutes later.
  private static String withoutPlugin(Node node) {
    var accelerator = node.accelerator();
    if (accelerator.count() > 0 || accelerator.mig() != Mig.NONE) {
      return "";
    }
    if (accelerator.capacity() > 0) {
      return "0 of " + accelerator.capacity() + " allocatable";
    }
    return "true".equals(node.labels().get(PRESENT_LABEL)) && offersNothing(node)
        ? "label " + PRESENT_LABEL + ", and none allocatable"
        : "";
  }

  /// Not even partitions, or replicas under another name.
  private static boolean offersNothing(Node node) {
    var allocatable = node.allocatable();
    for (int i = 0; i < allocatable.size(); i++) {
      if (allocatable.value(i) > 0 && allocatable.resource(i).name().startsWith(VENDOR)) {
        return false;
      }
    }
    return true;
  }

  private static String classes(Injection injection, PodRequest request) {
    return named(injection.runtimeClass()) + ", and the pod has " + named(request.runtimeClass());
  }

  private static String named(String runtimeClass) {
    return runtimeClass.isEmpty() ? "none" : "\"" + runtimeClass + "\"";
  }

  private static boolean accepts(PodRequest request, String model) {
    for (String accepted : request.models()) {
      if (accepted.equalsIgnoreCase(model)) {
        return true;
      }
    }
    return false;
  }

  /// `single` takes only whole devices, `mixed` only instances, a node without MIG anything that it
  /// has. (Pods without devices are not asked.)
  private static boolean suits(PodClass podClass, Mig mig) {
    return switch (mig) {
      case NONE -> true;
      case SINGLE -> !podClass.isShare() && !podClass.asksPartitions();
      case MIXED -> podClass.asksPartitions() && podClass.devices().count() == 0;
    };
  }

  private static String strategy(Mig mig) {
    return switch (mig) {
      case NONE -> "";
      case SINGLE -> "nvidia.com/mig.strategy=single: each MIG instance as a whole nvidia.com/gpu";
      case MIXED ->
          "nvidia.com/mig.strategy=mixed: MIG instances, each under its nvidia.com/mig-… name";
    };
  }

  /// Fails closed: a node that says nothing enforces nothing. Its label is the promise of its
  /// author; in the mode `nvidia` its agent and its driver have a word, too. No node serves the
  /// mode `mps`: NVIDIA's device plugin runs MPS only where it replicates all GPUs, and gives its
  /// pipe to no container of a share. (A whole device is its pod's alone: there is nothing to
  /// enforce.)
  private static boolean enforces(Node node, Isolation isolation) {
    if (isolation == Isolation.NONE) {
      return true;
    }
    if (isolation == Isolation.MPS) {
      return false;
    }
    if (isolation == Isolation.NVIDIA) {
      var fractions = node.accelerator().fractions();
      if (fractions == Node.Fractions.NOT_READY || isDriverTooOld(node)) {
        return false;
      }
      if (fractions == Node.Fractions.READY) {
        return true;
      }
    }
    for (String mode : node.labels().getOrDefault(ISOLATION_LABEL, "").split("[,._ ]+", -1)) {
      if (mode.equalsIgnoreCase(word(isolation))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isDriverTooOld(Node node) {
    String major = node.labels().getOrDefault(DRIVER_LABEL, "");
    try {
      return !major.isEmpty() && Integer.parseInt(major) < FIRST_DRIVER;
    } catch (NumberFormatException unreadable) {
      return true;
    }
  }

  private static String word(Isolation isolation) {
    return isolation.name().toLowerCase(Locale.ROOT);
  }
}
