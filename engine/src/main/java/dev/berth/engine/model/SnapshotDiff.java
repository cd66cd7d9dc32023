package dev.berth.engine.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which groups differ between two snapshots. Lists share what did not change by reference, so that
/// only references are compared.
///
/// @param gone indexes in the list before
/// @param come by key
public record SnapshotDiff(List<Integer> gone, SortedMap<GroupKey, PodGroup> come) {
  private static final Comparator<PodGroup> BY_KEY = Comparator.comparing(PodGroup::key);

  public SnapshotDiff {
    gone = Collections.unmodifiableList(gone);
    come = Collections.unmodifiableSortedMap(come);
  }

  /// Whether queues, topologies and devices are as before. Not so where there are claims of
  /// devices: they are counted anew for every snapshot.
  public static boolean sharesQueuesAndDevices(Snapshot before, Snapshot after) {
    return areSame(before.queues(), after.queues())
        && areSame(before.topologies(), after.topologies())
        && before.devices().claims().isEmpty()
        && after.devices().claims().isEmpty()
        && areSame(before.devices().slices(), after.devices().slices())
        && areSame(before.devices().classes(), after.devices().classes());
  }

  /// Whether both lists are of the same objects.
  public static <T> boolean areSame(List<T> before, List<T> after) {
    boolean same = before.size() == after.size();
    for (int i = 0; same && before != after && i < before.size(); i++) {
      same = before.get(i) == after.get(i);
    }
    return same;
  }

  /// Empty where the second list is not in key order.
  public static Optional<SnapshotDiff> between(List<PodGroup> before, List<PodGroup> after) {
    var gone = new ArrayList<Integer>(0);
    var changed = new ArrayList<Integer>(0);
    ListChanges.between(before, after, PodGroup::key, gone::add, changed::add);
    var come = new TreeMap<GroupKey, PodGroup>();
    for (int j : changed) {
      if (j > 0 && BY_KEY.compare(after.get(j - 1), after.get(j)) >= 0) {
        return Optional.empty();
      }
      come.put(after.get(j).key(), after.get(j));
    }
    return Optional.of(new SnapshotDiff(gone, come));
  }
}
