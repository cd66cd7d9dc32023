package dev.berth.bench.peers;

import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.cluster.Fragmentation;
import dev.berth.bench.cluster.Policy;
import dev.berth.bench.cluster.Prioritizer;
import java.util.SplittableRandom;

/// The published placement rules that Berth is compared with, ported from their description.
///
/// Of all but FGD and Random a pod gets the fullest GPUs of its node that fit.
public enum Peer {
  FGD("FGD", 0.15),
  BEST_FIT("BestFit", 0.25),
  DOT_PROD("DotProd", 0.6),
  GPU_PACKING("GpuPacking", 0.6),
  GPU_CLUSTERING("GpuClustering", 0.6),
  RANDOM("Random", 0.6);

  private final String label;
  private final double tolerance;

  Peer(String label, double tolerance) {
    this.label = label;
    this.tolerance = tolerance;
  }

  /// Its name in tables and anchor files.
  public String label() {
    return label;
  }

  /// How far the mean of ten seeds may be from the published one, in points.
  public double tolerance() {
    return tolerance;
  }

  /// @param random its own stream
  public Policy on(Cluster cluster, Fragmentation fragmentation, SplittableRandom random) {
    return this == RANDOM
        ? new RandomFit(cluster, random)
        : new Scored(cluster, scorer(fragmentation));
  }

  /// As an extender of kube-scheduler; not of Random, which scores nothing.
  ///
  /// @param most scores are 0 … 10 or 0 … 100
  public Prioritizer asExtender(Cluster cluster, Fragmentation fragmentation, int most) {
    return new Judged(cluster, scorer(fragmentation), most);
  }

  private Scorer scorer(Fragmentation fragmentation) {
    return switch (this) {
      case FGD -> new Fgd(fragmentation);
      case BEST_FIT -> new BestFit();
      case DOT_PROD -> new DotProd();
      case GPU_PACKING -> new GpuPacking();
      case GPU_CLUSTERING -> new GpuClustering();
      case RANDOM -> throw new IllegalArgumentException("Random scores nothing");
    };
  }
}
