package dev.berth.cli.cases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Scenarios that are meant to fail, and why: the rows `| name | reason |` of the tables of a
/// Markdown file.
public final class Deviations {
  public static final Deviations NONE = new Deviations(new TreeMap<>());

  private final SortedMap<String, String> reasons;

  private Deviations(SortedMap<String, String> reasons) {
    this.reasons = reasons;
  }

  /// @throws UncheckedIOException where the file cannot be read
  public static Deviations read(Path file) {
    try {
      return of(Files.readAllLines(file));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /// Heads of tables and the lines below them name no scenario; a row without a reason is none.
  static Deviations of(List<String> lines) {
    var reasons = new TreeMap<String, String>();
    for (String line : lines) {
      String[] cells = line.strip().split("\\|", -1);
      if (line.strip().startsWith("|") && cells.length >= 4) {
        String name = cells[1].strip().replace("`", "");
        String reason = cells[2].strip();
        boolean head = name.isEmpty() || name.equals("name") || name.startsWith("-");
        if (!head && !reason.isEmpty()) {
          reasons.put(name, reason);
        }
      }
    }
    return new Deviations(Collections.unmodifiableSortedMap(reasons));
  }

  /// Why a scenario is meant to fail; empty = it is not.
  String reason(String scenario) {
    return reasons.getOrDefault(scenario, "");
  }
}
