package dev.berth.engine.request;

import dev.berth.engine.model.Fact.NamespaceSeen;
import java.util.Map;
import java.util.Optional;

/// A `v1` Namespace: the queue of its pods, by label, its labels, and whether it is being deleted.
public final class NamespaceManifest {
  private NamespaceManifest() {}

  private static boolean terminates(Map<?, ?> tree) {
    var object = ManifestTree.root(tree, new Problems());
    return object.object("metadata").has("deletionTimestamp")
        || object.object("status").text("phase").equals("Terminating");
  }

  /// Empty only for a tree without `metadata.name`.
  public static Optional<NamespaceSeen> read(Map<?, ?> tree) {
    return Manifest.open(tree)
        .map(Manifest::head)
        .map(head ->
            new NamespaceSeen(
                head.name(),
                head.version(),
                GroupLabels.queue(head.labels()),
                head.labels().textMap(),
                terminates(tree)));
  }
}
