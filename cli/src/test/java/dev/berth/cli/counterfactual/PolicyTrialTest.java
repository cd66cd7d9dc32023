package dev.berth.cli.counterfactual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cli.bench.LoggedTrace;
import dev.berth.cli.decisions.DecisionFolder;
import dev.berth.cli.decisions.DecisionLogException;
import dev.berth.engine.model.Queue;
import dev.berth.simulator.scenario.ScenarioException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Logs of small simulations, in which another quota or limit has a known effect.
class PolicyTrialTest {
  private static final long NONE = Queue.UNLIMITED;

  @TempDir private Path folder = Path.of("");

  private Path manifests(String text) throws IOException {
    return Files.writeString(folder.resolve("queues.yaml"), text);
  }

  private static String queue(String name, String spec) {
    return "---\napiVersion: berth.dev/v1alpha1\nkind: Queue\nmetadata: {name: "
        + name
        + "}\nspec: {"
        + spec
        + "}\n";
  }

  private PolicyTrial trial(String manifests)
      throws IOException, DecisionLogException, ScenarioException {
    return PolicyTrial.of(DecisionFolder.files(folder), manifests(manifests));
  }

  private static QueueEffect of(PolicyTrial trial, String queue) {
    return trial.queues().stream()
        .filter(each -> each.queue().equals(queue))
        .findFirst()
        .orElseThrow();
  }

  /// Two jobs of 8 GPUs and a limit of 8 on 16: one after the other. Another queue has its own
  /// node.
  private void oneAfterTheOther(long limit) throws IOException {
    new LoggedTrace(3)
        .queue("a", 16, limit)
        .queue("b", 8, NONE)
        .job("a", 8, 0, 1000)
        .job("b", 8, 5, 3000)
        .job("a", 8, 10, 1000)
        .log(folder, 10_000);
  }

  @Test
  void aHigherLimitStartsAWorkloadSooner() throws Exception {
    oneAfterTheOther(8);
    var trial = trial(queue("a", "quota: {gpu: 16}, limit: {gpu: 16}"));
    assertThat(trial.changed()).containsExactly("a");
    var a = of(trial, "a");
    assertThat(List.of(a.workloads(), a.sooner(), a.later(), a.begins(), a.fails()))
        .containsExactly(2, 1, 0, 0, 0);
    assertThat(a.before().waits().p90())
        .isBetween(Duration.ofSeconds(980), Duration.ofSeconds(1000));
    assertThat(a.after().waits().p90()).isLessThan(Duration.ofSeconds(2));
    assertThat(a.before().gpuHours()).isEqualTo(a.after().gpuHours());
    assertThat(a.after().gpuHours()).isBetween(4.3, 4.5);
    var b = of(trial, "b");
    assertThat(b.before()).isEqualTo(b.after());
    assertThat(b.sooner() + b.later()).isZero();
    assertThat(trial.others()).hasSize(1);
  }

  @Test
  void aLowerLimitStartsAWorkloadLater() throws Exception {
    oneAfterTheOther(16);
    var a = of(trial(queue("a", "quota: {gpu: 16}, limit: {gpu: 8}")), "a");
    assertThat(List.of(a.sooner(), a.later(), a.begins(), a.fails())).containsExactly(0, 1, 0, 0);
    assertThat(a.before().waits().p90()).isLessThan(Duration.ofSeconds(2));
    assertThat(a.after().waits().p90())
        .isBetween(Duration.ofSeconds(980), Duration.ofSeconds(1000));
  }

  @Test
  void aLimitBelowAWorkloadKeepsItFromStarting() throws Exception {
    oneAfterTheOther(16);
    var trial = trial(queue("a", "quota: {gpu: 16}, limit: {gpu: 4}"));
    var a = of(trial, "a");
    assertThat(List.of(a.sooner(), a.later(), a.begins(), a.fails())).containsExactly(0, 0, 0, 2);
    assertThat(a.after().waits().median()).isEqualTo(WaitTimes.NOT_YET);
    assertThat(a.after().gpuHours()).isZero();
    assertThat(trial.all().after().waiting()).isEqualTo(2);
  }

  /// a borrows what b is owed, and gives it back to b's job.
  @Test
  void quotasDecideWhichPodsAreEvicted() throws Exception {
    new LoggedTrace(2)
        .queue("a", 8, NONE)
        .queue("b", 8, NONE)
        .job("a", 8, 0, 2000)
        .job("a", 8, 1, 2000)
        .job("b", 8, 100, 500)
        .log(folder, 10_000);
    var trial = trial(queue("a", "quota: {gpu: 16}") + queue("b", "quota: {gpu: 0}"));
    assertThat(of(trial, "a").before().evictions()).isEqualTo(1);
    assertThat(of(trial, "a").after().evictions()).isZero();
    assertThat(of(trial, "b").later()).isEqualTo(1);
    assertThat(of(trial, "b").before().waits().median()).isLessThan(Duration.ofSeconds(2));
    assertThat(of(trial, "b").after().waits().median())
        .isBetween(Duration.ofSeconds(1895), Duration.ofSeconds(1905));
    assertThat(trial.limits().cut()).isZero();
  }

