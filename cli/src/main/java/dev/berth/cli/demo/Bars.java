package dev.berth.cli.demo;

import dev.berth.cli.demo.Scene.Cell;
import dev.berth.cli.demo.Scene.Stage;
import java.util.Locale;
import java.util.function.ToIntFunction;

/// Devices and amounts as bars. With colours the parts of a shared device stand side by side, to an
/// eighth of a column, in turning shades on a grey ground; a whole device is one solid block. In
/// plain text: `###` whole, `70%` shared, `.` free, `+` coming, `-` leaving.
final class Bars {
  private static final String EIGHTHS = " ▏▎▍▌▋▊▉█";

  private final boolean ansi;
  private final ToIntFunction<String> leafOf;

  /// @param leafOf which leaf of the tree a queue is, for its colour
  Bars(boolean ansi, ToIntFunction<String> leafOf) {
    this.ansi = ansi;
    this.leafOf = leafOf;
  }

  private TextStyle.Shades shades(String queue) {
    return TextStyle.shades(leafOf.applyAsInt(queue));
  }

  void device(ScreenLine line, Cell cell, int width) {
    switch (cell) {
      case Cell.Free() ->
          line.put((ansi ? "·" : ".").repeat(width), ansi ? TextStyle.FAINT : TextStyle.PLAIN);
      case Cell.Whole(String queue, Stage stage) ->
          line.put(block(stage).repeat(width), TextStyle.of(shades(queue).plain()));
      case Cell.Shared shared -> {
        if (ansi) {
          shared(line, shared, width);
        } else {
          line.put(percent(shared, width));
        }
      }
    }
  }

  private String block(Stage stage) {
    return switch (stage) {
      case COMING -> ansi ? "░" : "+";
      case THERE -> ansi ? "█" : "#";
      case LEAVING -> ansi ? "▒" : "-";
    };
  }

  private static String percent(Cell.Shared shared, int width) {
    int millis = shared.parts().stream().mapToInt(Scene.GpuShare::millis).sum();
    String percent = millis / 10 + "%";
    return String.format(
        Locale.ROOT, "%" + width + "s", percent.length() > width ? millis / 10 : percent);
  }

  /// Column by column: which part has its left edge, and does another begin within it?
  private void shared(ScreenLine line, Cell.Shared shared, int width) {
    int eighths = width * 8;
    for (int column = 0; column < width; column++) {
      int from = column * 8;
      int first = partAt(shared, from, eighths);
      int change = from + 1;
      while (change < from + 8 && partAt(shared, change, eighths) == first) {
        change++;
      }
      TextStyle left = ink(shared, first);
      if (change == from + 8) {
        line.put(texture(shared, first), left);
      } else {
        int second = partAt(shared, change, eighths);
        int ground = ink(shared, second).foreground();
        line.put(
            String.valueOf(EIGHTHS.charAt(change - from)),
            TextStyle.of(left.foreground()).on(ground));
      }
    }
  }

  /// Index of the part at an eighth of the cell; the number of parts = none.
  private static int partAt(Cell.Shared shared, int eighth, int eighths) {
    long millis = 0;
    int part = 0;
    for (var one : shared.parts()) {
      millis += one.millis();
      if (eighth * 1000L < millis * eighths) {
        return part;
      }
      part++;
    }
    return part;
  }

  private String texture(Cell.Shared shared, int part) {
    return part == shared.parts().size() ? " " : block(shared.parts().get(part).stage());
  }

  private TextStyle ink(Cell.Shared shared, int part) {
    if (part == shared.parts().size()) {
      return TextStyle.of(TextStyle.GROUND).on(TextStyle.GROUND);
    }
    int shade = shades(shared.parts().get(part).queue()).at(part);
    return TextStyle.of(shade).on(TextStyle.GROUND);
  }

  /// A horizontal bar of `filled` of `all`, with a mark where `mark` is (−1 = none).
  void amount(ScreenLine line, long filled, long mark, long all, int width, TextStyle how) {
    long eighths = all <= 0 ? 0 : Math.min(width * 8L, filled * width * 8L / all);
    long marked = mark < 0 || all <= 0 ? -1 : Math.min(width - 1L, mark * width / all);
    for (int column = 0; column < width; column++) {
      int here = Math.clamp(eighths - column * 8L, 0, 8);
      if (!ansi) {
        line.put(column == marked ? "|" : here >= 4 ? "=" : ".");
      } else if (column == marked && here == 0) {
        line.put("│", TextStyle.of(TextStyle.RULE + 5).on(TextStyle.GROUND));
      } else {
        line.put(String.valueOf(EIGHTHS.charAt(here)), how.on(TextStyle.GROUND));
      }
    }
  }
}
