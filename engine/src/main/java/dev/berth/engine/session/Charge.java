package dev.berth.engine.session;

import java.util.Arrays;

/// What a pod, or some pods together, take of what queues count, by dense number. Immutable.
public final class Charge {
  private final long[] values;

  /// @param values not to be changed afterwards
  Charge(long[] values) {
    this.values = values;
  }

  public int size() {
    return values.length;
  }

  public long of(int resource) {
    return values[resource];
  }

  /// The sum; saturates.
  public Charge plus(Charge other) {
    var sum = values.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] = sum(sum[i], other.values[i]);
    }
    return new Charge(sum);
  }

  public Charge times(long factor) {
    var product = values.clone();
    for (int i = 0; i < product.length; i++) {
      product[i] = Math.multiplyHigh(values[i], factor) == 0 ? values[i] * factor : Long.MAX_VALUE;
    }
    return new Charge(product);
  }

  /// The sum of two amounts that are not negative; saturates.
  public static long sum(long a, long b) {
    long sum = a + b;
    return ((a ^ sum) & (b ^ sum)) < 0 ? Long.MAX_VALUE : sum;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Charge that && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return Arrays.toString(values);
  }
}
