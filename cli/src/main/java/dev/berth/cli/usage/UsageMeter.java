package dev.berth.cli.usage;

import dev.berth.cli.usage.GpuHold.QuotaAccount;
import dev.berth.cli.usage.UsageCells.Cell;
import dev.berth.engine.model.PodUid;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/// Measures how long which pods hold GPUs, from changes in the order of time.
///
/// Within the quota of its queue are the pods that come first in this order, up to the quota; one
/// may be within it in part:
///
/// 1. what is not preemptible,
/// 2. the higher priority,
/// 3. what holds its GPUs for longer.
final class UsageMeter {
  private static final Comparator<Metered> ORDER =
      Comparator.<Metered, GpuHold>comparing(each -> each.hold, GpuHold.ORDER)
          .thenComparingLong(each -> each.begun)
          .thenComparing(each -> each.hold.uid());

  /// A pod, from when it begins to hold or to wait until it ends.
  private static final class Metered {
    private GpuHold hold;
    private final long begun;
    private long since; // measured up to then
    private long overQuota; // thousandths
    private final IdentityHashMap<Cell, Long> held = new IdentityHashMap<>(); // each cell by itself

    Metered(GpuHold hold, long begun) {
      this.hold = hold;
      this.begun = begun;
      this.since = begun;
    }
  }

  private final UsageCells cells;
  private final long from;
  private final long to;
  private final HashMap<PodUid, Metered> pods = new HashMap<>(); // looked up only
  private final TreeMap<QuotaAccount, TreeSet<Metered>> accounts = new TreeMap<>();
  private final TreeSet<QuotaAccount> changed = new TreeSet<>();
  private ToLongFunction<QuotaAccount> quota = _ -> 0;
  private long now = Long.MIN_VALUE;

  UsageMeter(UsageWindow window, UsageCells cells) {
    this.cells = cells;
    this.from = window.fromMillis();
    this.to = window.toMillis();
  }

  /// What follows happens then.
  ///
  /// @param moment not before the last one
  void at(long moment) {
    if (moment < now) {
      throw new IllegalArgumentException("it is " + now + ", and not " + moment);
    }
    if (moment > now) {
      divideQuotas();
      now = moment;
    }
  }

  /// Quotas are others from now on.
  ///
  /// @param thousandths of GPUs of each account
  void quotas(ToLongFunction<QuotaAccount> thousandths) {
    quota = thousandths;
    changed.addAll(accounts.keySet());
  }

  Optional<GpuHold> hold(PodUid uid) {
    return Optional.ofNullable(pods.get(uid)).map(each -> each.hold);
  }

  /// A pod begins to hold GPUs or to wait for them, or something of it changes.
  void put(GpuHold hold) {
    var before = pods.get(hold.uid());
    if (before != null && before.hold.equals(hold)) {
      return;
    }
    if (before == null || before.hold.isWaiting() != hold.isWaiting()) {
      if (before != null) {
        leave(before);
      }
      enter(new Metered(hold, now));
      return;
    }
    leave(before);
    before.hold = hold;
    enter(before);
  }

  private void enter(Metered pod) {
    pods.put(pod.hold.uid(), pod);
    if (!pod.hold.isWaiting()) {
      accounts.computeIfAbsent(pod.hold.account(), _ -> new TreeSet<>(ORDER)).add(pod);
      changed.add(pod.hold.account());
    }
  }

  private void leave(Metered pod) {
    measure(pod);
    pods.remove(pod.hold.uid());
    var account = pod.hold.account();
    var others = accounts.get(account);
    if (!pod.hold.isWaiting() && others != null) {
      others.remove(pod);
      changed.add(account);
      if (others.isEmpty()) {
        accounts.remove(account);
      }
    }
  }

  /// A pod holds nothing any more, nor waits.
  ///
  /// @param evicted whether it was evicted: what it held is lost, unless it saved its state
  void end(PodUid uid, boolean evicted) {
    var pod = pods.get(uid);
    if (pod == null) {
      return;
    }
    leave(pod);
    if (evicted && now < to) {
      pod.held.forEach(cells::evicted);
    }
  }

  /// What a pod would have held in all of a time, as far as that is asked for.
  long mayHold(GpuHold hold, long begin, long end) {
    long span = Math.max(0, Math.min(end, to) - Math.max(begin, from));
    return hold.isWaiting() ? 0 : UsageAmounts.times(hold.millis(), span);
  }

  /// Measures everything up to now.
  void finish() {
    divideQuotas();
    new ArrayList<>(pods.values()).forEach(this::measure);
  }

  private void divideQuotas() {
    for (QuotaAccount account : changed) {
      var holding = accounts.get(account);
      long left = holding == null ? 0 : quota.applyAsLong(account);
      for (Metered pod : holding == null ? List.<Metered>of() : List.copyOf(holding)) {
        long over = Math.max(0, pod.hold.millis() - left);
        if (over != pod.overQuota) {
          measure(pod);
          pod.overQuota = over;
        }
        left = Math.max(0, left - pod.hold.millis());
      }
    }
    changed.clear();
  }

  private void measure(Metered pod) {
    long begin = Math.max(pod.since, from);
    long end = Math.min(now, to);
    for (long moment = begin; moment < end; ) {
      long next = Math.min(end, cells.endOfBucket(moment));
      var amounts = amounts(pod, next - moment);
      var cell = cells.add(pod.hold, moment, amounts);
      if (!pod.hold.isWaiting()) {
        pod.held.merge(cell, amounts.allocated(), UsageAmounts::sum);
      }
      moment = next;
    }
    pod.since = now;
  }

  private static UsageAmounts amounts(Metered pod, long span) {
    var hold = pod.hold;
    long time = UsageAmounts.times(hold.millis(), span);
    return hold.isWaiting()
        ? new UsageAmounts(0, 0, 0, 0, 0, time)
        : new UsageAmounts(
            time,
            UsageAmounts.times(pod.overQuota, span),
            hold.isPreemptible() ? 0 : time,
            UsageAmounts.times(hold.sharedMillis(), span),
            0,
            0);
  }
}
