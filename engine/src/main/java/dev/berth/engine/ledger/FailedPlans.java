package dev.berth.engine.ledger;

import dev.berth.engine.model.Backoffs;
import dev.berth.engine.model.Backoffs.Backoff;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;

/// Plans with victims that ended without a Binding though Berth had done its part: kube-scheduler,
/// the API server or the user prevented the Binding. The next plan of that workload may end the
/// same way, so no victim is evicted for it for a while: 10 s, then three times as long each time,
/// up to 15 min, until one of its plans with victims is bound or an hour has passed. Workloads are
/// cheap to create anew, so from the fifth workload of a namespace that fails the whole namespace
/// backs off likewise.
///
/// A workload that succeeds within seconds cost its victims more than it ran. That is its right,
/// where its queue is owed the room, and no failure; but from the fifth such workload of a
/// namespace on, all of the namespace waits for half a minute after each: room that is given back
/// goes to queues that borrow, and would be reclaimed again and again.
///
/// Of this process alone: after a restart each workload has another try.
final class FailedPlans {
  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofMinutes(15);
  private static final int GROWTH = 3;
  private static final Duration REMEMBERED = Duration.ofHours(1);

  /// So many workloads of a namespace may fail before others of it wait.
  private static final int FREE = 4;

  /// A victim that leaves so soon after the plan has ended was asked to before.
  private static final Duration STILL_LEAVES = Duration.ofSeconds(10);

  /// A pod that is deleted sooner does not count as having run.
  private static final Duration STAYS = Duration.ofMinutes(1);

  /// A pod that succeeds sooner hardly ran.
  private static final Duration BRIEF = Duration.ofSeconds(10);

  private static final Duration AFTER_BRIEF = Duration.ofSeconds(30);
  private static final int MOST = 10_000;

  private final LinkedHashMap<Workload, Failed> workloads = new LinkedHashMap<>(); // oldest first
  private final LinkedHashMap<String, Failed> namespaces = new LinkedHashMap<>(); // the same
  private final LinkedHashMap<String, Brief> brief = new LinkedHashMap<>(); // the same
  private final LinkedHashMap<PodUid, Doubt> doubts = new LinkedHashMap<>(); // the same
  private final LinkedHashMap<PodUid, Young> young = new LinkedHashMap<>(); // the same
  private final LinkedHashMap<Workload, Ended> ended = new LinkedHashMap<>(); // in this change
  private Instant now = Instant.EPOCH;
  private Backoffs backoffs = Backoffs.NONE;

  private record Failed(Instant at, Backoff backoff) {
    boolean isRemembered(Instant now) {
      return at.plus(REMEMBERED).isAfter(now);
    }

    boolean isShown() {
      return backoff.until().isAfter(at);
    }
  }

  /// @param last of so many workloads of a namespace, one after the other, that hardly ran
  private record Brief(int count, Workload last, Failed failed) {}

  private record Attempt(Workload workload, String words) {}

  /// What of a workload ended in one change, such as all members of a block.
  private static final class Ended {
    private final LinkedHashSet<PodRecord> victims = new LinkedHashSet<>();
    private String words = "";
  }

  /// No victim has left for it yet, as far as is known.
  private record Doubt(Attempt attempt, Instant until) {}

  /// Bound a moment ago.
  private record Young(Workload workload, Instant until) {}

  /// A plan is made for which others are to leave: it counts for what its pod belongs to now,
  /// whatever is edited later.
  void begins(PodRecord preemptor) {
    preemptor.claimsFor = Optional.of(preemptor.pod.workload());
  }

  /// A plan with victims ends now, and is not bound. What ends of a workload in one change counts
  /// once, when one of the victims leaves; see [#settle].
  void failed(PodRecord preemptor) {
    if (preemptor.end.way().counts()) {
      var all = ended.computeIfAbsent(workload(preemptor), _ -> new Ended());
      all.victims.addAll(preemptor.victims);
      all.words = all.words.isEmpty() ? preemptor.end.words() : all.words;
    }
  }

