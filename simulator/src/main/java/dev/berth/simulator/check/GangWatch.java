package dev.berth.simulator.check;

import dev.berth.simulator.world.PodView;
import dev.berth.simulator.world.Tree;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// No gang stays partly bound: from the first binding, its minimum is bound within the deadline.
///
/// A gang that has started once is left out until none of its pods is bound any more: what it loses
/// later is for the rule of stale groups. So is one with a finished member.
public final class GangWatch {
  private final Duration deadline;
  private final TreeMap<String, Instant> partlySince = new TreeMap<>();
  private final Set<String> started = new HashSet<>();

  /// @param deadline how long a gang may be partly bound
  public GangWatch(Duration deadline) {
    this.deadline = deadline;
  }

  /// To be asked again and again: it remembers since when.
  public List<String> broken(
      List<Map<String, Object>> groups, List<Map<String, Object>> pods, Instant now) {
    var counts = counts(groups, pods);
    var broken = new ArrayList<String>();
    partlySince.keySet().removeIf(group -> !counts.containsKey(group));
    started.removeIf(group -> !counts.containsKey(group));
    counts.forEach((group, count) -> {
      if (count.bound == 0 && count.over == 0) {
        started.remove(group);
      } else if (count.bound + count.over >= count.minimum) {
        started.add(group);
      }
      if (!count.isPartly() || started.contains(group)) {
        partlySince.remove(group);
      } else if (partlySince.computeIfAbsent(group, _ -> now).plus(deadline).isBefore(now)) {
        broken.add(
            "gang "
                + group
                + " has "
                + count.bound
                + " of "
                + count.minimum
                + " bound since "
                + partlySince.get(group));
      }
    });
    return broken;
  }

  /// Gangs with some of their minimum bound and not all of it.
  public static List<String> partlyBound(
      List<Map<String, Object>> groups, List<Map<String, Object>> pods) {
    var partly = new ArrayList<String>();
    counts(groups, pods)
        .forEach((group, count) -> {
          if (count.isPartly()) {
            partly.add(group);
          }
        });
    return partly;
  }

  private static final class Count {
    private final int minimum;
    private int bound;
    private int over;

    private Count(int minimum) {
      this.minimum = minimum;
    }

    private boolean isPartly() {
      return bound > 0 && over == 0 && bound < minimum;
    }
  }

  private static SortedMap<String, Count> counts(
      List<Map<String, Object>> groups, List<Map<String, Object>> pods) {
    var counts = new TreeMap<String, Count>();
    var groupOfOwner = new TreeMap<String, String>();
    for (var group : groups) {
      String key = Tree.text(group, "metadata", "namespace") + "/" + Tree.name(group);
      int minimum = (int) Tree.number(group, 0, "spec", "minMember");
      if (minimum > 1) {
        counts.put(key, new Count(minimum));
        owners(group).forEach(owner -> groupOfOwner.put(owner, key));
      }
    }
    for (var tree : pods) {
      var pod = PodView.of(tree);
      var count = counts.get(groupOf(pod, groupOfOwner));
      if (count != null && !pod.node().isEmpty()) {
        if (pod.takesRoom()) {
          count.bound++;
        } else if (pod.phase().equals("Succeeded")) {
          count.over++;
        }
      }
    }
    return counts;
  }

  /// By name, else by a common owner.
  private static String groupOf(PodView pod, Map<String, String> groupOfOwner) {
    if (!pod.group().isEmpty()) {
      return Tree.text(pod.tree(), "metadata", "namespace") + "/" + pod.group();
    }
    for (String owner : owners(pod.tree())) {
      if (groupOfOwner.containsKey(owner)) {
        return groupOfOwner.get(owner);
      }
    }
    return "";
  }

  private static List<String> owners(Map<String, ?> object) {
    return Tree.maps(object, "metadata", "ownerReferences").stream()
        .map(reference -> Tree.text(reference, "uid"))
        .toList();
  }
}
