package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.decisions.DecisionFolder;
import dev.berth.cli.decisions.DirectLog;
import dev.berth.cli.usage.UsageAmounts;
import dev.berth.cli.usage.UsageDimension;
import dev.berth.cli.usage.UsageReader;
import dev.berth.cli.usage.UsageReport;
import dev.berth.cli.usage.UsageRow;
import dev.berth.cli.usage.UsageWindow;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.chaos.ChaosRun;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.PodView;
import dev.berth.simulator.world.VirtualTime;
import dev.berth.simulator.world.World;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// GPU-hours of logs of simulations: the same sum, whatever they are grouped by, and the sum that
/// the simulated API server's own journal of pods gives.
class UsageCommandLawTest {
  private static final List<String> DIMENSIONS =
      List.of(
          "queue",
          "namespace",
          "workload",
          "pool",
          "model",
          "day",
          "hour",
          "label:berth.dev/queue",
          "queue,namespace,model,hour");

  /// A change is in the log by then: the pause of accounts, a heartbeat, a watch.
  private static final long LAG = 1_500;

  @TempDir private Path folder = Path.of("");

  private UsageReport usage(String by, UsageWindow window) throws Exception {
    return UsageReader.read(DecisionFolder.files(folder), window, UsageDimension.parse(by));
  }

  private static UsageAmounts sum(List<UsageRow> rows) {
    long[] sum = new long[6];
    for (UsageRow row : rows) {
      var each = row.amounts();
      sum[0] += each.allocated();
      sum[1] += each.overQuota();
      sum[2] += each.nonPreemptible();
      sum[3] += each.shared();
      sum[4] += each.evicted();
      sum[5] += each.waiting();
    }
    return new UsageAmounts(sum[0], sum[1], sum[2], sum[3], sum[4], sum[5]);
  }

  private void isTheSameHoweverGrouped() throws Exception {
    var all = usage("queue", UsageWindow.ALL);
    for (String by : DIMENSIONS) {
      var grouped = usage(by, UsageWindow.ALL);
      assertThat(sum(grouped.rows())).as("by %s", by).isEqualTo(all.all().amounts());
      for (UsageRow row : grouped.rows()) {
        var each = row.amounts();
        assertThat(List.of(each.overQuota(), each.evicted(), each.shared()))
            .as("%s", row)
            .allMatch(part -> part <= each.allocated());
      }
    }
    isTheSumOfItsParts(all);
  }

  /// Two halves of the time are the whole, but for what was evicted in the second half and ran in
  /// the first.
  private void isTheSumOfItsParts(UsageReport all) throws Exception {
    var middle = all.from().plus(Duration.between(all.from(), all.to()).dividedBy(3)).plusMillis(7);
    var before = usage("model", new UsageWindow(Instant.MIN, middle)).all().amounts();
    var after = usage("model", new UsageWindow(middle, Instant.MAX)).all().amounts();
    var whole = all.all().amounts();
    assertThat(before.allocated() + after.allocated()).isEqualTo(whole.allocated());
    assertThat(before.overQuota() + after.overQuota()).isEqualTo(whole.overQuota());
    assertThat(before.waiting() + after.waiting()).isEqualTo(whole.waiting());
    assertThat(before.evicted() + after.evicted()).isLessThanOrEqualTo(whole.evicted());
  }

