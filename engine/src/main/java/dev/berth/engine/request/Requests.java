package dev.berth.engine.request;

import dev.berth.engine.model.Alignment;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Resource;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// What the containers of a pod ask for together, as kube-scheduler counts it.
///
/// The sum of the containers and native sidecars, or the largest init container with the sidecars
/// started before it, whichever is more, for each resource; then what the pod as a whole asks for
/// in place of it; then its overhead; then one of `pods`. A limit stands in for a request that is
/// not there.
///
/// What of it is aligned to NUMA zones (Kubernetes, "Control Topology Management Policies on a
/// node") is counted likewise, from what each container asks of the device, CPU and memory
/// managers. The latter two give nothing to a pod that is not of QoS class Guaranteed, nor to one
/// that asks for resources as a whole, and no cores to a container that asks for a part of one.
final class Requests {
  private static final String HUGE_PAGES = "hugepages-";

  private static final int MOST = 64;
  private static final String RULE =
      "at most 64 resources are compared with each node. Take some out.";

  private final Problems problems;
  private final FieldLimits ration;
  private final HashSet<String> others = new HashSet<>(); // looked up only
  private boolean guaranteed = true;

  private Requests(ManifestTree spec) {
    this.problems = spec.problems();
    this.ration = new FieldLimits(spec, "resources", MOST, RULE);
  }

  record Asked(Amounts amounts, Alignment alignment) {}

  /// What one container asks.
  private record ContainerRequest(AmountSum asked, boolean starts, boolean stays) {}

  static Asked of(
      ManifestTree spec, List<ManifestTree> containers, List<ManifestTree> initContainers) {
    var requests = new Requests(spec);
    var parts = requests.parts(containers, initContainers);
    AmountSum sum = together(parts);
    ManifestTree podLevel = spec.object("resources");
    requests.replaceByPodLevel(sum, podLevel);
    ManifestTree overhead = spec.object("overhead");
    if (!overhead.isEmpty()) {
      sum.add(requests.list(overhead));
    }
    sum.add(Resource.PODS, 1);
    return new Asked(sum.amounts(), alignment(parts, requests.guaranteed && podLevel.isEmpty()));
  }

  private List<ContainerRequest> parts(
      List<ManifestTree> containers, List<ManifestTree> initContainers) {
    var parts = new ArrayList<ContainerRequest>(containers.size() + initContainers.size());
    for (ManifestTree container : containers) {
      parts.add(new ContainerRequest(asked(container.object("resources")), false, true));
    }
    for (ManifestTree container : initContainers) {
      boolean sidecar = container.text("restartPolicy").equals("Always");
      parts.add(new ContainerRequest(asked(container.object("resources")), true, sidecar));
    }
    return parts;
  }

  private static AmountSum together(List<ContainerRequest> parts) {
    var sum = new AmountSum();
    var sidecars = new AmountSum();
    var starting = new AmountSum();
    for (ContainerRequest part : parts) {
      if (part.stays) {
        sum.add(part.asked);
      }
      if (part.starts) {
        var step = new AmountSum();
        step.add(part.asked);
        step.add(sidecars);
        starting.atLeast(step);
      }
      if (part.starts && part.stays) {
        sidecars.add(part.asked);
      }
    }
    sum.atLeast(starting);
    return sum;
  }

  private static Alignment alignment(List<ContainerRequest> parts, boolean pinned) {
    var aligned = new ArrayList<ContainerRequest>(1);
    var containers = new ArrayList<Amounts>(1);
    for (ContainerRequest part : parts) {
      var asked = new AmountSum();
      part.asked.each((resource, amount) -> {
        if (amount > 0 && isAligned(resource, amount, pinned)) {
          asked.put(resource, amount);
        }
      });
      if (!asked.isEmpty()) {
        aligned.add(new ContainerRequest(asked, part.starts, part.stays));
        containers.add(asked.amounts());
      }
    }
    return containers.isEmpty()
        ? Alignment.NONE
        : new Alignment(containers, together(aligned).amounts());
  }

  private static boolean isAligned(Resource resource, long amount, boolean pinned) {
    if (resource.equals(Resource.CPU)) {
      return pinned && amount % 1000 == 0;
    }
    if (resource.equals(Resource.MEMORY) || resource.name().startsWith(HUGE_PAGES)) {
      return pinned;
    }
    return !resource.equals(Resource.STORAGE) && !resource.equals(Resource.PODS);
  }

