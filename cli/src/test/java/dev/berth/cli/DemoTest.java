package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/// `berth demo` in real time, for some seconds.
final class DemoTest {
  private int status;

  /// Some seconds are enough; a busy machine gets more of them.
  @Test
  void headlessItEndsByItselfAndAllHolds() {
    String told = "";
    for (String span : List.of("10s", "90s")) {
      told = run("--headless", "--for", span, "--port", "0");
      assertThat(told)
          .matches("(?s)Pages: http://localhost:\\d+/\n.*")
          .contains("\ninvariants broken                           0\n");
      if (status == 0) {
        break;
      }
    }
    assertThat(status).as(told).isZero();
    assertThat(told)
        .endsWith("All well: gangs and shares were placed, no device was given out twice.\n");
  }

  @Test
  void aPortThatIsNoneIsToldAtOnce() {
    assertThat(run("--headless", "--port", "65536")).isEmpty();
    assertThat(status).isEqualTo(2);
  }

  private String run(String... arguments) {
    var printed = new ByteArrayOutputStream();
    var before = System.out;
    var root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    Level level = root.getLevel();
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      status = new CommandLine(new Demo()).execute(arguments);
    } finally {
      System.setOut(before);
      root.setLevel(level);
    }
    return printed.toString(UTF_8);
  }
}
