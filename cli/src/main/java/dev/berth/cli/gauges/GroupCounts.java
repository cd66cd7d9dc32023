package dev.berth.cli.gauges;

import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// What one group adds, and since when the oldest pending one of each queue waits. Of one thread at
/// a time.
final class GroupCounts {
  static final List<ClusterGauge> GAUGES =
      List.of(ClusterGauge.PODS, ClusterGauge.GROUPS, ClusterGauge.VETOES, ClusterGauge.IDLE_GPUS);

  /// By the label of the queue: how many pending groups were created when.
  private final TreeMap<String, TreeMap<Instant, Integer>> pending = new TreeMap<>();

  void come(PodGroup group, String queue, Counting counts) {
    if (count(group, queue, counts).equals("pending")) {
      pending.computeIfAbsent(queue, _ -> new TreeMap<>()).merge(group.created(), 1, Integer::sum);
    }
  }

  void go(PodGroup group, String queue, Counting counts) {
    if (count(group, queue, counts.negated()).equals("pending")) {
      pending.computeIfPresent(
          queue,
          (_, created) -> {
            created.computeIfPresent(group.created(), (_, count) -> count == 1 ? null : count - 1);
            return created.isEmpty() ? null : created;
          });
    }
  }

  void clear() {
    pending.clear();
  }

  List<ClusterGauge.Sample> oldest() {
    var oldest = new ArrayList<ClusterGauge.Sample>();
    pending.forEach((queue, created) ->
        oldest.add(
            new ClusterGauge.Sample(
                List.of(queue), (double) created.firstKey().toEpochMilli() / 1000)));
    return oldest;
  }

  /// @return the state of the group; empty = all of its pods are over
  private static String count(PodGroup group, String queue, Counting counts) {
    int waiting = 0;
    int planned = 0;
    int bound = 0;
    int vetoes = 0;
    for (Member member : group.members()) {
      vetoes += member.vetoes().size();
      switch (member.standing()) {
        case Standing.Waiting() -> waiting++;
        case Standing.Planned _ -> planned++;
        case Standing.Bound _, Standing.Leaving _ -> bound++;
        case Standing.Awaited _, Standing.Over _ -> {}
      }
      String standing = standing(member.standing());
      if (!standing.isEmpty()) {
        counts.add(ClusterGauge.PODS, 1, queue, standing);
      }
    }
    counts.add(ClusterGauge.VETOES, vetoes);
    long idle = group.spec().run().idle().millis();
    if (idle > 0) {
      counts.add(ClusterGauge.IDLE_GPUS, idle, queue);
    }
    String state = state(waiting, planned, bound);
    if (!state.isEmpty()) {
      counts.add(ClusterGauge.GROUPS, 1, queue, state);
    }
    return state;
  }

  private static String state(int waiting, int planned, int bound) {
    if (bound > 0) {
      return waiting + planned > 0 ? "partial" : "running";
    }
    if (waiting > 0) {
      return "pending";
    }
    return planned > 0 ? "planned" : "";
  }

  private static String standing(Standing standing) {
    return switch (standing) {
      case Standing.Waiting() -> "waiting";
      case Standing.Planned(_, boolean released) -> released ? "released" : "planned";
      case Standing.Bound _ -> "bound";
      case Standing.Leaving _ -> "leaving";
      case Standing.Awaited _ -> "awaited";
      case Standing.Over _ -> "";
    };
  }
}