  /// Gangs, shares of the cluster that are borrowed and reclaimed, and a queue that is full: the
  /// queues of the log as manifests are no change, and the play is near what the log says.
  @Test
  void theSameQueuesDifferInNothing() throws Exception {
    var random = new Random(7);
    var log = new LoggedTrace(6).queue("a", 24, NONE).queue("b", 16, NONE).queue("c", 8, 16);
    var sizes = List.of(1, 2, 4, 8, 16, 24);
    for (int i = 0; i < 150; i++) {
      log.job(
          List.of("a", "b", "c").get(random.nextInt(3)),
          sizes.get(random.nextInt(sizes.size())),
          random.nextInt(20_000),
          200 + random.nextInt(3_000));
    }
    log.log(folder, 100_000);
    var trial =
        trial(
            queue("a", "quota: {gpu: 24}")
                + queue("b", "quota: {gpu: \"16\"}, priority: 100")
                + queue("c", "limit: {gpu: 16}, quota: {gpu: 8}"));
    assertThat(trial.changed()).isEmpty();
    assertThat(trial.others()).isEmpty();
    assertThat(trial.all().before()).isEqualTo(trial.all().after());
    assertThat(trial.all().before().evictions()).isPositive();
    assertThat(trial.all().workloads()).isGreaterThan(140);
    assertThat(TrialText.markdown(trial).getFirst()).contains("no queue would be other");
  }

  /// Without borrowing there are no evictions: what comes and ends in the log says all, and the
  /// play is what happened, but for what comes and ends within the second that lies between two
  /// plans of the log.
  @Test
  void thePlayOfTheLogsQueuesIsNearWhatHappened() throws Exception {
    var random = new Random(3);
    var log = new LoggedTrace(6).queue("a", 24, 24).queue("b", 24, 24);
    for (int i = 0; i < 150; i++) {
      log.job(
          random.nextBoolean() ? "a" : "b",
          List.of(1, 2, 8, 16).get(random.nextInt(4)),
          random.nextInt(20_000),
          200 + random.nextInt(3_000));
    }
    log.log(folder, 100_000);
    var trial = trial(queue("a", "quota: {gpu: 24}, limit: {gpu: 32}"));
    assertThat(trial.nearness().started()).isEqualTo(150);
    assertThat(trial.nearness().near()).isGreaterThanOrEqualTo(145);
    assertThat(of(trial, "a").before().waits().median()).isGreaterThan(Duration.ofMinutes(5));
    assertThat(of(trial, "a").after().waits().median())
        .isLessThan(of(trial, "a").before().waits().median());
  }

  @Test
  void whatStillRunsAtTheEndIsTold() throws Exception {
    new LoggedTrace(1)
        .queue("a", 8, NONE)
        .job("a", 8, 0, 5_000)
        .job("a", 1, 10, 100)
        .job("a", 1, 900, 100)
        .log(folder, 1_000);
    var trial = trial(queue("a", "quota: {gpu: 4}"));
    assertThat(trial.limits().cut()).isEqualTo(1);
    assertThat(trial.all().before().waiting()).isEqualTo(2);
    assertThat(TrialText.lines(trial))
        .anyMatch(line -> line.startsWith("Cut: 1 workload still ran at the end"));
  }

  @Test
  void manifestsThatAreWrongAreAnError() throws Exception {
    oneAfterTheOther(8);
    isWrong(queue("a", "limits: {gpu: 4}"), "Queue a", "limits", "limit");
    isWrong(queue("a", "limit: {gpus: 4}"), "spec.limit.gpus", "Queue a", "did you mean gpu?");
    isWrong(queue("a", "limit: {gpu: many}"), "Queue a", "gpu", "\"many\"", "\"unlimited\"");
    isWrong(queue("a", "parent: c"), "spec.parent on Queue a is \"c\"", "Name one of a, b");
    isWrong(queue("a", "parent: b") + queue("b", "parent: a"), "is \"b\", but that is below a");
    isWrong(queue("a", "") + queue("a", ""), "Queue a is there already");
    isWrong("apiVersion: v1\nkind: Namespace\nmetadata: {name: x}\n", "Namespace", "must be Queue");
    isWrong("", "there is no object");
    isWrong("a: [", "line");
  }

  private void isWrong(String manifests, String... words) {
    assertThatThrownBy(() -> trial(manifests))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("queues.yaml: ")
        .hasMessageContainingAll(words);
  }

  @Test
  void aListOfQueuesIsTakenApart() throws Exception {
    oneAfterTheOther(8);
    var trial =
        trial(
            """
            apiVersion: v1
            kind: List
            items:
              - apiVersion: berth.dev/v1alpha1
                kind: Queue
                metadata: {name: a, creationTimestamp: "2026-01-01T00:00:00Z", resourceVersion: "7"}
                spec: {quota: {gpu: 16}, limit: {gpu: 16}}
                status: {workloads: {pending: 1}}
              - {apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: new}, spec: {parent: b}}
            """);
    assertThat(trial.changed()).containsExactly("a", "new");
    assertThat(of(trial, "a").sooner()).isEqualTo(1);
  }
}
