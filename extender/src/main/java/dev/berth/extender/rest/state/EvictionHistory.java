package dev.berth.extender.rest.state;

import dev.berth.engine.Planner;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSummary;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Snapshot;
import dev.berth.extender.rest.state.EvictionEntry.Progress;
import dev.berth.extender.rest.state.EvictionEntry.Start;
import dev.berth.extender.rest.state.KeptEvictions.Kept;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/// Evictions that this process asked for: the latest [#MOST], and fewer where they and their plans
/// take more than [#MOST_BYTES]; see [KeptEvictions] for which are dropped.
///
/// The planning thread only appends to a list. The numbers of queues are worked out by the thread
/// that looks, from the snapshots of the latest [#MOST_PLANS] plans with victims since the last
/// look; no snapshot is kept for longer.
public final class EvictionHistory {
  static final int MOST = 10_000;
  static final long MOST_BYTES = 16L << 20;

  /// Plans with victims between two looks; those before have no numbers.
  static final int MOST_PLANS = 8;

  private static final int MOST_UNREAD = 10_000;

  private final Planner planner;
  private final ReentrantLock looking = new ReentrantLock();

  private final Object unread = new Object();
  private ArrayDeque<Planned> plans = new ArrayDeque<>(); // by unread
  private ArrayDeque<Asked> asked = new ArrayDeque<>(); // by unread

  // Written under looking.
  private final EvictionDrafts drafts = new EvictionDrafts();

  // Guarded by this.
  private final KeptEvictions kept;
  private final TreeMap<GroupKey, Gain> awaited = new TreeMap<>();
  private long number;

  private boolean hasPlanned; // of the planning thread

  private record Planned(Snapshot snapshot, Plan plan) {}

  /// @param isOld a look did not find the plan of it
  private record Asked(
      Instant at, Victim victim, GroupSummary loser, GroupSummary gainer, boolean isOld) {
    Asked old() {
      return new Asked(at, victim, loser, gainer, true);
    }
  }

  /// @param planner whose numbers are told
  /// @param now before its first plan
  public EvictionHistory(Planner planner, Instant now) {
    this.planner = planner;
    this.kept = new KeptEvictions(MOST, MOST_BYTES, now);
  }

  /// A cycle has planned. Of the planning thread: O(decisions).
  public void planned(Snapshot snapshot, Plan plan) {
    if (!hasPlanned) {
      hasPlanned = true;
      begin(plan.at());
    }
    if (EvictionDraft.hasVictims(plan)) {
      synchronized (unread) {
        plans.add(new Planned(snapshot, plan));
        if (plans.size() > MOST_PLANS) {
          plans.remove();
        }
      }
    }
  }

  /// It leads from now on: what was evicted before, another process asked for.
  private synchronized void begin(Instant now) {
    kept.begin(now);
  }

  /// A pod was asked to leave, with success.
  ///
  /// @param loser its workload; none = it is not known any more
  /// @param gainer for which it leaves; none = for no other
  public void asked(Instant at, Victim victim, GroupSummary loser, GroupSummary gainer) {
    synchronized (unread) {
      asked.add(new Asked(at, victim, loser, gainer, false));
      if (asked.size() > MOST_UNREAD) {
        asked.remove();
      }
    }
  }

  /// Takes in what came since the last look.
  ///
  /// @return whether it is to look again: a plan is told after the first of its victims was asked
  public boolean look(Snapshot snapshot) {
    looking.lock();
    try {
      ArrayDeque<Planned> newPlans;
      ArrayDeque<Asked> newAsked;
      synchronized (unread) {
        newPlans = plans;
        newAsked = asked;
        plans = new ArrayDeque<>();
        asked = new ArrayDeque<>();
      }
      draft(newPlans);
      var later = new ArrayList<Asked>();
      newAsked.forEach(each -> {
        var draft = drafts.take(each.victim());
        if (draft.isPresent() || each.isOld()) {
          add(each, draft, snapshot);
        } else {
          later.add(each.old());
        }
      });
      watch(snapshot);
      synchronized (unread) {
        later.reversed().forEach(asked::addFirst);
      }
      return !later.isEmpty();
    } finally {
      looking.unlock();
    }
  }

  /// One session for all plans: each costs what differs from the one before.
  private void draft(ArrayDeque<Planned> newPlans) {
    newPlans.removeIf(each -> drafts.hold(each.plan()));
    if (!newPlans.isEmpty()) {
      var incremental = planner.incremental();
      newPlans.forEach(
          each -> EvictionDraft.of(incremental, each.snapshot(), each.plan()).forEach(drafts::add));
    }
  }

  private synchronized void add(Asked each, Optional<EvictionDraft> draft, Snapshot snapshot) {
    var plan = draft.map(EvictionDraft::plan).orElse(EvictionPlan.NONE);
    int begun =
        draft
            .map(EvictionDraft::begun)
            .orElseGet(
                () -> snapshot.group(each.gainer().key()).map(EvictionDraft::begun).orElse(0));
    var gain =
        each.gainer().isNone()
            ? new Gain(0)
            : awaited.computeIfAbsent(each.gainer().key(), _ -> new Gain(begun));
    gain.evictions++;
    var entry =
        new EvictionEntry(
            ++number, each.at(), each.victim(), each.loser(), each.gainer(), plan, gain.start);
    kept.add(new Kept(entry, gain)).forEach(this::forget);
  }

  private void forget(Kept dropped) {
    if (--dropped.gain().evictions == 0) {
      awaited.remove(dropped.entry().gainer().key(), dropped.gain());
    }
  }

  /// Which of the workloads have started, or are gone.
  private synchronized void watch(Snapshot snapshot) {
    awaited
        .entrySet()
        .removeIf(each -> {
          var gain = each.getValue();
          var group = snapshot.group(each.getKey());
          int begun = group.map(EvictionDraft::begun).orElse(0);
          if (group.isEmpty() || begun > gain.begun) {
            var progress = group.isEmpty() ? Progress.GONE : Progress.STARTED;
            gain.start = new Start(progress, snapshot.now());
            return true;
          }
          gain.begun = begun;
          return false;
        });
  }

  /// The newest first.
  public synchronized List<EvictionEntry> newestFirst() {
    return kept.newestFirst().stream().map(each -> each.entry().with(each.gain().start)).toList();
  }

  /// Since when all are kept.
  public synchronized KeptSince since() {
    return kept.since();
  }
}
