package dev.berth.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ScreenTest {
  private static final String LEAVE = "\u001b[0m\u001b[?25h\u001b[?1049l";

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(printed, false, UTF_8);

  /// Ctrl-C runs the hook while the view may be closing.
  @Test
  void isLeftOnceThoughClosedAndInterrupted() throws InterruptedException {
    var screen = new Screen(out, () -> out.print("told"));
    screen.draw("one\ntwo");
    var closers = new ArrayList<Thread>(List.of(new Thread(screen::close), screen.atExit()));
    closers.forEach(Thread::start);
    for (Thread closer : closers) {
      closer.join();
    }
    screen.close();
    screen.draw("late");
    out.flush();
    String all = printed.toString(UTF_8);
    assertThat(all).contains("one\u001b[K\ntwo\u001b[K").doesNotContain("late");
    assertThat(all.substring(all.indexOf(LEAVE))).as("the rest").isEqualTo(LEAVE + "told");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'24 80\n'   | 200 | 60 | 80  | 24",
        "''          | 200 | 60 | 200 | 60",
        "''          | ''  | '' | 100 | 30",
        "''          | -1  | x  | 100 | 30",
        "'0 0'       | 200 | 60 | 100 | 30",
        "'24'        | 200 | 60 | 200 | 60",
        "'24 999999' | ''  | '' | 100 | 24",
      })
  void sizeIsOfTheTerminalElseOfTheEnvironment(
      String stty, String environmentColumns, String environmentLines, int columns, int lines) {
    assertThat(Screen.size(stty, Map.of("COLUMNS", environmentColumns, "LINES", environmentLines)))
        .isEqualTo(new Screen.Size(columns, lines));
  }

  @Test
  void sizeIsUsualWhereNothingTellsIt() {
    assertThat(Screen.size("", Map.of())).isEqualTo(new Screen.Size(100, 30));
  }

  @Test
  void anyValueOfNoColorTurnsColoursOff() {
    assertThat(Screen.isColoured(Map.of())).isTrue();
    assertThat(Screen.isColoured(Map.of("NO_COLOR", ""))).isTrue();
    assertThat(Screen.isColoured(Map.of("NO_COLOR", "0"))).isFalse();
  }
}
