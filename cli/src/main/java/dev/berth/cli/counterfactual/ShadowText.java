package dev.berth.cli.counterfactual;

import dev.berth.cli.counterfactual.QueueEffect.Pair;
import dev.berth.engine.explain.Phrases;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// What was observed, beside what Berth would have done, for people: as lines of a terminal, or as
/// Markdown.
public final class ShadowText {
  private static final List<String> FIGURES = List.of("FIGURE", "OBSERVED", "BY BERTH");
  private static final List<String> QUEUES =
      List.of(
          "QUEUE",
          "WORKLOADS",
          "SOONER",
          "LATER",
          "ONLY BY BERTH",
          "ONLY OBSERVED",
          "MEDIAN WAIT",
          "P90 WAIT",
          "EVICTIONS",
          "GPU-HOURS",
          "BELOW QUOTA");
  private static final List<String> WORKLOADS =
      List.of("WORKLOAD", "QUEUE", "GPUS", "CAME", "WAITED", "BY BERTH");
  private static final int FEW = 10; // queues that one sentence names

  private ShadowText() {}

  public static List<String> lines(ShadowTrial trial) {
    var lines = new ArrayList<String>();
    lines.add(what(trial));
    lines.add("");
    lines.addAll(TrialText.table(FIGURES, figures(trial)));
    lines.add("");
    lines.add("By queue, observed → by Berth where they differ:");
    lines.addAll(TrialText.table(QUEUES, queues(trial)));
    lines.add("");
    var different = workloads(trial);
    if (different.isEmpty()) {
      lines.add("No workload waits for another time.");
    } else {
      lines.add("Workloads whose waits differ most:");
      lines.addAll(TrialText.table(WORKLOADS, different));
    }
    lines.add("");
    lines.addAll(notes(trial));
    return lines;
  }

  public static List<String> markdown(ShadowTrial trial) {
    var lines = new ArrayList<String>();
    var all = trial.all();
    lines.add(
        "### Berth in the shadow: of "
            + Phrases.count(all.workloads(), "workload")
            + " "
            + (all.sooner() + all.begins())
            + " would start sooner, "
            + (all.later() + all.fails())
            + " later or not");
    lines.add("");
    lines.add(TrialText.escaped(what(trial)));
    lines.add("");
    lines.addAll(TrialText.markdown(FIGURES, figures(trial)));
    lines.add("");
    lines.addAll(TrialText.markdown(QUEUES, queues(trial)));
    lines.add("");
    var different = workloads(trial);
    if (!different.isEmpty()) {
      lines.add("<details><summary>Workloads whose waits differ most</summary>");
      lines.add("");
      lines.addAll(TrialText.markdown(WORKLOADS, different));
      lines.add("");
      lines.add("</details>");
      lines.add("");
    }
    notes(trial).forEach(each -> lines.add("- " + TrialText.escaped(each)));
    return lines;
  }

  private static String what(ShadowTrial trial) {
    return "From "
        + second(trial.span().begin())
        + " to "
        + second(trial.span().end())
        + ": what was observed, and what Berth does with the same workloads, played with "
        + trial.source()
        + ".";
  }

