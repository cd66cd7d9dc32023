package dev.berth.engine.ledger;

import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Spelling;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What namespaces and priority classes say of groups.
final class ClusterDefaults implements GroupDefaults {
  private final Map<String, NamespaceDefaults> namespaces = new HashMap<>();
  private final Map<String, PriorityRank> priorityClasses = new HashMap<>();
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
    return !before.equals(rank);
  }

  @Override
  public Optional<PriorityRank> rankOf(String priorityClass) {
    return Optional.ofNullable(priorityClasses.get(priorityClass));
  }

  /// A class whose name is much like that, as a hint; empty = none.
  String likeClass(String name) {
    return Spelling.hint(name, priorityClasses.keySet());
  }
}
