package dev.berth.engine.forecast;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.QueueName;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;

/// Which groups are followed where more wait than can be: queues get equal parts, and namespaces
/// equal parts of what their queue gets. The group that came last gives way. Guarded by its owner.
final class FollowedGroups {
  /// What comes of a group.
  ///
  /// @param isFollowed whether it is followed
  /// @param instead the one that is followed no more for it; empty = there was room, or it is not
  ///   followed itself
  record Entry(boolean isFollowed, Optional<GroupKey> instead) {
    static final Entry REFUSED = new Entry(false, Optional.empty());
  }

  private final int most;
  private final Map<GroupKey, QueueName> queues = new HashMap<>(); // looked up only
  private final Counts<QueueName> byQueue = new Counts<>();
  private final Map<QueueName, OfQueue> groups = new HashMap<>(); // looked up only

  private static final class OfQueue {
    private final Counts<String> byNamespace = new Counts<>();
    private final Map<String, LinkedHashSet<GroupKey>> groups = new HashMap<>(); // looked up only

    LinkedHashSet<GroupKey> of(String namespace) {
      return groups.computeIfAbsent(namespace, _ -> new LinkedHashSet<>());
    }

    GroupKey lastOfLargest() {
      return of(byNamespace.largest()).getLast();
    }
  }

  private OfQueue ofQueue(QueueName queue) {
    return groups.computeIfAbsent(queue, _ -> new OfQueue());
  }

  FollowedGroups(int most) {
    this.most = most;
  }

  /// How many groups of a queue are followed.
  int of(QueueName queue) {
    return byQueue.of(queue);
  }

  /// A group that is not followed asks for a place.
  Entry enter(GroupKey group, QueueName queue) {
    if (queues.size() < most) {
      add(group, queue);
      return new Entry(true, Optional.empty());
    }
    return instead(group, queue)
        .map(other -> {
          leave(other);
          add(group, queue);
          return new Entry(true, Optional.of(other));
        })
        .orElse(Entry.REFUSED);
  }

  /// One of a queue, or of a namespace of the same queue, that has at least two more: else the two
  /// would drive each other out by turns.
  private Optional<GroupKey> instead(GroupKey group, QueueName queue) {
    if (byQueue.of(queue) + 1 < byQueue.most()) {
      return Optional.of(ofQueue(byQueue.largest()).lastOfLargest());
    }
    return Optional.ofNullable(groups.get(queue))
        .filter(own -> own.byNamespace.of(group.namespace()) + 1 < own.byNamespace.most())
        .map(OfQueue::lastOfLargest);
  }

  private void add(GroupKey group, QueueName queue) {
    queues.put(group, queue);
    byQueue.add(queue);
    var own = ofQueue(queue);
    own.byNamespace.add(group.namespace());
    own.of(group.namespace()).add(group);
  }

  /// It is followed no more. Without effect for one that is not.
  void leave(GroupKey group) {
    Optional.ofNullable(queues.remove(group)).ifPresent(queue -> leave(group, queue));
  }

  private void leave(GroupKey group, QueueName queue) {
    byQueue.remove(queue);
    var own = ofQueue(queue);
    own.byNamespace.remove(group.namespace());
    var alike = own.of(group.namespace());
    alike.remove(group);
    if (alike.isEmpty()) {
      own.groups.remove(group.namespace());
    }
    if (own.groups.isEmpty()) {
      groups.remove(queue);
    }
  }
}
