package dev.berth.cli.usage;

import dev.berth.cli.lists.TreeText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// GPU-hours for programs.
public final class UsageJson {
  private static final int DIGITS = 6;

  private UsageJson() {}

  public static List<String> lines(UsageReport report) {
    return TreeText.json(tree(report));
  }

  private static Map<String, Object> tree(UsageReport report) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("from", report.from().toString());
    tree.put("to", report.to().toString());
    tree.put("by", report.by().stream().map(UsageDimension::heading).toList());
    tree.put("usage", report.rows().stream().map(row -> tree(report.by(), row)).toList());
    tree.put("all", tree(List.of(), report.all()));
    tree.put("gaps", report.gaps().stream().map(UsageJson::tree).toList());
    tree.put("unknownGpuHours", UsageAmounts.hours(report.unknown(), DIGITS));
    tree.put("notes", UsageText.notes(report));
    return tree;
  }

  private static Map<String, Object> tree(List<UsageDimension> by, UsageRow row) {
    var tree = new LinkedHashMap<String, Object>();
    for (int i = 0; i < by.size(); i++) {
      tree.put(by.get(i).heading(), row.keys().get(i));
    }
    for (UsageColumn column : UsageColumn.values()) {
      tree.put(column.json(), UsageAmounts.hours(column.of(row), DIGITS));
    }
    tree.put("workloads", row.workloads());
    tree.put("pods", row.pods());
    return tree;
  }

  private static Map<String, Object> tree(UsageGap gap) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("from", gap.from().toString());
    tree.put("to", gap.to().toString());
    tree.put("seconds", gap.length().toMillis() / 1000.0);
    tree.put("unknownGpuHours", UsageAmounts.hours(gap.unknown(), DIGITS));
    return tree;
  }
}
