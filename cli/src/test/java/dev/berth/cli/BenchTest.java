package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.bench.PlannerBench;
import dev.berth.cli.bench.Stopwatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class BenchTest {
  private static final Pattern ELSEWHERE =
      Pattern.compile("(?m)^ +([a-z |]+)\\)\n +modules\\+=\\(bench\\)");

  @Test
  void aCaseThatThereIsNotIsAnErrorThatNamesThoseThatThereAre() {
    var bench = new PlannerBench(new Stopwatch(System.out, 1), Optional.of("XYZ"), Path.of("none"));
    assertThat(bench.chosen()).isEmpty();
    assertThat(bench.names()).contains("a slice of it");
    assertThat(new CommandLine(new Main()).execute("bench", "planner", "--only", "XYZ"))
        .isEqualTo(2);
  }

  /// The launcher says which benchmarks another module has.
  @Test
  void theHelpListsEachBenchmarkOnOneLine() throws IOException {
    var launcher = ELSEWHERE.matcher(Files.readString(Path.of("..", "berth")));
    assertThat(launcher.find()).as("benchmarks of the module bench, in ./berth").isTrue();
    var names = new TreeSet<String>();
    for (String name : launcher.group(1).split("\\|")) {
      names.add(name.strip());
    }
    names.addAll(List.of("eta", "planner"));
    var bench = new CommandLine(new Main()).getSubcommands().get("bench");
    assertThat(new TreeSet<>(bench.getSubcommands().keySet())).isEqualTo(names);
    var help = bench.getUsageMessage();
    assertThat(names)
        .allSatisfy(name ->
            assertThat(help.lines().filter(line -> line.startsWith("  " + name + " "))).hasSize(1));
    String commands = help.substring(help.indexOf("Commands:"), help.indexOf("Exit status:"));
    assertThat(commands.strip().lines()).hasSize(1 + names.size());
  }
}
