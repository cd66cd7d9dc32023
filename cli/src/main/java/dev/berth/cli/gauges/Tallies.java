package dev.berth.cli.gauges;

import dev.berth.cli.gauges.ClusterGauge.Sample;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.TreeMap;

/// Sums by metric and labels. What comes to 0 stays, as 0. Of one thread at a time.
final class Tallies implements Counting {
  private static final Comparator<List<String>> BY_LABELS = Tallies::compare;

  private final EnumMap<ClusterGauge, TreeMap<List<String>, Long>> sums =
      new EnumMap<>(ClusterGauge.class);

  private static int compare(List<String> one, List<String> other) {
    for (int i = 0; i < one.size(); i++) {
      int order = one.get(i).compareTo(other.get(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  @Override
  public void add(ClusterGauge gauge, long amount, String... labels) {
    if (labels.length != gauge.labels().size()) {
      throw new IllegalArgumentException(gauge + " with " + labels.length + " labels");
    }
    sums.computeIfAbsent(gauge, _ -> new TreeMap<>(BY_LABELS))
        .merge(List.of(labels), amount, Tallies::saturated);
  }

  /// Quotas without sense stay so, they do not wrap round.
  private static long saturated(long a, long b) {
    long sum = a + b;
    boolean overflows = ((a ^ sum) & (b ^ sum)) < 0;
    return overflows ? (a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum;
  }

  void clear(Collection<ClusterGauge> gauges) {
    sums.keySet().removeAll(gauges);
  }

  List<Sample> of(ClusterGauge gauge) {
    var samples = new ArrayList<Sample>();
    sums.getOrDefault(gauge, new TreeMap<>())
        .forEach(
            (labels, sum) -> samples.add(new Sample(labels, (double) sum / gauge.unit(labels))));
    return samples;
  }
}
