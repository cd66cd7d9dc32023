package dev.berth.engine.fairness;

import java.math.BigInteger;

/// A part of an amount by weight: `amount · weight / sum`, exactly.
///
/// @param whole its floor
/// @param fraction what is above it, 0 ≤ fraction < 1
record Portion(long whole, double fraction) {
  static Portion of(long amount, long weight, long sum) {
    long times = amount / sum;
    long rest = amount % sum;
    if (Math.multiplyHigh(rest, weight) == 0 && rest * weight >= 0) {
      long product = rest * weight;
      return new Portion(times * weight + product / sum, (double) (product % sum) / sum);
    }
    var product =
        BigInteger.valueOf(rest)
            .multiply(BigInteger.valueOf(weight))
            .divideAndRemainder(BigInteger.valueOf(sum));
    return new Portion(times * weight + product[0].longValue(), product[1].doubleValue() / sum);
  }

  boolean covers(long wanted) {
    return wanted <= whole;
  }

  boolean exceeds(long wanted) {
    return wanted < whole || wanted == whole && fraction > 0;
  }
}
