package dev.berth.engine.request;

import dev.berth.engine.model.Rfc3339;
import dev.berth.engine.model.Spelling;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// One object of a tree, and the way to it. Whatever is asked for and is not there is empty;
/// whatever is there and is of another shape is empty too, and becomes a problem that names the
/// field.
///
/// The way is only spelled out when something is wrong: pods are read by the thousand.
public final class ManifestTree {
  private static final Object ABSENT = new Object();
  private static final int LONGEST_TEXT = 262_144;

  private final Map<?, ?> fields;
  private final List<ManifestTree> parents; // none for the root
  private final String step; // from the parent, `spec` or `containers[0]`; empty = not told
  private final Problems problems;

  private ManifestTree(
      Map<?, ?> fields, List<ManifestTree> parents, String step, Problems problems) {
    this.fields = fields;
    this.parents = parents;
    this.step = step;
    this.problems = problems;
  }

  public static ManifestTree root(Map<?, ?> fields, Problems problems) {
    return new ManifestTree(fields, List.of(), "", problems);
  }

  Problems problems() {
    return problems;
  }

  /// The same object, whose problems are noted elsewhere.
  public ManifestTree telling(Problems others) {
    return new ManifestTree(fields, parents, step, others);
  }

  /// Notes that a field of this object is invalid.
  public void problem(String key, String value, String rule) {
    problems.add(path(key), value, rule);
  }

  /// `spec.containers[0].resources`.
  String path(String key) {
    var way = new StringBuilder(key);
    for (ManifestTree at = this; ; at = at.parents.getFirst()) {
      if (!at.step.isEmpty()) {
        way.insert(0, at.step + ".");
      }
      if (at.parents.isEmpty()) {
        return way.toString();
      }
    }
  }

  private Object value(String key) {
    try {
      Object value = fields.get(key);
      return value == null ? ABSENT : value;
    } catch (ClassCastException keysAreNoStrings) {
      return ABSENT;
    }
  }

  public boolean has(String key) {
    return value(key) != ABSENT;
  }

  /// Whether a key begins so.
  boolean hasAny(String beginning) {
    for (Object key : fields.keySet()) {
      if (String.valueOf(key).startsWith(beginning)) {
        return true;
      }
    }
    return false;
  }

  public boolean isEmpty() {
    return fields.isEmpty();
  }

  public ManifestTree object(String key) {
    return child(key, key);
  }

  /// Labels or annotations: what is wrong in them is told by their name alone.
  public ManifestTree words(String key) {
    return child(key, "");
  }

  private ManifestTree child(String key, String toldAs) {
    Object value = value(key);
    if (value instanceof Map<?, ?> map) {
      return toldAs.isEmpty()
          ? new ManifestTree(map, List.of(), "", problems)
          : new ManifestTree(map, List.of(this), toldAs, problems);
    }
    if (value != ABSENT) {
      problem(key, shown(value), "it is an object, like {name: value}.");
    }
    return new ManifestTree(Collections.emptyMap(), List.of(this), toldAs, problems);
  }

  /// The objects of a list.
  public List<ManifestTree> objects(String key) {
    Object value = value(key);
    if (value == ABSENT) {
      return List.of();
    }
    if (!(value instanceof List<?> list)) {
      problem(key, shown(value), "it is a list of objects.");
      return List.of();
    }
    var objects = new ArrayList<ManifestTree>(list.size());
    int index = 0;
    for (Object element : list) {
      if (element instanceof Map<?, ?> map) {
        objects.add(new ManifestTree(map, List.of(this), key + "[" + index + "]", problems));
      } else {
        problem(key + "[" + index + "]", shown(element), "it is an object, like {name: value}.");
      }
      index++;
    }
    return objects;
  }

  /// The texts of a list.
  public List<String> texts(String key) {
    Object value = value(key);
    if (value == ABSENT) {
      return List.of();
    }
    if (!(value instanceof List<?> list)) {
      problem(key, shown(value), "it is a list of texts.");
      return List.of();
    }
    var texts = new ArrayList<String>(list.size());
    int index = 0;
    for (Object element : list) {
      if (isScalar(element)) {
        texts.add(String.valueOf(element));
      } else {
        problem(key + "[" + index + "]", shown(element), "it is a text.");
      }
      index++;
    }
    return texts;
  }

  /// A text, or a number or boolean as a text; empty where there is none.
  public String text(String key) {
    Object value = value(key);
    if (value instanceof String text) {
      return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
    }
    if (value == ABSENT) {
      return "";
    }
    if (isScalar(value)) {
      return value.toString();
    }
    problem(key, shown(value), "it is a text.");
    return "";
  }

