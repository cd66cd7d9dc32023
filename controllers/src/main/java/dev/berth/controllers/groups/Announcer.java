package dev.berth.controllers.groups;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.client.EventRecorder.Regarding;
import dev.berth.controllers.client.PodClient;
import dev.berth.controllers.client.PodWarning;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
import dev.berth.controllers.loop.PacedQueue;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/// Tells groups that run, and their pods, what becomes of them: by events, at a pace, and by
/// conditions of pods whose PodGroup cannot say it.
///
/// Any thread.
final class Announcer {
  private static final KeyedLoopSettings PACE =
      new KeyedLoopSettings(4, Duration.ofSeconds(1), Duration.ofMinutes(1));

  /// What an event says.
  ///
  /// @param warning false = it is usual
  record Notice(String reason, String action, boolean warning, String text) {}

  /// An event.
  record Note(String namespace, String kind, String name, String uid, Notice notice)
      implements Comparable<Note> {
    @Override
    public int compareTo(Note other) {
      int byObject = uid.compareTo(other.uid);
      return byObject != 0 ? byObject : notice.text().compareTo(other.notice.text());
    }

    Regarding object() {
      return new Regarding(
          kind.equals("Pod") ? "v1" : "berth.dev/v1alpha1", kind, namespace, name, uid);
    }
  }

  /// A condition of a pod.
  private record Key(PodUid uid, String type) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byPod = uid.compareTo(other.uid);
      return byPod != 0 ? byPod : type.compareTo(other.type);
    }
  }

  private record Due(Pod pod, PodWarning warning) {}

  private final PodClient pods;
  private final PacedQueue<Note> events;
  private final KeyedLoop<Key> conditions;

  /// Of any thread.
  private final ConcurrentHashMap<Key, Due> due = new ConcurrentHashMap<>();

  Announcer(EventRecorder events, PodClient pods, Workers workers, GroupSettings settings) {
    this.pods = pods;
    this.events =
        new PacedQueue<>(
            settings.eventsPerSecond(),
            Note::namespace,
            workers,
            note ->
                events.tell(
                    note.object(),
                    note.notice().warning(),
                    note.notice().reason(),
                    note.notice().action(),
                    note.notice().text()));
    this.conditions = new KeyedLoop<>("pods that are warned", workers, PACE, this::write);
  }

  /// An event on the PodGroup, if there is one, and on each pod that runs.
  ///
  /// @return for [#recall]
  List<Note> tell(PodGroup group, Notice notice, Instant now) {
    var notes = new ArrayList<Note>();
    if (!group.single() && !group.spec().uid().isEmpty()) {
      var key = group.key();
      notes.add(new Note(key.namespace(), "PodGroup", key.name(), group.spec().uid(), notice));
    }
    for (Pod pod : running(group)) {
      var key = pod.key();
      notes.add(new Note(key.namespace(), "Pod", key.name(), pod.uid().value(), notice));
    }
    notes.forEach(note -> events.add(note, now));
    return List.copyOf(notes);
  }

  /// Events of these that wait for their turn are not told.
  void recall(List<Note> notes) {
    notes.forEach(events::remove);
  }

  /// Its members that have a node.
  static List<Pod> running(PodGroup group) {
    return group.members().stream()
        .filter(member -> member.standing() instanceof Standing.Bound)
        .map(PodGroup.Member::pod)
        .toList();
  }

  /// Writes a condition, in the stead of one of its type that is not written yet.
  void write(Pod pod, PodWarning warning) {
    var key = new Key(pod.uid(), warning.type());
    due.put(key, new Due(pod, warning));
    conditions.add(key);
  }

  private Next write(Key key) throws ClientException {
    var next = due.get(key);
    if (next == null) {
      return Next.done();
    }
    try {
      pods.warns(next.pod().key(), key.uid(), next.warning());
    } catch (ClientException failed) {
      if (failed.kind() != ClientException.Kind.GONE) {
        throw failed;
      }
    }
    due.remove(key, next);
    return Next.done();
  }
}
