package dev.berth.bench.cluster;

import static dev.berth.bench.Worlds.cpuOnly;
import static dev.berth.bench.Worlds.gpus;
import static dev.berth.bench.Worlds.node;
import static dev.berth.bench.Worlds.share;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.Worlds;
import dev.berth.bench.cluster.Fragmentation.Typical;
import dev.berth.bench.trace.Ask;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FragmentationTest {
  private static double thousandths(Fragmentation fragmentation, Cluster cluster, int n) {
    return (double) fragmentation.of(cluster, n) / fragmentation.covered();
  }

  /// Two GPUs, 600 of one taken: 400 and 1000 are free. Half of the pods ask for 500, which 400 is
  /// too little for; the other half for one GPU, which again the 400 cannot give.
  @Test
  void freeThousandthsThatATypicalPodCannotUseAreFragmented() {
    var trace = Worlds.trace(List.of(node(2, "T4")), share(500), gpus(1), share(600));
    var cluster = Worlds.cluster(trace);
    var fragmentation =
        new Fragmentation(
            List.of(new Typical(share(500), 1), new Typical(gpus(1), 1)), cluster.models());
    assertThat(thousandths(fragmentation, cluster, 0)).isZero();
    cluster.take(0, 2, 1);
    assertThat(thousandths(fragmentation, cluster, 0)).isEqualTo(400);
  }

  @Test
  void aClassThatNeedsMoreGpusThanAreFreeCanUseNone() {
    var trace = Worlds.trace(List.of(node(2, "T4")), gpus(2), share(300));
    var cluster = Worlds.cluster(trace);
    var fragmentation = new Fragmentation(List.of(new Typical(gpus(2), 1)), cluster.models());
    assertThat(thousandths(fragmentation, cluster, 0)).isZero();
    cluster.take(0, 1, 1);
    assertThat(thousandths(fragmentation, cluster, 0)).isEqualTo(1700);
  }

  @Test
  void everythingFreeIsFragmentedForCpuOnlyClasses() {
    var trace = Worlds.trace(List.of(node(2, "T4")), gpus(1), cpuOnly(1_000));
    var cluster = Worlds.cluster(trace);
    var fragmentation =
        new Fragmentation(
            List.of(new Typical(gpus(1), 3), new Typical(cpuOnly(1_000), 1)), cluster.models());
    assertThat(thousandths(fragmentation, cluster, 0)).isEqualTo(500); // ¼ of 2000
  }

  @Test
  void everythingFreeIsFragmentedForClassesOfAnotherModelOrWithoutCpu() {
    var picky = new Ask(1_000, 1_000, 1, 1000, "P100|V100M16");
    var hungry = new Ask(97_000, 1_000, 1, 500, "");
    var trace = Worlds.trace(List.of(node(1, "T4"), node(1, "P100")), picky, hungry);
    var cluster = Worlds.cluster(trace);
    var models = new Fragmentation(List.of(new Typical(picky, 1)), cluster.models());
    assertThat(thousandths(models, cluster, 0)).isEqualTo(1000);
    assertThat(thousandths(models, cluster, 1)).isZero();
    var cpu = new Fragmentation(List.of(new Typical(hungry, 1)), cluster.models());
    assertThat(thousandths(cpu, cluster, 0)).isEqualTo(1000);
  }

  @Test
  void memoryDoesNotEnter() {
    var large = new Ask(1_000, 2_000_000, 1, 1000, "");
    var trace = Worlds.trace(List.of(node(1, "T4")), large);
    var cluster = Worlds.cluster(trace);
    assertThat(Fragmentation.of(trace, cluster).of(cluster, 0)).isZero();
  }

  @Test
  void typicalClassesCoverNineteenOfTwentyPodsAndTiesGoToTheLargerRequest() {
    var asks = List.of(share(100), share(200), cpuOnly(4_000), gpus(1), share(300));
    var typical = Fragmentation.typical(asks, new int[] {40, 20, 20, 16, 4});
    assertThat(typical.stream().map(Typical::pods)).containsExactly(40, 20, 20, 16);
    assertThat(typical.get(1).ask().cpu()).isEqualTo(4_000);
    assertThat(typical.get(2).ask().milli()).isEqualTo(200);
  }

  /// The value of a trial is the value after it.
  @Test
  void aTrialSaysWhatComesOfIt() {
    var trace = Worlds.trace(List.of(node(8, "G2")), share(300), gpus(2), share(700), gpus(1));
    var cluster = Worlds.cluster(trace);
    var fragmentation = Fragmentation.of(trace, cluster);
    for (int k = 0; k < 4; k++) {
      var ask = trace.asks().get(k);
      int mask = cluster.fullest(0, ask);
      long said = fragmentation.with(cluster, 0, ask.cpu(), mask, ask.milli());
      cluster.take(0, k, mask);
      assertThat(fragmentation.of(cluster, 0)).isEqualTo(said);
      assertThat(Fragmentation.of(trace, cluster).of(cluster, 0)).isEqualTo(said);
    }
  }
}
