package dev.berth.engine.request;

import dev.berth.engine.model.GroupSpec.SubGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;

/// A tree of sub-groups as an object describes it, made one that can be walked: every name once,
/// every parent there, no circle, and no more of them than can be planned. The same for PodGroups
/// and for what is derived from owners. Linear in the number of sub-groups.
public final class SubGroupTree {
  /// The most sub-groups of a group.
  public static final int MOST = 40_000;

  private SubGroupTree() {}

  /// Takes what is wrong.
  public interface Faults {
    /// @param index of the sub-group in the list
    /// @param field `name` or `parent`
    void add(int index, String field, String value, String rule);
  }

  /// Without those that have no name, or that of an earlier one. A parent that does not exist, or
  /// that is below the sub-group itself, counts as none. Empty where there are more than [#MOST].
  public static List<SubGroup> of(List<SubGroup> written, Faults faults) {
    if (written.size() > MOST) {
      faults.add(MOST, "name", written.get(MOST).name(), "a group has " + MOST + " at most.");
      return List.of();
    }
    var first = new HashMap<String, Integer>(); // looked up only
    for (int i = 0; i < written.size(); i++) {
      String name = written.get(i).name();
      if (name.isEmpty()) {
        faults.add(i, "name", name, "a sub-group has a name; pods join it by label.");
      } else if (first.putIfAbsent(name, i) != null) {
        faults.add(i, "name", name, "another sub-group is called so. Rename one of them.");
      }
    }
    var rooted = new HashMap<Integer, Boolean>(); // looked up only
    var tree = new ArrayList<SubGroup>(written.size());
    for (int i = 0; i < written.size(); i++) {
      SubGroup each = written.get(i);
      if (first.getOrDefault(each.name(), -1) == i) {
        tree.add(leadsToTheTop(i, written, first, rooted, faults) ? each : each.below(""));
      }
    }
    return tree;
  }

  private static boolean leadsToTheTop(
      int index,
      List<SubGroup> written,
      HashMap<String, Integer> first,
      HashMap<Integer, Boolean> rooted,
      Faults faults) {
    String parent = written.get(index).parent();
    if (!parent.isEmpty() && !first.containsKey(parent)) {
      faults.add(index, "parent", parent, "there is no such sub-group.");
      return false;
    }
    var way = new LinkedHashSet<Integer>();
    int at = index;
    while (at >= 0 && !rooted.containsKey(at) && way.add(at)) {
      at = first.getOrDefault(written.get(at).parent(), -1);
    }
    boolean isRooted = at < 0 || rooted.getOrDefault(at, false);
    way.forEach(each -> rooted.put(each, isRooted));
    if (!isRooted) {
      faults.add(
          index, "parent", parent, "sub-groups form a tree, and this one leads in a circle.");
    }
    return isRooted;
  }
}
