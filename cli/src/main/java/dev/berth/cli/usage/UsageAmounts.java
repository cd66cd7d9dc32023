package dev.berth.cli.usage;

import java.math.BigDecimal;
import java.math.RoundingMode;

/// GPU-time, each in thousandths of a GPU times milliseconds, so that sums are exact. What pods ask
/// for while they wait may be absurd, and saturates.
///
/// @param allocated what pods held from their Binding to their end
/// @param overQuota of that, what their queue had beyond its quota
/// @param nonPreemptible of that, what could not be evicted for others
/// @param shared of that, parts of GPUs: shares and MIG instances
/// @param evicted of that, what pods held that were evicted later
/// @param waiting what pods asked for while they waited
public record UsageAmounts(
    long allocated, long overQuota, long nonPreemptible, long shared, long evicted, long waiting) {
  static final UsageAmounts NONE = new UsageAmounts(0, 0, 0, 0, 0, 0);

  private static final BigDecimal HOUR = BigDecimal.valueOf(1000L * 3_600_000L);

  /// @param time as the amounts have it
  /// @return hours of one GPU
  public static BigDecimal hours(long time, int digits) {
    return BigDecimal.valueOf(time).divide(HOUR, digits, RoundingMode.HALF_UP);
  }

  /// The product of two numbers that are not negative; saturates.
  static long times(long thousandths, long millis) {
    return Math.multiplyHigh(thousandths, millis) == 0 && thousandths * millis >= 0
        ? thousandths * millis
        : Long.MAX_VALUE;
  }

  static long sum(long one, long two) {
    return one > Long.MAX_VALUE - two ? Long.MAX_VALUE : one + two;
  }

  UsageAmounts plus(UsageAmounts other) {
    return new UsageAmounts(
        sum(allocated, other.allocated),
        sum(overQuota, other.overQuota),
        sum(nonPreemptible, other.nonPreemptible),
        sum(shared, other.shared),
        sum(evicted, other.evicted),
        sum(waiting, other.waiting));
  }

  public long withinQuota() {
    return allocated - overQuota;
  }

  public long preemptible() {
    return allocated - nonPreemptible;
  }

  public long whole() {
    return allocated - shared;
  }
}
