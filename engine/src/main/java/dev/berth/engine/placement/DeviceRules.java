package dev.berth.engine.placement;

import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.Node.Mig;
import dev.berth.engine.model.PodRequest;
import dev.berth.engine.model.PodRequest.Isolation;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.placement.NodeRules.Objection;
import dev.berth.engine.session.Shape;
import java.util.Locale;
import java.util.Optional;

/// What the devices of a node say to a pod whatever else is on the node: their model, how they are
/// partitioned, whether their memory is known, and whether shares can be enforced as asked.
final class DeviceRules {
  /// On a node: the modes in which it can enforce shares, separated by commas or dots (a label
  /// value holds no comma).
  static final String ISOLATION_LABEL = "berth.dev/gpu-isolation";

  private DeviceRules() {}

  static Optional<Objection> objection(Shape shape, Node node) {
    if (!shape.usesDevices()) {
      return Optional.empty();
    }
    var request = shape.request();
    var accelerator = node.accelerator();
    if (shape.isShare() && accelerator.count() == 0) {
      return Optional.of(new Objection(Obstacle.DEVICES, ""));
    }
    if (!request.models().isEmpty() && !accepts(request, accelerator.model())) {
      return Optional.of(new Objection(Obstacle.DEVICE_MODEL, accelerator.model()));
    }
    if (!suits(shape, accelerator.mig())) {
      return Optional.of(new Objection(Obstacle.DEVICE_MODE, ""));
    }
    if (request.devices() instanceof DeviceRequest.Memory && accelerator.memoryMib() <= 0) {
      return Optional.of(new Objection(Obstacle.DEVICE_MEMORY_UNKNOWN, ""));
    }
    return enforces(node, request.isolation())
        ? Optional.empty()
        : Optional.of(new Objection(Obstacle.ISOLATION, word(request.isolation())));
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
  private static boolean suits(Shape shape, Mig mig) {
    return switch (mig) {
      case NONE -> true;
      case SINGLE -> !shape.isShare() && !shape.asksPartitions();
      case MIXED -> shape.asksPartitions() && shape.devices().count() == 0;
    };
  }

  /// Fails closed: a node that says nothing enforces nothing.
  private static boolean enforces(Node node, Isolation isolation) {
    if (isolation == Isolation.NONE) {
      return true;
    }
    for (String mode : node.labels().getOrDefault(ISOLATION_LABEL, "").split("[,._ ]+", -1)) {
      if (mode.equalsIgnoreCase(word(isolation))) {
        return true;
      }
    }
    return false;
  }

  private static String word(Isolation isolation) {
    return isolation.name().toLowerCase(Locale.ROOT);
  }
}
