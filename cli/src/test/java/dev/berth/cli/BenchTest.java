package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class BenchTest {
  private static final Pattern ELSEWHERE =
      Pattern.compile("(?m)^ +([a-z |]+)\\)\n +modules\\+=\\(bench\\)");

  /// The launcher says which benchmarks another module has.
  @Test
  void theHelpListsEachBenchmarkOnOneLine() throws IOException {
    var launcher = ELSEWHERE.matcher(Files.readString(Path.of("..", "berth")));
    assertThat(launcher.find()).as("benchmarks of the module bench, in ./berth").isTrue();
    var names = new TreeSet<String>();
    for (String name : launcher.group(1).split("\\|")) {
      names.add(name.strip());
    }
    names.add("planner");
    var bench = new CommandLine(new Main()).getSubcommands().get("bench");
    assertThat(new TreeSet<>(bench.getSubcommands().keySet())).isEqualTo(names);
    var help = bench.getUsageMessage();
    assertThat(names)
        .allSatisfy(name ->
            assertThat(help.lines().filter(line -> line.startsWith("  " + name + " "))).hasSize(1));
    assertThat(help.substring(help.indexOf("Commands:")).lines()).hasSize(1 + names.size());
  }
}
