package dev.berth.engine.request;

import dev.berth.engine.model.Topology;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;

/// A `berth.dev/v1alpha1` Topology. A level without a label is left out, and a group that asks for
/// it waits with the reason that it does not exist.
public final class TopologyManifest {
  private TopologyManifest() {}

  /// Empty only for a tree without `metadata.name`.
  public static Optional<Topology> read(Map<?, ?> tree) {
    return Manifest.open(tree).map(TopologyManifest::topology);
  }

  private static Topology topology(Manifest manifest) {
    ObjectMeta head = manifest.head();
    var levels = new ArrayList<Topology.Level>();
    for (ManifestTree level : manifest.spec().objects("levels")) {
      String label = level.text("nodeLabel");
      if (!label.isEmpty()) {
        levels.add(new Topology.Level(label, level.text("alias")));
      }
    }
    return new Topology(head.name(), head.version(), levels);
  }
}
