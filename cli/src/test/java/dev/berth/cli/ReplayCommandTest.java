package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.decisions.DecisionFolder;
import dev.berth.cli.decisions.DirectLog;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.replay.LogEntry;
import dev.berth.engine.replay.PlannerLog;
import dev.berth.simulator.chaos.ChaosRun;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// Logs of simulations, planned again by the command.
class ReplayCommandTest {
  private static final Pattern TOTAL =
      Pattern.compile(
          "([\\d,]+) plans with ([\\d,]+) decisions were made again: ([\\d,]+) are the same, byte"
              + " for byte\\.");

  @TempDir private Path folder = Path.of("");

  private final CommandOutput output = new CommandOutput();

  private int replay(String... arguments) {
    output.reset();
    return output.run(ReplayCommand::new, arguments);
  }

  private String said() {
    return output.told();
  }

  private static long number(Matcher found, int group) {
    return Long.parseLong(found.group(group).replace(",", ""));
  }

  /// Runs of a few processes each, with faults, restarts and changes of the leader.
  private void chaos(long seeds, Function<PlannerLog, PlannerLog> decorated) throws IOException {
    try (var log = new DirectLog(new DecisionFolder(folder, Long.MAX_VALUE))) {
      var factory =
          SimulatedReplica.replicaFactory(
              settings -> Wiring.policy(settings, decorated.apply(log.ofPlanner())));
      for (long seed = 1; seed <= seeds; seed++) {
        var _ = ChaosRun.run(seed, factory, _ -> {});
      }
    }
  }

  @Test
  void aThousandDecisionsAreMadeAgainByteForByte() throws IOException {
    chaos(8, log -> log);
    assertThat(replay(folder.toString())).as(this::said).isZero();
    var total = found();
    assertThat(number(total, 1)).isEqualTo(number(total, 3)).isGreaterThan(1_000);
    assertThat(number(total, 2)).isGreaterThan(1_000);
    assertThat(said()).doesNotContain("The first that is not");
  }

  /// As if the log were of a planner with other settings.
  @Test
  void thePlanThatIsNotTheSameIsTold() throws IOException {
    chaos(
        2,
        log ->
            new PlannerLog() {
              @Override
              public boolean mustBegin() {
                return log.mustBegin();
              }

              @Override
              public void add(LogEntry entry) {
                log.add(
                    entry instanceof LogEntry.Begin(String build, PlannerSettings settings)
                        ? new LogEntry.Begin(
                            build,
                            settings.with(settings.actions().withoutPreempt()).withPools("x"))
                        : entry);
              }
            });
    assertThat(replay(folder.toString())).as(this::said).isEqualTo(1);
    assertThat(said()).containsPattern("The first that is not: plan \\d+ at \\S+: decision \\d+ ");
  }

  /// The masked log decides the same, can be made again, and has no name of before in it.
  @Test
  void namesAreMasked() throws IOException {
    chaos(3, log -> log);
    var masked = folder.resolve("masked");
    assertThat(replay(folder.toString(), "--mask", masked.toString())).as(this::said).isZero();
    assertThat(said()).contains("with masked names; 0 decide otherwise than before.");
    assertThat(replay(masked.toString())).as(this::said).isZero();
    assertThat(number(found(), 1)).isEqualTo(number(found(), 3)).isGreaterThan(100);
    assertThat(replay(folder.toString(), "--at", "60")).isZero();
    var before = said();
    assertThat(replay(masked.toString(), "--at", "60")).isZero();
    assertThat(said().lines()).hasSameSizeAs(before.lines().toList());
    assertThat(before).contains("team/");
    assertThat(said()).doesNotContain("team/").containsPattern("x\\d+/x\\d+: ");
    assertThat(replay(folder.toString(), "--mask", masked.toString())).isEqualTo(2);
    assertThat(output.wrong()).contains(": name a folder without a log");
  }

  private Matcher found() {
    var total = TOTAL.matcher(said());
    assertThat(total.find()).as(this::said).isTrue();
    return total;
  }

  @Test
  void onePlanIsTold() {
    assertThat(
            new CommandLine(new Simulate(new PrintStream(OutputStream.nullOutputStream())))
                .execute(
                    "../examples/scenarios/queue-limit.yaml", "--decision-log", folder.toString()))
        .isZero();
    assertThat(replay(folder.toString(), "--at", "1")).as(this::said).isZero();
    assertThat(said())
        .startsWith("plan 1 at ")
        .contains(" nodes, ")
        .contains("  default/vision-0: starts vision-0 on ");
    assertThat(replay(folder.toString(), "--at", "2100-01-01T00:00:00Z")).isZero();
    assertThat(said())
        .contains("default/vision-2: ", "queue research has 4 of its limit of 4 GPUs in use");
    assertThat(replay(folder.toString())).as(this::said).isZero();
  }

  @Test
  void whatCannotBeToldIsAnError() throws IOException {
    var file = folder.resolve("no.log");
    Files.writeString(file, "no log");
    assertThat(replay(file.toString())).isEqualTo(2);
    assertThat(output.wrong())
        .isEqualTo(
            "berth: "
                + file
                + " is no decision log: it is not compressed as one"
                + System.lineSeparator());
    chaos(1, log -> log);
    assertThat(replay(folder.toString(), "--at", "0")).isEqualTo(2);
    assertThat(output.wrong()).contains("there is no plan --at 0");
    assertThat(replay(folder.toString(), "--at", "yesterday")).isEqualTo(2);
    assertThat(output.wrong()).contains("must be a number or a time");
  }
}
