package dev.berth.controllers.groups;

import dev.berth.controllers.door.Events;
import dev.berth.controllers.door.Groups;
import dev.berth.controllers.groups.StatusOf.Words;
import dev.berth.controllers.groups.WaitingPods.Waiting;
import dev.berth.controllers.loop.TokenBucket;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Predicate;

/// Keeps PodGroup objects: makes those that gangs lack, writes their status, tells their events.
/// Pods that wait and have no object to tell it on tell it themselves.
public final class GroupKeeper {
  private final MissingGroups missing;
  private final Statuses statuses;
  private final WaitingPods waitingPods;
  private final Function<Reason, String> sentences;
  private final Predicate<GroupKey> others;

  /// @param sentences a reason made a sentence
  /// @param others groups whose objects are not ours to write: their pods tell why they wait
  public GroupKeeper(
      Groups groups,
      Events events,
      Function<Reason, String> sentences,
      Predicate<GroupKey> others,
      Workers workers,
      GroupSettings settings) {
    var budget =
        new TokenBucket(
            settings.eventsPerSecond(),
            (int) Math.max(1, settings.eventsPerSecond() * 5),
            workers.time());
    this.missing = new MissingGroups(groups, workers);
    this.statuses = new Statuses(groups, events, budget, workers, settings.pause());
    this.waitingPods = new WaitingPods(events, budget, sentences, workers, settings.singleWaits());
    this.sentences = sentences;
    this.others = others;
  }

  /// A cycle is done. Called by the planning thread: what takes time is done on others.
  ///
  /// @param waits every group that waits, and why
  /// @param staleSince groups that run below their minimum, and since when
  public void planned(
      Snapshot snapshot,
      SortedMap<GroupKey, Reason> waits,
      SortedMap<GroupKey, Instant> staleSince) {
    var lacking = new ArrayList<PodGroup>();
    var waiting = new ArrayList<Waiting>();
    for (var group : snapshot.groups()) {
      var reason = waits.get(group.key());
      switch (group.origin()) {
        case OBJECT -> {
          if (!others.test(group.key())) {
            statuses.tell(
                group,
                reason == null ? Words.NONE : new Words(reason.code(), sentences.apply(reason)),
                staleSince.getOrDefault(group.key(), Instant.EPOCH),
                snapshot.now());
          } else if (reason != null && !group.members().isEmpty()) {
            waiting.add(new Waiting(group.members().getFirst().pod(), reason));
          }
        }
        case MEMBERS -> {
          if (!group.members().isEmpty()) {
            lacking.add(group);
          }
        }
        case OWNERS -> {} // its object comes from those who read its owners
        case NAME_ONLY, POD, POD_OF_UNKNOWN_OWNER -> {
          if (reason != null && !group.members().isEmpty()) {
            waiting.add(new Waiting(group.members().getFirst().pod(), reason));
          }
        }
      }
    }
    missing.are(lacking);
    waitingPods.are(waiting, snapshot.now());
    statuses.forgetAllBut(snapshot.groups());
  }
}