  private void replaceByPodLevel(AmountSum sum, ManifestTree resources) {
    if (resources.isEmpty()) {
      return;
    }
    AmountSum requests = list(resources.object("requests"));
    AmountSum limits = list(resources.object("limits"));
    checkLimits(resources, requests, limits);
    requests.each(sum::put);
    limits.each((resource, limit) -> {
      if (!requests.has(resource) && !sum.has(resource)) {
        sum.put(resource, limit);
      }
    });
  }

  /// Requests, filled up with limits.
  private AmountSum asked(ManifestTree resources) {
    AmountSum requests = list(resources.object("requests"));
    ManifestTree limitList = resources.object("limits");
    if (limitList.isEmpty()) {
      guaranteed = false;
      return requests;
    }
    AmountSum limits = list(limitList);
    checkLimits(resources, requests, limits);
    guaranteed &= isFixed(Resource.CPU, requests, limits);
    guaranteed &= isFixed(Resource.MEMORY, requests, limits);
    limits.each((resource, limit) -> {
      if (!requests.has(resource)) {
        requests.put(resource, limit);
      }
    });
    return requests;
  }

  private static boolean isFixed(Resource resource, AmountSum requests, AmountSum limits) {
    long limit = limits.of(resource);
    return limit > 0 && (!requests.has(resource) || requests.of(resource) == limit);
  }

  private static void checkLimits(ManifestTree resources, AmountSum requests, AmountSum limits) {
    limits.each((resource, limit) -> {
      if (requests.of(resource) > limit) {
        resources
            .object("limits")
            .problem(
                resource.name(),
                resources.object("limits").text(resource.name()),
                "a limit is at least its request, which is "
                    + resources.object("requests").text(resource.name())
                    + ".");
      }
    });
  }

  private AmountSum list(ManifestTree list) {
    var sum = new AmountSum();
    list.eachText((name, text) -> {
      Resource resource = resource(name);
      long amount = amount(list, resource, text.trim());
      if (amount >= 0 && counts(resource, amount)) {
        sum.put(resource, amount);
      }
    });
    return sum;
  }

  /// What every pod takes, and devices, count in any case: they cannot be hidden behind others. Nor
  /// is anything else behind names of which a pod asks for none: no node need have them.
  private boolean counts(Resource resource, long amount) {
    return isUsual(resource)
        || others.contains(resource.name())
        || amount > 0 && isOneMore(resource);
  }

  private static boolean isUsual(Resource resource) {
    return resource.equals(Resource.CPU)
        || resource.equals(Resource.MEMORY)
        || resource.equals(Resource.STORAGE)
        || resource.isDevice();
  }

  private boolean isOneMore(Resource resource) {
    return ration.allows(1) && others.add(resource.name());
  }

  /// -1 where it is invalid.
  private long amount(ManifestTree list, Resource resource, String text) {
    var amount = Quantities.amount(resource, text);
    if (amount.isEmpty()) {
      problems.add(list.path(resource.name()), text, Quantities.RULE);
      return -1;
    }
    long value = amount.getAsLong();
    if (value < 0) {
      problems.add(list.path(resource.name()), text, "a request is 0 or more.");
      return -1;
    }
    if (!comesInParts(resource) && !isWhole(text)) {
      problems.add(
          list.path(resource.name()),
          text,
          resource.isDevice()
              ? "devices are asked for whole. For a share set the annotation gpu-fraction."
              : "this resource comes in whole units only.");
    }
    return value;
  }

  private static boolean comesInParts(Resource resource) {
    return resource.equals(Resource.CPU)
        || resource.equals(Resource.MEMORY)
        || resource.equals(Resource.STORAGE)
        || resource.name().startsWith(HUGE_PAGES);
  }

  private static boolean isWhole(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return Quantities.exact(text)
            .map(value -> value.remainder(BigDecimal.ONE).signum() == 0)
            .orElse(false);
      }
    }
    return true;
  }

  static Resource resource(String name) {
    return switch (name) {
      case "cpu" -> Resource.CPU;
      case "memory" -> Resource.MEMORY;
      case "ephemeral-storage" -> Resource.STORAGE;
      case "pods" -> Resource.PODS;
      case "nvidia.com/gpu" -> Resource.NVIDIA;
      default -> new Resource(name);
    };
  }
}
