package dev.berth.cli.counterfactual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.bench.LoggedTrace;
import dev.berth.cli.counterfactual.QueueEffect.Pair;
import dev.berth.cli.decisions.DecisionFolder;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Small simulations of Berth itself, looked at as `berth shadow record` does: the scheduler that
/// is observed is the one that is played.
class ShadowTrialTest {
  private static final Duration EVERY = Duration.ofSeconds(15);

  @TempDir private Path folder = Path.of("");

  private Path sampled() {
    return folder.resolve("sampled");
  }

  private ShadowTrial trial(Optional<Path> queues) throws Exception {
    return ShadowTrial.of(DecisionFolder.files(sampled()), queues);
  }

  private ShadowTrial sampled(LoggedTrace trace, int until) throws Exception {
    trace.looks(sampled(), until, EVERY.toSeconds());
    return trial(Optional.empty());
  }

  private static Duration apart(Pair pair) {
    return Duration.between(pair.before().started(), pair.after().started()).abs();
  }

  /// Without borrowing few pods are evicted: what came, started and ended says nearly all.
  @Test
  void berthInTheShadowOfBerthStartsTheSameAtTheSameTime() throws Exception {
    var random = new Random(3);
    var trace = new LoggedTrace(6).queue("a", 24, 24).queue("b", 24, 24);
    for (int i = 0; i < 150; i++) {
      trace.job(
          random.nextBoolean() ? "a" : "b",
          List.of(1, 2, 8, 16).get(random.nextInt(4)),
          random.nextInt(20_000),
          200 + random.nextInt(3_000));
    }
    var trial = sampled(trace, 100_000);
    var all = trial.all();
    assertThat(all.workloads() + all.ranBefore()).isEqualTo(150);
    assertThat(trial.pairs().stream().filter(pair -> apart(pair).compareTo(EVERY) <= 0).count())
        .as("workloads that start within one interval")
        .isGreaterThanOrEqualTo(144);
    assertThat(all.before().evictions()).as("pods that were moved").isEqualTo(3);
    assertThat(all.after().evictions()).isLessThanOrEqualTo(5);
    assertThat(all.sooner() + all.later()).isLessThanOrEqualTo(8);
    assertThat(all.after().gpuHours())
        .isBetween(0.98 * all.before().gpuHours(), 1.02 * all.before().gpuHours());
    assertThat(trial.byBerth().share())
        .isBetween(trial.observed().share() - 0.02, trial.observed().share() + 0.02);
    assertThat(trial.observed().total()).isEqualTo(trial.byBerth().total());
    assertThat(all.before().waits().median()).isGreaterThan(Duration.ofMinutes(5));
  }

  /// A job waits behind a limit of half the quota.
  @Test
  void queuesBelowQuotaAndWhatOthersWouldHaveDone() throws Exception {
    var trace =
        new LoggedTrace(2)
            .queue("a", 16, 8)
            .queue("b", 0, Queue.UNLIMITED)
            .job("a", 8, 0, 900)
            .job("a", 8, 30, 900);
    var trial = sampled(trace, 5_000);
    assertThat(trial.observed().belowQuota().keySet()).containsExactly(new QueueName("a"));
    assertThat(trial.observed().allBelowQuota()).isBetween(1.8, 2.0); // 8 GPUs × 870 s
    var higher =
        Files.writeString(
            folder.resolve("queues.yaml"),
            """
            apiVersion: berth.dev/v1alpha1
            kind: Queue
            metadata: {name: a}
            spec: {quota: {gpu: 16}}
            """);
    var other = trial(Optional.of(higher));
    assertThat(other.all().sooner()).isEqualTo(1);
    assertThat(other.byBerth().allBelowQuota()).isLessThan(0.05);
    assertThat(other.mostDifferent()).hasSize(1);
    assertThat(String.join("\n", ShadowText.lines(other)))
        .contains("played with the queues of " + higher)
        .contains("GPU-hours of queues below quota while their pods waited");
  }

  /// What is free beside a pod while another waits for a whole node.
  @Test
  void gpusThatAreFreeOnPartlyUsedNodes() throws Exception {
    var trace =
        new LoggedTrace(1)
            .queue("a", 8, Queue.UNLIMITED)
            .job("a", 2, 0, 1800)
            .job("a", 8, 60, 600)
            .job("a", 1, 1700, 2000);
    var trial = sampled(trace, 10_000);
    assertThat(trial.observed().scattered()).isBetween(6.4, 6.8); // 5 to 7 GPUs, 3640 s
    assertThat(trial.byBerth().scattered())
        .isBetween(0.9 * trial.observed().scattered(), 1.1 * trial.observed().scattered());
  }

  @Test
  void queuesThatAreNowhereAreAssumed() throws Exception {
    var trace = new LoggedTrace(2).job("nowhere", 8, 0, 100).job("nowhere", 8, 50, 100);
    var trial = sampled(trace, 1_000);
    assertThat(trial.assumed()).containsExactly("nowhere");
    assertThat(trial.all().after().waiting()).isZero();
    assertThat(new ArrayList<>(trial.observed().belowQuota().keySet())).isEmpty();
  }
}
