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
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/// Warns groups that are evicted soon for their max-runtime: an event on the PodGroup and on each
/// pod that runs, once for each warning. A group that says already that it is warned got its events
/// from the leader before.
///
/// Where no PodGroup can say it, the pods do, by a condition of their own: its time is what the
/// planner counts from. Tenants cannot write it, as they can annotations.
///
/// But for what writes: of the planning thread.
public final class EndWarnings {
  private static final KeyedLoopSettings PACE =
      new KeyedLoopSettings(4, Duration.ofSeconds(1), Duration.ofMinutes(1));

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
  private final PacedQueue<Note> events;
  private final KeyedLoop<PodUid> conditions;
  private final TreeSet<GroupKey> told = new TreeSet<>();

  /// Of any thread.
  private final ConcurrentHashMap<PodUid, Due> due = new ConcurrentHashMap<>();

  public EndWarnings(
      EventRecorder events, PodClient pods, Workers workers, GroupSettings settings) {
    this.pods = pods;
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
  void look(PodGroup group, RuntimeEnd ending, boolean saysIt, Instant now) {
    boolean isNear = !ending.equals(RuntimeEnd.NONE);
    var words = isNear ? EndSentences.warning(ending, now) : "";
    if (!isNear) {
      told.remove(group.key());
    } else if (!ending.isWarned() && told.add(group.key())) {
      tell(group, words, now);
    }
    if (!saysIt) {
      group.members().stream()
          .filter(EndWarnings::runs)
          .map(PodGroup.Member::pod)
          .filter(pod -> pod.written().words().warned().equals(Instant.EPOCH) == isNear)
          .forEach(pod -> {
            due.put(pod.uid(), new Due(pod, now, words));
            conditions.add(pod.uid());
          });
    }
  }

  void gone(GroupKey group) {
    told.remove(group);
  }

  private void tell(PodGroup group, String words, Instant now) {
    if (!group.single() && !group.spec().uid().isEmpty()) {
      var key = group.key();
      events.add(new Note(key.namespace(), "PodGroup", key.name(), group.spec().uid(), words), now);
    }
    for (PodGroup.Member member : group.members()) {
      if (runs(member)) {
        var key = member.pod().key();
        events.add(
            new Note(key.namespace(), "Pod", key.name(), member.pod().uid().value(), words), now);
      }
    }
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
