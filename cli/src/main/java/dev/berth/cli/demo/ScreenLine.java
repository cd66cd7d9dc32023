package dev.berth.cli.demo;

/// One line of the screen: text with inks, cut at its width, never longer. Every character takes
/// one column.
final class ScreenLine {
  private final int width;
  private final boolean ansi;
  private final StringBuilder text = new StringBuilder();
  private TextStyle ink = TextStyle.PLAIN;
  private int columns;

  ScreenLine(int width, boolean ansi) {
    this.width = width;
    this.ansi = ansi;
  }

  ScreenLine put(String more, TextStyle how) {
    int room = width - columns;
    String fits = more.length() <= room ? more : cut(more, room);
    if (fits.isEmpty()) {
      return this;
    }
    if (ansi && !how.equals(ink)) {
      text.append(how.code());
      ink = how;
    }
    text.append(fits);
    columns += fits.length();
    return this;
  }

  ScreenLine put(String more) {
    return put(more, TextStyle.PLAIN);
  }

  /// Blanks up to a column.
  ScreenLine to(int column) {
    return column > columns ? put(" ".repeat(Math.min(column, width) - columns)) : this;
  }

  /// So that the text ends at the right edge.
  ScreenLine right(String more, TextStyle how) {
    return to(width - more.length()).put(more, how);
  }

  private String cut(String more, int room) {
    if (room <= 0) {
      return "";
    }
    return more.isBlank() || room < 4
        ? more.substring(0, room)
        : more.substring(0, room - 1) + (ansi ? "…" : "~");
  }

  int columns() {
    return columns;
  }

  /// The other line's text behind this one, from a column on.
  ScreenLine append(int column, ScreenLine other) {
    to(column);
    if (ansi && !ink.equals(TextStyle.PLAIN)) {
      text.append(TextStyle.PLAIN.code());
      ink = TextStyle.PLAIN;
    }
    text.append(other);
    columns += other.columns;
    return this;
  }

  /// Ends in the plain ink.
  @Override
  public String toString() {
    return ansi && !ink.equals(TextStyle.PLAIN) ? text + TextStyle.PLAIN.code() : text.toString();
  }
}
