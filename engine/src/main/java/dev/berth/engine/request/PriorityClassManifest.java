package dev.berth.engine.request;

import dev.berth.engine.model.Fact.PriorityClassSeen;
import java.util.Map;
import java.util.Optional;

/// A `scheduling.k8s.io/v1` PriorityClass.
public final class PriorityClassManifest {
  private PriorityClassManifest() {}

  /// Empty for a tree without `metadata.name`, or with a `value` that is no number.
  public static Optional<PriorityClassSeen> read(Map<?, ?> tree) {
    return Manifest.open(tree).flatMap(PriorityClassManifest::priorityClass);
  }

  private static Optional<PriorityClassSeen> priorityClass(Manifest manifest) {
    ObjectMeta head = manifest.head();
    var value = manifest.root().number("value", Integer.MIN_VALUE);
    return value.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PriorityClassSeen(
                head.name(),
                head.version(),
                value.getAsInt(),
                manifest.root().flag("globalDefault"),
                !manifest.root().text("preemptionPolicy").equals("Never")));
  }
}
