package dev.berth.bench.packing;

import dev.berth.bench.trace.Trace;
import java.util.Arrays;

/// The pods of one run in the order of arrival, and the nodes in their fixed order.
///
/// The pods of the list, shuffled; then more of them, drawn with replacement, until the GPUs asked
/// for reach 130 % of those there are, or fewer of them, removed at random, until they do not
/// exceed that.
///
/// @param arrivals classes of pods
/// @param order the machine at each position
public record Instance(Trace trace, long seed, int[] arrivals, int[] order) {
  private static final double LOAD = 1.3;

  public static Instance of(Trace trace, long seed) {
    double most = LOAD * trace.capacity();
    var pods = trace.pods().clone();
    Streams.shuffle(pods, Streams.ARRIVALS.of(seed));
    int count = pods.length;
    long total = 0;
    for (int k : pods) {
      total += trace.asks().get(k).gpuMillis();
    }
    var draws = Streams.DRAWS.of(seed);
    boolean grows = total < most;
    while (grows) {
      int k = trace.pods()[draws.nextInt(trace.pods().length)];
      var ask = trace.asks().get(k);
      if (total + ask.milli() > most) { // one GPU's part, however many the pod asks for
        break;
      }
      pods = count == pods.length ? Arrays.copyOf(pods, 2 * count) : pods;
      pods[count++] = k;
      total += ask.gpuMillis();
    }
    while (!grows && total > most) {
      int i = draws.nextInt(count);
      total -= trace.asks().get(pods[i]).gpuMillis();
      System.arraycopy(pods, i + 1, pods, i, --count - i);
    }
    var order = new int[trace.machines().size()];
    Arrays.setAll(order, i -> i);
    Streams.shuffle(order, Streams.NODES.of(seed));
    return new Instance(trace, seed, Arrays.copyOf(pods, count), order);
  }
}
