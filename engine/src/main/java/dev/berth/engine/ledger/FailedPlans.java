package dev.berth.engine.ledger;

import dev.berth.engine.ledger.FailureCounts.Failed;
import dev.berth.engine.model.Backoffs;
import dev.berth.engine.model.Backoffs.Backoff;
import dev.berth.engine.model.Backoffs.OverdueVolumes;
import dev.berth.engine.model.Backoffs.Pauses;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/// Plans with victims that ended without a Binding though Berth had done its part: kube-scheduler,
/// the API server or the user prevented the Binding. The next plan of that workload may end the
/// same way, so no victim is evicted for it for a while ([FailureCounts]), until one of its plans
/// with victims is bound.
///
/// Workloads are cheap to create anew, so all of a namespace pauses likewise once more than four of
/// its workloads failed, or more than eight victims left for them in vain: with each further
/// workload, and each further eight victims, but no faster than by one step for each failure. A
/// workload counts there once, with the most victims that it cost at one time: its own pause is for
/// the rest. One that runs is taken out again, with as many victims as it makes up for.
///
/// A workload that takes the room of a plan that is withdrawn answers for the victims of that.
///
/// What succeeds within seconds is in [BriefRuns], whose room was kept in vain in
/// [UnusedReservedCapacity], what queues borrow meanwhile in [CapacityLostToOtherSchedulers].
///
/// Of this process alone: after a restart each workload has another try.
final class FailedPlans {
  /// So many workloads of a namespace may fail before others of it wait.
  private static final int FREE = 4;

  /// So many victims may leave in vain for workloads of a namespace before others of it wait, and
  /// as many more for each further step.
  private static final int FREE_VICTIMS = 8;

  /// A victim that leaves so soon after the plan has ended was asked to before.
  private static final Duration STILL_LEAVES = Duration.ofSeconds(10);

  /// A pod that is deleted sooner does not count as having run.
  private static final Duration STAYS = Duration.ofMinutes(1);

  /// A pod that succeeds sooner hardly ran.
  private static final Duration BRIEF = Duration.ofSeconds(10);

  private static final int MOST = 10_000;

  private final FailureCounts<Workload> workloads = new FailureCounts<>();
  private final FailureCounts<String> namespaces = new FailureCounts<>();
  private final BriefRuns brief = new BriefRuns();
  private final UnusedReservedCapacity keptInVain = new UnusedReservedCapacity();
  private final CapacityLostToOtherSchedulers takenByOthers = new CapacityLostToOtherSchedulers();
  private final LinkedHashMap<PodUid, Doubt> doubts = new LinkedHashMap<>(); // oldest first
  private final LinkedHashMap<PodUid, Young> young = new LinkedHashMap<>(); // the same
  private final LinkedHashMap<Workload, Ended> ended = new LinkedHashMap<>(); // in this change

  /// Victims that left for plans that were withdrawn, by the pod that has their room.
  private final HashMap<PodRecord, Set<PodRecord>> takenOver = new HashMap<>(); // looked up only

  private Instant now = Instant.EPOCH;
  private Backoffs backoffs = Backoffs.NONE;

  /// @param victims of the plan, or plans
  /// @param taken its claim, where pods of another scheduler took its room; else empty
  private record Attempt(
      Workload workload, int victims, String words, Optional<EvictingClaim> taken) {}

  /// What of a workload ended in one change, such as all members of a block.
  private static final class Ended {
    private final LinkedHashSet<PodRecord> victims = new LinkedHashSet<>();
    private String words = "";
    private Optional<EvictingClaim> taken = Optional.empty();
  }

  /// No victim has left for it yet, as far as is known.
  private record Doubt(Attempt attempt, Instant until) {}

  /// Bound a moment ago.
  ///
  /// @param plan its deadline, which no other has: with the workload it names the plan
  /// @param worth for how many victims it makes up once it has run: those of this plan, or as many
  ///   as it has devices, whose room it may have from a plan that failed
  private record Young(Workload workload, int victims, Instant until, Instant plan, int worth) {}

  /// Whether others were to leave for a pod's plan, or for one whose room it has.
  boolean concerns(PodRecord preemptor) {
    return !preemptor.victims.isEmpty() || takenOver.containsKey(preemptor);
  }

