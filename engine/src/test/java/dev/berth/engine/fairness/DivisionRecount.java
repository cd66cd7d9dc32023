package dev.berth.engine.fairness;

import dev.berth.engine.model.Queue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The rule once more, without time: slowly, in fractions of any size, one queue after the other.
final class DivisionRecount {
  private static final BigInteger GRAIN = BigInteger.TEN.pow(6);

  private DivisionRecount() {}

  /// `above / below`, not reduced.
  private record Ratio(BigInteger above, BigInteger below) implements Comparable<Ratio> {
    @Override
    public int compareTo(Ratio other) {
      return above.multiply(other.below).compareTo(other.above.multiply(below));
    }

    static Ratio of(long whole) {
      return new Ratio(BigInteger.valueOf(whole), BigInteger.ONE);
    }
  }

  private static BigInteger weight(FairShareClaim claim) {
    return BigDecimal.valueOf(claim.weight()).multiply(new BigDecimal(GRAIN)).toBigIntegerExact();
  }

  static long[] divide(long amount, long unit, List<FairShareClaim> claims) {
    var shares = new long[claims.size()];
    var remainders = new ArrayList<Ratio>();
    long left = Math.max(0, amount);
    for (int i = 0; i < shares.length; i++) {
      var claim = claims.get(i);
      long quota = claim.quota() == Queue.UNLIMITED ? Math.max(0, amount) : claim.quota();
      shares[i] = Math.min(quota, Math.min(claim.limit(), claim.request()));
      left = Math.max(0, left - shares[i]);
      remainders.add(Ratio.of(0));
    }
    var tiers =
        claims.stream().map(FairShareClaim::priority).distinct().sorted(Comparator.reverseOrder());
    var inOrder = tiers.toList();
    for (int tier : inOrder) {
      boolean less = true;
      while (less && left > 0) {
        less = false;
        var sum = BigInteger.ZERO;
        for (int i = 0; i < shares.length; i++) {
          sum = wants(claims.get(i), tier, shares[i]) ? sum.add(weight(claims.get(i))) : sum;
        }
        long atFirst = left;
        for (int i = 0; i < shares.length; i++) {
          var claim = claims.get(i);
          if (!wants(claim, tier, shares[i])) {
            continue;
          }
          long wanted = Math.min(claim.limit(), claim.request()) - shares[i];
          var part = new Ratio(BigInteger.valueOf(atFirst).multiply(weight(claim)), sum);
          int order = Ratio.of(wanted).compareTo(part);
          var unitBelow = part.below.multiply(BigInteger.valueOf(unit));
          long take = order <= 0 ? wanted : part.above.divide(unitBelow).longValueExact() * unit;
          var rest = new Ratio(part.above.mod(unitBelow), part.below);
          if (order <= 0 || rest.above.signum() > 0) {
            remainders.set(i, order <= 0 ? Ratio.of(0) : rest);
          }
          less |= order < 0;
          shares[i] += take;
          left -= take;
        }
      }
    }
    for (int tier : inOrder) {
      var line = new ArrayList<Integer>();
      for (int i = 0; i < shares.length; i++) {
        if (claims.get(i).priority() == tier && remainders.get(i).above.signum() > 0) {
          line.add(i);
        }
      }
      line.sort(
          Comparator.<Integer, Ratio>comparing(remainders::get)
              .reversed()
              .thenComparing(i -> claims.get(i).created())
              .thenComparing(i -> claims.get(i).name()));
      for (int i : line) {
        long more = Math.min(unit, left);
        shares[i] += more;
        left -= more;
      }
    }
    return shares;
  }

  private static boolean wants(FairShareClaim claim, int tier, long share) {
    return claim.priority() == tier
        && claim.weight() > 0
        && Math.min(claim.limit(), claim.request()) > share;
  }
}
