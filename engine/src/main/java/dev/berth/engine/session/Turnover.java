package dev.berth.engine.session;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Which groups differ between two snapshots. Lists share what did not change by reference, so that
/// only references are compared.
///
/// @param gone indexes in the list before
/// @param come by key
record Turnover(List<Integer> gone, TreeMap<GroupKey, PodGroup> come) {
  private static final Comparator<PodGroup> BY_KEY = Comparator.comparing(PodGroup::key);

  /// Empty where the second list is not in key order.
  static Optional<Turnover> between(List<PodGroup> before, List<PodGroup> after) {
    var turnover = new Turnover(new ArrayList<>(), new TreeMap<>());
    if (before == after) {
      return Optional.of(turnover);
    }
    int i = 0;
    int j = 0;
    while (i < before.size() || j < after.size()) {
      if (i < before.size() && j < after.size() && before.get(i) == after.get(j)) {
        i++;
        j++;
        continue;
      }
      int order = order(before, i, after, j);
      if (order >= 0) {
        if (j > 0 && BY_KEY.compare(after.get(j - 1), after.get(j)) >= 0) {
          return Optional.empty();
        }
        turnover.come.put(after.get(j).key(), after.get(j));
        j++;
      }
      if (order <= 0) {
        turnover.gone.add(i++);
      }
    }
    return Optional.of(turnover);
  }

  private static int order(List<PodGroup> before, int i, List<PodGroup> after, int j) {
    if (i == before.size() || j == after.size()) {
      return i == before.size() ? 1 : -1;
    }
    return BY_KEY.compare(before.get(i), after.get(j));
  }
}
