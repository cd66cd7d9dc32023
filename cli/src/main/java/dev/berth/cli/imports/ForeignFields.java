package dev.berth.cli.imports;

import dev.berth.engine.model.Resource;
import dev.berth.engine.request.Quantities;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Fields of one object of another scheduler. A field that is asked for counts as read; what is
/// left over is told, so that no field is lost silently.
final class ForeignFields {
  private static final String AMOUNT = "an amount is 0 or more, like 8, \"500m\" or \"64Gi\".";

  private final ForeignObject object;
  private final ImportLog log;
  private final String path;
  private final Map<?, ?> fields;
  private final TreeSet<String> read = new TreeSet<>();
  private final TreeMap<String, List<ForeignFields>> opened = new TreeMap<>();

  ForeignFields(ForeignObject object, ImportLog log, String path, Map<?, ?> fields) {
    this.object = object;
    this.log = log;
    this.path = path;
    this.fields = fields;
  }

  static Map<?, ?> map(@Nullable Object tree) {
    return tree instanceof Map<?, ?> map ? map : Collections.emptyMap();
  }

  ForeignObject object() {
    return object;
  }

  boolean has(String key) {
    return fields.get(key) != null;
  }

  /// The names of the fields, sorted.
  List<String> keys() {
    return fields.keySet().stream().map(String::valueOf).sorted().toList();
  }

  /// A scalar as a text; empty where there is none.
  String text(String key) {
    read.add(key);
    Object value = fields.get(key);
    if (value instanceof Map || value instanceof List) {
      wrong(key, "it is a text.");
      return "";
    }
    return value == null ? "" : value.toString();
  }

  /// The value of a field that is handed on as it is.
  Object value(String key) {
    read.add(key);
    Object value = fields.get(key);
    return value == null ? "" : value;
  }

  ForeignFields object(String key) {
    if (read.add(key) && has(key) && !(fields.get(key) instanceof Map)) {
      wrong(key, "it is an object, like {name: value}.");
    }
    return opened
        .computeIfAbsent(
            key,
            _ -> List.of(new ForeignFields(object, log, path + "." + key, map(fields.get(key)))))
        .getFirst();
  }

  List<ForeignFields> objects(String key) {
    read.add(key);
    var children = new ArrayList<ForeignFields>();
    List<?> list = list(key);
    for (int i = 0; i < list.size(); i++) {
      String step = path + "." + key + "[" + i + "]";
      if (!(list.get(i) instanceof Map<?, ?> map)) {
        wrong(key + "[" + i + "]", "it is an object, like {name: value}.");
        continue;
      }
      children.add(new ForeignFields(object, log, step, map));
    }
    opened.put(key, children);
    return children;
  }

  private List<?> list(String key) {
    Object value = fields.get(key);
    if (value instanceof List<?> list) {
      return list;
    }
    if (value != null) {
      wrong(key, "it is a list of objects.");
    }
    return List.of();
  }

  /// An amount in the unit in which queues count the resource; empty where there is none, or a
  /// wrong one.
  OptionalLong amount(String key, Resource resource) {
    String text = text(key);
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    var amount = QueueAmounts.parse(resource, text);
    if (amount.isEmpty() || amount.getAsLong() < 0) {
      wrong(key, AMOUNT);
      return OptionalLong.empty();
    }
    return amount;
  }

  /// A weight in thousandths; empty where there is none, or a wrong one.
  OptionalLong weight(String key) {
    String text = text(key);
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    var thousandths = Quantities.milli(text);
    if (thousandths.isEmpty() || thousandths.getAsLong() < 0) {
      wrong(key, "a weight is 0 or more, like 2 or \"0.5\".");
      return OptionalLong.empty();
    }
    return thousandths;
  }

  void wrong(String key, String rule) {
    log.wrong(
        object.where()
            + path
            + "."
            + key
            + " is \""
            + shown(fields.get(key))
            + "\" on "
            + object.title()
            + ", but "
            + rule);
  }

  private static String shown(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> _ -> "{…}";
      case List<?> _ -> "[…]";
      case null, default -> String.valueOf(value);
    };
  }

  /// Tells something of a field.
  void note(String key, String sentence) {
    log.note(object.title(), path + "." + key + " " + sentence);
  }

  /// Tells that a field has no counterpart, if it is set.
  ///
  /// @param instead what Berth does, and what to do
  void lost(String key, String instead) {
    read.add(key);
    if (has(key)) {
      note(key, "has no counterpart: " + instead);
    }
  }

  /// Tells of each field that was not read.
  void tellRest() {
    for (String key : keys()) {
      if (!read.contains(key)) {
        lost(key, "it is left out.");
      }
    }
    opened.values().forEach(children -> children.forEach(ForeignFields::tellRest));
  }
}
