package dev.berth.cli.demo;

/// One line of the screen: text with inks, cut at its width, never longer. Every character takes
/// one column.
final class Line {
  private final int width;
  private final boolean ansi;
  private final StringBuilder text = new StringBuilder();
  private Ink ink = Ink.PLAIN;
  private int columns;

  Line(int width, boolean ansi) {
    this.width = width;
    this.ansi = ansi;
  }

  Line put(String more, Ink how) {
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

  Line put(String more) {
    return put(more, Ink.PLAIN);
  }

  /// Blanks up to a column.
  Line to(int column) {
    return column > columns ? put(" ".repeat(Math.min(column, width) - columns)) : this;
  }

  /// So that the text ends at the right edge.
  Line right(String more, Ink how) {
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
  Line append(int column, Line other) {
    to(column);
    if (ansi && !ink.equals(Ink.PLAIN)) {
      text.append(Ink.PLAIN.code());
      ink = Ink.PLAIN;
    }
    text.append(other);
    columns += other.columns;
    return this;
  }

  /// Ends in the plain ink.
  @Override
  public String toString() {
    return ansi && !ink.equals(Ink.PLAIN) ? text + Ink.PLAIN.code() : text.toString();
  }
}
