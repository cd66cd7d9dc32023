package dev.berth.engine.ledger;

import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// Pods that leave for others, until their successors wait for room themselves. So long their queue
/// goes on demanding the same; and a victim that is placed again in the plan for which it leaves, a
/// relocated one, keeps that place.
///
/// Some owners create the next pod when the last one is gone, so a place is reserved a moment
/// longer than its pod is there. Jobs pause first, and it is reserved for longer. From when the pod
/// leaves until its successor runs, for as long as a Job pauses at most, its group does not count
/// as stale. This holds for the relocation, and does not end with the plan for which it was made.
/// It is not stored: a restart forgets relocations.
final class Relocations {
  /// Longer than any controller takes to see that a pod is gone, and too short to be missed.
  private static final Duration MOMENT = Duration.ofSeconds(2);

  /// Jobs that make no pods, for pods of theirs that leave later.
  private static final int MOST_JOBS = 4_096;

  /// Pods that are terminating first, then those with a reserved place; else in the order in which
  /// they were chosen.
  private static final Comparator<PodRecord> FIRST_TO_BE_REPLACED =
      Comparator.<PodRecord, Boolean>comparing(each -> !each.pod.life().leaving())
          .thenComparing(each -> each.relocation.again().isNone());

  private final Duration ofJobs;
  private final LinkedHashSet<PodRecord> leaving = new LinkedHashSet<>();
  private final LinkedHashSet<OwnerUid> idleJobs = new LinkedHashSet<>();

  /// The pods that are gone, and until when their successors are awaited; `MAX` = since the clock
  /// was read last.
  private final LinkedHashMap<PodRecord, Instant> awaited = new LinkedHashMap<>();

  /// The relocated pods that are not back, their groups, and until when they may be late; `MAX` =
  /// since the clock was read last.
  private final LinkedHashMap<PodRecord, Late> late = new LinkedHashMap<>();

  /// Successors of late pods that are not bound yet.
  private final LinkedHashMap<PodRecord, PodRecord> successors = new LinkedHashMap<>();

  private record Late(GroupState group, Instant until) {}

  /// @param ofJobs how long the place of a Job's pod is kept when that is gone
  Relocations(Duration ofJobs) {
    this.ofJobs = ofJobs.compareTo(MOMENT) > 0 ? ofJobs : MOMENT;
  }

  /// @param again none = it is lost
  void begin(PodRecord victim, Placement again) {
    victim.relocation.begin(again, !isOrphan(victim));
    leaving.add(victim);
  }

  void end(PodRecord victim) {
    victim.relocation.end();
    leaving.remove(victim);
    awaited.remove(victim);
  }

  /// No successor is created.
  private boolean isOrphan(PodRecord victim) {
    var owner = victim.pod.belonging().owner();
    return owner.isNone() || idleJobs.contains(owner.uid());
  }

  void makesPods(OwnerUid job) {
    idleJobs.remove(job);
  }

  /// It is over, suspended or gone.
  ///
  /// @return its pods that left, or are to leave, and that get no successor
  List<PodRecord> makesNone(OwnerUid job) {
    if (idleJobs.add(job) && idleJobs.size() > MOST_JOBS) {
      idleJobs.removeFirst();
    }
    var theirs = new ArrayList<PodRecord>(0);
    leaving.stream().filter(each -> isOf(job, each)).forEach(theirs::add);
    awaited.keySet().stream().filter(each -> isOf(job, each)).forEach(theirs::add);
    theirs.forEach(each -> each.relocation.stay());
    return theirs;
  }

  /// Nor is any pod of that Job late.
  ///
  /// @return their groups
  List<GroupState> noneIsLate(OwnerUid job) {
    var groups = new ArrayList<GroupState>(0);
    for (PodRecord each : List.copyOf(late.keySet())) {
      if (isOf(job, each)) {
        groups.add(late.getOrDefault(each, new Late(GroupState.NONE, Instant.MAX)).group());
        clearLate(each);
      }
    }
    return groups;
  }

  private static boolean isOf(OwnerUid job, PodRecord pod) {
    return pod.pod.belonging().owner().uid().equals(job);
  }

  /// It is gone.
  ///
  /// @return whether a place is reserved for its successor
  boolean isAwaited(PodRecord gone) {
    boolean done = gone.pod.life().phase() == Pod.Phase.SUCCEEDED;
    if (!leaving.remove(gone) || gone.relocation.again().isNone() || isOrphan(gone) || done) {
      return false;
    }
    awaited.put(gone, Instant.MAX);
    return true;
  }

  /// Whether it runs no more, though its object is there: a kubelet calls failed what it was told
  /// to end.
  static boolean hasEnded(PodRecord victim) {
    var life = victim.pod.life();
    return !victim.relocation.again().isNone()
        && life.leaving()
        && life.phase() == Pod.Phase.FAILED;
  }

