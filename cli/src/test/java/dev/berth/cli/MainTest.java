package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MainTest {
  @Test
  void anOptionWithAMalformedValueIsNamedOnce() {
    var told = new StringWriter();
    var berth = Main.commandLine().setErr(new PrintWriter(told, true));
    assertThat(berth.execute("what-if", "-f", "any.yaml", "--add-nodes", "n1")).isEqualTo(2);
    assertThat(told.toString())
        .startsWith("Value for option '--add-nodes' (NODE=COUNT) should be in");
  }

  /// Of all commands: an option with few values has no other way out.
  @Test
  void noWrongValuePrintsAUsage() {
    var options = new TreeSet<String>();
    Main.commandLine()
        .getSubcommands()
        .forEach((name, command) ->
            command.getCommandSpec().options().stream()
                .filter(option -> isWord(option.auxiliaryTypes()))
                .forEach(option -> {
                  options.add(name + " " + option.longestName());
                  assertThat(wrong(name, option.longestName() + "=no-such-value").lines())
                      .as(name + " " + option.longestName())
                      .hasSize(1);
                }));
    assertThat(options).hasSizeGreaterThan(5);
  }

  private static boolean isWord(Class<?>... types) {
    return types[types.length - 1].isEnum();
  }

  @Test
  void ofCommandsOnlyANearOneIsNamed() {
    assertThat(wrong("explian"))
        .isEqualTo(
            "berth: there is no command explian (did you mean explain?); berth --help lists them"
                + System.lineSeparator());
    assertThat(wrong("frobnicate"))
        .isEqualTo(
            "berth: there is no command frobnicate; berth --help lists them"
                + System.lineSeparator());
    assertThat(wrong("what-if", "--ad-nodes")).contains("--add-nodes");
  }

  @Test
  void aPortThatIsNoneIsToldInOneLine() {
    assertThat(wrong("demo", "--headless", "--for", "1s", "--port", "99999")).isEmpty();
    assertThat(wrong("demo", "--headless", "--for", "1s", "--port", "-1")).isEmpty();
  }

  /// What goes wrong with exit status 2, as the library tells it.
  private static String wrong(String... arguments) {
    var told = new StringWriter();
    var berth = Main.commandLine().setErr(new PrintWriter(told, true));
    assertThat(berth.execute(arguments)).isEqualTo(2);
    return told.toString();
  }
}
