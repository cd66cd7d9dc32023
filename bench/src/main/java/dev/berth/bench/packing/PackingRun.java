package dev.berth.bench.packing;

import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.cluster.Fragmentation;
import dev.berth.bench.cluster.Policy;
import java.util.function.Function;

/// One policy over one instance: every pod is tried once, in order; no pod ends, none is retried.
///
/// @param refused pods without a place
/// @param refusedCpuOnly those of them that ask for no GPU
/// @param seconds of wall time
public record PackingRun(Curve curve, int refused, int refusedCpuOnly, double seconds) {
  public static PackingRun of(
      Instance instance, Function<Cluster, Policy> policies, Fragmentation fragmentation) {
    long began = System.nanoTime();
    var cluster = new Cluster(instance.trace(), instance.order());
    var policy = policies.apply(cluster);
    var curve = new Curve();
    var asks = cluster.asks();
    long unusable = 0;
    for (int n = 0; n < cluster.nodes(); n++) {
      unusable += fragmentation.of(cluster, n);
    }
    long arrived = 0;
    int refused = 0;
    int refusedCpuOnly = 0;
    var arrivals = instance.arrivals();
    for (int pod = 0; pod < arrivals.length; pod++) {
      int k = arrivals[pod];
      var choice = policy.place(pod, k);
      if (choice.isNowhere()) {
        refused++;
        refusedCpuOnly += asks.get(k).isCpuOnly() ? 1 : 0;
      } else {
        unusable -= fragmentation.of(cluster, choice.node());
        cluster.take(choice.node(), k, choice.mask());
        unusable += fragmentation.of(cluster, choice.node());
      }
      arrived += asks.get(k).gpuMillis();
      curve.add(
          arrived, cluster.used(), (double) unusable / fragmentation.covered(), cluster.capacity());
    }
    return new PackingRun(curve, refused, refusedCpuOnly, (System.nanoTime() - began) / 1e9);
  }
}
