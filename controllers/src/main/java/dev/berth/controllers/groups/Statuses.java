package dev.berth.controllers.groups;

import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.controllers.crd.PodGroupStatus.Phase;
import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Events;
import dev.berth.controllers.door.Events.Regarding;
import dev.berth.controllers.door.Groups;
import dev.berth.controllers.groups.StatusOf.Words;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
import dev.berth.controllers.loop.PacedLine;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/// Writes the status of PodGroup objects and tells their events. Compares by reference first, so
/// groups in which nothing happened cost nothing; one write at a time per group and, but for a few
/// that may come at once, not more often than a pause allows, so that the last state wins. Where
/// nothing but the words of a reason changed, such as how much is free, that is written now and
/// then, in a line with all others.
final class Statuses {
  /// A group comes to be, is complete and finds no room within milliseconds: that is told at once.
  private static final int AT_ONCE = 3;

  /// Between two writes for one group that differ in words alone.
  private static final Duration BETWEEN_WORDS = Duration.ofSeconds(10);

  /// Between two events of one group that differ in the kind of reason alone: doubled with each, up
  /// to the longest, until none comes for a while.
  private static final Duration BETWEEN_KINDS = Duration.ofSeconds(5);

  private static final Duration LONGEST_BETWEEN_KINDS = Duration.ofMinutes(5);
  private static final Duration UNTIL_CALM = Duration.ofMinutes(10);

  private static final KeyedLoopSettings PACE =
      new KeyedLoopSettings(8, Duration.ofMillis(500), Duration.ofSeconds(30));

  /// What was said last about a group.
  private static final class Told {
    private PodGroup group;
    private Words words;
    private PodGroupStatus status;
    private boolean written;
    private Instant rested = Instant.EPOCH; // when a pause for each of its writes is over
    private Instant toldAt = Instant.EPOCH; // when it was last put among those that are written
    private String event = "";
    private Phase phase = Phase.PENDING; // of that event
    private Instant eventAt = Instant.EPOCH;
    private Duration untilNextKind = Duration.ZERO;

    Told(PodGroup group, Words words, PodGroupStatus status) {
      this.group = group;
      this.words = words;
      this.status = status;
    }
  }

  private final Groups groups;
  private final Events events;
  private final PacedLine<GroupKey> toldByEvent;
  private final PacedLine<GroupKey> ofOtherKinds;
  private final Workers workers;
  private final Duration pause;
  private final Duration grace;
  private final KeyedLoop<GroupKey> loop;
  private final PacedLine<GroupKey> ofOtherWords;

  /// Guarded by this, and what is in it.
  private final TreeMap<GroupKey, Told> told = new TreeMap<>();

  Statuses(Groups groups, Events events, Workers workers, GroupSettings settings) {
    this.groups = groups;
    this.events = events;
    this.workers = workers;
    this.pause = settings.pause();
    this.grace = settings.stalenessGrace();
    this.loop = new KeyedLoop<>("statuses", workers, PACE, GroupKey::namespace, this::write);
    double pace = settings.eventsPerSecond();
    this.ofOtherWords = new PacedLine<>(pace, GroupKey::namespace, workers, loop::add);
    this.toldByEvent = new PacedLine<>(pace, GroupKey::namespace, workers, this::tellEvent);
    this.ofOtherKinds = new PacedLine<>(pace, GroupKey::namespace, workers, this::tellEvent);
  }

  /// @param staleSince when the group fell below its minimum; `EPOCH` = it has not
  synchronized void tell(PodGroup group, Words words, Instant staleSince, Instant now) {
    var last = told.get(group.key());
    if (last == null) {
      var status = StatusOf.status(group, words, staleSince, grace, List.of(), now);
      last = new Told(group, words, status);
      told.put(group.key(), last);
    } else {
      boolean same =
          last.group == group
              && last.words.equals(words)
              && last.status.staleSince().equals(staleSince);
      if (same) {
        return;
      }
      last.group = group;
      last.words = words;
      var status = StatusOf.status(group, words, staleSince, grace, last.status.conditions(), now);
      if (last.status.equals(status)) {
        return;
      }
      boolean areWords = status.differsInWordsAlone(last.status);
      last.status = status;
      last.written = false;
      if (areWords) {
        ofOtherWords.add(group.key(), last.toldAt.plus(BETWEEN_WORDS));
        return;
      }
    }
    last.toldAt = now;
    loop.add(group.key());
    var next = last.eventAt.plus(last.untilNextKind);
    if (last.status.phase() == last.phase && next.isAfter(now)) {
      ofOtherKinds.add(group.key(), next); // it goes on waiting
    } else {
      toldByEvent.add(group.key(), now);
    }
  }