  /// A pod took the room of a plan that was withdrawn, and has a plan itself.
  void answersFor(PodRecord taker, Set<PodRecord> victims) {
    takenOver.computeIfAbsent(taker, _ -> new LinkedHashSet<>()).addAll(victims);
  }

  /// The victims of a pod's plan, and those that it took over.
  Set<PodRecord> answeredForBy(PodRecord preemptor) {
    var victims = new LinkedHashSet<>(preemptor.victims);
    victims.addAll(takenOver.getOrDefault(preemptor, Set.of()));
    return victims;
  }

  /// A plan with victims ends now, and is not bound. What ends of a workload in one change counts
  /// once, when one of the victims leaves; see [#settle].
  void failed(PodRecord preemptor) {
    var victims = answeredForBy(preemptor);
    takenOver.remove(preemptor);
    boolean waits = preemptor.end.way() == PlanEnd.Way.WAITED; // for those that are leaving
    if (preemptor.end.way().counts()
        && (!waits || victims.stream().anyMatch(FailedPlans::isGone))) {
      var all = ended.computeIfAbsent(workload(preemptor), _ -> new Ended());
      all.victims.addAll(victims);
      all.words = all.words.isEmpty() ? preemptor.end.words() : all.words;
      if (preemptor.end.way() == PlanEnd.Way.CROWDED_OUT) {
        all.taken = all.taken.or(() -> preemptor.claimsFor);
      }
    }
  }

  /// A change is done.
  void settle() {
    ended.forEach((workload, all) -> {
      var attempt = new Attempt(workload, all.victims.size(), all.words, all.taken);
      if (all.victims.stream().anyMatch(FailedPlans::leaves)) {
        count(attempt);
      } else {
        var until = now.plus(STILL_LEAVES);
        all.victims.forEach(victim -> put(doubts, victim.pod.uid(), new Doubt(attempt, until)));
      }
    });
    ended.clear();
  }

  private static Workload workload(PodRecord preemptor) {
    return preemptor.claimsFor.map(EvictingClaim::workload).orElse(preemptor.pod.workload());
  }

  private static boolean leaves(PodRecord victim) {
    return victim.pod.life().leaving() || isGone(victim);
  }

  private static boolean isGone(PodRecord victim) {
    return victim.charge.node() == NodeUsage.NOWHERE;
  }

  /// A pod is deleted or gone.
  void left(PodRecord pod) {
    var uid = pod.pod.uid();
    var doubt = doubts.remove(uid);
    if (doubt != null) {
      doubts.values().removeIf(other -> other.attempt == doubt.attempt);
      if (doubt.until.isAfter(now)) {
        count(doubt.attempt);
      }
    }
    if (!pod.isVictim()) {
      ended(pod);
    }
  }

  /// A pod succeeded, failed, or is deleted.
  void ended(PodRecord pod) {
    var bound = young.remove(pod.pod.uid());
    if (bound == null) {
      return;
    }
    if (pod.pod.life().phase() != Pod.Phase.SUCCEEDED) {
      count(new Attempt(bound.workload, bound.victims, "", Optional.empty()));
      return;
    }
    if (bound.until.minus(STAYS).plus(BRIEF).isAfter(now)) {
      brief.addBrief(new BriefRuns.Run(bound.workload, bound.plan), bound.victims, now);
    } else {
      hasRun(bound);
    }
    show();
  }

  private void count(Attempt attempt) {
    var before = workloads.find(attempt.workload);
    int victims = before.map(Failed::victims).orElse(0);
    if (before.isEmpty() || attempt.victims > victims) {
      countInNamespace(attempt, before.isEmpty() ? 1 : 0, Math.max(attempt.victims - victims, 0));
    }
    int failures = 1 + before.map(Failed::failures).orElse(0);
    int steps = failures - (attempt.words.isEmpty() ? 1 : 0); // once without a word is no pattern
    workloads.fails(
        attempt.workload, failed("", failures, Math.max(attempt.victims, victims), steps, attempt));
    attempt.taken.ifPresent(claim -> takenByOthers.fails(claim, now));
    show();
  }

  private void countInNamespace(Attempt attempt, int more, int moreVictims) {
    String namespace = attempt.workload.namespace();
    var before = namespaces.find(namespace).orElse(Failed.NEVER);
    int failures = before.failures() + more;
    int victims = before.victims() + moreVictims;
    int steps = Math.min(before.steps() + 1, steps(failures, victims));
    namespaces.fails(namespace, failed(namespace, failures, victims, steps, attempt));
  }

