package dev.berth.cli.counterfactual;

import dev.berth.cli.counterfactual.QueueEffect.Pair;
import dev.berth.cli.lists.TreeText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The same for programs. Waits are in seconds; a wait or start that there is not is left out.
public final class ShadowJson {
  private ShadowJson() {}

  public static List<String> lines(ShadowTrial trial) {
    return TreeText.json(tree(trial));
  }

  private static Map<String, Object> tree(ShadowTrial trial) {
    var tree = new LinkedHashMap<String, Object>();
    var span = trial.span();
    tree.put("begin", span.begin().toString());
    tree.put("end", span.end().toString());
    tree.put("snapshots", span.snapshots());
    tree.put("longestGapSeconds", TrialJson.seconds(span.longestGap()));
    tree.put("source", trial.source());
    tree.put("assumedQueues", trial.assumed());
    tree.put("ranAtTheEnd", trial.cut());
    tree.put("notPlayed", trial.leftOut());
    tree.put("movesByBerth", trial.moves());
    tree.put("deletedBeforeTheyRan", trial.withdrawn());
    tree.put("observed", times(trial.observed()));
    tree.put("byBerth", times(trial.byBerth()));
    tree.put("queues", trial.queues().stream().map(ShadowJson::tree).toList());
    tree.put("all", tree(trial.all()));
    tree.put("workloads", trial.pairs().stream().map(pair -> tree(trial, pair)).toList());
    return tree;
  }

  private static Map<String, Object> times(GpuTimes.Sums sums) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("gpuHours", sums.total());
    tree.put("gpuHoursAllocated", sums.allocated());
    tree.put("gpuHoursFreeOnPartlyUsedNodes", sums.scattered());
    var below = new LinkedHashMap<String, Object>();
    sums.belowQuota().forEach((queue, hours) -> below.put(queue.value(), hours));
    tree.put("gpuHoursBelowQuota", below);
    return tree;
  }

  private static Map<String, Object> tree(QueueEffect effect) {
    var tree = new LinkedHashMap<String, Object>();
    if (!effect.queue().isEmpty()) {
      tree.put("queue", effect.queue());
    }
    tree.put("workloads", effect.workloads());
    tree.put("ranBefore", effect.ranBefore());
    tree.put("startSooner", effect.sooner());
    tree.put("startLater", effect.later());
    tree.put("startOnlyByBerth", effect.begins());
    tree.put("startOnlyObserved", effect.fails());
    tree.put("observed", TrialJson.tree(effect.before()));
    tree.put("byBerth", TrialJson.tree(effect.after()));
    return tree;
  }

  private static Map<String, Object> tree(ShadowTrial trial, Pair pair) {
    var logged = pair.before().logged();
    var tree = new LinkedHashMap<String, Object>();
    tree.put("namespace", logged.group().key().namespace());
    tree.put("name", logged.group().key().name());
    tree.put("queue", logged.group().queue().value());
    tree.put("gpus", ShadowTrial.gpuMillis(logged) / 1000.0);
    tree.put("ranBefore", logged.ranBefore());
    tree.put("arrived", logged.arrived().toString());
    tree.put("observed", workload(trial, pair.before()));
    tree.put("byBerth", workload(trial, pair.after()));
    return tree;
  }

  private static Map<String, Object> workload(ShadowTrial trial, PlayedWorkload played) {
    var tree = new LinkedHashMap<String, Object>();
    if (played.hasStarted()) {
      tree.put("started", played.started().toString());
      tree.put("waitSeconds", TrialJson.seconds(trial.waited(played)));
    }
    tree.put("evictions", played.evictions());
    tree.put("gpuHours", QueueEffect.hours(played.gpuMillis()));
    return tree;
  }
}
