package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.cli.decisions.DecisionFolder;
import dev.berth.cli.decisions.DirectLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Logs of a few pods whose GPU-hours are known.
class UsageCommandTest {
  private static final String HEADER =
      "gpu_hours,within_quota_gpu_hours,over_quota_gpu_hours,preemptible_gpu_hours,"
          + "non_preemptible_gpu_hours,whole_gpu_hours,shared_gpu_hours,evicted_gpu_hours,"
          + "waiting_gpu_hours,workloads,pods";

  @TempDir private Path folder = Path.of("");

  private final CommandOutput output = new CommandOutput();

  private int usage(String... arguments) {
    output.reset();
    var all = new String[arguments.length + 1];
    all[0] = folder.toString();
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return output.run(UsageCommand::new, all);
  }

  private String told(String... arguments) {
    assertThat(usage(arguments)).as(output::wrong).isZero();
    return output.told();
  }

  /// One node of 4 GPUs. From 22:30 on q0 has an hour of 2 GPUs within its quota and borrows 2;
  /// from 23:00 on q1 takes these back.
  private void borrowedAndTakenBack() throws Exception {
    var cluster = new LoggedCluster();
    try (var log = new DirectLog(new DecisionFolder(folder, Long.MAX_VALUE))) {
      cluster.node("a1", "a");
      cluster.queue("q0", 2);
      cluster.queue("q1", 2);
      cluster.start();
      var _ = cluster.begin(log);
      cluster.pod("kept", "q0", LoggedCluster.WHOLE + 2, Duration.ofHours(1), 60, "a");
      cluster.pod("lent", "q0", LoggedCluster.WHOLE + 2, Duration.ofHours(3), 50, "a");
      cluster.time.runFor(Duration.ofMinutes(30));
      cluster.pod("owner", "q1", "gpu-fraction: '0.5'", Duration.ofHours(2), 120, "a");
      cluster.time.runFor(Duration.ofMinutes(10));
      cluster.pod("next", "q1", LoggedCluster.WHOLE + 3, Duration.ofMinutes(30), 50, "a");
      cluster.time.runFor(Duration.ofHours(3));
    }
  }

