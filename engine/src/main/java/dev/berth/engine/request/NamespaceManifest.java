package dev.berth.engine.request;

import dev.berth.engine.model.Fact.NamespaceSeen;
import java.util.Map;
import java.util.Optional;

/// A `v1` Namespace: the queue of its pods, by label, and its labels.
public final class NamespaceManifest {
  private NamespaceManifest() {}

  /// Empty only for a tree without `metadata.name`.
  public static Optional<NamespaceSeen> read(Map<?, ?> tree) {
    return Manifest.open(tree)
        .map(Manifest::head)
        .map(head ->
            new NamespaceSeen(
                head.name(),
                head.version(),
                GroupLabels.queue(head.labels()),
                head.labels().textMap()));
  }
}
