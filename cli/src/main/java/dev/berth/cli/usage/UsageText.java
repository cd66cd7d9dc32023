package dev.berth.cli.usage;

import dev.berth.cli.lists.TextTable;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// GPU-hours for people, and in sentences what is not in them.
public final class UsageText {
  private static final int DIGITS = 2;
  private static final int MOST_GAPS = 10;

  private UsageText() {}

  /// The table, with the sum in its last row.
  public static List<String> lines(UsageReport report) {
    var headings = new ArrayList<String>();
    report.by().forEach(each -> headings.add(each.heading().toUpperCase(Locale.ROOT)));
    for (UsageColumn column : UsageColumn.values()) {
      headings.add(column.heading());
    }
    headings.add("WORKLOADS");
    headings.add("PODS");
    var table = TextTable.of(headings.toArray(String[]::new));
    report.rows().forEach(row -> table.row(cells(row.keys(), row)));
    var sum = new ArrayList<String>();
    report.by().forEach(_ -> sum.add(sum.isEmpty() ? "all" : ""));
    table.row(cells(sum, report.all()));
    return table.lines(false);
  }

  private static String[] cells(List<String> keys, UsageRow row) {
    var cells = new ArrayList<>(keys);
    for (UsageColumn column : UsageColumn.values()) {
      cells.add(hours(column.of(row)));
    }
    cells.add(Integer.toString(row.workloads()));
    cells.add(Integer.toString(row.pods()));
    return cells.toArray(String[]::new);
  }

  private static String hours(long time) {
    return UsageAmounts.hours(time, DIGITS).toPlainString();
  }

  /// The time that the numbers are of.
  public static String span(UsageReport report) {
    return "GPU-hours from "
        + moment(report.from())
        + " up to "
        + moment(report.to())
        + " ("
        + length(Duration.between(report.from(), report.to()))
        + ").";
  }

  /// What is not in the numbers, each a sentence.
  public static List<String> notes(UsageReport report) {
    var notes = new ArrayList<String>();
    var limits = report.limits();
    limits
        .logBegins()
        .ifPresent(begin ->
            notes.add(
                "the log begins at "
                    + moment(begin)
                    + ": what was before is in none of these numbers"));
    limits
        .logEnds()
        .ifPresent(end ->
            notes.add(
                "the log ends at "
                    + moment(end)
                    + ": what came after is in none of these numbers"));
    gaps(report, notes);
    if (limits.skipped() > 0) {
      notes.add(
          limits.skipped()
              + " snapshots were left out: another process planned at the same time, as while"
              + " leadership changes");
    }
    for (String label : limits.withoutLabel()) {
      notes.add("no pod of the log has the label " + label + ": its column is empty");
    }
    if (limits.withoutPools()) {
      notes.add(
          "nodes are not divided into pools: nodePools.label of Berth's configuration is not set");
    }
    return notes;
  }

  private static void gaps(UsageReport report, List<String> notes) {
    if (report.gaps().isEmpty()) {
      return;
    }
    report.gaps().stream().limit(MOST_GAPS).forEach(gap -> notes.add(sentence(gap)));
    int more = report.gaps().size() - MOST_GAPS;
    if (more > 0) {
      notes.add("and " + more + " more such gaps: -o json lists them all");
    }
    var length = report.gaps().stream().map(UsageGap::length).reduce(Duration.ZERO, Duration::plus);
    notes.add(
        "gaps: "
            + length(length)
            + " in all. Pods that ran before and after one are counted throughout. Of those that"
            + " ended or came in one, "
            + hours(report.unknown())
            + " GPU-hours at most are not");
  }

  private static String sentence(UsageGap gap) {
    return "the log says nothing of "
        + moment(gap.from())
        + " to "
        + moment(gap.to())
        + " ("
        + length(gap.length())
        + "): Berth did not run, or its log was not written";
  }

  private static String moment(Instant when) {
    return when.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /// `26h3m`, `12m30s`, `4s`.
  private static String length(Duration length) {
    long hours = length.toHours();
    if (hours > 0) {
      return hours + "h" + (length.toMinutesPart() == 0 ? "" : length.toMinutesPart() + "m");
    }
    return length.toMinutes() > 0
        ? length.toMinutes()
            + "m"
            + (length.toSecondsPart() == 0 ? "" : length.toSecondsPart() + "s")
        : length.toSeconds() + "s";
  }
}