  private Failed failed(String namespace, int failures, int victims, int steps, Attempt last) {
    var until = now.plus(FailureCounts.pause(steps));
    return new Failed(now, victims, steps, new Backoff(namespace, failures, last.words, until));
  }

  /// Of the pause of a namespace.
  private static int steps(int failures, int victims) {
    int byVictims = (victims - 1) / FREE_VICTIMS; // 9 to 16 are one
    return Math.max(Math.max(failures - FREE, byVictims), 0);
  }

  private static <K, V> void put(LinkedHashMap<K, V> known, K key, V value) {
    known.put(key, value);
    if (known.size() > MOST) {
      known.pollFirstEntry();
    }
  }

  /// A plan ended unbound, and kube-scheduler had kept its room for a volume that did not come.
  void keptInVain(PodRecord entry) {
    if (entry.end.way().counts()) {
      keptInVain.fails(entry.pod.workload(), now);
      show();
    }
  }

  /// The plan of a pod ended, as it has a node now. Others have not left in vain if it stays for a
  /// while, or ends by itself.
  void bound(PodRecord preemptor) {
    var others = Optional.ofNullable(takenOver.remove(preemptor)).orElse(Set.of());
    int victims =
        preemptor.victims.size() + (int) others.stream().filter(FailedPlans::leaves).count();
    int devices = Math.max(preemptor.pod.asks().request().devices().count(), 1);
    put(
        young,
        preemptor.pod.uid(),
        new Young(
            workload(preemptor),
            victims,
            now.plus(STAYS),
            preemptor.plan().until(),
            Math.max(victims, devices)));
    if (takenByOthers.ends(workload(preemptor))) {
      show();
    }
  }

  /// A pod of it has run: it makes up for as many victims that left in vain before. Once that is
  /// all, the workload begins anew.
  private void hasRun(Young bound) {
    brief.hasRun(bound.workload, bound.victims);
    var found = workloads.find(bound.workload);
    if (found.isEmpty()) {
      return;
    }
    var own = found.get();
    int made = Math.min(own.victims(), bound.worth);
    boolean isAll = made == own.victims();
    if (isAll) {
      var _ = workloads.remove(bound.workload);
    } else {
      workloads.becomes(
          bound.workload, new Failed(own.at(), own.victims() - made, own.steps(), own.backoff()));
    }
    String namespace = bound.workload.namespace();
    namespaces
        .find(namespace)
        .ifPresent(all -> namespaces.becomes(namespace, without(made, isAll ? 1 : 0, all)));
  }

  private static Failed without(int lessVictims, int lessFailures, Failed all) {
    var before = all.backoff();
    int failures = all.failures() - lessFailures;
    int victims = Math.max(all.victims() - lessVictims, 0);
    int steps = Math.min(all.steps(), steps(failures, victims));
    var until = steps > 0 ? before.until() : all.at();
    return new Failed(
        all.at(), victims, steps, new Backoff(before.namespace(), failures, before.words(), until));
  }

  /// Time goes on: what is long ago is forgotten.
  void until(Instant time) {
    now = time.isAfter(now) ? time : now;
    boolean any = false;
    while (!young.isEmpty() && !young.firstEntry().getValue().until.isAfter(now)) {
      hasRun(young.pollFirstEntry().getValue());
      any = true;
    }
    while (!doubts.isEmpty() && !doubts.firstEntry().getValue().until.isAfter(now)) {
      doubts.pollFirstEntry();
    }
    any |= workloads.forgetUntil(now) | namespaces.forgetUntil(now) | brief.forgetUntil(now);
    any |= keptInVain.forgetUntil(now) | takenByOthers.forgetUntil(now);
    if (any) {
      show();
    }
  }

  Backoffs backoffs() {
    return backoffs;
  }

  private void show() {
    var own = workloads.pauses();
    var shared = namespaces.pauses();
    brief.addTo(shared);
    var evicting = new Pauses(own, shared);
    var borrowing = keptInVain.pauses();
    var reclaimed = takenByOthers.pauses();
    backoffs =
        evicting.isEmpty() && borrowing.isEmpty() && reclaimed.isEmpty()
            ? Backoffs.NONE
            : new Backoffs(evicting, borrowing, OverdueVolumes.NONE, reclaimed);
  }
}
