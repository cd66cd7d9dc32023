package dev.berth.controllers.groups;

import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Events;
import dev.berth.controllers.door.Events.Regarding;
import dev.berth.controllers.door.Groups;
import dev.berth.controllers.groups.StatusOf.Words;
import dev.berth.controllers.loop.TokenBucket;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps PodGroup objects: makes those that gangs lack, writes their status, tells their events.
///
/// Called with each outcome of a cycle, by the planning thread; compares by reference first, so
/// groups in which nothing happened cost nothing, and writes on other threads, one at a time per
/// group.
public final class GroupKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(GroupKeeper.class);

  /// What was said last about a group.
  private static final class Told {
    private PodGroup group;
    private Words words = Words.NONE;
    private PodGroupStatus status;
    private boolean writing;
    private boolean again;
    private Instant writtenAt = Instant.MIN;
    private Instant waitsSince = Instant.MIN;
    private String event = "";

    Told(PodGroup group, PodGroupStatus status) {
      this.group = group;
      this.status = status;
    }
  }

  private final Groups groups;
  private final Events events;
  private final BiFunction<Reason, Snapshot, String> sentences;
  private final Predicate<PodGroup> isStale;
  private final Workers workers;
  private final GroupSettings settings;
  private final TokenBucket eventBudget;
  private final Map<GroupKey, Told> told = new TreeMap<>();
  private final Map<GroupKey, Instant> made = new TreeMap<>();
  private Snapshot last = Snapshot.empty(Instant.EPOCH);
  private SortedMap<GroupKey, Reason> lastWaits = Collections.emptySortedMap();
  private boolean lookDue;

  /// @param sentences a reason made a sentence
  /// @param isStale whether a group runs below its minimum
  public GroupKeeper(
      Groups groups,
      Events events,
      BiFunction<Reason, Snapshot, String> sentences,
      Predicate<PodGroup> isStale,
      Workers workers,
      GroupSettings settings) {
    this.groups = groups;
    this.events = events;
    this.sentences = sentences;
    this.isStale = isStale;
    this.workers = workers;
    this.settings = settings;
    this.eventBudget =
        new TokenBucket(
            settings.eventsPerSecond(),
            (int) Math.max(1, settings.eventsPerSecond() * 5),
            workers.time());
  }

  /// Pods that began to wait are looked at again when they have waited long enough to be told, and
  /// those that the budget of events left out a little later: nothing else may change meanwhile.
  private void lookAgain(Instant when) {
    if (!lookDue) {
      lookDue = true;
      workers.at(when, this::tellSingles);
    }
  }

  private synchronized void tellSingles() {
    lookDue = false;
    Instant now = workers.time().instant();
    for (var group : last.groups()) {
      var reason = lastWaits.get(group.key());
      boolean withoutObject = group.origin() != PodGroup.Origin.OBJECT;
      if (withoutObject && reason != null && !group.members().isEmpty()) {
        tellSingle(group, words(reason, last), now);
      }
    }
  }

  /// A cycle is done.
  public synchronized void planned(Snapshot snapshot, SortedMap<GroupKey, Reason> waits) {
    last = snapshot;
    lastWaits = waits;
    Instant now = snapshot.now();
    for (var group : snapshot.groups()) {
      var reason = waits.get(group.key());
      if (group.single()) {
        if (reason != null) {
          tellSingle(group, words(reason, snapshot), now);
        }
        continue;
      }
      if (group.origin() != PodGroup.Origin.OBJECT) {
        if (group.origin() == PodGroup.Origin.MEMBERS) {
          make(group, now);
        } else if (reason != null && !group.members().isEmpty()) {
          tellSingle(group, words(reason, snapshot), now); // there is no object to tell it on
        }
        continue;
      }
      Words words = reason == null ? Words.NONE : words(reason, snapshot);
      var last = told.get(group.key());
      if (last == null || last.group != group || !last.words.equals(words)) {
        tell(group, words, now);
      }
    }
    if (told.size() > 2 * snapshot.groups().size() + 100) {
      forgetGone(snapshot);
    }
  }

  private Words words(Reason reason, Snapshot snapshot) {
    return new Words(reason.code(), sentences.apply(reason, snapshot));
  }

  private void forgetGone(Snapshot snapshot) {
    var present = new TreeMap<GroupKey, Boolean>();
    snapshot.groups().forEach(group -> present.put(group.key(), true));
    told.keySet().removeIf(key -> !present.containsKey(key));
    made.keySet().removeIf(key -> !present.containsKey(key));
  }

  /// A gang whose object does not exist: its workload, or its first pod, owns the one we make.
  private void make(PodGroup group, Instant now) {
    int minMember = group.spec().minMember();
    if (group.members().isEmpty()) {
      return;
    }
    Instant last = made.getOrDefault(group.key(), Instant.MIN);
    if (last.plusSeconds(5).isAfter(now)) {
      return;
    }
    made.put(group.key(), now);
    Pod first = group.members().getFirst().pod();
    var owner = first.belonging().owner();
    var by =
        owner.isNone() || !first.belonging().group().isNone()
            ? new Groups.Owner("v1", "Pod", first.key().name(), new OwnerUid(first.uid().value()))
            : new Groups.Owner(owner.apiVersion(), owner.kind(), owner.name(), owner.uid());
    workers.run(() -> {
      try {
        groups.create(group.key(), minMember, group.queue(), by);
      } catch (DoorException failed) {
        LOG.atWarn()
            .addKeyValue("group", group.key())
            .addKeyValue("why", failed.getMessage())
            .log("PodGroup not made");
      }
    });
  }

  private void tell(PodGroup group, Words words, Instant now) {
    var last = told.get(group.key());
    var before = last == null ? List.<PodGroupStatus.Condition>of() : last.status.conditions();
    Instant since =
        !isStale.test(group)
            ? Instant.EPOCH
            : last != null && !last.status.staleSince().equals(Instant.EPOCH)
                ? last.status.staleSince()
                : now;
    var status = StatusOf.status(group, words, since, before, now);
    if (last == null) {
      last = new Told(group, status);
      told.put(group.key(), last);
    } else if (last.status.equals(status)) {
      last.group = group;
      last.words = words;
      return;
    }
    last.group = group;
    last.words = words;
    last.status = status;
    write(group.key(), last);
    tellEvent(group, last, words, status);
  }

  /// One write at a time per group, and not more often than the settings say; the last state wins.
  private void write(GroupKey key, Told last) {
    if (last.writing) {
      last.again = true;
      return;
    }
    last.writing = true;
    Instant now = workers.time().instant();
    Instant earliest =
        last.writtenAt.equals(Instant.MIN) ? now : last.writtenAt.plus(settings.pause());
    if (earliest.isAfter(now)) {
      workers.at(earliest, () -> writeNow(key, last));
    } else {
      workers.run(() -> writeNow(key, last));
    }
  }

  private void writeNow(GroupKey key, Told last) {
    PodGroupStatus status;
    synchronized (this) {
      status = last.status;
      last.again = false;
      last.writtenAt = workers.time().instant();
    }
    boolean failedForNow = false;
    try {
      groups.status(key, status);
    } catch (DoorException failed) {
      failedForNow = failed.isPassing() || failed.kind() == DoorException.Kind.CONFLICT;
      if (!failedForNow && failed.kind() != DoorException.Kind.GONE) {
        LOG.atWarn()
            .addKeyValue("group", key)
            .addKeyValue("why", failed.getMessage())
            .log("status not written");
      }
    }
    synchronized (this) {
      last.writing = false;
      if (last.again || failedForNow) {
        write(key, last);
      }
    }
  }

  private void tellEvent(PodGroup group, Told last, Words words, PodGroupStatus status) {
    String event =
        words.code().isEmpty() ? status.phase().word() : status.phase().word() + words.code();
    if (event.equals(last.event) || !eventBudget.tryTake()) {
      return;
    }
    last.event = event;
    boolean waits = !words.code().isEmpty();
    events.tell(
        new Regarding(
            "berth.dev/v1alpha1",
            "PodGroup",
            group.key().namespace(),
            group.key().name(),
            group.spec().uid()),
        waits,
        waits ? words.code() : status.phase().word(),
        waits ? "Wait" : "Plan",
        waits ? words.sentence() : sentence(status));
  }

  private static String sentence(PodGroupStatus status) {
    var members = status.members();
    return switch (status.phase()) {
      case PENDING -> "No member exists yet.";
      case QUEUED -> "Waits in its queue.";
      case PLANNED -> "A place is kept for its members.";
      case STARTING -> members.bound() + " members are bound, " + members.running() + " run.";
      case RUNNING -> members.running() + " members run.";
      case FINISHED -> "All members are over.";
    };
  }

  /// A pod without a group tells why it waits by an event on itself, once it has waited for a while
  /// and when the kind of reason changes.
  private void tellSingle(PodGroup group, Words words, Instant now) {
    var last = told.get(group.key());
    if (last == null) {
      last = new Told(group, StatusOf.status(group, words, Instant.EPOCH, List.of(), now));
      last.waitsSince = now;
      told.put(group.key(), last);
    }
    if (words.code().equals(last.event)) {
      return;
    }
    Instant longEnough = last.waitsSince.plus(settings.singleWaits());
    if (longEnough.isAfter(now) || !eventBudget.tryTake()) {
      lookAgain(longEnough.isAfter(now) ? longEnough : now.plusSeconds(1));
      return;
    }
    Pod pod = group.members().getFirst().pod();
    last.event = words.code();
    events.tell(
        new Regarding("v1", "Pod", pod.key().namespace(), pod.key().name(), pod.uid().value()),
        true,
        words.code(),
        "Wait",
        words.sentence());
  }
}
