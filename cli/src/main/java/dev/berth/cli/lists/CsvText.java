package dev.berth.cli.lists;

import dev.berth.controllers.crd.Printable;
import java.util.List;
import java.util.stream.Collectors;

/// Lines of CSV as in RFC 4180, which end in CR LF. Names are tenants' to choose: one that a
/// spreadsheet would take for a formula begins with an apostrophe.
public final class CsvText {
  private static final String FORMULAS = "=+-@";

  private CsvText() {}

  public static String line(List<String> cells) {
    return cells.stream().map(CsvText::cell).collect(Collectors.joining(",")) + "\r\n";
  }

  private static String cell(String value) {
    String line = Printable.line(value);
    boolean isFormula = !line.isEmpty() && FORMULAS.indexOf(line.charAt(0)) >= 0;
    String harmless = isFormula ? "'" + line : line;
    return harmless.contains(",") || harmless.contains("\"")
        ? '"' + harmless.replace("\"", "\"\"") + '"'
        : harmless;
  }
}
