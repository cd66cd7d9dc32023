package dev.berth.cli.imports;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// ResourceFlavors of Kueue: the GPU models that they name by the node label
/// `nvidia.com/gpu.product`. What else they say is told: queues of Berth choose no nodes.
final class FlavorModels {
  private static final String PRODUCT = "nvidia.com/gpu.product";

  private final TreeSet<String> known = new TreeSet<>();
  private final TreeSet<String> told = new TreeSet<>();
  private final TreeMap<String, String> models = new TreeMap<>(); // by flavor

  static FlavorModels read(ForeignObjects objects, ImportLog log) {
    var flavors = new FlavorModels();
    for (ForeignObject object : objects.of(ForeignKind.FLAVOR)) {
      flavors.add(object, object.fields("spec", log));
    }
    return flavors;
  }

  private void add(ForeignObject object, ForeignFields is) {
    known.add(object.name());
    var labels = is.object("nodeLabels");
    String model = labels.text(PRODUCT);
    if (!model.isEmpty()) {
      models.put(object.name(), model);
      is.note(
          "nodeLabels",
          "selects "
              + model
              + ": queues count gpu/"
              + model
              + ", but choose no nodes. Annotate workloads of this flavor with berth.dev/gpu-model:"
              + " "
              + model
              + ".");
    }
    List<String> others = labels.keys().stream().filter(key -> !key.equals(PRODUCT)).toList();
    others.forEach(labels::text);
    if (!others.isEmpty()) {
      is.note(
          "nodeLabels",
          "has "
              + String.join(", ", others)
              + ", without a counterpart: queues choose no nodes. Give workloads of this flavor a"
              + " nodeSelector.");
    }
    is.lost("nodeTaints", "kube-scheduler compares taints with the tolerations of pods.");
    is.lost("tolerations", "Berth adds none. Give workloads of this flavor these tolerations.");
    is.lost(
        "topologyName",
        "create a Topology of Berth, and annotate workloads with berth.dev/topology.");
    is.tellRest();
  }

  /// Tells of a flavor without an object, once.
  void check(ForeignFields of, String flavor) {
    if (!known.contains(flavor) && told.add(flavor)) {
      of.note(
          "name",
          "is "
              + flavor
              + ", of which there is no ResourceFlavor in this import: its GPU model and node"
              + " labels are not known.");
    }
  }

  Optional<String> of(String flavor) {
    return Optional.ofNullable(models.get(flavor));
  }

  /// Whether each of these flavors has a model of its own.
  boolean tellApart(Collection<String> flavors) {
    var distinct = new TreeSet<String>();
    return flavors.stream().allMatch(flavor -> of(flavor).filter(distinct::add).isPresent());
  }
}
