package dev.berth.engine.request;

import dev.berth.engine.model.Fact.PriorityClassSeen;
import java.util.Map;
import java.util.Optional;

/// A `scheduling.k8s.io/v1` PriorityClass.
public final class PriorityClassManifest {
  private PriorityClassManifest() {}

  /// Empty for a tree without `metadata.name`, or with a `value` that is no number.
  public static Optional<PriorityClassSeen> read(Map<?, ?> tree) {
    Tree root = Tree.root(tree, new Problems());
    Head head = Head.read(root);
    var value = root.number("value", Integer.MIN_VALUE);
    if (head.isNameless() || value.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new PriorityClassSeen(
            head.name(), head.version(), value.getAsInt(), root.flag("globalDefault")));
  }
}