  private JsonNode tree(String... arguments) throws Exception {
    var all = new String[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "-o";
    all[arguments.length + 1] = "json";
    return new ObjectMapper().readTree(told(all));
  }

  private static JsonNode of(JsonNode tree, String by, String value) {
    for (JsonNode row : tree.path("usage")) {
      if (row.path(by).asText().equals(value)) {
        return row;
      }
    }
    throw new AssertionError("no row of " + value + " in " + tree);
  }

  private static void holds(JsonNode row, String name, double hours) {
    assertThat(row.path(name).asDouble()).as("%s of %s", name, row).isCloseTo(hours, within(0.02));
  }

  @Test
  void whatAQueueBorrowsIsOverItsQuotaAndWhatIsTakenBackEvicted() throws Exception {
    borrowedAndTakenBack();
    var q0 = of(tree(), "queue", "q0");
    holds(q0, "gpuHours", 3); // 2 × 1 h and 2 × 0.5 h
    holds(q0, "withinQuotaGpuHours", 2);
    holds(q0, "overQuotaGpuHours", 1);
    holds(q0, "evictedGpuHours", 1);
    holds(q0, "preemptibleGpuHours", 3);
    holds(q0, "sharedGpuHours", 0);
    assertThat(q0.path("pods").asInt()).isEqualTo(2);
    var q1 = of(tree(), "queue", "q1");
    holds(q1, "sharedGpuHours", 1);
    holds(q1, "nonPreemptibleGpuHours", 1);
    holds(q1, "wholeGpuHours", 1.5);
    holds(q1, "waitingGpuHours", 1); // 3 GPUs for 20 minutes
    holds(q1, "evictedGpuHours", 0);
    assertThat(tree().path("gaps")).isEmpty();
  }

  /// Of 2 GPUs that it has in each pool for an hour, one is within the quota that it has in a.
  @Test
  void theQuotaOfAPoolCountsThere() throws Exception {
    var cluster = new LoggedCluster();
    try (var log = new DirectLog(new DecisionFolder(folder, Long.MAX_VALUE))) {
      cluster.node("a1", "a");
      cluster.node("b1", "b");
      cluster.queue("q0", 2, "a", 1);
      cluster.start();
      var _ = cluster.begin(log);
      cluster.pod("here", "q0", LoggedCluster.WHOLE + 2, Duration.ofHours(1), 50, "a");
      cluster.pod("there", "q0", LoggedCluster.WHOLE + 2, Duration.ofHours(1), 50, "b");
      cluster.time.runFor(Duration.ofHours(2));
    }
    var pools = tree("--by", "pool");
    holds(of(pools, "pool", "a"), "withinQuotaGpuHours", 1);
    holds(of(pools, "pool", "a"), "overQuotaGpuHours", 1);
    holds(of(pools, "pool", "b"), "withinQuotaGpuHours", 2);
    holds(of(pools, "pool", "b"), "overQuotaGpuHours", 0);
  }

  /// owner is not preemptible and has a half of the quota of 2, next 1.5 of its 3 for half an hour.
  @Test
  void whatIsNotPreemptibleIsWithinTheQuotaFirst() throws Exception {
    borrowedAndTakenBack();
    var workloads = tree("--by", "workload");
    holds(of(workloads, "workload", "team/owner"), "overQuotaGpuHours", 0);
    holds(of(workloads, "workload", "team/next"), "overQuotaGpuHours", 0.75);
    holds(of(workloads, "workload", "team/next"), "withinQuotaGpuHours", 0.75);
  }

  @Test
  void timeIsDividedByDaysAndHours() throws Exception {
    borrowedAndTakenBack();
    var hours = tree("--by", "queue,hour", "--to", "2026-01-01T23:00:00Z").path("usage");
    assertThat(hours).hasSize(1);
    holds(hours.path(0), "gpuHours", 2);
    assertThat(hours.path(0).path("hour").asText()).isEqualTo("2026-01-01T22:00:00Z");
    var days = tree("--by", "day");
    holds(of(days, "day", "2026-01-01"), "gpuHours", 3 + 0.5 + 1.5);
    holds(of(days, "day", "2026-01-02"), "gpuHours", 0.5);
    var second = tree("--by", "day", "--from", "2026-01-02");
    assertThat(second.path("usage")).hasSize(1);
    holds(second.path("all"), "gpuHours", 0.5);
    assertThat(second.path("from").asText()).isEqualTo("2026-01-02T00:00:00Z");
  }

  @Test
  void csvHasAStableHeaderAndNoSum() throws Exception {
    borrowedAndTakenBack();
    var lines = told("-o", "csv", "--by", "queue,label:berth.dev/queue,pool").split("\r\n", -1);
    assertThat(lines[0]).isEqualTo("queue,label:berth.dev/queue,pool," + HEADER);
    assertThat(List.of(lines).subList(1, lines.length - 1))
        .allMatch(line -> line.matches("(q\\d),\\1,(a|\\(waiting\\)),(\\d+\\.\\d{6},){9}\\d,\\d"))
        .hasSizeBetween(3, 4);
    assertThat(lines[lines.length - 1]).isEmpty();
    var table = told().lines().toList();
    assertThat(table.getFirst()).startsWith("GPU-hours from 2026-01-01T22:30:00Z up to ");
    assertThat(table.getLast()).startsWith("all ");
  }

  @Test
  void whatCannotBeToldIsAnErrorOrANote() throws Exception {
    assertThat(usage()).isEqualTo(2);
    assertThat(output.wrong()).contains("there is no file decisions-*.log.gz in ");
    borrowedAndTakenBack();
    assertThat(usage("--by", "queu")).isEqualTo(2);
    assertThat(output.wrong()).contains("--by is \"queu\" (did you mean queue?)");
    assertThat(usage("--by", "queue,queue")).isEqualTo(2);
    assertThat(output.wrong()).contains("--by names queue twice");
    assertThat(usage("--from", "yesterday")).isEqualTo(2);
    assertThat(output.wrong()).contains("--from is \"yesterday\", but must be a day like");
    assertThat(usage("--from", "2026-01-02", "--to", "2026-01-02")).isEqualTo(2);
    assertThat(output.wrong()).contains("but must be later");
    assertThat(usage("--from", "2027-01-02")).isEqualTo(2);
    assertThat(output.wrong()).contains("nothing of that is in the time");
    var _ = told("--from", "2026-01-01", "--to", "2026-02-01", "--by", "label:team");
    assertThat(output.wrong())
        .contains(
            "the log begins at 2026-01-01T22:30:00Z",
            "the log ends at ",
            "no pod of the log has the label team");
  }
}
