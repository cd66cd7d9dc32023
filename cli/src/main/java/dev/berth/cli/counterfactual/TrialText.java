package dev.berth.cli.counterfactual;

import dev.berth.cli.counterfactual.QueueEffect.Pair;
import dev.berth.cli.lists.TextTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A trial for people: as lines of a terminal, or as Markdown for a merge request.
public final class TrialText {
  private static final List<String> HEADINGS =
      List.of(
          "QUEUE",
          "WORKLOADS",
          "SOONER",
          "LATER",
          "ONLY AFTER",
          "ONLY BEFORE",
          "MEDIAN WAIT",
          "P90 WAIT",
          "EVICTIONS",
          "GPU-HOURS");
  private static final int MOST_LISTED = 20;

  private TrialText() {}

  public static List<String> lines(PolicyTrial trial) {
    var lines = new ArrayList<String>();
    lines.add(what(trial) + ".");
    lines.add("");
    lines.addAll(table(HEADINGS, rows(trial)));
    lines.add("");
    lines.addAll(notes(trial));
    return lines;
  }

  public static List<String> markdown(PolicyTrial trial) {
    var lines = new ArrayList<String>();
    lines.add("### " + verdict(trial));
    lines.add("");
    lines.add(escaped(what(trial)) + ".");
    lines.add("");
    lines.addAll(markdown(HEADINGS, rows(trial)));
    lines.add("");
    if (!trial.others().isEmpty()) {
      lines.add("<details><summary>Workloads that differ</summary>");
      lines.add("");
      lines.add("| Workload | Queue | Starts, before | Starts, after | Evictions |");
      lines.add("|---|---|---|---|---:|");
      trial.others().stream().limit(MOST_LISTED).forEach(pair -> lines.add(row(workload(pair))));
      int more = trial.others().size() - MOST_LISTED;
      if (more > 0) {
        lines.add("");
        lines.add("And " + more + " more: `-o json` lists them all.");
      }
      lines.add("");
      lines.add("</details>");
      lines.add("");
    }
    notes(trial).forEach(each -> lines.add("- " + escaped(each)));
    return lines;
  }

  /// For a terminal.
  static List<String> table(List<String> headings, List<List<String>> rows) {
    var table = TextTable.of(headings.toArray(String[]::new));
    rows.forEach(row -> table.row(row.toArray(String[]::new)));
    return table.lines(false);
  }

  /// The same as Markdown.
  static List<String> markdown(List<String> headings, List<List<String>> rows) {
    var lines = new ArrayList<String>();
    lines.add(row(headings.stream().map(TrialText::heading).toList()));
    lines.add("|---|" + "---:|".repeat(headings.size() - 1));
    rows.forEach(each -> lines.add(row(each.stream().map(TrialText::escaped).toList())));
    return lines;
  }

  /// As a word of a sentence.
  private static String heading(String capitals) {
    return capitals.startsWith("GPU") || capitals.startsWith("P90")
        ? capitals.substring(0, 3) + capitals.substring(3).toLowerCase(Locale.ROOT)
        : capitals.charAt(0) + capitals.substring(1).toLowerCase(Locale.ROOT);
  }

  /// Of Markdown.
  private static String row(List<String> cells) {
    return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
  }

  private static List<String> workload(Pair pair) {
    var group = pair.before().logged().group();
    return Stream.of(
            group.key().toString(),
            group.queue().value(),
            moment(pair.before().started()),
            moment(pair.after().started()),
            change(
                Integer.toString(pair.before().evictions()),
                Integer.toString(pair.after().evictions())))
        .map(TrialText::escaped)
        .toList();
  }

  private static String moment(Instant started) {
    return started.equals(Instant.MAX) ? "not by the end" : started.toString();
  }

  /// No name of the cluster is markup.
  static String escaped(String text) {
    return text.replaceAll("([\\\\`*_\\[\\]<>|#~@&])", "\\\\$1");
  }