  /// Looked at only now and then: a few that are gone do no harm.
  synchronized void forgetAllBut(List<PodGroup> present) {
    if (told.size() > 2 * present.size() + 100) {
      var keys = new TreeSet<GroupKey>();
      present.forEach(group -> keys.add(group.key()));
      told.keySet().retainAll(keys);
    }
  }

  private Next write(GroupKey key) throws DoorException {
    PodGroupStatus status;
    synchronized (this) {
      var last = told.get(key);
      if (last == null || last.written) {
        return Next.done();
      }
      status = last.status;
    }
    groups.status(key, status);
    synchronized (this) {
      var last = told.get(key);
      if (last == null) {
        return Next.done();
      }
      last.toldAt = workers.time().instant();
      last.written = last.status.equals(status);
      return next(last);
    }
  }

  private Next next(Told last) {
    var now = workers.time().instant();
    last.rested = (now.isAfter(last.rested) ? now : last.rested).plus(pause);
    var next = last.rested.minus(pause.multipliedBy(AT_ONCE - 1));
    if (next.isAfter(now)) {
      return Next.notBefore(next);
    }
    return last.written ? Next.done() : Next.at(now);
  }

  /// What is so by then; nothing, if that was told before.
  private synchronized void tellEvent(GroupKey key) {
    var last = told.get(key);
    if (last == null) {
      return;
    }
    var status = last.status;
    var words = last.words;
    boolean waits = !words.code().isEmpty();
    String event = status.phase().word() + words.code();
    if (event.equals(last.event)) {
      return;
    }
    var now = workers.time().instant();
    boolean isOfKind = status.phase() == last.phase;
    boolean isSoon = now.isBefore(last.eventAt.plus(UNTIL_CALM));
    last.untilNextKind = isOfKind && isSoon ? doubled(last.untilNextKind) : BETWEEN_KINDS;
    last.eventAt = now;
    last.phase = status.phase();
    last.event = event;
    events.tell(
        new Regarding(
            "berth.dev/v1alpha1", "PodGroup", key.namespace(), key.name(), last.group.spec().uid()),
        words.warning(),
        waits ? words.code() : status.phase().word(),
        waits ? "Wait" : "Plan",
        waits ? words.sentence() : sentence(last.group, status, grace));
  }

  private static Duration doubled(Duration pause) {
    var twice = pause.multipliedBy(2);
    return twice.compareTo(LONGEST_BETWEEN_KINDS) > 0 ? LONGEST_BETWEEN_KINDS : twice;
  }

  /// How many members exist, how many are needed, and what those that exist wait for.
  private static String pending(PodGroup group) {
    int need = Math.max(1, group.spec().required());
    int have = group.members().size();
    if (have == 0) {
      return "No member exists yet; " + need + (need == 1 ? " starts" : " start") + " together.";
    }
    int heldBack = 0;
    var gates = new TreeSet<String>();
    for (var member : group.members()) {
      var others = new TreeSet<>(member.pod().life().gates());
      others.remove(Pod.Life.GATE);
      heldBack += others.isEmpty() ? 0 : 1;
      gates.addAll(others);
    }
    String exist = have + (have == 1 ? " member exists, " : " members exist, ") + need;
    String held =
        heldBack == 0
            ? ""
            : heldBack
                + (heldBack == 1 ? " is" : " are")
                + (" held by scheduling gates of others (" + String.join(", ", gates) + "); ");
    return exist
        + (need == 1 ? " is needed" : " are needed")
        + " to start: "
        + held
        + (have < need ? "the others do not exist yet." : "they wait to be planned.");
  }

  private static String sentence(PodGroup group, PodGroupStatus status, Duration grace) {
    var members = status.members();
    return switch (status.phase()) {
      case PENDING -> pending(group);
      case QUEUED ->
          members.failed() > 0 || !status.staleSince().equals(Instant.EPOCH)
              ? BelowMinimum.sentence(members, BelowMinimum.end(group, status.staleSince(), grace))
              : "Waits in its queue.";
      case PLANNED -> "A place is kept for its members.";
      case STARTING -> members.bound() + " members are bound, " + members.running() + " run.";
      case RUNNING -> members.running() + " members run.";
      case FINISHED ->
          members.failed() == 0
              ? "All members are over."
              : "All members are over: " + members.failed() + " of them failed.";
    };
  }
}
