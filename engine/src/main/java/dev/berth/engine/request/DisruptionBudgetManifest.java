package dev.berth.engine.request;

import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.DisruptionBudget.Key;
import dev.berth.engine.model.LabelSelector;
import java.util.Map;
import java.util.Optional;

/// A `policy/v1` PodDisruptionBudget. One without status allows nothing: the Eviction API would say
/// no, too.
public final class DisruptionBudgetManifest {
  private DisruptionBudgetManifest() {}

  /// Empty only for a tree without `metadata.name`.
  public static Optional<DisruptionBudget> read(Map<?, ?> tree) {
    return Manifest.open(tree).map(DisruptionBudgetManifest::budget);
  }

  /// All of its selector, however long: what others than Berth go by. Empty where it has none, and
  /// covers no pod.
  public static Optional<LabelSelector> selector(Map<?, ?> tree) {
    return Manifest.open(tree)
        .map(Manifest::spec)
        .filter(spec -> spec.has("selector"))
        .map(spec -> LabelSelectors.read(spec.object("selector")));
  }

  private static DisruptionBudget budget(Manifest manifest) {
    ObjectMeta head = manifest.head();
    ManifestTree spec = manifest.spec();
    return new DisruptionBudget(
        new Key(head.namespace(), head.name()),
        head.version(),
        LabelSelectors.read(spec.object("selector")),
        !spec.has("selector"),
        manifest.status().number("disruptionsAllowed", 0).orElse(0));
  }
}
