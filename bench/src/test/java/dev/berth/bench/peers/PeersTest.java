package dev.berth.bench.peers;

import static dev.berth.bench.Worlds.cpuOnly;
import static dev.berth.bench.Worlds.gpus;
import static dev.berth.bench.Worlds.node;
import static dev.berth.bench.Worlds.share;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.Worlds;
import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.cluster.Fragmentation;
import dev.berth.bench.cluster.Fragmentation.Typical;
import dev.berth.bench.trace.Ask;
import dev.berth.bench.trace.Machine;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Scores computed by hand.
final class PeersTest {
  private static final int SHARE = 0;
  private static final int TWO = 1;
  private static final int CPU = 2;
  private static final int ONE = 3;

  /// A node with eight GPUs, and one with two of which the first is half taken.
  private static Cluster cluster() {
    var trace =
        Worlds.trace(
            List.of(node(8, "G2"), node(2, "T4")), share(400), gpus(2), cpuOnly(6_000), gpus(1));
    return Worlds.cluster(trace);
  }

  @Test
  void bestFitWeighsWhatIsLeft() {
    var cluster = cluster();
    // 100 (1 − ½ · 95,000 / 128,000 − ½ · 7,600 / 8,000) = 15.39…
    assertThat(new BestFit().score(cluster, 0, SHARE)).isEqualTo(15);
    // 100 (1 − ½ · 95,000 / 128,000 − ½ · 1,600 / 8,000) = 52.89…
    assertThat(new BestFit().score(cluster, 1, SHARE)).isEqualTo(52);
  }

  /// A node may be larger than the rule's largest: then the cut goes down, not towards zero.
  @Test
  void bestFitCutsDownwards() {
    var trace =
        Worlds.trace(List.of(new Machine("large", 257_000, 1_000_000, 8, "G2")), share(400));
    // 100 (1 − ½ · 2 − ½ · 0.95) = −47.5
    assertThat(new BestFit().score(Worlds.cluster(trace), 0, 0)).isEqualTo(-48);
  }

  @Test
  void scoresAreStretchedInIntegers() {
    assertThat(Scored.stretched(15, 15, 52)).isZero();
    assertThat(Scored.stretched(52, 15, 52)).isEqualTo(100);
    assertThat(Scored.stretched(30, 15, 52)).isEqualTo(40); // 40.54
    assertThat(Scored.stretched(7, 7, 7)).isZero();
  }

  @Test
  void dotProdAvoidsWhatIsAligned() {
    var cluster = cluster();
    // 100 (1 − ½ (96/128 · 1/128 + 1 · 0.05)) = 97.2
    assertThat(new DotProd().score(cluster, 0, SHARE)).isEqualTo(97);
    // 100 (1 − ½ (96/128 · 1/128 + 1 · 0.25)) = 87.2
    assertThat(new DotProd().score(cluster, 0, TWO)).isEqualTo(87);
  }

  @Test
  void gpuPackingTakesSharedGpusThenFreeOnesOfUsedNodes() {
    var cluster = cluster();
    var rule = new GpuPacking();
    assertThat(rule.score(cluster, 0, SHARE)).isEqualTo(33 - 8);
    assertThat(rule.score(cluster, 1, SHARE)).isEqualTo(33 - 2);
    cluster.take(1, SHARE, 1);
    assertThat(rule.score(cluster, 1, SHARE)).isEqualTo(100 - 60 / 10); // 600 are left there
    assertThat(rule.score(cluster, 1, ONE)).isEqualTo(50 - 1);
    cluster.take(0, ONE, 1);
    assertThat(rule.score(cluster, 0, TWO)).isEqualTo(50 - 2);
    assertThat(rule.score(cluster, 0, CPU)).isZero();
  }

  @Test
  void gpuClusteringKeepsKindsTogether() {
    var cluster = cluster();
    var rule = new GpuClustering();
    assertThat(rule.score(cluster, 0, SHARE)).isEqualTo(25);
    assertThat(rule.score(cluster, 1, SHARE)).isEqualTo(25 + 25 * 6_000 / 8_000);
    cluster.take(1, SHARE, 1);
    assertThat(rule.score(cluster, 1, SHARE)).isEqualTo(75 + 25 * 6_400 / 8_000);
    assertThat(rule.score(cluster, 1, ONE)).isEqualTo(25 * 6_400 / 8_000);
    cluster.take(1, ONE, 2);
    assertThat(rule.score(cluster, 1, SHARE)).isEqualTo(50 + 25 * 7_400 / 8_000);
    assertThat(rule.score(cluster, 1, CPU)).isZero();
  }

