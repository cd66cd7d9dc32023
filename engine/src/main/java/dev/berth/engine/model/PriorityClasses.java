package dev.berth.engine.model;

import dev.berth.engine.model.Fact.PriorityClassSeen;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// The PriorityClasses of a cluster, by name. Immutable.
///
/// @param areKnown false = others may exist as well
public record PriorityClasses(SortedMap<String, PriorityClassSeen> byName, boolean areKnown) {
  public static final PriorityClasses UNKNOWN =
      new PriorityClasses(Collections.emptySortedMap(), false);

  public PriorityClasses {
    byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
  }

  /// Those of a file: where it holds none, they are not known.
  public static PriorityClasses of(Collection<PriorityClassSeen> classes) {
    return classes.isEmpty() ? UNKNOWN : all(classes);
  }

  /// All that there are.
  public static PriorityClasses all(Collection<PriorityClassSeen> classes) {
    var byName = new TreeMap<String, PriorityClassSeen>();
    classes.forEach(each -> byName.put(each.name(), each));
    return new PriorityClasses(byName, true);
  }

  /// The class that a group names and that does not exist, with a hint at the one that is called
  /// almost so; empty = there is none.
  public String missing(PodGroup group) {
    String named = group.spec().priorityClass();
    return named.isEmpty() || !areKnown || byName.containsKey(named) ? "" : named + like(named);
  }

  /// ` (did you mean train?)` with the class that is called almost so, or nothing.
  public String like(String name) {
    return Spelling.hint(name, byName.keySet());
  }
}
