package dev.berth.engine.model;

import java.util.List;
import java.util.SortedMap;

/// How many pods of an application may be asked to leave now (`policy/v1` PodDisruptionBudget).
///
/// @param selectors which pods of its namespace it covers: those for which all hold; none = all
/// @param coversNobody it has no selector at all
/// @param allowed `status.disruptionsAllowed`: pods that have a deletion timestamp are counted in
/// @param only the one pod that it covers, whatever the selectors say; none = as they say
public record DisruptionBudget(
    Key key,
    long version,
    List<Selector> selectors,
    boolean coversNobody,
    int allowed,
    PodUid only) {
  public DisruptionBudget {
    selectors = List.copyOf(selectors);
  }

  /// As an object says.
  public DisruptionBudget(
      Key key, long version, List<Selector> selectors, boolean coversNobody, int allowed) {
    this(key, version, selectors, coversNobody, allowed, PodUid.NONE);
  }

  /// As good as one that keeps this pod where it is. (No object can be called so.)
  public static DisruptionBudget keeping(Pod pod) {
    var key = new Key(pod.key().namespace(), pod.key().name() + "/pod");
    return new DisruptionBudget(key, 0, List.of(), false, 0, pod.uid());
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

  /// One demand on a label.
  public record Selector(String label, Operator operator, List<String> values) {
    public Selector {
      values = List.copyOf(values);
    }

    boolean holds(SortedMap<String, String> labels) {
      boolean has = labels.containsKey(label);
      boolean among = has && values.contains(labels.get(label));
      return switch (operator) {
        case IN -> among;
        case NOT_IN -> !among;
        case EXISTS -> has;
        case DOES_NOT_EXIST -> !has;
      };
    }
  }

  /// Operators of label selectors, with their Kubernetes meaning.
  public enum Operator {
    IN,
    NOT_IN,
    EXISTS,
    DOES_NOT_EXIST
  }

  public boolean covers(Pod pod) {
    if (!only.isNone()) {
      return only.equals(pod.uid());
    }
    if (coversNobody || !pod.key().namespace().equals(key.namespace())) {
      return false;
    }
    for (Selector selector : selectors) {
      if (!selector.holds(pod.traits().labels())) {
        return false;
      }
    }
    return true;
  }
}
