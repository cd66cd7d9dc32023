package dev.berth.engine.victims;

import dev.berth.engine.fairness.ChosenUnit;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Statement;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/// The steps that were chosen so far, by group and by node, so that those near a node are found
/// without a look at the others.
final class ChosenUnits {
  private final Session session;
  private final Group preemptor;
  private final Cause cause;
  private final TreeMap<Integer, List<Numbered>> byNode = new TreeMap<>();

  /// Looked up only.
  private final IdentityHashMap<Group, List<Numbered>> byGroup = new IdentityHashMap<>();

  private int size;

  /// @param number in the order of choice
  private record Numbered(int number, ChosenUnit step) {}

  ChosenUnits(Session session, Group preemptor, Cause cause) {
    this.session = session;
    this.preemptor = preemptor;
    this.cause = cause;
  }

  void add(ChosenUnit chosen) {
    var numbered = new Numbered(size++, chosen);
    byGroup.computeIfAbsent(chosen.group(), _ -> new ArrayList<>(1)).add(numbered);
    for (int node : nodes(chosen)) {
      byNode.computeIfAbsent(node, _ -> new ArrayList<>(1)).add(numbered);
    }
  }

  /// How many nodes are near.
  int nodes() {
    return byNode.size();
  }

  /// The nodes of a step, by name.
  static TreeSet<Integer> nodes(ChosenUnit chosen) {
    var nodes = new TreeSet<Integer>(); // by number is by name
    for (MemberState seat : chosen.unit().seats()) {
      nodes.add(seat.now().node());
    }
    return nodes;
  }

  /// The chosen steps with a pod on the node. A group that would fall below its minimum by that
  /// gives all its chosen steps.
  List<ChosenUnit> near(int node) {
    var here = new LinkedHashMap<Group, List<Numbered>>(); // by identity
    for (Numbered each : byNode.getOrDefault(node, List.of())) {
      here.computeIfAbsent(each.step.group(), _ -> new ArrayList<>(1)).add(each);
    }
    var near = new TreeMap<Integer, ChosenUnit>();
    here.forEach((group, steps) -> {
      var all = byGroup.getOrDefault(group, steps);
      boolean gives = all.size() > steps.size() && breaks(steps);
      for (Numbered each : gives ? all : steps) {
        near.put(each.number, each.step);
      }
    });
    return List.copyOf(near.values());
  }

  /// Whether a group would be below its minimum without these steps.
  private boolean breaks(List<Numbered> steps) {
    boolean core = false;
    for (Numbered each : steps) {
      core |= each.step.unit().core();
    }
    if (!core) {
      return false;
    }
    try (Statement statement = session.open()) {
      for (Numbered each : steps) {
        for (MemberState seat : each.step.unit().seats()) {
          statement.evict(seat, cause, preemptor.key());
        }
      }
      return steps.getFirst().step.group().isBelowMinimum();
    }
  }
}
