package dev.berth.cli.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Writes a page of `docs/reference`, block by block.
public final class Markdown {
  /// `docs/users/policy.md`, as sources cite pages.
  private static final Pattern CITED =
      Pattern.compile("\\bdocs/((?:users|operators|contributors)/([a-z-]+\\.md)(?:#[a-z0-9-]+)?)");

  private final StringBuilder text = new StringBuilder();

  public Markdown section(String title) {
    return block("## " + title);
  }

  public Markdown part(String title) {
    return block("### " + title);
  }

  public Markdown paragraph(String words) {
    return block(words);
  }

  public Markdown quote(String words) {
    return block("> " + words);
  }

  public Markdown list(List<String> items) {
    return block("* " + String.join("\n* ", items));
  }

  public Markdown code(String language, String lines) {
    return block("```" + language + "\n" + lines.stripTrailing() + "\n```");
  }

  /// A column in which no row says anything is left out.
  public Markdown table(List<String> head, List<List<String>> rows) {
    var columns = new ArrayList<Integer>();
    for (int i = 0; i < head.size(); i++) {
      int column = i;
      if (rows.stream().anyMatch(row -> !row.get(column).isEmpty())) {
        columns.add(i);
      }
    }
    var lines = new ArrayList<String>();
    lines.add(row(head, columns));
    lines.add("|" + "---|".repeat(columns.size()));
    rows.forEach(row -> lines.add(row(row, columns)));
    return block(String.join("\n", lines));
  }

  private static String row(List<String> cells, List<Integer> columns) {
    var line = new StringBuilder("|");
    for (int column : columns) {
      String cell = cells.get(column);
      line.append(cell.isEmpty() ? "" : " ").append(cell).append(" |");
    }
    return line.toString();
  }

  private Markdown block(String lines) {
    if (!text.isEmpty()) {
      text.append("\n\n");
    }
    text.append(lines);
    return this;
  }

  public String text() {
    return text + "\n";
  }

  /// As code; empty stays empty.
  public static String code(String words) {
    return words.isEmpty() ? "" : "`" + oneLine(words) + "`";
  }

  /// Text of the code as text of a page: pages that it cites become links, and nothing ends a cell
  /// or begins a tag.
  public static String prose(String words) {
    return CITED.matcher(oneLine(words).replace("<", "&lt;")).replaceAll("[$2](../$1)");
  }

  private static String oneLine(String words) {
    return words.strip().replaceAll("\\s+", " ").replace("|", "\\|");
  }
}