  /// One typical class, whole GPUs. A share of 400 makes 600 of a free GPU useless: 100 σ(−0.6) =
  /// 35.4. On a GPU that has 400 left it removes 400 useless ones: 100 σ(0.4) = 59.8.
  @Test
  void fgdTakesWhatIsUselessAlready() {
    var trace = Worlds.trace(List.of(node(2, "T4")), share(400), share(600));
    var cluster = Worlds.cluster(trace);
    var fgd = new Fgd(new Fragmentation(List.of(new Typical(gpus(1), 1)), cluster.models()));
    assertThat(fgd.score(cluster, 0, 0)).isEqualTo(35);
    cluster.take(0, 1, 0b10);
    assertThat(fgd.score(cluster, 0, 0)).isEqualTo(59);
    assertThat(fgd.gpus(cluster, 0, 0)).isEqualTo(0b10);
  }

  /// Both GPUs are too full for a typical pod with a whole one. The second leaves 15 thousandths,
  /// which one pod in fifty can use, and the first 10, which none can: 0.4606 against 0.4604. Both
  /// score 61, so the first wins. This cut is part of the published rule.
  @Test
  void fgdComparesIntegers() {
    var trace = Worlds.trace(List.of(node(2, "T4")), share(520), share(515), share(470));
    var cluster = Worlds.cluster(trace);
    var fgd =
        new Fgd(
            new Fragmentation(
                List.of(new Typical(gpus(1), 98), new Typical(share(12), 2)), cluster.models()));
    cluster.take(0, 0, 0b01); // 480 left
    cluster.take(0, 1, 0b10); // 485 left
    assertThat(fgd.gpus(cluster, 0, 2)).isEqualTo(0b01);
  }

  @Test
  void fgdGivesWholeGpusOfLowestIndex() {
    var trace = Worlds.trace(List.of(node(8, "G2")), share(400), gpus(2));
    var cluster = Worlds.cluster(trace);
    cluster.take(0, 0, 0b10);
    var fgd = new Fgd(Fragmentation.of(trace, cluster));
    assertThat(fgd.gpus(cluster, 0, 1)).isEqualTo(0b101);
  }

  /// Equal nodes: the first in the order of the run, every time.
  @Test
  void theFixedOrderBreaksTies() {
    var trace = Worlds.trace(List.of(node(2, "T4"), node(2, "T4"), node(2, "T4")), gpus(2));
    for (Peer peer : Peer.values()) {
      var cluster = Worlds.cluster(trace);
      var policy = peer.on(cluster, Fragmentation.of(trace, cluster), new SplittableRandom(1));
      for (int pod = 0; pod < 3 && peer != Peer.RANDOM; pod++) {
        var choice = policy.place(pod, 0);
        assertThat(choice.node()).as(peer.label()).isEqualTo(pod);
        cluster.take(choice.node(), 0, choice.mask());
      }
    }
  }

  @Test
  void noPeerPlacesWhatDoesNotFit() {
    var asks =
        new Ask[] {
          new Ask(97_000, 1, 1, 1000, ""), // CPU
          new Ask(1, 2_000_000, 1, 1000, ""), // memory
          new Ask(1, 1, 1, 1000, "V100M16|V100M32"), // model
          new Ask(1, 1, 3, 1000, ""), // GPUs
        };
    var trace = Worlds.trace(List.of(node(2, "T4")), asks);
    for (Peer peer : Peer.values()) {
      var cluster = Worlds.cluster(trace);
      var policy = peer.on(cluster, Fragmentation.of(trace, cluster), new SplittableRandom(1));
      for (int k = 0; k < asks.length; k++) {
        assertThat(policy.place(k, k).isNowhere()).as(peer.label() + " " + asks[k]).isTrue();
      }
    }
  }
}
