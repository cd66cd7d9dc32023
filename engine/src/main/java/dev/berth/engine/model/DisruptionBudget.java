package dev.berth.engine.model;

import java.util.List;

/// How many pods of an application may be asked to leave now (`policy/v1` PodDisruptionBudget).
///
/// @param selector which pods of its namespace it covers
/// @param coversNobody it has no selector at all
/// @param allowed `status.disruptionsAllowed`: pods that have a deletion timestamp are counted in
/// @param only the one pod that it covers, whatever the selector says; none = as it says
public record DisruptionBudget(
    Key key, long version, LabelSelector selector, boolean coversNobody, int allowed, PodUid only) {
  /// As an object says.
  public DisruptionBudget(
      Key key, long version, LabelSelector selector, boolean coversNobody, int allowed) {
    this(key, version, selector, coversNobody, allowed, PodUid.NONE);
  }

  /// As good as one that keeps this pod where it is. (No object can be called so.)
  public static DisruptionBudget keeping(Pod pod) {
    var key = new Key(pod.key().namespace(), pod.key().name() + "/pod");
    return new DisruptionBudget(key, 0, new LabelSelector(List.of()), false, 0, pod.uid());
  }

  /// What several budgets that cover one pod come to: the Eviction API refuses every eviction of
  /// it. (No object can be called so.)
  public static DisruptionBudget several(Pod pod) {
    var key = new Key(pod.key().namespace(), pod.key().name() + "/budgets");
    return new DisruptionBudget(key, 0, new LabelSelector(List.of()), true, 0);
  }

  /// Namespace and name.
  public record Key(String namespace, String name) implements Comparable<Key> {
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

  public boolean covers(Pod pod) {
    if (!only.isNone()) {
      return only.equals(pod.uid());
    }
    if (coversNobody || !pod.key().namespace().equals(key.namespace())) {
      return false;
    }
    return selector.matches(pod.traits().labels());
  }
}