  /// Several processes with faults, restarts and changes of the leader.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void sumsDoNotDependOnTheGroups(long seed) throws Exception {
    try (var log = new DirectLog(new DecisionFolder(folder, Long.MAX_VALUE))) {
      var factory =
          SimulatedReplica.replicaFactory(settings -> Wiring.policy(settings, log.ofPlanner()));
      var _ = ChaosRun.run(seed, factory, _ -> {});
    }
    isTheSameHoweverGrouped();
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 5);
  }

  /// Whole GPUs and shares, borrowed and reclaimed, in two pools; then Berth is down for ten
  /// minutes, in which pods end, and goes on.
  @ParameterizedTest
  @MethodSource("seeds")
  void theSumIsThatOfTheJournalOfPods(long seed) throws Exception {
    var cluster = new LoggedCluster();
    var journal = new PodJournal(cluster.time);
    cluster.world.audit(journal);
    try (var log = new DirectLog(new DecisionFolder(folder, Long.MAX_VALUE))) {
      run(cluster, log, new Random(seed));
    }
    assertThat(journal.since).as("all pods have ended").isEmpty();
    assertThat(DecisionFolder.files(folder)).as("one file for each process").hasSize(2);
    isTheSameHoweverGrouped();
    var byNode = usage("pool", UsageWindow.ALL);
    assertThat(byNode.gaps()).hasSize(1);
    assertThat(byNode.gaps().getFirst().length())
        .as("the log goes on with the next change, and ended with the last one")
        .isBetween(Duration.ofMinutes(10), Duration.ofMinutes(12));
    assertThat(byNode.unknown()).as("pods ended while Berth was down").isPositive();
    long tolerance = journal.changes * 4_000 * LAG;
    long truth = journal.total();
    assertThat(truth).isGreaterThan(20 * tolerance);
    long counted = byNode.all().amounts().allocated();
    assertThat(counted).isBetween(truth - tolerance - byNode.unknown(), truth + tolerance);
    assertThat(counted).as("not more than what is certain").isLessThan(truth);
    for (UsageRow row : byNode.rows()) {
      long ofPool = journal.held.getOrDefault(row.keys().getFirst(), 0L);
      assertThat(row.amounts().allocated())
          .as("pool %s", row.keys())
          .isBetween(ofPool - tolerance - byNode.unknown(), ofPool + tolerance);
    }
  }

  private static void run(LoggedCluster cluster, DirectLog log, Random random) throws Exception {
    for (String node : List.of("a1", "a2", "b1", "b2")) {
      cluster.node(node, node.substring(0, 1));
    }
    cluster.queue("q0", 4);
    cluster.queue("q1", 2);
    cluster.start();
    var first = cluster.begin(log);
    traffic(cluster, 60, 0, random);
    cluster.time.runFor(Duration.ofMinutes(5));
    first.end(cluster.world);
    cluster.time.runFor(Duration.ofMinutes(10));
    var _ = cluster.begin(log);
    traffic(cluster, 40, 100, random);
    cluster.time.runFor(Duration.ofHours(3));
  }

  private static void traffic(LoggedCluster cluster, int pods, int first, Random random) {
    for (int i = first; i < first + pods; i++) {
      boolean isShare = random.nextInt(4) == 0;
      cluster.pod(
          "p" + i,
          "q" + random.nextInt(2),
          isShare
              ? "gpu-fraction: '0.%s'".formatted(1 + random.nextInt(8))
              : LoggedCluster.WHOLE + (1 + random.nextInt(4)),
          Duration.ofSeconds(120 + random.nextInt(900)),
          random.nextInt(4) == 0 ? 120 : 50,
          random.nextBoolean() ? "a" : "b");
      cluster.time.runFor(Duration.ofSeconds(random.nextInt(20)));
    }
  }

  /// What the API server shows, read as a check reads it: GPU-time by the pool of the node.
  private static final class PodJournal implements World.Audit {
    private final VirtualTime time;
    private final HashMap<String, Instant> since = new HashMap<>();
    private final TreeMap<String, Long> held = new TreeMap<>();
    private long changes;

    PodJournal(VirtualTime time) {
      this.time = time;
    }

    @Override
    public void changed(
        ObjectRef ref, Optional<Map<String, Object>> before, Optional<Map<String, Object>> after) {
      if (ref.kind() != Kind.POD) {
        return;
      }
      boolean held = before.map(PodView::of).filter(PodView::takesRoom).isPresent();
      boolean holds = after.map(PodView::of).filter(PodView::takesRoom).isPresent();
      var pod = PodView.of(after.or(() -> before).orElseThrow());
      if (held == holds || pod.isHolder()) {
        return;
      }
      changes++;
      if (holds) {
        since.put(pod.uid(), time.instant());
      } else {
        ends(PodView.of(before.orElseThrow()));
      }
    }

    private void ends(PodView pod) {
      var begun = Optional.ofNullable(since.remove(pod.uid())).orElseThrow();
      long millis =
          pod.isShare()
              ? (long) pod.shareMillis(80_000) * pod.deviceCount()
              : 1000 * pod.amounts().getOrDefault("nvidia.com/gpu", 0L);
      held.merge(
          pod.node().substring(0, 1),
          millis * Duration.between(begun, time.instant()).toMillis(),
          Long::sum);
    }

    long total() {
      return held.values().stream().mapToLong(Long::longValue).sum();
    }
  }
}
