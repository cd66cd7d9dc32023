package dev.berth.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import dev.berth.cli.lists.Listed;
import dev.berth.cli.lists.TreeText;
import dev.berth.simulator.scenario.ScenarioException;
import java.util.Map;
import picocli.CommandLine.Option;

/// How a list is printed: `-o`, as kubectl has it.
final class ListOutput {
  enum Format {
    table,
    wide,
    json,
    yaml,
    name
  }

  /// What a command lists of a cluster.
  interface Question {
    Listed ask() throws ScenarioException;
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "Format: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  private Format format = Format.table;

  /// @return the exit status: 0 = it was listed, 2 = not, and the errors say why
  int print(Question question, SingleLineOutput out, SingleLineOutput errors) {
    return print(question, "", out, errors);
  }

  /// @param which of the kind were asked for: ` in namespace team`; empty = all
  int print(Question question, String which, SingleLineOutput out, SingleLineOutput errors) {
    try {
      print(question.ask(), which, out, errors);
      return 0;
    } catch (ScenarioException wrong) {
      errors.tell(wrong);
      return 2;
    }
  }

  private void print(Listed listed, String which, SingleLineOutput out, SingleLineOutput errors) {
    switch (format) {
      case table, wide -> {
        if (listed.table().isEmpty()) {
          errors.println("No " + listed.kind() + " found" + which + ".");
        } else {
          listed.table().lines(format == Format.wide).forEach(out::println);
        }
      }
      case json -> TreeText.json(tree(listed)).forEach(out::println);
      case yaml -> TreeText.lines(yaml(), tree(listed)).forEach(out::println);
      case name -> listed.names().forEach(out::println);
    }
  }

  private static ObjectMapper yaml() {
    return new ObjectMapper(
            YAMLFactory.builder().disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER).build())
        .enable(SerializationFeature.INDENT_OUTPUT);
  }

  private static Map<String, ?> tree(Listed listed) {
    return Map.of(listed.kind(), listed.items());
  }
}
