package dev.berth.engine.fairness;

import dev.berth.engine.model.Queue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What siblings are owed of one resource.
///
/// 1. *deserved*: min(quota, requestable), an unlimited quota being the whole amount. Quotas may
///    exceed the amount; nothing is scaled down.
/// 2. *over quota*: for each priority tier, highest first, while something is left: of those that
///    want more, each gets `part = left · s / Σ s`, all that it wants if that is ≤ part, else
///    ⌊part⌋ in whole units, and remembers the remainder. All parts of one repeat are of the same
///    `left`. Repeated until no queue wanted less than its part.
/// 3. *leftovers*: in the same tier order, min(1 unit, left) to each queue that remembers a
///    remainder, once: largest remainder, then older queue, then name.
///
/// Steps 1 and 2 never pass requestable, step 3 may by less than a unit.
final class FairShare {
  private static final Comparator<Taker> OLDER_FIRST =
      Comparator.<Taker, Instant>comparing(taker -> taker.claim.created())
          .thenComparing(taker -> taker.claim.name());
  private static final Comparator<Taker> TIER_BY_TIER =
      Comparator.<Taker>comparingInt(taker -> taker.claim.priority())
          .reversed()
          .thenComparing(OLDER_FIRST);
  private static final Comparator<Taker> LARGEST_REMAINDER =
      Comparator.<Taker>comparingDouble(taker -> taker.remainder)
          .reversed()
          .thenComparing(OLDER_FIRST);

  private final long unit;
  private final double k;
  private final List<Taker> takers = new ArrayList<>();
  private long left;

  private static final class Taker {
    final int index;
    final FairShareClaim claim;
    long share;
    double remainder; // 0 = remembers none

    Taker(int index, FairShareClaim claim) {
      this.index = index;
      this.claim = claim;
    }

    boolean wantsMore() {
      return claim.weight() > 0 && wanted() > 0;
    }

    long wanted() {
      return claim.requestable() - share;
    }
  }

  private FairShare(long amount, long unit, double k, List<FairShareClaim> siblings) {
    this.unit = unit;
    this.k = k;
    for (int i = 0; i < siblings.size(); i++) {
      takers.add(new Taker(i, siblings.get(i)));
    }
    takers.sort(TIER_BY_TIER);
    deserved(Math.max(0, amount));
  }

  /// @param unit what is given as a whole: 1000 for devices in thousandths, else 1
  /// @param k how strongly past use counts; 0 = not at all
  /// @return the shares, in the order of the siblings; it does not matter otherwise
  static long[] divide(long amount, long unit, double k, List<FairShareClaim> siblings) {
    var division = new FairShare(amount, unit, k, siblings);
    for (List<Taker> tier : division.tiers()) {
      division.overQuota(tier);
    }
    for (List<Taker> tier : division.tiers()) {
      division.leftovers(tier);
    }
    var shares = new long[siblings.size()];
    for (Taker taker : division.takers) {
      shares[taker.index] = taker.share;
    }
    return shares;
  }

  private List<List<Taker>> tiers() {
    var tiers = new ArrayList<List<Taker>>();
    int from = 0;
    for (int to = 1; to <= takers.size() && left > 0; to++) {
      if (to == takers.size()
          || takers.get(to).claim.priority() != takers.get(from).claim.priority()) {
        tiers.add(takers.subList(from, to));
        from = to;
      }
    }
    return tiers;
  }

  private void deserved(long amount) {
    left = amount;
    for (Taker taker : takers) {
      long quota = taker.claim.quota() == Queue.UNLIMITED ? amount : taker.claim.quota();
      taker.share = Math.min(quota, taker.claim.requestable());
      left = Math.max(0, left - taker.share);
    }
  }

  private void overQuota(List<Taker> tier) {
    boolean again = true;
    while (again && left > 0) {
      var wanting = new ArrayList<Taker>(tier);
      wanting.removeIf(taker -> !taker.wantsMore());
      again = shareOut(wanting);
    }
  }

  /// One repeat.
  ///
  /// @return whether a queue wanted less than its part
  private boolean shareOut(List<Taker> wanting) {
    var weights = Weights.of(wanting.stream().map(taker -> taker.claim).toList(), k);
    long sum = 0;
    for (long weight : weights) {
      sum += weight;
    }
    long given = 0;
    boolean tookLess = false;
    for (int i = 0; i < weights.length; i++) {
      var taker = wanting.get(i);
      var part = Portion.of(left, weights[i], sum);
      long wanted = taker.wanted();
      if (part.covers(wanted)) {
        tookLess |= part.exceeds(wanted);
        taker.remainder = 0;
        taker.share += wanted;
        given += wanted;
      } else {
        long whole = part.whole() - part.whole() % unit;
        double remainder = part.whole() - whole + part.fraction();
        taker.remainder = remainder > 0 ? remainder : taker.remainder; // only a fit forgets
        taker.share += whole;
        given += whole;
      }
    }
    left -= given;
    return tookLess;
  }

  private void leftovers(List<Taker> tier) {
    var waiting = new ArrayList<Taker>(tier);
    waiting.removeIf(taker -> taker.remainder == 0);
    waiting.sort(LARGEST_REMAINDER);
    for (Taker taker : waiting) {
      long more = Math.min(unit, left);
      taker.share += more;
      left -= more;
    }
  }
}
