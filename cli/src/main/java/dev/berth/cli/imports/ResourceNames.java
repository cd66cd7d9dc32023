package dev.berth.cli.imports;

import dev.berth.engine.model.Resource;
import java.util.Collection;
import java.util.Optional;

/// The resources of queues for the resource names of pods.
///
/// Whole devices of any vendor are `gpu`. Extended resources keep their names, as do `cpu`,
/// `memory`, `ephemeral-storage`, `pods` and huge pages. Names without a domain that Kubernetes
/// does not know are names of another scheduler alone, as are those of Volcano's device plugins.
final class ResourceNames {
  private static final String VOLCANO = "volcano.sh/";

  /// What a note says of a resource without a counterpart.
  static final String RULE =
      "queues count gpu, cpu, memory, ephemeral-storage, pods and extended resources by their"
          + " names; this one is left out.";

  private ResourceNames() {}

  /// Empty = no counterpart.
  static Optional<Resource> ofQueue(String name) {
    var resource = new Resource(name);
    if (resource.isDevice() || resource.equals(Resource.GPU)) {
      return Optional.of(Resource.GPU);
    }
    boolean isKnown =
        switch (name) {
          case "cpu", "memory", "ephemeral-storage", "pods" -> true;
          default -> name.startsWith("hugepages-");
        };
    boolean isExtended = name.indexOf('/') > 0 && !name.startsWith(VOLCANO);
    return isKnown || isExtended ? Optional.of(resource) : Optional.empty();
  }

  /// Tells where several names are counted together as `gpu`.
  static void tellSum(ForeignFields of, String field, Collection<String> names) {
    var devices =
        names.stream()
            .filter(name -> ofQueue(name).equals(Optional.of(Resource.GPU)))
            .distinct()
            .sorted()
            .toList();
    if (devices.size() > 1) {
      of.note(field, "names " + String.join(" and ", devices) + ": Berth counts their sum as gpu.");
    }
  }

  /// Whether this is a resource of Volcano's device plugins for shares of GPUs.
  static boolean isOfVolcano(String name) {
    return name.startsWith(VOLCANO);
  }
}
