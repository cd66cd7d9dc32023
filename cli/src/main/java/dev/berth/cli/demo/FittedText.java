package dev.berth.cli.demo;

/// Texts that are cut to the columns there are.
final class FittedText {
  private FittedText() {}

  /// The text, or its beginning with a mark that there is more.
  static String shortened(String text, int longest, boolean ansi) {
    return text.length() <= longest ? text : text.substring(0, longest - 1) + (ansi ? "…" : "~");
  }

  /// How much of a sentence goes into a line: up to a space, where there is one.
  static int cut(String text, int room) {
    if (text.length() <= room) {
      return text.length();
    }
    int space = text.lastIndexOf(' ', room);
    return space > 0 ? space : Math.max(1, room);
  }

  /// A name and what happened to it, of which the name alone is cut: first its namespace, then its
  /// end.
  static String event(String what, int room, boolean ansi) {
    int space = what.indexOf(' ');
    if (what.length() <= room || space < 0) {
      return what;
    }
    String name = what.substring(what.lastIndexOf('/', space) + 1, space);
    String rest = what.substring(space);
    return shortened(name, Math.max(2, room - rest.length()), ansi) + rest;
  }
}
