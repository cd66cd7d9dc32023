package dev.berth.engine.model;

/// What decides whether a group is preemptible.
///
/// @param priorityClass the class whose priority decides; empty where none does, or its name is not
///   known
public record PreemptibilitySource(By by, String priorityClass) {
  /// Not known, such as where a plan settled it and its objects say something else by now.
  public static final PreemptibilitySource UNTOLD = new PreemptibilitySource(By.UNTOLD, "");

  public enum By {
    UNTOLD,
    /// `spec.preemptibility` of the PodGroup.
    OBJECT,
    /// The label `berth.dev/preemptibility` on pods or their owners.
    LABEL,
    /// The priority class that the PodGroup or a label names.
    NAMED_CLASS,
    /// The priority with which the pods were admitted.
    POD_PRIORITY,
    /// The priority class that pods of this kind have where none is named.
    KIND
  }

  /// Whether its priority decides.
  public boolean isByPriority() {
    return switch (by) {
      case NAMED_CLASS, POD_PRIORITY, KIND -> true;
      case UNTOLD, OBJECT, LABEL -> false;
    };
  }

  public static PreemptibilitySource of(By by) {
    return new PreemptibilitySource(by, "");
  }
}
