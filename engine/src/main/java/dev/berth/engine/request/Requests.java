package dev.berth.engine.request;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Resource;
import java.math.BigDecimal;
import java.util.List;

/// What the containers of a pod ask for together, as kube-scheduler counts it.
///
/// The sum of the containers and native sidecars, or the largest init container with the sidecars
/// started before it, whichever is more, for each resource; then what the pod as a whole asks for
/// in place of it; then its overhead; then one of `pods`. A limit stands in for a request that is
/// not there.
final class Requests {
  private final Problems problems;

  private Requests(Problems problems) {
    this.problems = problems;
  }

  static Amounts of(Tree spec, List<Tree> containers, List<Tree> initContainers) {
    var requests = new Requests(spec.problems());
    Sum sum = requests.together(containers, initContainers);
    requests.replaceByPodLevel(sum, spec.object("resources"));
    Tree overhead = spec.object("overhead");
    if (!overhead.isEmpty()) {
      sum.add(requests.list(overhead));
    }
    sum.add(Resource.PODS, 1);
    return sum.amounts();
  }

  private Sum together(List<Tree> containers, List<Tree> initContainers) {
    var sum = new Sum();
    for (Tree container : containers) {
      sum.add(asked(container.object("resources")));
    }
    if (initContainers.isEmpty()) {
      return sum;
    }
    var sidecars = new Sum();
    var starting = new Sum();
    for (Tree container : initContainers) {
      Sum asked = asked(container.object("resources"));
      if (container.text("restartPolicy").equals("Always")) {
        sum.add(asked);
        sidecars.add(asked);
        starting.atLeast(sidecars);
      } else {
        asked.add(sidecars);
        starting.atLeast(asked);
      }
    }
    sum.atLeast(starting);
    return sum;
  }

  private void replaceByPodLevel(Sum sum, Tree resources) {
    if (resources.isEmpty()) {
      return;
    }
    Sum requests = list(resources.object("requests"));
    Sum limits = list(resources.object("limits"));
    checkLimits(resources, requests, limits);
    requests.each(sum::put);
    limits.each((resource, limit) -> {
      if (!requests.has(resource) && !sum.has(resource)) {
        sum.put(resource, limit);
      }
    });
  }

  /// Requests, filled up with limits.
  private Sum asked(Tree resources) {
    Sum requests = list(resources.object("requests"));
    Tree limitList = resources.object("limits");
    if (limitList.isEmpty()) {
      return requests;
    }
    Sum limits = list(limitList);
    checkLimits(resources, requests, limits);
    limits.each((resource, limit) -> {
      if (!requests.has(resource)) {
        requests.put(resource, limit);
      }
    });
    return requests;
  }

  private static void checkLimits(Tree resources, Sum requests, Sum limits) {
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

  private Sum list(Tree list) {
    var sum = new Sum();
    list.eachText((name, text) -> {
      Resource resource = resource(name);
      long amount = amount(list, resource, text.trim());
      if (amount >= 0) {
        sum.put(resource, amount);
      }
    });
    return sum;
  }

  /// -1 where it cannot be meant.
  private long amount(Tree list, Resource resource, String text) {
    var amount = Quantities.amount(resource, text);
    if (amount.isEmpty()) {
      problems.add(list.path(resource.name()), text, Quantities.RULE);
      return -1;
    }
    long value = amount.getAsLong();
    if (value < 0) {
      problems.add(list.path(resource.name()), text, "nobody can ask for less than nothing.");
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
        || resource.name().startsWith("hugepages-");
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