  /// The text under `key`, else under `alias`.
  public String text(String key, String alias) {
    return text(spoken(key, alias));
  }

  /// `key` if it is there, else `alias` if that is there, else `key`.
  public String spoken(String key, String alias) {
    return !has(key) && has(alias) ? alias : key;
  }

  public boolean flag(String key) {
    Object value = value(key);
    if (value instanceof Boolean flag) {
      return flag;
    }
    if (value != ABSENT && !"true".equals(value) && !"false".equals(value)) {
      problem(key, shown(value), "it is true or false.");
    }
    return "true".equals(value);
  }

  /// Whether one of these conditions of a status is `True`.
  public boolean hasTrue(Set<String> conditions) {
    for (ManifestTree condition : objects("conditions")) {
      if (conditions.contains(condition.text("type")) && condition.text("status").equals("True")) {
        return true;
      }
    }
    return false;
  }

  /// A whole number from `least`; empty where there is none, with a problem where it is no such
  /// number.
  public OptionalInt number(String key, int least) {
    Object value = value(key);
    if (value == ABSENT) {
      return OptionalInt.empty();
    }
    long number = Long.MIN_VALUE;
    if (value instanceof Integer || value instanceof Long) {
      number = ((Number) value).longValue();
    } else if (isScalar(value)) {
      number = wholeNumber(value.toString().trim());
    }
    if (number >= least && number <= Integer.MAX_VALUE) {
      return OptionalInt.of((int) number);
    }
    problem(key, shown(value), "it is a whole number from " + least + " to 2147483647.");
    return OptionalInt.empty();
  }

  private static long wholeNumber(String text) {
    try {
      String digits = text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
      return Long.parseLong(digits);
    } catch (NumberFormatException none) {
      return Long.MIN_VALUE;
    }
  }

  /// Of metadata: `resourceVersion`; 0 = not told. Kubernetes promises that versions are growing
  /// decimal numbers.
  public long version() {
    String text = text("resourceVersion");
    long version = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9 || version > (Long.MAX_VALUE - digit) / 10) {
        return 0;
      }
      version = version * 10 + digit;
    }
    return version;
  }

  /// A point in time as Kubernetes writes it; `EPOCH` where there is none.
  public Instant time(String key) {
    String text = text(key);
    if (text.isEmpty()) {
      return Instant.EPOCH;
    }
    try {
      return Rfc3339.parse(text);
    } catch (DateTimeException malformed) {
      problem(key, text, "a time looks like \"2026-01-01T12:00:00Z\".");
      return Instant.EPOCH;
    }
  }

  /// Every field whose value is a scalar, as a text.
  public void eachText(BiConsumer<String, String> consumer) {
    for (var field : fields.entrySet()) {
      String key = String.valueOf(field.getKey());
      Object value = field.getValue();
      if (value instanceof String text) {
        consumer.accept(key, text);
      } else if (isScalar(value)) {
        consumer.accept(key, String.valueOf(value));
      } else {
        problem(key, shown(value), "it is a text.");
      }
    }
  }

  /// Every field whose value is an object.
  public void eachObject(BiConsumer<String, ManifestTree> consumer) {
    for (Object key : fields.keySet()) {
      String name = String.valueOf(key);
      if (fields.get(key) instanceof Map<?, ?>) {
        consumer.accept(name, object(name));
      }
    }
  }

  public TreeMap<String, String> textMap() {
    var map = new TreeMap<String, String>();
    eachText(map::put);
    return map;
  }

  /// Notes every field that is not one of `known`: a field that is not read was meant to be read.
  void onlyKnows(List<String> known) {
    for (Object key : fields.keySet()) {
      if (!known.contains(String.valueOf(key))) {
        problem(
            String.valueOf(key),
            shown(fields.get(key)),
            "there is no such field"
                + Spelling.hint(String.valueOf(key), known)
                + ". Known are "
                + String.join(", ", known)
                + ".");
      }
    }
  }

  private static boolean isScalar(@Nullable Object value) {
    return value instanceof String
        || value instanceof Number
        || value instanceof Boolean
        || value instanceof Character
        || value instanceof TemporalAccessor;
  }

  /// Never the content of a map or list: it may be huge, or contain itself.
  private static String shown(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Map<?, ?> _ -> "{…}";
      case Iterable<?> _ -> "[…]";
      default -> isScalar(value) ? value.toString() : value.getClass().getSimpleName();
    };
  }
}
