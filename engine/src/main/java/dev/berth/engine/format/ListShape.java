package dev.berth.engine.format;

import java.util.ArrayList;
import java.util.List;

/// A list. A long one is written as what is different from the list that was written last in the
/// same place, by reference: the same object, or runs of elements that are kept, left out or new.
///
/// Written is 0 for the same list, 1 before what is different, and the size plus 2 before all
/// elements. What is different: the size; then, until so many elements are there, how many are new,
/// these, how many of the last list are left out, and how many are kept.
///
/// @param place by which the last list is remembered
record ListShape(Object place, ValueShape element) implements ValueShape {
  private static final int LONG = 32;

  /// How far apart two equal elements are found.
  private static final int WINDOW = 64;

  private static final int SAME = 0;
  private static final int CHANGED = 1;
  private static final int PLAIN = 2;

  /// From a place in both lists to the next where they are the same again.
  private record Gap(int left, int come) {}

  @Override
  public void write(Object value, ValueOutput out) {
    var list = (List<?>) value;
    var last = out.last(place);
    if (last == list && !last.isEmpty()) {
      out.count(SAME);
      return;
    }
    if (list.size() >= LONG && !last.isEmpty()) {
      out.count(CHANGED);
      writeChanges(last, list, out);
    } else {
      out.count(PLAIN + list.size());
      list.forEach(each -> element.write(each, out));
    }
    if (list.size() >= LONG) {
      out.remember(place, list);
    }
  }

  private void writeChanges(List<?> last, List<?> list, ValueOutput out) {
    out.count(list.size());
    int i = 0;
    int j = 0;
    while (j < list.size()) {
      var gap = gap(last, i, list, j);
      int from = i + gap.left();
      int to = j + gap.come();
      int kept = 0;
      while (from + kept < last.size()
          && to + kept < list.size()
          && last.get(from + kept) == list.get(to + kept)) {
        kept++;
      }
      out.count(gap.come());
      for (; j < to; j++) {
        element.write(list.get(j), out);
      }
      out.count(gap.left());
      out.count(kept);
      i = from + kept;
      j = to + kept;
    }
  }

  /// The shortest; where there is none the rest of both.
  private static Gap gap(List<?> last, int i, List<?> list, int j) {
    for (int width = 0; width <= WINDOW; width++) {
      for (int come = 0; come <= width; come++) {
        int left = width - come;
        if (i + left < last.size()
            && j + come < list.size()
            && last.get(i + left) == list.get(j + come)) {
          return new Gap(left, come);
        }
      }
    }
    return new Gap(last.size() - i, list.size() - j);
  }

  @Override
  public Object read(ValueInput in) throws FormatException {
    var last = in.last(place);
    long told = in.count();
    if (told == SAME) {
      if (last.isEmpty()) {
        throw new FormatException("a list is said to be as before, and there was none");
      }
      return last;
    }
    var list = told == CHANGED ? readChanges(last, in) : readAll(in.size(told - PLAIN), in);
    if (list.size() >= LONG) {
      in.remember(place, list);
    }
    return list;
  }

  private List<?> readAll(int size, ValueInput in) throws FormatException {
    var list = new ArrayList<Object>(size);
    for (int i = 0; i < size; i++) {
      list.add(element.read(in));
    }
    return List.copyOf(list);
  }

  private List<?> readChanges(List<?> last, ValueInput in) throws FormatException {
    long size = in.count();
    var list = new ArrayList<Object>();
    int i = 0;
    while (list.size() < size) {
      int come = in.size();
      for (int k = 0; k < come; k++) {
        list.add(element.read(in));
      }
      i += ValueInput.index(in.count(), last.size() - i + 1);
      int kept = ValueInput.index(in.count(), last.size() - i + 1);
      if (come == 0 && kept == 0) {
        throw new FormatException("a list does not go on");
      }
      list.addAll(last.subList(i, i + kept));
      i += kept;
    }
    if (list.size() != size) {
      throw new FormatException("a list has " + list.size() + " elements instead of " + size);
    }
    return List.copyOf(list);
  }
}