  private static String verdict(PolicyTrial trial) {
    var all = trial.all();
    if (trial.changed().isEmpty()) {
      return "Berth: no queue would be other than in the log";
    }
    if (trial.others().isEmpty()) {
      return "Berth: no workload of the log would start at another moment";
    }
    return "Berth: of "
        + all.workloads()
        + " workloads "
        + (all.sooner() + all.begins())
        + " would start sooner, "
        + (all.later() + all.fails())
        + " later or not";
  }

  private static String what(PolicyTrial trial) {
    var span = trial.span();
    return "The workloads of "
        + span.begin()
        + " to "
        + span.end()
        + ", played twice in the same way: before, with the queues of the log; after, with those of"
        + " "
        + trial.file()
        + (trial.changed().isEmpty()
            ? ", none of which is another"
            : ", of which "
                + String.join(", ", trial.changed())
                + (trial.changed().size() == 1 ? " differs" : " differ")
                + " from the log");
  }

  private static List<List<String>> rows(PolicyTrial trial) {
    return Stream.concat(trial.queues().stream(), Stream.of(trial.all()))
        .map(TrialText::row)
        .toList();
  }

  /// Of a queue, as the two plays differ.
  static List<String> row(QueueEffect effect) {
    var before = effect.before();
    var after = effect.after();
    return List.of(
        effect.queue().isEmpty() ? "all" : effect.queue(),
        Integer.toString(effect.workloads()),
        Integer.toString(effect.sooner()),
        Integer.toString(effect.later()),
        Integer.toString(effect.begins()),
        Integer.toString(effect.fails()),
        change(WaitTimes.text(before.waits().median()), WaitTimes.text(after.waits().median())),
        change(WaitTimes.text(before.waits().p90()), WaitTimes.text(after.waits().p90())),
        change(Integer.toString(before.evictions()), Integer.toString(after.evictions())),
        change(hours(before.gpuHours()), hours(after.gpuHours())));
  }

  static String hours(double gpuHours) {
    return String.format(Locale.ROOT, "%.1f", gpuHours);
  }

  static String change(String before, String after) {
    return before.equals(after) ? before : before + " → " + after;
  }

  private static List<String> notes(PolicyTrial trial) {
    var notes = new ArrayList<String>();
    notes.add(
        "Both are plays, not what happened: workloads come when the log shows them and run for as"
            + " long as they ran in it. Pods start and leave at once; an evicted one runs again"
            + " from its start.");
    var near = trial.nearness();
    if (near.started() > 0) {
      notes.add(
          "How near: with the queues of the log, "
              + near.near()
              + " of the "
              + near.started()
              + " workloads that came and started in the log start within a minute of that.");
    }
    notes.add(
        "ONLY AFTER and ONLY BEFORE start by the end of the log in one play alone. Workloads that"
            + " ran when the log began ("
            + trial.all().ranBefore()
            + ") do not wait; their evictions and GPU-hours count.");
    notes.addAll(unknown(trial));
    return notes;
  }

  private static List<String> unknown(PolicyTrial trial) {
    var notes = new ArrayList<String>();
    int cut = trial.limits().cut();
    if (cut > 0) {
      notes.add(
          "Cut: "
              + cut
              + (cut == 1 ? " workload" : " workloads")
              + " still ran at the end of a play. GPU-hours count up to there; for how long it"
              + " would have run is not in the log where it did so there, too.");
    }
    if (trial.limits().leftOut() > 0) {
      notes.add(
          "Not played: "
              + trial.limits().leftOut()
              + " workloads that claim devices by dynamic resource allocation.");
    }
    if (trial.span().settingsChanged()) {
      notes.add(
          "The settings of the planner changed within the log: both plays have those of its"
              + " beginning.");
    }
    notes.add(
        "The log has "
            + trial.span().snapshots()
            + " snapshots, at most "
            + WaitTimes.text(trial.span().longestGap())
            + " apart: its moments are known no more exactly than that.");
    return notes;
  }
}
