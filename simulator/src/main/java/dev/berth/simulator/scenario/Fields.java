package dev.berth.simulator.scenario;

import dev.berth.engine.model.Spelling;
import dev.berth.simulator.world.ObjectTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// One mapping of a scenario. Whatever is asked for is known; [#finish] tells the fields that were
/// not. What is wrong is remembered with its way, like `spec.expect.pods.default/a`.
final class Fields {
  private final String path;
  private final Map<String, Object> fields;
  private final TreeSet<String> known = new TreeSet<>();
  private final List<Fields> children = new ArrayList<>();
  private final List<String> wrongs;

  Fields(String path, Map<String, Object> fields, List<String> wrongs) {
    this.path = path;
    this.fields = fields;
    this.wrongs = wrongs;
  }

  private String name(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  void wrong(String key, String must) {
    Object value = fields.getOrDefault(key, "");
    boolean plain = !(value instanceof Map || value instanceof List);
    wrongs.add(
        name(key)
            + (fields.containsKey(key)
                ? " is " + (plain ? "\"" + value + "\"" : "a tree")
                : " is missing")
            + ", but must be "
            + must);
  }

  boolean has(String key) {
    known.add(key);
    return fields.containsKey(key);
  }

  /// The mapping under a key; an empty one where there is none.
  Fields object(String key) {
    return below(key, tree(key));
  }

  private Fields below(String key, Map<String, Object> tree) {
    var child = new Fields(name(key), tree, wrongs);
    children.add(child);
    return child;
  }

  /// A mapping whose fields are checked elsewhere.
  Map<String, Object> tree(String key) {
    if (has(key) && !(fields.get(key) instanceof Map)) {
      wrong(key, "a mapping of fields to values");
    }
    return ObjectTree.map(fields, key);
  }

  /// The mappings under keys of the user's choice.
  SortedMap<String, Fields> objects() {
    var objects = new TreeMap<String, Fields>();
    for (String key : fields.keySet()) {
      objects.put(key, object(key));
    }
    return objects;
  }

  String text(String key) {
    if (has(key) && (fields.get(key) instanceof Map || fields.get(key) instanceof List)) {
      wrong(key, "one word or string");
    }
    return ObjectTree.text(fields, key);
  }

  List<String> texts(String key) {
    if (has(key) && !(fields.get(key) instanceof List)) {
      wrong(key, "a list");
    }
    return ObjectTree.list(fields, key).stream().map(String::valueOf).toList();
  }

  /// The mappings of a list.
  List<Map<String, Object>> trees(String key) {
    if (has(key) && !(fields.get(key) instanceof List)) {
      wrong(key, "a list");
    }
    return ObjectTree.maps(fields, key);
  }

  /// A whole number, not below zero.
  OptionalInt count(String key) {
    if (!has(key)) {
      return OptionalInt.empty();
    }
    if (fields.get(key) instanceof Long number && number >= 0 && number <= Integer.MAX_VALUE) {
      return OptionalInt.of(number.intValue());
    }
    wrong(key, "a whole number from 0");
    return OptionalInt.empty();
  }

  /// Unknown fields are wrong.
  void finish() {
    for (String key : fields.keySet()) {
      if (!known.contains(key)) {
        wrongs.add(
            name(key)
                + " is not a field that Berth knows"
                + Spelling.hint(key, known)
                + "; known are "
                + String.join(", ", known));
      }
    }
    children.forEach(Fields::finish);
  }
}
