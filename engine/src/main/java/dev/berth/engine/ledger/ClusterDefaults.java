package dev.berth.engine.ledger;

import dev.berth.engine.model.Fact;
import dev.berth.engine.model.PriorityClasses;
import dev.berth.engine.model.QueueName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What namespaces and priority classes say of groups.
final class ClusterDefaults implements GroupDefaults {
  private final Map<String, NamespaceDefaults> namespaces = new HashMap<>();
  private final TreeMap<String, PriorityRank> priorityClasses = new TreeMap<>();
  private PriorityClasses classes = PriorityClasses.all(List.of());
  private final QueueName defaultQueue;

  ClusterDefaults(QueueName defaultQueue) {
    this.defaultQueue = defaultQueue;
  }

  @Override
  public QueueName defaultQueue() {
    return defaultQueue;
  }

  /// @param home unknown = the namespace is gone
  /// @return whether that is news
  boolean namespace(String name, NamespaceDefaults home) {
    NamespaceDefaults before = home(name);
    if (home.equals(NamespaceDefaults.UNKNOWN)) {
      namespaces.remove(name);
    } else {
      namespaces.put(name, home);
    }
    return !before.equals(home);
  }

  @Override
  public NamespaceDefaults home(String namespace) {
    return namespaces.getOrDefault(namespace, NamespaceDefaults.UNKNOWN);
  }

  /// @param rank empty = the class is gone
  /// @return whether that is news
  boolean priorityClass(String name, Optional<PriorityRank> rank) {
    Optional<PriorityRank> before = rankOf(name);
    rank.ifPresentOrElse(now -> priorityClasses.put(name, now), () -> priorityClasses.remove(name));
    if (before.equals(rank)) {
      return false;
    }
    var all = new ArrayList<Fact.PriorityClassSeen>();
    priorityClasses.forEach((each, its) ->
        all.add(
            new Fact.PriorityClassSeen(
                each, 0, its.priority(), its.isDefault(), its.takesVictims())));
    classes = PriorityClasses.all(all);
    return true;
  }

  @Override
  public Optional<PriorityRank> rankOf(String priorityClass) {
    return Optional.ofNullable(priorityClasses.get(priorityClass));
  }

  /// All of them, without their versions. The same where nothing changed.
  PriorityClasses classes() {
    return classes;
  }
}
