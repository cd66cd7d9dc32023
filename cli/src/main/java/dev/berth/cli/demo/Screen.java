package dev.berth.cli.demo;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The terminal: its size, the keys that are pressed, the alternate screen while Berth draws, and
/// everything as it was afterwards, also after Ctrl-C.
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
  private final Runnable afterwards;
  private final String settings; // of the terminal as it was, for stty; empty = not changed
  private boolean left; // guarded by this
  private final Thread atExit = new Thread(this::leave, "berth-screen");

  Screen(PrintStream out, Runnable afterwards) {
    this.out = out;
    this.afterwards = afterwards;
    this.settings = stty("-g").strip();
    if (!settings.isEmpty()) {
      stty("-icanon", "-echo", "min", "0", "time", "0"); // keys come one by one, and unseen
    }
  }

  /// Whether the output is a terminal.
  public static boolean isThere() {
    Console console = System.console();
    return console != null && console.isTerminal() && !"dumb".equals(System.getenv("TERM"));
  }

  /// Whether they want colours (no-color.org).
  public static boolean isColoured(Map<String, String> environment) {
    return environment.getOrDefault("NO_COLOR", "").isEmpty();
  }

  /// Takes the terminal until it is closed.
  ///
  /// @param afterwards prints what stays there, once, also after Ctrl-C
  public static Screen open(Runnable afterwards) {
    var screen = new Screen(new PrintStream(System.out, false, StandardCharsets.UTF_8), afterwards);
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

  /// What runs where the process is ended, as by Ctrl-C.
  Thread atExit() {
    return atExit;
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
      if (!settings.isEmpty()) {
        stty(settings);
      }
      afterwards.run();
    }
  }

  /// Whether `q` was pressed since the last look.
  public boolean isLeft() {
    return isLeft(System.in);
  }

  static boolean isLeft(InputStream keys) {
    try {
      while (keys.available() > 0) {
        int key = keys.read();
        if (key == 'q' || key == 'Q') {
          return true;
        }
      }
      return false;
    } catch (IOException gone) {
      return true; // the terminal is gone
    }
  }

  /// Asks the terminal by `stty`, else the environment.
  public static Size size() {
    return size(stty("size"), System.getenv());
  }

  /// What `stty` says of the terminal; empty = nothing, there is none.
  private static String stty(String... arguments) {
    try {
      var command = new ArrayList<String>();
      command.add("stty");
      command.addAll(List.of(arguments));
      var stty =
          new ProcessBuilder(command)
              .redirectInput(new File("/dev/tty"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String answer = new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (stty.waitFor(1, TimeUnit.SECONDS) && stty.exitValue() == 0) {
        return answer;
      }
    } catch (IOException noTerminal) {
      return "";
    } catch (InterruptedException leaving) {
      Thread.currentThread().interrupt();
    }
    return "";
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
