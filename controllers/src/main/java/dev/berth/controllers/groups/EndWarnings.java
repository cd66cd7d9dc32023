package dev.berth.controllers.groups;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.client.EventRecorder.Regarding;
import dev.berth.controllers.client.PodClient;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
import dev.berth.controllers.loop.PacedQueue;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.explain.EndSentences;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import dev.berth.engine.session.RuntimeEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// Warns groups that are evicted soon for their max-runtime: an event on the PodGroup and on each
/// pod that runs, once for each warning. A group that says already that it is warned got its events
/// from the leader before.
///
/// Where no PodGroup can say it, the pods do, by a condition of their own: its time is what the
/// planner counts from. Tenants cannot write it, as they can annotations. Pods say it as well where
/// the PodGroup does not within [#PATIENCE]: its owner may have made it so large that no status
/// fits into it any more, and a group that is not warned runs for ever.
///
/// Any thread.
public final class EndWarnings {
  private static final KeyedLoopSettings PACE =
      new KeyedLoopSettings(4, Duration.ofSeconds(1), Duration.ofMinutes(1));

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /// A group that is near its end, and not yet warned when that was found.
  private static final class Told {
    private final List<Note> notes;
    private PodGroup group;
    private RuntimeEnd ending;
    private boolean isLate;

    Told(List<Note> notes, PodGroup group, RuntimeEnd ending) {
      this.notes = notes;
      this.group = group;
      this.ending = ending;
    }
  }

  private record Note(String namespace, String kind, String name, String uid, String words)
      implements Comparable<Note> {
    @Override
    public int compareTo(Note other) {
      return uid.compareTo(other.uid);
    }

    Regarding object() {
      return new Regarding(
          kind.equals("Pod") ? "v1" : "berth.dev/v1alpha1", kind, namespace, name, uid);
    }
  }

  /// @param words empty = it does not end soon any more
  private record Due(Pod pod, Instant since, String words) {}

  private final PodClient pods;
  private final Workers workers;
  private final PacedQueue<Note> events;
  private final KeyedLoop<PodUid> conditions;
  private final TreeMap<GroupKey, Told> told = new TreeMap<>(); // guarded by this

  /// Of any thread.
  private final ConcurrentHashMap<PodUid, Due> due = new ConcurrentHashMap<>();

  public EndWarnings(
      EventRecorder events, PodClient pods, Workers workers, GroupSettings settings) {
    this.pods = pods;
    this.workers = workers;
    this.events =
        new PacedQueue<>(
            settings.eventsPerSecond(),
            Note::namespace,
            workers,
            note -> events.tell(note.object(), true, EndsSoon.NEAR, "End", note.words()));
    this.conditions = new KeyedLoop<>("pods that end soon", workers, PACE, this::write);
  }

  /// A group as the last cycle found it.
  ///
  /// @param ending of a group that is near it, else [RuntimeEnd#NONE]
  /// @param saysIt whether its PodGroup says that it is warned, so that its pods need not
  synchronized void look(PodGroup group, RuntimeEnd ending, boolean saysIt, Instant now) {
    boolean isNear = !ending.equals(RuntimeEnd.NONE);
    var before = Optional.ofNullable(told.get(group.key()));
    before.ifPresent(known -> {
      known.group = group;
      known.ending = ending;
    });
    if (!isNear) {
      gone(group.key());
    } else if (!ending.isWarned() && before.isEmpty()) {
      begin(group, ending, now);
    }
    boolean isLate = before.filter(known -> known.isLate).isPresent();
    if (!saysIt || isLate || !isNear) {
      podsSay(group, ending, now);
    }
  }

  private void begin(PodGroup group, RuntimeEnd ending, Instant now) {
    var known = new Told(notes(group, EndSentences.warning(ending, now)), group, ending);
    told.put(group.key(), known);
    known.notes.forEach(note -> events.add(note, now));
    workers.at(now.plus(PATIENCE), () -> lookAgain(known));
  }

  private synchronized void lookAgain(Told known) {
    if (told.get(known.group.key()) == known && !known.ending.isWarned()) {
      known.isLate = true;
      podsSay(known.group, known.ending, workers.time().instant());
    }
  }

  /// A pod that comes later says since when the others are warned: else a gang whose pods are
  /// replaced one by one would never have been for long enough.
  private void podsSay(PodGroup group, RuntimeEnd ending, Instant now) {
    boolean isNear = !ending.equals(RuntimeEnd.NONE);
    var since = ending.isWarned() ? ending.warned() : now;
    var words = isNear ? EndSentences.warning(ending, now) : "";
    group.members().stream()
        .filter(EndWarnings::runs)
        .map(PodGroup.Member::pod)
        .filter(pod -> pod.written().words().warned().equals(Instant.EPOCH) == isNear)
        .forEach(pod -> {
          due.put(pod.uid(), new Due(pod, isNear ? since : now, words));
          conditions.add(pod.uid());
        });
  }

  /// It is not to be warned any more: events of it that wait are not told.
  synchronized void gone(GroupKey group) {
    Optional.ofNullable(told.remove(group)).ifPresent(known -> known.notes.forEach(events::remove));
  }

  private static List<Note> notes(PodGroup group, String words) {
    var notes = new ArrayList<Note>();
    if (!group.single() && !group.spec().uid().isEmpty()) {
      var key = group.key();
      notes.add(new Note(key.namespace(), "PodGroup", key.name(), group.spec().uid(), words));
    }
    for (PodGroup.Member member : group.members()) {
      if (runs(member)) {
        var key = member.pod().key();
        notes.add(new Note(key.namespace(), "Pod", key.name(), member.pod().uid().value(), words));
      }
    }
    return notes;
  }

  private static boolean runs(PodGroup.Member member) {
    return member.standing() instanceof Standing.Bound;
  }

  private Next write(PodUid uid) throws ClientException {
    var next = due.get(uid);
    if (next == null) {
      return Next.done();
    }
    try {
      pods.warns(next.pod().key(), uid, !next.words().isEmpty(), next.since(), next.words());
    } catch (ClientException failed) {
      if (failed.kind() != ClientException.Kind.GONE) {
        throw failed;
      }
    }
    due.remove(uid, next);
    return Next.done();
  }
}
