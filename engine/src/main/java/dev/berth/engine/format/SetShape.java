package dev.berth.engine.format;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.SortedSet;
import java.util.TreeSet;

/// A set in order: its own, or that of what its elements are called.
///
/// @param isSorted whether it has an order of its own, the natural one
record SetShape(ValueShape element, boolean isSorted) implements ValueShape {
  @Override
  public void write(Object value, ValueOutput out) {
    var set = (Collection<?>) value;
    out.count(set.size());
    var elements = set.stream();
    (set instanceof SortedSet ? elements : elements.sorted(Comparator.comparing(String::valueOf)))
        .forEachOrdered(each -> element.write(each, out));
  }

  @Override
  public Object read(ValueInput in) throws FormatException {
    int size = in.size();
    Collection<Object> set = isSorted ? new TreeSet<>() : new LinkedHashSet<>();
    for (int i = 0; i < size; i++) {
      if (!set.add(element.read(in))) {
        throw new FormatException("an element stands twice in a set");
      }
    }
    return set;
  }
}