  /// A change is done.
  void settle() {
    ended.forEach((workload, all) -> {
      var attempt = new Attempt(workload, all.words);
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
    return preemptor.claimsFor.orElseGet(() -> preemptor.pod.workload());
  }

  private static boolean leaves(PodRecord victim) {
    return victim.pod.life().leaving() || victim.charge.node() == NodeUsage.NOWHERE;
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
    if (bound != null && pod.pod.life().phase() == Pod.Phase.SUCCEEDED) {
      if (bound.until.minus(STAYS).plus(BRIEF).isAfter(now)) {
        briefly(bound.workload);
      } else {
        brief.remove(bound.workload.namespace());
      }
      succeeded(bound.workload);
    } else if (bound != null) {
      count(new Attempt(bound.workload, ""));
    }
  }

  private void briefly(Workload workload) {
    String namespace = workload.namespace();
    var before = brief.remove(namespace);
    boolean isKnown = before != null && before.last.equals(workload); // another member of it
    int count = (before == null ? 0 : before.count) + (isKnown ? 0 : 1);
    var until = count > FREE ? now.plus(AFTER_BRIEF) : now;
    put(
        brief,
        namespace,
        new Brief(count, workload, new Failed(now, new Backoff(namespace, count, "", until))));
    show();
  }

  private void count(Attempt attempt) {
    String namespace = attempt.workload.namespace();
    if (!workloads.containsKey(attempt.workload)) {
      fails(namespaces, namespace, FREE, new Backoff(namespace, 0, attempt.words, now));
    }
    int free = attempt.words.isEmpty() ? 1 : 0; // once without a word is no pattern
    fails(workloads, attempt.workload, free, new Backoff("", 0, attempt.words, now));
    show();
  }

  private <K> void fails(LinkedHashMap<K, Failed> known, K key, int free, Backoff first) {
    var before = known.remove(key);
    int failures = 1 + (before == null ? 0 : before.backoff.failures());
    var until = now.plus(pause(failures - free));
    var backoff = new Backoff(first.namespace(), failures, first.words(), until);
    put(known, key, new Failed(now, backoff));
  }

  private static <K, V> void put(LinkedHashMap<K, V> known, K key, V value) {
    known.put(key, value);
    if (known.size() > MOST) {
      known.pollFirstEntry();
    }
  }

  private static Duration pause(int failures) {
    Duration pause = failures > 0 ? FIRST : Duration.ZERO;
    for (int i = 1; i < failures && pause.compareTo(LONGEST) < 0; i++) {
      pause = pause.multipliedBy(GROWTH);
    }
    return pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
  }

  /// The plan of a pod ended, as it has a node now. Others have not left in vain if it stays for a
  /// while, or ends by itself.
  void bound(PodRecord preemptor) {
    put(young, preemptor.pod.uid(), new Young(workload(preemptor), now.plus(STAYS)));
  }

  private void succeeded(Workload workload) {
    if (workloads.remove(workload) != null) {
      var shared = namespaces.get(workload.namespace());
      if (shared != null) {
        namespaces.put(workload.namespace(), new Failed(shared.at, less(shared)));
      }
      show();
    }
  }

  private static Backoff less(Failed shared) {
    var before = shared.backoff;
    int failures = before.failures() - 1;
    var until = failures > FREE ? before.until() : shared.at;
    return new Backoff(before.namespace(), failures, before.words(), until);
  }

  /// Time goes on: what is long ago is forgotten.
  void until(Instant time) {
    now = time.isAfter(now) ? time : now;
    while (!young.isEmpty() && !young.firstEntry().getValue().until.isAfter(now)) {
      var workload = young.pollFirstEntry().getValue().workload;
      brief.remove(workload.namespace());
      succeeded(workload);
    }
    while (!doubts.isEmpty() && !doubts.firstEntry().getValue().until.isAfter(now)) {
      doubts.pollFirstEntry();
    }
    boolean any = forget(workloads) | forget(namespaces);
    while (!brief.isEmpty() && !brief.firstEntry().getValue().failed.isRemembered(now)) {
      brief.pollFirstEntry();
      any = true;
    }
    if (any) {
      show();
    }
  }

  private <K> boolean forget(LinkedHashMap<K, Failed> known) {
    boolean any = false;
    while (!known.isEmpty() && !known.firstEntry().getValue().isRemembered(now)) {
      known.pollFirstEntry();
      any = true;
    }
    return any;
  }

  Backoffs backoffs() {
    return backoffs;
  }

  private void show() {
    var shared = shown(namespaces);
    brief.forEach((namespace, each) -> {
      if (each.failed.isShown()) {
        shared.merge(namespace, each.failed.backoff, FailedPlans::later);
      }
    });
    var own = shown(workloads);
    backoffs = own.isEmpty() && shared.isEmpty() ? Backoffs.NONE : new Backoffs(own, shared);
  }

  private static Backoff later(Backoff one, Backoff other) {
    return other.until().isAfter(one.until()) ? other : one;
  }

  private static <K> Map<K, Backoff> shown(LinkedHashMap<K, Failed> known) {
    var shown = new LinkedHashMap<K, Backoff>(known.size());
    known.forEach((key, failed) -> {
      if (failed.isShown()) {
        shown.put(key, failed.backoff);
      }
    });
    return shown;
  }
}
