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
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
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

  // Of the planning thread.
  private final Changes changes = new Changes();
  private final TreeMap<GroupKey, PodGroup> lacking = new TreeMap<>();
  private final TreeMap<GroupKey, Waiting> waiting = new TreeMap<>();
  private boolean halfDone; // in a cycle that was dropped

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
    var changes = new TokenBucket(settings.eventsPerSecond() / 10, 1, workers.time());
    this.waitingPods =
        new WaitingPods(events, budget, changes, sentences, workers, settings.singleWaits());
    this.sentences = sentences;
    this.others = others;
  }

  /// A cycle is done. Called by the planning thread: what takes time is done on others, and only
  /// groups are looked at of which there is something new since the last one.
  ///
  /// @param waits every group that waits, and why
  /// @param staleSince groups that run below their minimum, and since when
  public void planned(
      Snapshot snapshot,
      SortedMap<GroupKey, Reason> waits,
      SortedMap<GroupKey, Instant> staleSince) {
    if (halfDone) {
      changes.forget();
      lacking.clear();
      waiting.clear();
    }
    halfDone = true;
    for (GroupKey key : changes.until(snapshot.groups(), waits, staleSince)) {
      lacking.remove(key);
      waiting.remove(key);
      var reason = Optional.ofNullable(waits.get(key));
      var since = staleSince.getOrDefault(key, Instant.EPOCH);
      snapshot.group(key).ifPresent(group -> look(group, reason, since, snapshot.now()));
    }
    halfDone = false;
    missing.are(List.copyOf(lacking.values()));
    waitingPods.are(List.copyOf(waiting.values()), snapshot.now());
    statuses.forgetAllBut(snapshot.groups());
  }

  private void look(PodGroup group, Optional<Reason> reason, Instant staleSince, Instant now) {
    switch (group.origin()) {
      case OBJECT -> {
        if (others.test(group.key())) {
          reason.ifPresent(why -> letTell(group, why));
        } else {
          var words = reason.map(why -> Words.of(why, sentences));
          statuses.tell(group, words.orElse(Words.NONE), staleSince, now);
        }
      }
      case MEMBERS -> {
        if (!group.members().isEmpty()) {
          lacking.put(group.key(), group);
        }
      }
      case OWNERS -> {} // its object comes from those who read its owners
      case NAME_ONLY, POD, POD_OF_UNKNOWN_OWNER -> reason.ifPresent(why -> letTell(group, why));
    }
  }

  /// Its first pod tells it.
  private void letTell(PodGroup group, Reason reason) {
    if (!group.members().isEmpty()) {
      waiting.put(group.key(), new Waiting(group.members().getFirst().pod(), reason));
    }
  }
}
