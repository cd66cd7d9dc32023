package dev.berth.engine.request;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// A `v1` Node. What in it cannot be read counts as not there: kubelets write nodes, not users. Nor
/// do amounts count that no node has: a broken device plugin, or a stolen kubelet, would otherwise
/// distort the shares of all queues, and fill the memory.
public final class NodeManifest {
  /// Of devices, where each may be offered many times (time slicing).
  private static final int MOST_DEVICES = 4096;

  /// Of other resources, in the unit in which the model counts them; the sum over 65,535 nodes is a
  /// long.
  private static final long MOST = 1L << 47;

  private static final List<Resource> DEVICES =
      List.of(Resource.NVIDIA, Resource.AMD, Resource.INTEL_I915, Resource.INTEL_XE);

  private NodeManifest() {}

  /// Empty only for a tree without `metadata.name`.
  public static Optional<Node> read(Map<?, ?> tree) {
    return Manifest.open(tree).map(NodeManifest::node);
  }

  private static Node node(Manifest manifest) {
    ObjectMeta head = manifest.head();
    ManifestTree spec = manifest.spec();
    ManifestTree status = manifest.status();
    Amounts allocatable = allocatable(status);
    Node.Accelerator accelerator = accelerator(allocatable, status, head.labels());
    return new Node(
        new NodeName(head.name()),
        head.version(),
        head.labels().textMap(),
        taints(spec),
        spec.flag("unschedulable"),
        isReady(status),
        counted(allocatable),
        accelerator);
  }

  private static Amounts allocatable(ManifestTree status) {
    return amounts(status, status.spoken("allocatable", "capacity"));
  }

  private static Amounts amounts(ManifestTree status, String list) {
    var amounts = new TreeMap<Resource, Long>();
    status
        .object(list)
        .eachText((name, text) -> {
          Resource resource = Requests.resource(name);
          long amount = Quantities.amount(resource, text.trim()).orElse(0);
          amounts.put(resource, Math.max(0, amount));
        });
    return Amounts.of(amounts);
  }

  private static Amounts counted(Amounts amounts) {
    var counted = new TreeMap<Resource, Long>();
    for (int i = 0; i < amounts.size(); i++) {
      var resource = amounts.resource(i);
      boolean isGpu = resource.isDevice() || resource.isMig();
      long amount = amounts.value(i);
      counted.put(resource, isGpu && amount > MOST_DEVICES ? 0 : Math.min(MOST, amount));
    }
    return Amounts.of(counted);
  }

  private static List<Node.Taint> taints(ManifestTree spec) {
    var taints = new ArrayList<Node.Taint>(0);
    for (ManifestTree taint : spec.objects("taints")) {
      taints.add(new Node.Taint(taint.text("key"), taint.text("value"), taint.text("effect")));
    }
    return taints;
  }

  /// A node without a condition `Ready` is ready: in a file it is left out.
  private static boolean isReady(ManifestTree status) {
    for (ManifestTree condition : status.objects("conditions")) {
      if (condition.text("type").equals("Ready")) {
        return condition.text("status").equals("True");
      }
    }
    return true;
  }

  /// The first kind of which there is one; of several that are all sick, the first.
  private static Node.Accelerator accelerator(
      Amounts allocatable, ManifestTree status, ManifestTree labels) {
    String model = labels.text(WellKnownNames.DEVICE_MODEL);
    long memoryMib =
        Math.max(0, Quantities.units(labels.text(WellKnownNames.DEVICE_MEMORY)).orElse(0));
    var mig = mig(labels, model);
    String sick = DeviceHealth.flaw(status, labels);
    var there = amounts(status, "capacity");
    for (Amounts amounts : List.of(allocatable, there)) {
      for (Resource resource : DEVICES) {
        long most = Math.max(allocatable.of(resource), there.of(resource));
        if (most > MOST_DEVICES) {
          return new Node.Accelerator(
              resource, 0, 0, model, memoryMib, mig, absurd(resource, most), fractions(status));
        }
        if (amounts.of(resource) > 0) {
          return new Node.Accelerator(
              resource,
              (int) allocatable.of(resource),
              (int) there.of(resource),
              model,
              memoryMib,
              mig,
              sick,
              fractions(status));
        }
      }
    }
    return new Node.Accelerator(
        Resource.NVIDIA, 0, 0, model, memoryMib, mig, sick, fractions(status));
  }

  /// GPU feature discovery writes the strategy on every node, also where no GPU is partitioned:
  /// then with `single` the product is that of a whole GPU (a partition's ends with
  /// `-MIG-1g.10gb`), and GPUs that cannot be partitioned say so.
  private static Node.Mig mig(ManifestTree labels, String model) {
    if (labels.text(WellKnownNames.MIG_CAPABLE).equals("false")) {
      return Node.Mig.NONE;
    }
    boolean whole = !model.isEmpty() && !model.contains("-MIG-");
    return switch (labels.text(WellKnownNames.MIG_STRATEGY)) {
      case "single" -> whole ? Node.Mig.NONE : Node.Mig.SINGLE;
      case "mixed" -> Node.Mig.MIXED;
      default -> Node.Mig.NONE;
    };
  }

  private static Node.Fractions fractions(ManifestTree status) {
    for (ManifestTree condition : status.objects("conditions")) {
      if (condition.text("type").equals("gpu-fractioning.nvidia.com/Ready")) {
        return condition.text("status").equals("True")
            ? Node.Fractions.READY
            : Node.Fractions.NOT_READY;
      }
    }
    return Node.Fractions.UNTOLD;
  }

  private static String absurd(Resource resource, long amount) {
    return (resource.name() + ": " + amount)
        + (", and no node has more than " + MOST_DEVICES + " (see to its device plugin)");
  }
}
