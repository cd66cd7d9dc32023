package dev.berth.simulator.world;

import dev.berth.engine.model.LabelSelector;
import dev.berth.engine.model.SelectorIndex;
import dev.berth.engine.request.DisruptionBudgetManifest;
import dev.berth.engine.request.PodManifest;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// How many pods of one namespace count for each of its disruption budgets, kept as objects change:
/// a pod is compared with the budgets that demand nothing or a label of it, a budget with the pods
/// that have such a label.
final class BudgetCounts {
  private final TreeMap<String, Counted> pods = new TreeMap<>();
  private final HashMap<Label, TreeSet<String>> byLabel = new HashMap<>(); // looked up only
  private final TreeMap<String, BudgetCount> tallies = new TreeMap<>();
  private final SelectorIndex<BudgetCount> index = new SelectorIndex<>();

  private record Label(String key, String value) {}

  /// A pod that is not over.
  private record Counted(Map<String, String> labels, boolean healthy) {}

  private static final class BudgetCount {
    private final String name;
    private final Optional<LabelSelector> selector;
    private long expected;
    private long healthy;

    /// @param selector empty = it covers no pod
    BudgetCount(String name, Optional<LabelSelector> selector) {
      this.name = name;
      this.selector = selector;
    }

    void count(Counted pod, int by) {
      expected += by;
      healthy += pod.healthy ? by : 0;
    }
  }

  /// @return the budgets for which it counts, or did
  TreeSet<String> pod(String name, Optional<Map<String, Object>> now) {
    var changed = new TreeSet<String>();
    var before = pods.remove(name);
    if (before != null) {
      list(name, before.labels, false);
      count(before, -1, changed);
    }
    now.filter(pod -> !PodRules.isOver(pod))
        .ifPresent(pod -> {
          var counted = new Counted(labels(pod), Disruptions.isHealthy(pod));
          pods.put(name, counted);
          list(name, counted.labels, true);
          count(counted, 1, changed);
        });
    return changed;
  }

  private static Map<String, String> labels(Map<String, ?> pod) {
    return PodManifest.read(pod).orElseThrow().traits().labels();
  }

  private void count(Counted pod, int by, TreeSet<String> changed) {
    for (BudgetCount tally : index.all(pod.labels)) {
      tally.count(pod, by);
      changed.add(tally.name);
    }
  }

  private void list(String name, Map<String, String> labels, boolean isThere) {
    labels.forEach((key, value) -> {
      var names = byLabel.computeIfAbsent(new Label(key, value), _ -> new TreeSet<>());
      if (isThere) {
        names.add(name);
      } else {
        names.remove(name);
      }
    });
  }

  /// Pods are counted again only where it covers others than before.
  void budget(String name, Optional<Map<String, Object>> now) {
    var before = tallies.get(name);
    var selector = now.flatMap(DisruptionBudgetManifest::selector);
    if (before != null && now.isPresent() && before.selector.equals(selector)) {
      return;
    }
    if (before != null) {
      tallies.remove(name);
      before.selector.ifPresent(each -> index.remove(before, each));
    }
    if (now.isPresent()) {
      var tally = new BudgetCount(name, selector);
      tallies.put(name, tally);
      selector.ifPresent(each -> {
        index.add(tally, each);
        countAll(tally, each);
      });
    }
  }

  private void countAll(BudgetCount tally, LabelSelector selector) {
    for (String name : mayMatch(selector)) {
      var pod = pods.get(name);
      if (pod != null && selector.matches(pod.labels)) {
        tally.count(pod, 1);
      }
    }
  }

  private Collection<String> mayMatch(LabelSelector selector) {
    var label = SelectorIndex.narrowest(selector);
    if (label.isEmpty()) {
      return pods.keySet();
    }
    var names = new TreeSet<String>();
    for (String value : label.get().values()) {
      names.addAll(byLabel.getOrDefault(new Label(label.get().label(), value), new TreeSet<>()));
    }
    return names;
  }

  long expected(String budget) {
    var tally = tallies.get(budget);
    return tally == null ? 0 : tally.expected;
  }

  long healthy(String budget) {
    var tally = tallies.get(budget);
    return tally == null ? 0 : tally.healthy;
  }

  /// The budgets that cover a pod, by name.
  List<String> covering(Map<String, ?> pod) {
    return index.all(labels(pod)).stream().map(tally -> tally.name).sorted().toList();
  }
}