  private static String second(Instant moment) {
    return moment.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static List<List<String>> figures(ShadowTrial trial) {
    var before = trial.all().before();
    var after = trial.all().after();
    var seen = trial.observed();
    var played = trial.byBerth();
    var rows = new ArrayList<List<String>>();
    rows.add(row("workloads that came", trial.all().workloads(), trial.all().workloads()));
    rows.add(
        row(
            "median wait",
            WaitTimes.text(before.waits().median()),
            WaitTimes.text(after.waits().median())));
    rows.add(
        row("P90 wait", WaitTimes.text(before.waits().p90()), WaitTimes.text(after.waits().p90())));
    rows.add(row("workloads not started by the end", before.waiting(), after.waiting()));
    rows.add(
        row(
            "evictions of pods",
            Integer.toString(before.evictions()),
            after.evictions()
                + (trial.moves() == 0 ? "" : " (" + trial.moves() + " by consolidation)")));
    rows.add(
        row(
            "GPU-hours of workloads",
            TrialText.hours(before.gpuHours()),
            TrialText.hours(after.gpuHours())));
    rows.add(
        row(
            "mean share of GPUs allocated, of " + TrialText.hours(seen.total()) + " GPU-hours",
            percent(seen.share()),
            percent(played.share())));
    rows.add(
        row(
            "GPU-hours free on partly used nodes while pods waited",
            TrialText.hours(seen.scattered()),
            TrialText.hours(played.scattered())));
    if (!seen.belowQuota().isEmpty()) {
      rows.add(
          row(
              "GPU-hours of queues below quota while their pods waited",
              TrialText.hours(seen.allBelowQuota()),
              TrialText.hours(played.allBelowQuota())));
    }
    return rows;
  }

  private static List<String> row(String figure, int observed, int byBerth) {
    return List.of(figure, Integer.toString(observed), Integer.toString(byBerth));
  }

  private static List<String> row(String figure, String observed, String byBerth) {
    return List.of(figure, observed, byBerth);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  private static List<List<String>> queues(ShadowTrial trial) {
    return Stream.concat(trial.queues().stream(), Stream.of(trial.all()))
        .map(effect -> row(trial, effect))
        .toList();
  }

  private static List<String> row(ShadowTrial trial, QueueEffect effect) {
    var row = new ArrayList<>(TrialText.row(effect));
    row.add(belowQuota(trial, effect.queue()));
    return row;
  }

  private static String belowQuota(ShadowTrial trial, String queue) {
    if (queue.isEmpty()) {
      return trial.observed().belowQuota().isEmpty()
          ? "-"
          : TrialText.change(
              TrialText.hours(trial.observed().allBelowQuota()),
              TrialText.hours(trial.byBerth().allBelowQuota()));
    }
    var name = new QueueName(queue);
    return trial.observed().belowQuota().containsKey(name)
        ? TrialText.change(
            TrialText.hours(trial.observed().belowQuota().getOrDefault(name, 0.0)),
            TrialText.hours(trial.byBerth().belowQuota().getOrDefault(name, 0.0)))
        : "-";
  }

  private static List<List<String>> workloads(ShadowTrial trial) {
    return trial.mostDifferent().stream().map(pair -> workload(trial, pair)).toList();
  }

  private static List<String> workload(ShadowTrial trial, Pair pair) {
    var logged = pair.before().logged();
    return List.of(
        logged.group().key().toString(),
        logged.group().queue().value(),
        Resource.GPU.text(ShadowTrial.gpuMillis(logged)),
        second(logged.arrived()),
        waited(trial, pair.before()),
        waited(trial, pair.after()));
  }

  private static String waited(ShadowTrial trial, PlayedWorkload played) {
    String wait = WaitTimes.text(trial.waited(played));
    return played.hasStarted() ? wait : "more than " + wait;
  }

  private static List<String> notes(ShadowTrial trial) {
    var notes = new ArrayList<String>();
    notes.add(
        "Observed starts are bindings: how long images and volumes take counts for neither side. A"
            + " gang has started once as many of its pods are bound as it needs. In the play pods"
            + " start and leave at once, run for as long as they ran, and an evicted one runs again"
            + " from its start.");
    notes.add(
        "SOONER and LATER differ by more than "
            + WaitTimes.text(ShadowTrial.NEAR)
            + ". ONLY BY BERTH and ONLY OBSERVED start by the end on that side alone. Workloads"
            + " that ran when the log began ("
            + trial.all().ranBefore()
            + ") do not wait; their evictions and GPU-hours count. BELOW QUOTA is in GPU-hours.");
    if (!trial.assumed().isEmpty()) {
      notes.add(
          "Assumed: "
              + Phrases.first(trial.assumed(), FEW)
              + (trial.assumed().size() == 1 ? " is a queue" : " are queues")
              + " that workloads name, and there is no such Queue: played without a limit, and all"
              + " that it has is its own, so nothing is reclaimed from it. --with FILE gives"
              + " queues; berth import prints those of Kueue, KAI Scheduler and Volcano.");
    }
    if (trial.observed().belowQuota().isEmpty()) {
      notes.add("No queue has a quota of GPUs: what a queue is owed is not known.");
    }
    if (trial.moves() > 0) {
      notes.add(
          "Consolidation moves pods to make room for others; what a moved pod did is lost in the"
              + " play. consolidation.maxMoves: 0 in --config of the record turns it off.");
    }
    long withdrawn = trial.withdrawn();
    if (withdrawn > 0) {
      notes.add(
          "Deleted before they ran: "
              + Phrases.count((int) withdrawn, "workload")
              + ", which count as not started by the end where they are observed; in the play they"
              + " are deleted at the same moment, and may have started before.");
    }
    long cut = trial.cut();
    if (cut > 0) {
      notes.add(
          "Cut: "
              + cut
              + (cut == 1 ? " workload" : " workloads")
              + " still ran at the end on one side or both. For how long it would have run is not"
              + " in the log where it did so there.");
    }
    if (trial.leftOut() > 0) {
      notes.add(
          "Not played: "
              + trial.leftOut()
              + " workloads that claim devices by dynamic resource allocation.");
    }
    notes.add(
        "The log has "
            + trial.span().snapshots()
            + " snapshots, at most "
            + WaitTimes.text(trial.span().longestGap())
            + " apart. Pods that came and went between two of them are not in it.");
    return notes;
  }
}
