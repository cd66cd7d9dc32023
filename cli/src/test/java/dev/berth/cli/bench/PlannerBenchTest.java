package dev.berth.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.bench.Stopwatch.Goal;
import dev.berth.cli.bench.Stopwatch.Row;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PlannerBenchTest {
  private static final long MILLI = 1_000_000;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Stopwatch watch =
      new Stopwatch(new PrintStream(out, true, StandardCharsets.UTF_8), 5);

  private String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void withoutTracesRowsSayThatTheyAreSkipped(@TempDir Path empty) {
    for (String only : new String[] {"Philly", "ElasticFlow", "openb"}) {
      new PlannerBench(watch, Optional.of(only), empty).run();
    }
    assertThat(printed().lines().filter(line -> line.contains("skipped: no trace of")))
        .anyMatch(line -> line.startsWith("Philly, full, 2000 wait, come and go"))
        .anyMatch(line -> line.startsWith("Philly, full, 100 wait: one that fits"))
        .anyMatch(line -> line.startsWith("ElasticFlow, full, 2000 wait, come and go"))
        .anyMatch(line -> line.startsWith("ElasticFlow, a week of churn"))
        .anyMatch(line -> line.startsWith("openb, full, 10 wait, come and go"))
        .allMatch(line -> line.contains(empty + " (--traces"));
  }

  @Test
  void goalsAndTheLoadOfTheMachineArePrinted() {
    watch.head();
    watch.row(
        new Row("quick", new Goal(20, 100, 250)), new long[] {3 * MILLI, 1 * MILLI, 2 * MILLI}, "");
    watch.row(new Row("slow", Goal.p99(20)), new long[] {1 * MILLI, 21 * MILLI}, "");
    watch.row(new Row("free", Goal.NONE), new long[] {1 * MILLI}, "");
    watch.foot();
    assertThat(printed().lines())
        .anyMatch(line -> line.contains("load average"))
        .anyMatch(line ->
            line.matches(
                "quick +2\\.00 +3\\.00 +3\\.00 .*" + "median ≤ 20, p99 ≤ 100, worst ≤ 250: met *"))
        .anyMatch(line -> line.matches("slow .*p99 ≤ 20: MISSED *"))
        .anyMatch(line -> line.matches("free [ .0-9-]*"))
        .anyMatch(line -> line.startsWith("planner: goals 1/2, load average"));
  }
}
