package dev.berth.controllers.groups;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// Groups that wait and name a PriorityClass that does not exist. They are looked at again when
/// there is one, though nothing else changed. Of the planning thread.
public final class UnknownPriorityClasses {
  private final Predicate<String> classes;
  private final UnaryOperator<String> like;
  private final TreeMap<String, TreeSet<GroupKey>> groups = new TreeMap<>();
  private final TreeMap<GroupKey, String> names = new TreeMap<>();

  /// @param classes whether there is a PriorityClass of that name
  /// @param like a hint at the one that is called almost so; empty = there is none
  public UnknownPriorityClasses(Predicate<String> classes, UnaryOperator<String> like) {
    this.classes = classes;
    this.like = like;
  }

  /// Groups that named a class which exists by now.
  SortedSet<GroupKey> madeSince() {
    var found = new TreeSet<GroupKey>();
    groups.forEach((name, keys) -> {
      if (classes.test(name)) {
        found.addAll(keys);
      }
    });
    return found;
  }

  /// The class that a group names in vain, with a hint at the one that is meant; empty = there is
  /// one, or it names none.
  String namedBy(PodGroup group) {
    String named = group.spec().priorityClass();
    if (named.isEmpty() || classes.test(named)) {
      return "";
    }
    names.put(group.key(), named);
    groups.computeIfAbsent(named, _ -> new TreeSet<>()).add(group.key());
    return named + like.apply(named);
  }

  void forget(GroupKey key) {
    String named = names.remove(key);
    if (named == null) {
      return;
    }
    groups.computeIfPresent(
        named,
        (_, keys) -> {
          keys.remove(key);
          return keys.isEmpty() ? null : keys;
        });
  }

  void clear() {
    groups.clear();
    names.clear();
  }
}
