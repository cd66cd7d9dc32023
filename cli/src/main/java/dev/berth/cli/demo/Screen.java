package dev.berth.cli.demo;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The terminal: its size, the alternate screen while we draw, and everything as it was afterwards,
/// also after Ctrl-C.
public final class Screen implements AutoCloseable {
  /// Columns and lines.
  public record Size(int columns, int lines) {
    static final Size USUAL = new Size(100, 30);
  }

  private static final String ENTER = "\u001b[?1049h\u001b[?25l\u001b[2J";
  private static final String LEAVE = "\u001b[0m\u001b[?25h\u001b[?1049l";

  // One frame appears at once where the terminal knows synchronized output; others ignore it.
  private static final String BEGIN_FRAME = "\u001b[?2026h\u001b[H";
  private static final String END_FRAME = "\u001b[J\u001b[?2026l";
  private static final String REST_OF_LINE = "\u001b[K";

  private final PrintStream out;
  private boolean left; // guarded by this
  private final Thread atExit = new Thread(this::leave, "berth-screen");

  private Screen(PrintStream out) {
    this.out = out;
  }

  /// Whether somebody looks at a terminal.
  public static boolean isThere() {
    Console console = System.console();
    return console != null && console.isTerminal() && !"dumb".equals(System.getenv("TERM"));
  }

  /// Whether they want colours (no-color.org).
  public static boolean isColoured(Map<String, String> environment) {
    return environment.getOrDefault("NO_COLOR", "").isEmpty();
  }

  /// Takes the terminal until it is closed.
  public static Screen open() {
    var screen = new Screen(new PrintStream(System.out, false, StandardCharsets.UTF_8));
    Runtime.getRuntime().addShutdownHook(screen.atExit);
    screen.out.print(ENTER);
    screen.out.flush();
    return screen;
  }

  /// @param frame lines as [LiveView] renders them
  public synchronized void draw(String frame) {
    if (!left) {
      out.print(BEGIN_FRAME + frame.replace("\n", REST_OF_LINE + "\n") + REST_OF_LINE + END_FRAME);
      out.flush();
    }
  }

  @Override
  public void close() {
    leave();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException exiting) {
      return; // the hook runs by itself
    }
  }

  private synchronized void leave() {
    if (!left) {
      left = true;
      out.print(LEAVE);
      out.flush();
    }
  }

  /// Asks the terminal by `stty`, else the environment.
  public static Size size() {
    try {
      var stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File("/dev/tty"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String answer = new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (stty.waitFor(1, TimeUnit.SECONDS) && stty.exitValue() == 0) {
        return size(answer, System.getenv());
      }
    } catch (IOException noTerminal) {
      return size("", System.getenv());
    } catch (InterruptedException leaving) {
      Thread.currentThread().interrupt();
    }
    return size("", System.getenv());
  }

  /// @param stty `lines columns`, or empty
  static Size size(String stty, Map<String, String> environment) {
    String[] both = stty.strip().split(" ", -1);
    int lines = both.length == 2 ? number(both[0]) : number(environment.getOrDefault("LINES", ""));
    int columns =
        both.length == 2 ? number(both[1]) : number(environment.getOrDefault("COLUMNS", ""));
    return new Size(
        columns > 0 ? columns : Size.USUAL.columns(), lines > 0 ? lines : Size.USUAL.lines());
  }

  private static int number(String text) {
    boolean isNumber = !text.isEmpty() && text.length() < 6;
    return isNumber && text.chars().allMatch(c -> c >= '0' && c <= '9')
        ? Integer.parseInt(text)
        : 0;
  }
}
