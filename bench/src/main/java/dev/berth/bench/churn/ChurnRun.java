package dev.berth.bench.churn;

import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.cluster.Policy;
import dev.berth.bench.packing.Streams;
import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.function.Function;

/// One policy over one traffic. A pod that does not fit when it comes is lost.
///
/// @param allocation time average of GPUs in use, percent of all GPUs
/// @param accepted GPUs of accepted pods, percent of those offered
/// @param lostCpuOnly pods without GPUs that were lost
record ChurnRun(double allocation, double accepted, int lostCpuOnly, double seconds) {
  private record End(double time, int pod, int node, int mask) {}

  static ChurnRun of(ArrivalTrace traffic, Function<Cluster, Policy> policies) {
    long began = System.nanoTime();
    var order = new int[traffic.trace().machines().size()];
    Arrays.setAll(order, i -> i);
    Streams.shuffle(order, Streams.NODES.of(traffic.seed()));
    var cluster = new Cluster(traffic.trace(), order);
    var policy = policies.apply(cluster);
    var asks = cluster.asks();
    var ends =
        new PriorityQueue<End>((one, other) ->
            one.time != other.time
                ? Double.compare(one.time, other.time)
                : Integer.compare(one.pod, other.pod));
    double area = 0;
    double now = 0;
    long offered = 0;
    long accepted = 0;
    int lostCpuOnly = 0;
    for (int pod = 0; pod < traffic.times().length; pod++) {
      double time = traffic.times()[pod];
      while (!ends.isEmpty() && ends.peek().time <= time) {
        var end = ends.remove();
        area += area(cluster, now, end.time);
        now = end.time;
        int k = traffic.classes()[end.pod];
        cluster.giveBack(end.node, k, end.mask);
        policy.ended(end.pod, k);
      }
      area += area(cluster, now, time);
      now = time;
      int k = traffic.classes()[pod];
      boolean counts = time >= ArrivalTrace.COUNTED_FROM;
      offered += counts ? asks.get(k).gpuMillis() : 0;
      var choice = policy.place(pod, k);
      if (choice.isNowhere()) {
        lostCpuOnly += counts && asks.get(k).isCpuOnly() ? 1 : 0;
        continue;
      }
      accepted += counts ? asks.get(k).gpuMillis() : 0;
      cluster.take(choice.node(), k, choice.mask());
      ends.add(new End(time + traffic.lives()[pod], pod, choice.node(), choice.mask()));
    }
    while (!ends.isEmpty() && ends.peek().time <= ArrivalTrace.END) { // behind the last arrival
      var end = ends.remove();
      area += area(cluster, now, end.time);
      now = end.time;
      cluster.giveBack(end.node, traffic.classes()[end.pod], end.mask);
    }
    area += area(cluster, now, ArrivalTrace.END);
    double counted = ArrivalTrace.END - ArrivalTrace.COUNTED_FROM;
    return new ChurnRun(
        100 * area / counted / cluster.capacity(),
        offered == 0 ? 100 : 100.0 * accepted / offered,
        lostCpuOnly,
        (System.nanoTime() - began) / 1e9);
  }

  /// Thousandths of GPUs in use, times how long that counts.
  private static double area(Cluster cluster, double from, double to) {
    return cluster.used() * Math.max(0, to - Math.max(from, ArrivalTrace.COUNTED_FROM));
  }
}
