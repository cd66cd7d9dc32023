package dev.berth.cli.projects;

import dev.berth.engine.model.Problem;
import dev.berth.engine.model.Spelling;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Fields of one object of a project's file. What is there and is of another shape is told, and
/// counts as absent.
///
/// @param where the file
/// @param title of the project
/// @param path of the object, `spec.members`; empty = the whole
/// @param wrongs where errors are told
record ProjectFields(
    String where, String title, String path, Map<?, ?> fields, List<String> wrongs) {
  boolean has(String key) {
    return fields.get(key) != null;
  }

  void wrong(String key, Object value, String rule) {
    String at = path.isEmpty() ? key : path + "." + key;
    wrongs.add(where + ": " + new Problem(at, String.valueOf(value), rule).on(title));
  }

  /// Tells each field that is not one of these.
  void onlyKnows(List<String> known) {
    for (Object field : fields.keySet()) {
      String key = String.valueOf(field);
      if (!known.contains(key)) {
        wrong(
            key,
            shown(fields.get(key)),
            "there is no such field"
                + Spelling.hint(key, known)
                + ". Known are "
                + String.join(", ", known)
                + ".");
      }
    }
  }

  private static String shown(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> _ -> "{…}";
      case List<?> _ -> "[…]";
      case null, default -> String.valueOf(value);
    };
  }

  /// A text, or a number or boolean as one; empty where there is none.
  String text(String key) {
    Object value = fields.get(key);
    if (value instanceof Map || value instanceof List) {
      wrong(key, shown(value), "it is a text.");
      return "";
    }
    return value == null ? "" : value.toString();
  }

  /// @param absent what holds where the field is not there
  boolean flag(String key, boolean absent) {
    Object value = fields.get(key);
    if (value instanceof Boolean flag) {
      return flag;
    }
    if (value != null) {
      wrong(key, shown(value), "it is true or false.");
    }
    return absent;
  }

  /// The texts of a list.
  List<String> texts(String key) {
    Object value = fields.get(key);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?> list)) {
      wrong(key, shown(value), "it is a list of texts, like [a, b].");
      return List.of();
    }
    var texts = new ArrayList<String>();
    for (int i = 0; i < list.size(); i++) {
      Object each = list.get(i);
      if (each instanceof Map || each instanceof List) {
        wrong(key + "[" + i + "]", shown(each), "it is a text.");
      } else {
        texts.add(String.valueOf(each));
      }
    }
    return texts;
  }

  ProjectFields object(String key) {
    Object value = fields.get(key);
    if (value != null && !(value instanceof Map)) {
      wrong(key, shown(value), "it is an object, like {name: value}.");
    }
    Map<?, ?> below = value instanceof Map<?, ?> map ? map : Collections.emptyMap();
    return new ProjectFields(where, title, path.isEmpty() ? key : path + "." + key, below, wrongs);
  }

  /// The objects of a list, each with its index in its path.
  List<ProjectFields> objects(String key) {
    Object value = fields.get(key);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?> list)) {
      wrong(key, shown(value), "it is a list of objects, like [{name: value}].");
      return List.of();
    }
    var objects = new ArrayList<ProjectFields>();
    for (int i = 0; i < list.size(); i++) {
      String at = key + "[" + i + "]";
      if (list.get(i) instanceof Map<?, ?> below) {
        String under = path.isEmpty() ? at : path + "." + at;
        objects.add(new ProjectFields(where, title, under, below, wrongs));
      } else {
        wrong(at, shown(list.get(i)), "it is an object, like {name: value}.");
      }
    }
    return objects;
  }

  /// Each scalar of this object by its name.
  TreeMap<String, Object> scalars() {
    var scalars = new TreeMap<String, Object>();
    fields.forEach((field, value) -> {
      String key = String.valueOf(field);
      if (value instanceof Map || value instanceof List) {
        wrong(key, shown(value), "it is a number or a text.");
      } else if (value != null) {
        scalars.put(key, value);
      }
    });
    return scalars;
  }
}
