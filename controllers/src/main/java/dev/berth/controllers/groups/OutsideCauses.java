package dev.berth.controllers.groups;

import dev.berth.engine.model.GroupKey;
import java.util.SortedSet;
import java.util.TreeSet;

/// What concerns why a group waits, and no snapshot shows. Of the planning thread.
public record OutsideCauses(UnknownPriorityClasses classes, RefusedPods pods) {
  /// Groups to look at again, though nothing else changed.
  SortedSet<GroupKey> news() {
    var groups = new TreeSet<>(classes.madeSince());
    groups.addAll(pods.news());
    return groups;
  }
}
