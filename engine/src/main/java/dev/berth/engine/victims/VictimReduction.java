package dev.berth.engine.victims;

import dev.berth.engine.fairness.ChosenUnit;
import dev.berth.engine.session.Group;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Gives back what a set of victims that holds does not need, the latest first: a step only when no
/// later one of its group stays taken.
///
/// Of many, several are given back at once: what holds without all of these holds without some of
/// them. A number that cannot be given back is halved, one that can is doubled.
final class VictimReduction {
  /// Steps that are given back one by one.
  private static final int FEW = 64;

  private final Trial trial;
  private final ReleaseBound freed;

  /// @param freed with all of them added
  VictimReduction(Trial trial, ReleaseBound freed) {
    this.trial = trial;
    this.freed = freed;
  }

  /// What is needed of a set that holds.
  List<ChosenUnit> needed(List<ChosenUnit> all) {
    var taken = new ArrayList<>(all);
    var stays = new LinkedHashSet<Group>(); // by identity: a group is equal to itself only
    int most = all.size() > FEW ? all.size() : 1;
    int atOnce = 1;
    for (int to = taken.size(); to > 0; ) {
      if (stays.contains(taken.get(to - 1).group())) {
        to--;
        continue;
      }
      int from = from(taken, to, stays, Math.min(atOnce, most));
      if (givesBack(taken, from, to)) {
        atOnce = 2 * (to - from);
        to = from;
      } else if (to - from == 1) {
        stays.add(taken.get(from).group());
        atOnce = 1;
        to = from;
      } else {
        atOnce = (to - from) / 2;
      }
    }
    return taken;
  }

  /// Where those begin that are given back at once: of `count` before `to`, up to one that stays.
  private static int from(List<ChosenUnit> taken, int to, Set<Group> stays, int count) {
    int from = to - 1;
    while (from > 0 && to - from < count && !stays.contains(taken.get(from - 1).group())) {
      from--;
    }
    return from;
  }

  private boolean givesBack(ArrayList<ChosenUnit> taken, int from, int to) {
    var back = List.copyOf(taken.subList(from, to));
    back.forEach(freed::remove);
    if (back.size() < taken.size() && freed.mayDo()) {
      var without = new ArrayList<>(taken.subList(0, from));
      without.addAll(taken.subList(to, taken.size()));
      if (trial.holds(without, false)) {
        taken.subList(from, to).clear();
        return true;
      }
    }
    back.forEach(freed::add);
    return false;
  }
}
