package dev.berth.cli.usage;

import dev.berth.cli.lists.CsvText;
import java.util.ArrayList;

/// GPU-hours for a spreadsheet, as [CsvText]: a line for each row and none for the sum. Hours have
/// six digits after the point.
public final class UsageCsv {
  private static final int DIGITS = 6;

  private UsageCsv() {}

  /// @return all of it, line ends included
  public static String text(UsageReport report) {
    var text = new StringBuilder();
    var heading = new ArrayList<String>();
    report.by().forEach(each -> heading.add(each.heading()));
    for (UsageColumn column : UsageColumn.values()) {
      heading.add(column.csv());
    }
    heading.add("workloads");
    heading.add("pods");
    text.append(CsvText.line(heading));
    for (UsageRow row : report.rows()) {
      var cells = new ArrayList<>(row.keys());
      for (UsageColumn column : UsageColumn.values()) {
        cells.add(UsageAmounts.hours(column.of(row), DIGITS).toPlainString());
      }
      cells.add(Integer.toString(row.workloads()));
      cells.add(Integer.toString(row.pods()));
      text.append(CsvText.line(cells));
    }
    return text.toString();
  }
}
