package dev.berth.simulator.world;

import dev.berth.simulator.world.Extender.Filtered;
import dev.berth.simulator.world.SchedulingQueue.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// How kube-scheduler selects a node in one scheduling cycle: its filters, the extender's, scores.
final class NodeSelection {
  private final SchedulerCache cache;
  private final Supplier<SchedulingQueue> queue;
  private final VolumeBinding volumes;
  private final DynamicResourcesPlugin claims;
  private final Optional<Extender> extender;
  private final Scoring scoring;

  /// @param weight of the extender's scores
  /// @param chance chooses among equal nodes
  record Scoring(int weight, Chance chance) {}

  /// @param queue the one of the present incarnation
  NodeSelection(
      SchedulerCache cache,
      Supplier<SchedulingQueue> queue,
      VolumeBinding volumes,
      DynamicResourcesPlugin claims,
      Optional<Extender> extender,
      Scoring scoring) {
    this.cache = cache;
    this.queue = queue;
    this.volumes = volumes;
    this.claims = claims;
    this.extender = extender;
    this.scoring = scoring;
  }

  /// The node for a pod: the nominated one where it passes, else the best that does; empty = none
  /// passes.
  ///
  /// @param diagnosis counts why nodes do not pass
  Optional<String> select(Entry entry, Diagnosis diagnosis) {
    List<String> feasible = List.of();
    if (cache.node(entry.nominated()).isKnown()) {
      feasible = feasible(entry, List.of(entry.nominated()), new Diagnosis());
    }
    if (feasible.isEmpty()) {
      feasible = feasible(entry, cache.known(), diagnosis);
    }
    if (feasible.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(feasible.size() == 1 ? feasible.getFirst() : best(entry, feasible));
  }

  /// The candidates that pass all filters, and then the extender.
  ///
  /// @param diagnosis counts why the others do not
  private List<String> feasible(Entry entry, List<String> candidates, Diagnosis diagnosis) {
    var passed = new ArrayList<String>();
    for (String name : candidates) {
      var verdict = judge(entry, name);
      if (verdict.passes()) {
        passed.add(name);
      } else {
        diagnosis.refused(verdict.reasons());
      }
    }
    if (passed.isEmpty() || extender.isEmpty()) {
      return passed;
    }
    Filtered answer = extender.get().filter(entry.pod(), List.copyOf(passed));
    if (!answer.error().isEmpty()) {
      diagnosis.error = answer.error();
      return List.of();
    }
    answer.failed().values().forEach(words -> diagnosis.refused(List.of(words)));
    answer
        .unresolvable()
        .forEach((node, words) -> {
          if (!answer.failed().containsKey(node)) {
            diagnosis.refused(List.of(words));
          }
        });
    return answer.nodes();
  }

  private NodeFilters.Verdict judge(Entry entry, String name) {
    var verdict =
        NodeFilters.judge(entry.pod(), entry.demand(), cache.node(name), reserved(entry, name));
    if (verdict.passes()) {
      verdict = cache.peers().judge(entry.pod(), cache.node(name));
    }
    if (verdict.passes()) {
      String elsewhere = volumes.objection(entry.pod(), cache.node(name).object());
      verdict = elsewhere.isEmpty() ? verdict : new NodeFilters.Verdict(List.of(elsewhere), false);
    }
    String claimed = verdict.passes() ? claims.objection(entry.pod(), name) : "";
    return claimed.isEmpty() ? verdict : new NodeFilters.Verdict(List.of(claimed), true);
  }

  /// Room of nominated pods of equal or higher priority, gated ones included.
  private List<RequestedAmounts> reserved(Entry entry, String node) {
    var reserved = new ArrayList<RequestedAmounts>();
    for (var other : queue.get().nominatedTo(node)) {
      boolean assumed = cache.isPlaced(other.uid());
      if (other != entry && other.priority() >= entry.priority() && !assumed) {
        reserved.add(other.demand());
      }
    }
    return reserved;
  }

  /// The extender's scores, weighted as kube-scheduler does, over a coarse score of its own: the
  /// least allocated. Ties by chance, as there.
  private String best(Entry entry, List<String> feasible) {
    Map<String, Integer> scores =
        extender.isEmpty() ? Map.of() : extender.get().prioritize(entry.pod(), feasible);
    var best = new ArrayList<String>();
    long highest = Long.MIN_VALUE;
    for (String name : feasible) {
      long score =
          scores.getOrDefault(name, 0) * 10L * scoring.weight() + leastAllocated(cache.node(name));
      if (score > highest) {
        best.clear();
        highest = score;
      }
      if (score == highest) {
        best.add(name);
      }
    }
    return scoring.chance().of(best);
  }

  private static long leastAllocated(NodeState node) {
    long capacity = node.capacity("cpu");
    return capacity == 0 ? 0 : 100 * node.free("cpu") / capacity;
  }
}
