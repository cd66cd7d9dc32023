package dev.berth.extender.barrier;

import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.WrittenPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/// Keeps the members of a gang in bind until all of them are there.
///
/// A gang is the name in the plan, one for each block that was planned together. It opens when as
/// many distinct members as the plan says have arrived or are bound already, and stays open for
/// those that come again. It closes, for all that wait, at the first of: `patience` after its first
/// member, the deadline in the plan, [#giveUp].
public final class Barrier {
  private static final int REMEMBERED = 4096;

  private final Duration patience;
  private final BoundMembers bound;
  private final Timer later;
  private final Consumer<BarrierResult> ended;

  private final SequencedMap<String, Gang> waiting = new LinkedHashMap<>();
  private final SequencedMap<String, Boolean> opened = new LinkedHashMap<>();

  /// @param patience how long the first member waits for the last; well below `httpTimeout`
  /// @param ended told once for each gang that opened or closed, on the thread that did it
  public Barrier(
      Duration patience, BoundMembers bound, Timer later, Consumer<BarrierResult> ended) {
    this.patience = patience;
    this.bound = bound;
    this.later = later;
    this.ended = ended;
  }

  private static final class Gang {
    final String name;
    final int size;
    final Instant deadline;
    final SequencedMap<PodUid, CompletableFuture<BarrierResult>> arrived = new LinkedHashMap<>();
    final SortedSet<PodUid> bound = new TreeSet<>();

    Gang(WrittenPlan plan, Instant deadline) {
      this.name = plan.gang();
      this.size = plan.size();
      this.deadline = deadline;
    }

    boolean isComplete() {
      int here = arrived.size();
      for (PodUid uid : bound) {
        here += arrived.containsKey(uid) ? 0 : 1;
      }
      return here >= size;
    }
  }

  /// The results for bind requests, told once the lock is free.
  private record Telling(
      List<CompletableFuture<BarrierResult>> waiting, BarrierResult what, boolean gangEnded) {
    static final Telling NOTHING = new Telling(List.of(), new BarrierResult.Open(), false);
  }

  /// A member of a gang has reached bind. Completes on the thread of the last member, or the
  /// alarm's. A member that arrives again waits anew and its first arrival ends with `LEFT`.
  public CompletionStage<BarrierResult> arrive(PodUid uid, WrittenPlan plan) {
    var result = new CompletableFuture<BarrierResult>();
    boolean isFirst;
    synchronized (waiting) {
      isFirst = !waiting.containsKey(plan.gang()) && !opened.containsKey(plan.gang());
    }
    // The ledger has a lock of its own: ask before taking Berth's.
    SortedSet<PodUid> alreadyBound = isFirst ? bound.of(plan.gang(), uid) : new TreeSet<>();
    Telling open;
    Telling previous = Telling.NOTHING;
    synchronized (waiting) {
      if (opened.containsKey(plan.gang())) {
        open = new Telling(List.of(result), new BarrierResult.Open(), false);
      } else {
        var gang = waiting.get(plan.gang());
        if (gang == null) {
          gang = begin(plan);
        }
        gang.bound.addAll(alreadyBound);
        var before = gang.arrived.put(uid, result);
        if (before != null) {
          previous =
              new Telling(List.of(before), new BarrierResult.Closed(BarrierResult.Why.LEFT), false);
        }
        open = openIfComplete(gang);
      }
    }
    tell(previous);
    tell(open);
    return result;
  }

  private Gang begin(WrittenPlan plan) {
    Instant deadline = later.instant().plus(patience);
    var gang = new Gang(plan, plan.until().isBefore(deadline) ? plan.until() : deadline);
    waiting.put(gang.name, gang);
    later.at(gang.deadline, () -> timeIsUp(gang));
    return gang;
  }

  private Telling openIfComplete(Gang gang) {
    if (!gang.isComplete()) {
      return Telling.NOTHING;
    }
    waiting.remove(gang.name);
    opened.putLast(gang.name, true);
    if (opened.size() > REMEMBERED) { // a later member finds the others bound
      opened.pollFirstEntry();
    }
    return new Telling(List.copyOf(gang.arrived.values()), new BarrierResult.Open(), true);
  }

  private void timeIsUp(Gang gang) {
    PodUid member;
    synchronized (waiting) {
      if (waiting.get(gang.name) != gang || gang.arrived.isEmpty()) {
        waiting.remove(gang.name, gang);
        return;
      }
      member = gang.arrived.firstEntry().getKey();
    }
    SortedSet<PodUid> boundByNow = bound.of(gang.name, member);
    Telling telling = Telling.NOTHING;
    synchronized (waiting) {
      if (waiting.get(gang.name) == gang) {
        gang.bound.addAll(boundByNow);
        telling = openIfComplete(gang);
        if (!telling.gangEnded) {
          telling = close(gang, BarrierResult.Why.TIMED_OUT);
        }
      }
    }
    tell(telling);
  }

  private Telling close(Gang gang, BarrierResult.Why why) {
    waiting.remove(gang.name);
    return new Telling(List.copyOf(gang.arrived.values()), new BarrierResult.Closed(why), true);
  }

  /// The plan of a member is gone, so the gang as it was planned will not come together.
  public void giveUp(String name) {
    Telling telling;
    synchronized (waiting) {
      var gang = waiting.get(name);
      telling = gang == null ? Telling.NOTHING : close(gang, BarrierResult.Why.CANCELLED);
    }
    tell(telling);
  }

  /// A member does not wait any more; the others go on waiting for it to come again.
  public void leave(PodUid uid, String name) {
    Telling telling = Telling.NOTHING;
    synchronized (waiting) {
      var gang = waiting.get(name);
      var result = gang == null ? null : gang.arrived.remove(uid);
      if (result != null) {
        telling =
            new Telling(List.of(result), new BarrierResult.Closed(BarrierResult.Why.LEFT), false);
      }
    }
    tell(telling);
  }

  /// A member that waits.
  public record Arrival(String gang, PodUid member) {}

  /// The bind requests that wait now, by gang and in the order of arrival.
  public List<Arrival> arrivals() {
    synchronized (waiting) {
      var arrivals = new ArrayList<Arrival>();
      for (Gang gang : waiting.values()) {
        gang.arrived.keySet().forEach(member -> arrivals.add(new Arrival(gang.name, member)));
      }
      return arrivals;
    }
  }

  private void tell(Telling telling) {
    if (telling.gangEnded) {
      ended.accept(telling.what);
    }
    for (var result : telling.waiting) {
      result.complete(telling.what);
    }
  }
}
