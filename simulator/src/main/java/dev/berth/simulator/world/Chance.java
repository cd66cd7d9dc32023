package dev.berth.simulator.world;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/// Seeded chance for one part of the world, independent of how much the others draw. Not for more
/// than one thread at a time.
public final class Chance {
  private final SplittableRandom random;

  /// @param part the user of the chance, so that parts of one seed differ
  public Chance(long seed, String part) {
    this.random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + part.hashCode());
  }

  /// 0 … bound − 1.
  public int below(int bound) {
    return random.nextInt(bound);
  }

  public int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  /// 0 to below 1.
  public double share() {
    return random.nextDouble();
  }

  public boolean comes(double probability) {
    return random.nextDouble() < probability;
  }

  public <T> T of(List<T> choices) {
    return choices.get(below(choices.size()));
  }

  public Duration between(Duration least, Duration most) {
    long span = most.toMillis() - least.toMillis();
    return least.plusMillis(span <= 0 ? 0 : random.nextLong(span + 1));
  }

  /// Exponentially distributed about a mean: the gaps between independent arrivals.
  public Duration around(Duration mean) {
    double log = -StrictMath.log(1 - random.nextDouble());
    return Duration.ofNanos((long) (mean.toNanos() * log));
  }

  /// In the shape of a UUID.
  String uuid() {
    String hex = String.format(Locale.ROOT, "%016x%016x", random.nextLong(), random.nextLong());
    return hex.substring(0, 8)
        + "-"
        + hex.substring(8, 12)
        + "-4"
        + hex.substring(13, 16)
        + "-a"
        + hex.substring(17, 20)
        + "-"
        + hex.substring(20);
  }

  /// Five letters and digits, as the API server appends them to a `generateName`.
  String suffix() {
    var suffix = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      suffix.append("bcdfghjklmnpqrstvwxz2456789".charAt(below(27)));
    }
    return suffix.toString();
  }
}
