package dev.berth.bench.churn;

import dev.berth.bench.packing.Streams;
import dev.berth.bench.trace.Trace;
import java.util.Arrays;

/// The arrivals of one run: Poisson, each a pod drawn uniformly from the list, each with an
/// exponential life. Times are in mean lives. The same for every policy.
///
/// @param load GPUs offered at a time on the average, of all GPUs
/// @param classes of pods, by arrival
/// @param times of arrival, ascending
/// @param lives how long each would stay
record ArrivalTrace(
    Trace trace, long seed, double load, int[] classes, double[] times, double[] lives) {
  /// A run begins with an empty cluster and ends here.
  static final double END = 6;

  /// What happens before is not counted.
  static final double COUNTED_FROM = 2;

  static ArrivalTrace of(Trace trace, long seed, double load) {
    double rate = rate(trace, load);
    var arrivals = Streams.ARRIVALS.of(seed);
    var draws = Streams.DRAWS.of(seed);
    var stays = Streams.LIVES.of(seed);
    int most = 1024;
    var classes = new int[most];
    var times = new double[most];
    var lives = new double[most];
    int count = 0;
    double time = arrivals.nextExponential() / rate;
    for (; time < END; time += arrivals.nextExponential() / rate) {
      if (count == most) {
        most *= 2;
        classes = Arrays.copyOf(classes, most);
        times = Arrays.copyOf(times, most);
        lives = Arrays.copyOf(lives, most);
      }
      classes[count] = trace.pods()[draws.nextInt(trace.pods().length)];
      times[count] = time;
      lives[count++] = stays.nextExponential();
    }
    return new ArrivalTrace(
        trace,
        seed,
        load,
        Arrays.copyOf(classes, count),
        Arrays.copyOf(times, count),
        Arrays.copyOf(lives, count));
  }

  /// Pods that come in a mean life.
  static double rate(Trace trace, double load) {
    double sum = 0;
    for (int k : trace.pods()) {
      sum += trace.asks().get(k).gpuMillis();
    }
    return load * trace.capacity() / (sum / trace.pods().length);
  }
}
