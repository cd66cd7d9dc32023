package dev.berth.engine.format;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// A map in order: its own, or that of what its keys are called.
///
/// @param isSorted whether it has an order of its own, the natural one
record MapShape(ValueShape key, ValueShape value, boolean isSorted) implements ValueShape {
  @Override
  public void write(Object written, ValueOutput out) {
    var map = (Map<?, ?>) written;
    out.count(map.size());
    var entries = map.entrySet().stream();
    (map instanceof SortedMap
            ? entries
            : entries.sorted(Comparator.comparing(entry -> String.valueOf(entry.getKey()))))
        .forEachOrdered(entry -> {
          key.write(entry.getKey(), out);
          value.write(entry.getValue(), out);
        });
  }

  @Override
  public Object read(ValueInput in) throws FormatException {
    int size = in.size();
    Map<Object, Object> map = isSorted ? new TreeMap<>() : LinkedHashMap.newLinkedHashMap(size);
    for (int i = 0; i < size; i++) {
      var next = key.read(in);
      if (map.containsKey(next)) {
        throw new FormatException("a key stands twice in a map");
      }
      map.put(next, value.read(in));
    }
    return map;
  }
}
