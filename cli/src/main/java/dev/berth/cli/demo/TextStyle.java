package dev.berth.cli.demo;

import java.util.List;
import java.util.Locale;

/// How a piece of text is drawn: 256-colour foreground and background, bold; −1 = the terminal's
/// own.
record TextStyle(int foreground, int background, boolean bold) {
  static final TextStyle PLAIN = new TextStyle(-1, -1, false);
  static final TextStyle BOLD = new TextStyle(-1, -1, true);
  static final TextStyle DIM = new TextStyle(243, -1, false);
  static final TextStyle FAINT = new TextStyle(238, -1, false);
  static final TextStyle GOOD = new TextStyle(114, -1, false);
  static final TextStyle WARN = new TextStyle(215, -1, false);

  /// What is free of a shared device shows as this ground.
  static final int GROUND = 237;

  static final int RULE = 240;

  static TextStyle of(int foreground) {
    return new TextStyle(foreground, -1, false);
  }

  TextStyle on(int other) {
    return new TextStyle(foreground, other, bold);
  }

  String code() {
    var code = new StringBuilder("\u001b[0");
    if (bold) {
      code.append(";1");
    }
    if (foreground >= 0) {
      code.append(String.format(Locale.ROOT, ";38;5;%d", foreground));
    }
    if (background >= 0) {
      code.append(String.format(Locale.ROOT, ";48;5;%d", background));
    }
    return code.append('m').toString();
  }

  /// The two shades of a queue: neighbours on a shared device take turns.
  record Shades(int plain, int other) {
    int at(int turn) {
      return turn % 2 == 0 ? plain : other;
    }
  }

  private static final Shades NEUTRAL = new Shades(250, 245);
  private static final List<Shades> SHADES =
      List.of(
          new Shades(39, 75),
          new Shades(178, 222),
          new Shades(35, 78),
          new Shades(170, 176),
          new Shades(203, 210),
          new Shades(44, 87));

  /// The colour of the queue that is the n-th leaf of the tree; −1 = none of Berth.
  static Shades shades(int leaf) {
    return leaf < 0 ? NEUTRAL : SHADES.get(leaf % SHADES.size());
  }
}
