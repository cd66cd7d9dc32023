package dev.berth.engine.model;

import java.util.List;
import java.util.Optional;

/// How many pods of an application may be asked to leave now (`policy/v1` PodDisruptionBudget).
///
/// Of its selector no more is read than [#MOST_REQUIREMENTS] with [#MOST_VALUES]: every pod is
/// compared with it. Of a longer one the beginning counts, and no pod that matches that leaves.
///
/// @param selector which pods of its namespace it covers
/// @param coversNoPod it has no selector at all
/// @param allowed `status.disruptionsAllowed`: pods that have a deletion timestamp are counted in
/// @param only the one pod that it covers, whatever the selector says; none = as it says
/// @param isTooLong whether the selector goes on; then no pod is allowed to leave
public record DisruptionBudget(
    Key key,
    long version,
    LabelSelector selector,
    boolean coversNoPod,
    int allowed,
    PodUid only,
    boolean isTooLong) {
  public static final int MOST_REQUIREMENTS = 64;

  /// Of all requirements together.
  public static final int MOST_VALUES = 1024;

  public DisruptionBudget {
    var first = selector.first(MOST_REQUIREMENTS, MOST_VALUES);
    isTooLong |= first != selector;
    allowed = isTooLong ? 0 : allowed;
    selector = first;
  }

  /// As an object says.
  public DisruptionBudget(
      Key key, long version, LabelSelector selector, boolean coversNoPod, int allowed) {
    this(key, version, selector, coversNoPod, allowed, PodUid.NONE, false);
  }

  /// As good as one that keeps this pod where it is. (No object can be called so.)
  public static DisruptionBudget keeping(Pod pod) {
    var key = new Key(pod.key().namespace(), pod.key().name() + "/pod");
    var everybody = new LabelSelector(List.of());
    return new DisruptionBudget(key, 0, everybody, false, 0, pod.uid(), false);
  }

  /// What several budgets that cover one pod come to: the Eviction API refuses every eviction of
  /// it. (No object can be called so.)
  public static DisruptionBudget several(Pod pod) {
    var key = new Key(pod.key().namespace(), pod.key().name() + SEVERAL);
    return new DisruptionBudget(key, 0, new LabelSelector(List.of()), true, 0);
  }

  /// What stands for the budgets of a namespace where they are too many to be compared with its
  /// pods. (No object can be called so.)
  public static DisruptionBudget tooMany(String namespace) {
    var key = new Key(namespace, "");
    return new DisruptionBudget(key, 0, new LabelSelector(List.of()), true, 0);
  }

  private static final String SEVERAL = "/budgets";

  /// Namespace and name.
  public record Key(String namespace, String name) implements Comparable<Key> {
    /// The pod that [several budgets][#several] cover; empty where it is a budget that there is.
    public Optional<PodKey> ofSeveral() {
      return name.endsWith(SEVERAL)
          ? Optional.of(new PodKey(namespace, name.substring(0, name.length() - SEVERAL.length())))
          : Optional.empty();
    }

    @Override
    public int compareTo(Key other) {
      int byNamespace = namespace.compareTo(other.namespace);
      return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
    }

    @Override
    public String toString() {
      return namespace + "/" + name;
    }
  }

  /// Whether it covers the same pods as another.
  public boolean coversAs(DisruptionBudget other) {
    return key.equals(other.key)
        && only.equals(other.only)
        && coversNoPod == other.coversNoPod
        && isTooLong == other.isTooLong
        && selector.equals(other.selector);
  }

  public boolean covers(Pod pod) {
    if (!only.isNone()) {
      return only.equals(pod.uid());
    }
    if (coversNoPod || !pod.key().namespace().equals(key.namespace())) {
      return false;
    }
    return selector.matches(pod.traits().labels());
  }
}
