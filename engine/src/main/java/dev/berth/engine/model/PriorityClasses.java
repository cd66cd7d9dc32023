package dev.berth.engine.model;

import dev.berth.engine.model.Fact.PriorityClassSeen;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// The PriorityClasses of a cluster, by name; empty = they are not known. Immutable.
public record PriorityClasses(SortedMap<String, PriorityClassSeen> byName) {
  public static final PriorityClasses UNKNOWN = new PriorityClasses(Collections.emptySortedMap());

  public PriorityClasses {
    byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
  }

  public static PriorityClasses of(Collection<PriorityClassSeen> classes) {
    var byName = new TreeMap<String, PriorityClassSeen>();
    classes.forEach(each -> byName.put(each.name(), each));
    return new PriorityClasses(byName);
  }

  /// The class that a group names and that does not exist, with a hint at the one that is called
  /// almost so; empty = there is none.
  public String missing(PodGroup group) {
    String named = group.spec().priorityClass();
    return named.isEmpty() || byName.isEmpty() || byName.containsKey(named)
        ? ""
        : named + Spelling.hint(named, byName.keySet());
  }
}