  boolean isGone(PodRecord victim) {
    return awaited.containsKey(victim);
  }

  /// The pod that a new one succeeds: of the same group, or alone like it and of the same owner;
  /// best of the same name, else the first that is gone, else one that is terminating, else one
  /// that is merely to leave. Of these, pods with a reserved place come first.
  Optional<PodRecord> predecessor(PodRecord pod) {
    Optional<PodRecord> first = Optional.empty();
    var all = new ArrayList<>(awaited.keySet());
    leaving.stream().sorted(FIRST_TO_BE_REPLACED).forEach(all::add);
    for (PodRecord other : all) {
      if (comesFor(pod, other)) {
        if (pod.pod.key().equals(other.pod.key())) {
          return Optional.of(other);
        }
        first = first.or(() -> Optional.of(other));
      }
    }
    return first;
  }

  /// A pod that names the UID of an owner in another namespace succeeds no pod there.
  private boolean comesFor(PodRecord pod, PodRecord other) {
    boolean alone = pod.group.single && other.group.single;
    return pod != other
        && (pod.group == other.group || alone && !isOrphan(pod) && isOfOneOwner(pod, other));
  }

  private static boolean isOfOneOwner(PodRecord pod, PodRecord other) {
    return pod.pod.workload().equals(other.pod.workload());
  }

  /// The pods whose successor did not come in time.
  List<PodRecord> overdue(Instant now) {
    var overdue = new ArrayList<PodRecord>(0);
    awaited.replaceAll((pod, until) -> until.equals(Instant.MAX) ? now.plus(kept(pod)) : until);
    awaited.forEach((pod, until) -> {
      if (!until.isAfter(now)) {
        overdue.add(pod);
      }
    });
    return overdue;
  }

  private Duration kept(PodRecord gone) {
    return gone.pod.belonging().owner().isJob() ? ofJobs : MOMENT;
  }

  /// One that is asked to leave, or is on its way.
  void evictionAsked(PodRecord victim) {
    victim.relocation.evict();
  }

  /// A relocated pod is terminating, gone or replaced, and its successor is not bound yet.
  void markLate(PodRecord victim, Instant until) {
    if (victim.pod.life().phase() == Pod.Phase.SUCCEEDED) {
      clearLate(victim);
    } else if (victim.relocation.moves() && !victim.group.single && !isOrphan(victim)) {
      late.put(victim, new Late(victim.group, until));
      victim.group.awaits(victim);
    } else {
      late.computeIfPresent(victim, (_, since) -> new Late(since.group(), until));
    }
    victim.relocation.stay();
  }

  /// The successor did not come in time. The pod is late from when it was gone.
  void markOverdue(PodRecord gone, Instant now) {
    markLate(gone, now.plus(LedgerSettings.LONGEST_PAUSE).minus(kept(gone)));
  }

  /// A pod succeeds one of the late pods that have no successor yet: best of the same name, else
  /// the first.
  void succeeds(PodRecord pod) {
    Optional<PodRecord> found = Optional.empty();
    for (var each : late.entrySet()) {
      boolean sameName = pod.pod.key().equals(each.getKey().pod.key());
      if (each.getValue().group() == pod.group
          && !successors.containsValue(each.getKey())
          && (found.isEmpty() || sameName)) {
        found = Optional.of(each.getKey());
      }
    }
    found.ifPresent(gone -> successors.put(pod, gone));
  }

  /// It is bound: the pod that it succeeds is late no more.
  ///
  /// @return the group of that one
  Optional<GroupState> successorBound(PodRecord pod) {
    var gone = Optional.ofNullable(successors.remove(pod));
    var was = gone.flatMap(each -> Optional.ofNullable(late.get(each)));
    gone.ifPresent(this::clearLate);
    return was.map(Late::group);
  }

  /// It is gone, or of another group: if it was not bound another one is to come.
  void succeedsNoMore(PodRecord pod) {
    successors.remove(pod);
  }

  /// The groups whose members are late for too long.
  List<GroupState> tooLate(Instant now) {
    late.replaceAll((_, since) ->
        since.until().equals(Instant.MAX)
            ? new Late(since.group(), now.plus(LedgerSettings.LONGEST_PAUSE))
            : since);
    var groups = new ArrayList<GroupState>(0);
    for (PodRecord each : List.copyOf(late.keySet())) {
      var since = late.getOrDefault(each, new Late(GroupState.NONE, Instant.MAX));
      if (!since.until().isAfter(now)) {
        groups.add(since.group());
        clearLate(each);
      }
    }
    return groups;
  }

  private void clearLate(PodRecord gone) {
    successors.values().remove(gone);
    var was = late.remove(gone);
    if (was != null) {
      was.group().awaitsNoMore(gone);
    }
  }
}
