package dev.berth.engine.model;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Workloads that wait for a while because their plans ended without a Binding.
///
/// @param evicting workloads that get no victims, since victims left for nothing
/// @param borrowing workloads that get nothing beyond the fair share of the queue, since
///   kube-scheduler kept room in vain
/// @param overdue volumes that kube-scheduler waits for longer than it should
/// @param reclaimed queues whose workloads get room beyond the fair share only beside some that is
///   kept, since others took room for which pods of theirs were evicted
public record Backoffs(
    Pauses evicting,
    Pauses borrowing,
    OverdueVolumes overdue,
    SortedMap<QueueName, KeptRoom> reclaimed) {
  /// None.
  public static final Backoffs NONE =
      new Backoffs(Pauses.NONE, Pauses.NONE, OverdueVolumes.NONE, Collections.emptySortedMap());

  public Backoffs {
    reclaimed = Collections.unmodifiableSortedMap(new TreeMap<>(reclaimed));
  }

  /// The same, with whose volumes are overdue now.
  public Backoffs with(OverdueVolumes now) {
    return now.equals(overdue) ? this : new Backoffs(evicting, borrowing, now, reclaimed);
  }

  /// Planned pods for which kube-scheduler waits for a volume for long, and keeps the room.
  ///
  /// @param waits each once; the pod that has waited longest first
  public record OverdueVolumes(List<Overdue> waits) {
    public static final OverdueVolumes NONE = new OverdueVolumes(List.of());

    public OverdueVolumes {
      waits = List.copyOf(waits);
    }

    public boolean isEmpty() {
      return waits.isEmpty();
    }
  }

  /// One or more such pods.
  ///
  /// @param queue that is charged for them
  /// @param resources of which they keep room, GPUs as [Resource#GPU]
  public record Overdue(String namespace, QueueName queue, SortedSet<Resource> resources) {
    public Overdue {
      resources = Collections.unmodifiableSortedSet(new TreeSet<>(resources));
    }
  }

  /// Room that stays free for the workloads that were to have it.
  ///
  /// @param gpus in thousandths; 0 = what they ask for is not counted in GPUs: all that is free
  public record KeptRoom(Backoff backoff, long gpus) {}

  /// @param workloads by workload; looked up only
  /// @param namespaces those of which several workloads failed so, by name; looked up only
  public record Pauses(Map<Workload, Backoff> workloads, Map<String, Backoff> namespaces) {
    public static final Pauses NONE = new Pauses(Map.of(), Map.of());

    public Pauses {
      workloads = Collections.unmodifiableMap(new LinkedHashMap<>(workloads));
      namespaces = Collections.unmodifiableMap(new LinkedHashMap<>(namespaces));
    }

    public boolean isEmpty() {
      return workloads.isEmpty() && namespaces.isEmpty();
    }

    /// The one that lasts longest for a group with members; empty = there is none. It may be over.
    public Optional<Backoff> of(PodGroup group) {
      if (isEmpty() || group.members().isEmpty()) {
        return Optional.empty();
      }
      var first = group.members().getFirst().pod();
      var own = Optional.ofNullable(workloads.get(first.workload()));
      var shared = Optional.ofNullable(namespaces.get(first.key().namespace()));
      return own.filter(mine -> shared.filter(all -> all.until().isAfter(mine.until())).isEmpty())
          .or(() -> shared);
    }
  }

  /// @param namespace of which several workloads failed; empty = the workload itself did
  /// @param failures plans of the workload, or workloads of the namespace, since the last success
  /// @param words what was said of the last one; empty = nothing
  /// @param until when it is over
  public record Backoff(String namespace, int failures, String words, Instant until) {
    /// The words where no component refused anything.
    public static final String ROOM_TAKEN = "pods of other schedulers took its room";

    /// Whether its words say what must be corrected.
    public boolean saysWhatHelps() {
      return !words.isEmpty() && !words.equals(ROOM_TAKEN);
    }
  }
}
