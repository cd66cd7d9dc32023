package dev.berth.cli.lists;

import dev.berth.controllers.crd.Printable;
import java.util.ArrayList;
import java.util.List;

/// Rows below headings, as kubectl prints them: columns end with three spaces, the last is as long
/// as it is. What strangers have named is one line ([Printable]).
public final class TextTable {
  private static final int GAP = 3;

  /// @param isWide whether it is printed with `-o wide` alone
  record Column(String heading, boolean isWide) {}

  private final List<Column> columns;
  private final List<List<String>> rows = new ArrayList<>();

  private TextTable(List<Column> columns) {
    this.columns = columns;
  }

  /// @param headings those that begin with `+` are printed with `-o wide` alone
  public static TextTable of(String... headings) {
    var columns = new ArrayList<Column>();
    for (String heading : headings) {
      boolean isWide = heading.startsWith("+");
      columns.add(new Column(isWide ? heading.substring(1) : heading, isWide));
    }
    return new TextTable(columns);
  }

  public void row(String... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(cells.length + " cells, " + columns.size() + " columns");
    }
    var row = new ArrayList<String>();
    for (String cell : cells) {
      row.add(cell.isEmpty() ? "-" : Printable.line(cell));
    }
    rows.add(row);
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /// @return its lines, the headings first
  public List<String> lines(boolean isWide) {
    var shown = new ArrayList<Integer>();
    for (int i = 0; i < columns.size(); i++) {
      if (isWide || !columns.get(i).isWide) {
        shown.add(i);
      }
    }
    var all = new ArrayList<List<String>>();
    all.add(columns.stream().map(Column::heading).toList());
    all.addAll(rows);
    var lines = new ArrayList<String>();
    for (var row : all) {
      var line = new StringBuilder();
      for (int i : shown) {
        line.append(row.get(i));
        if (i != shown.getLast()) {
          int width = all.stream().mapToInt(each -> length(each.get(i))).max().orElse(0);
          line.append(" ".repeat(width - length(row.get(i)) + GAP));
        }
      }
      lines.add(line.toString());
    }
    return lines;
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
