package dev.berth.cli.counterfactual;

import dev.berth.cli.counterfactual.QueueEffect.Pair;
import dev.berth.cli.counterfactual.QueueEffect.Side;
import dev.berth.cli.lists.TreeText;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A trial for programs. Waits are in seconds; a wait, start or name that there is not is left out.
public final class TrialJson {
  private TrialJson() {}

  public static List<String> lines(PolicyTrial trial) {
    return TreeText.json(tree(trial));
  }

  private static Map<String, Object> tree(PolicyTrial trial) {
    var tree = new LinkedHashMap<String, Object>();
    var span = trial.span();
    tree.put("begin", span.begin().toString());
    tree.put("end", span.end().toString());
    tree.put("snapshots", span.snapshots());
    tree.put("longestGapSeconds", seconds(span.longestGap()));
    tree.put("settingsChanged", span.settingsChanged());
    tree.put("changedQueues", trial.changed());
    tree.put("startedInLog", trial.nearness().started());
    tree.put("startedWithinAMinuteOfLog", trial.nearness().near());
    tree.put("ranAtTheEnd", trial.limits().cut());
    tree.put("notPlayed", trial.limits().leftOut());
    tree.put("queues", trial.queues().stream().map(TrialJson::tree).toList());
    tree.put("all", tree(trial.all()));
    tree.put("workloads", trial.others().stream().map(TrialJson::tree).toList());
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
    tree.put("startOnlyAfter", effect.begins());
    tree.put("startOnlyBefore", effect.fails());
    tree.put("before", tree(effect.before()));
    tree.put("after", tree(effect.after()));
    return tree;
  }

  static Map<String, Object> tree(Side side) {
    var tree = new LinkedHashMap<String, Object>();
    putWait(tree, "medianWaitSeconds", side.waits().median());
    putWait(tree, "p90WaitSeconds", side.waits().p90());
    tree.put("notStarted", side.waiting());
    tree.put("evictions", side.evictions());
    tree.put("gpuHours", side.gpuHours());
    return tree;
  }

  private static void putWait(Map<String, Object> tree, String name, Duration wait) {
    if (!wait.equals(WaitTimes.NONE) && !wait.equals(WaitTimes.NOT_YET)) {
      tree.put(name, seconds(wait));
    }
  }

  static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  private static Map<String, Object> tree(Pair pair) {
    var group = pair.before().logged().group();
    var tree = new LinkedHashMap<String, Object>();
    tree.put("namespace", group.key().namespace());
    tree.put("name", group.key().name());
    tree.put("queue", group.queue().value());
    tree.put("arrived", pair.before().logged().arrived().toString());
    tree.put("before", tree(pair.before()));
    tree.put("after", tree(pair.after()));
    return tree;
  }

  private static Map<String, Object> tree(PlayedWorkload played) {
    var tree = new LinkedHashMap<String, Object>();
    if (played.hasStarted()) {
      tree.put("started", played.started().toString());
    }
    tree.put("evictions", played.evictions());
    return tree;
  }
}
