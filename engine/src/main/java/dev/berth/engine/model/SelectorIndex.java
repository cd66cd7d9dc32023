package dev.berth.engine.model;

import dev.berth.engine.model.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// Objects with a selector each, found by the labels of what they select: a selector that demands a
/// label is looked at only for objects that have it, and if it demands one of a few values, one of
/// those.
///
/// Not for several threads.
public final class SelectorIndex<T> {
  private static final int FEW = 8; // values that a selector is listed under

  private final HashMap<Anchor, Bucket<T>> buckets = new HashMap<>(); // looked up only
  private final HashMap<String, Integer> labels = new HashMap<>(); // selectors that name each

  /// Where selectors are looked for.
  ///
  /// @param label that all objects have that they match; empty = none
  /// @param isExact whether they have this value of it, too
  private record Anchor(String label, String value, boolean isExact) {
    private static final Anchor ANY = new Anchor("", "", false);
  }

  private static final class Bucket<T> {
    private final LinkedHashMap<T, LabelSelector> things = new LinkedHashMap<>();
    private long steps; // that it costs to compare all of them
  }

  public void add(T thing, LabelSelector selector) {
    for (Anchor anchor : anchors(selector)) {
      var copies = buckets.computeIfAbsent(anchor, _ -> new Bucket<>());
      copies.things.put(thing, selector);
      copies.steps += selector.steps();
    }
    for (Requirement requirement : selector.requirements()) {
      labels.merge(requirement.label(), 1, Integer::sum);
    }
  }

  /// @param selector with which it was added
  public void remove(T thing, LabelSelector selector) {
    for (Anchor anchor : anchors(selector)) {
      var copies = buckets.get(anchor);
      if (copies != null && copies.things.remove(thing) != null) {
        copies.steps -= selector.steps();
        if (copies.things.isEmpty()) {
          buckets.remove(anchor);
        }
      }
    }
    for (Requirement requirement : selector.requirements()) {
      labels.computeIfPresent(requirement.label(), (_, count) -> count == 1 ? null : count - 1);
    }
  }

  /// The label that tells most about what a selector matches, where it has one of a few values.
  public static Optional<Requirement> narrowest(LabelSelector selector) {
    return selector.requirements().stream()
        .filter(each -> each.operator() == LabelSelector.Operator.IN && each.values().size() <= FEW)
        .findFirst();
  }

  private static List<Anchor> anchors(LabelSelector selector) {
    var narrowest = narrowest(selector);
    if (narrowest.isPresent()) {
      var label = narrowest.get().label();
      return narrowest.get().values().stream()
          .distinct()
          .map(value -> new Anchor(label, value, true))
          .toList();
    }
    for (Requirement requirement : selector.requirements()) {
      switch (requirement.operator()) {
        case IN, EXISTS -> {
          return List.of(new Anchor(requirement.label(), "", false));
        }
        case NOT_IN, DOES_NOT_EXIST -> {}
      }
    }
    return List.of(Anchor.ANY);
  }

  /// Labels that some selector names, keys and values by turns. Pods that are equal in those are
  /// equal to all selectors.
  public List<String> told(Map<String, String> of) {
    var told = new ArrayList<String>(4);
    if (!labels.isEmpty()) {
      of.forEach((label, value) -> {
        if (labels.containsKey(label)) {
          told.add(label);
          told.add(value);
        }
      });
    }
    return told;
  }

  /// What a search would cost if it came to no early end.
  public long steps(Map<String, String> of) {
    long steps = 0;
    for (Bucket<T> copies : shelvesOf(of)) {
      steps += copies.steps;
    }
    return steps;
  }

  /// Shows those whose selector matches, in an order that follows from how they were added.
  ///
  /// @param wantsMore whether the search goes on behind this one
  public void search(Map<String, String> of, Predicate<T> wantsMore) {
    for (Bucket<T> copies : shelvesOf(of)) {
      for (var entry : copies.things.entrySet()) {
        if (entry.getValue().matches(of) && !wantsMore.test(entry.getKey())) {
          return;
        }
      }
    }
  }

  /// Those whose selector matches.
  public List<T> all(Map<String, String> of) {
    var all = new ArrayList<T>(1);
    search(of, all::add);
    return all;
  }

  private List<Bucket<T>> shelvesOf(Map<String, String> of) {
    var mine = new ArrayList<Bucket<T>>(2);
    find(Anchor.ANY, mine);
    of.forEach((label, value) -> {
      if (labels.containsKey(label)) {
        find(new Anchor(label, "", false), mine);
        find(new Anchor(label, value, true), mine);
      }
    });
    return mine;
  }

  private void find(Anchor anchor, List<Bucket<T>> into) {
    var copies = buckets.get(anchor);
    if (copies != null) {
      into.add(copies);
    }
  }
}
