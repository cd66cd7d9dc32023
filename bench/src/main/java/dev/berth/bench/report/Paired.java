package dev.berth.bench.report;

import java.util.Arrays;

/// Two policies over the same seeds: the mean of the differences and its standard error.
public record Paired(double mean, double error) {
  /// How one stands to the other: beyond two standard errors, or within.
  public enum Standing {
    AHEAD,
    LEVEL,
    BEHIND
  }

  /// @param ours by seed
  /// @param peers by seed, in the same order
  public static Paired of(double[] ours, double[] peers) {
    var differences = new double[ours.length];
    Arrays.setAll(differences, i -> ours[i] - peers[i]);
    double mean = mean(differences);
    double squares = Arrays.stream(differences).map(d -> (d - mean) * (d - mean)).sum();
    int n = differences.length;
    return new Paired(mean, n < 2 ? Double.NaN : Math.sqrt(squares / (n - 1) / n));
  }

  public static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }

  /// With a single seed there is no error, and so nothing but level.
  public Standing standing() {
    if (mean > 2 * error) {
      return Standing.AHEAD;
    }
    return mean < -2 * error ? Standing.BEHIND : Standing.LEVEL;
  }
}
