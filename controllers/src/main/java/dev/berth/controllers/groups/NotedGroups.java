package dev.berth.controllers.groups;

import dev.berth.controllers.loop.Workers;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Groups that were told something, until their PodGroup says it. Where it does not within
/// [#PATIENCE] its pods are to: its owner may have made it so large that no status fits into it any
/// more, and a group that is not told is never evicted.
///
/// Any thread.
///
/// @param <E> what they are told
final class NotedGroups<E> {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final class Noted<E> {
    private final List<Announcer.Note> notes;
    private PodGroup group;
    private E end;
    private boolean isLate;

    Noted(List<Announcer.Note> notes, PodGroup group, E end) {
      this.notes = notes;
      this.group = group;
      this.end = end;
    }
  }

  /// How pods say what their group is told.
  interface PodWords<E> {
    void say(PodGroup group, E end, Instant now);
  }

  private final Announcer announcer;
  private final Workers workers;
  private final Predicate<E> isSaid;
  private final PodWords<E> pods;
  private final TreeMap<GroupKey, Noted<E>> noted = new TreeMap<>(); // guarded by this

  /// @param isSaid whether a status says it
  /// @param pods of groups whose status does not
  NotedGroups(Announcer announcer, Workers workers, Predicate<E> isSaid, PodWords<E> pods) {
    this.announcer = announcer;
    this.workers = workers;
    this.isSaid = isSaid;
    this.pods = pods;
  }

  /// Tells a group, unless it was told.
  synchronized void tell(PodGroup group, E end, Announcer.Notice notice, Instant now) {
    if (noted.containsKey(group.key())) {
      return;
    }
    var known = new Noted<>(announcer.tell(group, notice, now), group, end);
    noted.put(group.key(), known);
    workers.at(now.plus(PATIENCE), () -> lookAgain(known));
  }

  private synchronized void lookAgain(Noted<E> known) {
    if (noted.get(known.group.key()) == known && !isSaid.test(known.end)) {
      known.isLate = true;
      pods.say(known.group, known.end, workers.time().instant());
    }
  }

  /// What a group that was told is now.
  ///
  /// @return whether its status has not said it in time
  synchronized boolean look(PodGroup group, E end) {
    var known = noted.get(group.key());
    if (known == null) {
      return false;
    }
    known.group = group;
    known.end = end;
    return known.isLate;
  }

  /// It is not so any more: events that wait are not told.
  synchronized void gone(GroupKey group) {
    var known = noted.remove(group);
    if (known != null) {
      announcer.recall(known.notes);
    }
  }

  /// It is said: what comes next is told anew.
  synchronized void said(GroupKey group) {
    noted.remove(group);
  }
}
