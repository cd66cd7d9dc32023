package dev.berth.simulator.world;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// API objects as plain trees of maps, lists, strings, numbers and booleans: reading along a path,
/// copying, freezing, JSON merge patch.
///
/// Reading never fails: what is absent, or of another kind, reads as empty.
public final class ObjectTree {
  /// The `null` of a JSON merge patch: this key goes.
  public static final Object ABSENT = new Object();

  private ObjectTree() {}

  /// A new map in the order of the arguments: key, value, key, value, …
  public static Map<String, Object> of(Object... keysAndValues) {
    var map = new LinkedHashMap<String, Object>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return map;
  }

  private static Object at(Map<String, ?> tree, String... path) {
    Object here = tree;
    for (String key : path) {
      if (!(here instanceof Map<?, ?> map)) {
        return ABSENT;
      }
      Object below = map.get(key);
      if (below == null) {
        return ABSENT;
      }
      here = below;
    }
    return here;
  }

  public static boolean has(Map<String, ?> tree, String... path) {
    return at(tree, path) != ABSENT;
  }

  /// A string, number or boolean as text; empty where there is none.
  public static String text(Map<String, ?> tree, String... path) {
    return switch (at(tree, path)) {
      case String text -> text;
      case Number number -> number.toString();
      case Boolean truth -> truth.toString();
      case Object _ -> "";
    };
  }

  public static long number(Map<String, ?> tree, long otherwise, String... path) {
    return at(tree, path) instanceof Number number ? number.longValue() : otherwise;
  }

  public static boolean isTrue(Map<String, ?> tree, String... path) {
    return at(tree, path).equals(Boolean.TRUE);
  }

  @SuppressWarnings("unchecked") // keys of JSON objects are strings
  public static Map<String, Object> map(Map<String, ?> tree, String... path) {
    return at(tree, path) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  @SuppressWarnings("unchecked") // any element is an Object
  public static List<Object> list(Map<String, ?> tree, String... path) {
    return at(tree, path) instanceof List<?> list ? (List<Object>) list : List.of();
  }

  /// Those elements of a list that are maps.
  @SuppressWarnings("unchecked") // keys of JSON objects are strings
  public static List<Map<String, Object>> maps(Map<String, ?> tree, String... path) {
    var maps = new ArrayList<Map<String, Object>>();
    for (Object element : list(tree, path)) {
      if (element instanceof Map<?, ?> map) {
        maps.add((Map<String, Object>) map);
      }
    }
    return maps;
  }

  public static String label(Map<String, ?> object, String name) {
    return text(object, "metadata", "labels", name);
  }

  public static String annotation(Map<String, ?> object, String name) {
    return text(object, "metadata", "annotations", name);
  }

  public static String name(Map<String, ?> object) {
    return text(object, "metadata", "name");
  }

  public static String uid(Map<String, ?> object) {
    return text(object, "metadata", "uid");
  }

  /// What stands under `ownerReferences` where an object has one owner, its controller.
  public static List<Map<String, Object>> ownedBy(
      String apiVersion, String kind, String name, String uid) {
    return List.of(
        of("apiVersion", apiVersion, "kind", kind, "name", name, "uid", uid, "controller", true));
  }

  /// A deep copy that may be changed.
  public static Map<String, Object> thaw(Map<String, ?> tree) {
    var copy = new LinkedHashMap<String, Object>();
    tree.forEach((key, value) -> copy.put(key, copied(value, false)));
    return copy;
  }

  /// A deep copy that cannot be changed.
  public static Map<String, Object> freeze(Map<String, ?> tree) {
    var copy = new LinkedHashMap<String, Object>();
    tree.forEach((key, value) -> copy.put(key, copied(value, true)));
    return Collections.unmodifiableMap(copy);
  }

  private static Object copied(Object value, boolean frozen) {
    return switch (value) {
      case Map<?, ?> map -> {
        var copy = new LinkedHashMap<String, Object>();
        map.forEach((key, below) -> copy.put((String) key, copied(below, frozen)));
        yield frozen ? Collections.unmodifiableMap(copy) : copy;
      }
      case List<?> list -> {
        var copy = new ArrayList<Object>(list.size());
        list.forEach(below -> copy.add(copied(below, frozen)));
        yield frozen ? Collections.unmodifiableList(copy) : copy;
      }
      case Object leaf -> leaf;
    };
  }

  /// The map under a key of a tree that may be changed; made where it is absent.
  @SuppressWarnings("unchecked") // keys of JSON objects are strings
  public static Map<String, Object> under(Map<String, Object> tree, String key) {
    if (tree.get(key) instanceof Map<?, ?> map) {
      return (Map<String, Object>) map;
    }
    var made = new LinkedHashMap<String, Object>();
    tree.put(key, made);
    return made;
  }

  /// JSON merge patch onto a tree that may be changed: maps are merged, everything else is
  /// replaced, [#ABSENT] removes.
  public static void merge(Map<String, Object> tree, Map<String, ?> patch) {
    patch.forEach((key, value) -> {
      if (value == ABSENT) {
        tree.remove(key);
      } else if (value instanceof Map<?, ?>) {
        merge(under(tree, key), map(patch, key));
      } else {
        tree.put(key, copied(value, false));
      }
    });
  }
}
