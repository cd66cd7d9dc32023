package dev.berth.controllers.grouping.kinds;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/// The JSONPath that definitions need: `$.spec.roles[*].replicas`, `.spec.parts[0].size`, and
/// `['a.b']` for a name with dots. `*` stands for all elements of a list, or all values of a map.
final class JsonPath {
  /// No number of pods is larger, and the sum of two is still one.
  private static final long LARGEST = Long.MAX_VALUE / 4;

  private static final Pattern STEP =
      Pattern.compile("\\.([^.\\[\\]]+)|\\[(\\*|[0-9]{1,6})\\]|\\['([^']+)'\\]");

  private JsonPath() {}

  /// Whether it can be read.
  static boolean isSane(String path) {
    return STEP.matcher(relative(path)).replaceAll("").isEmpty();
  }

  /// The sum of all numbers that a path leads to; empty where there is none.
  static OptionalLong sum(Map<?, ?> fields, String path) {
    List<Object> here = List.of(fields);
    var steps = STEP.matcher(relative(path));
    while (steps.find()) {
      var next = new ArrayList<Object>();
      for (Object each : here) {
        step(each, steps.group().replaceAll("^[.\\[]'?|'?\\]$", ""), next);
      }
      next.removeIf(value -> value == null); // once: it may be a list of very many
      here = next;
    }
    long sum = 0;
    boolean any = false;
    for (Object each : here) {
      if (each instanceof Integer || each instanceof Long) {
        long number = ((Number) each).longValue();
        sum = Math.clamp(sum, -LARGEST, LARGEST) + Math.clamp(number, -LARGEST, LARGEST);
        any = true;
      }
    }
    return any ? OptionalLong.of(sum) : OptionalLong.empty();
  }

  private static void step(Object here, String name, List<Object> next) {
    if (here instanceof List<?> list) {
      if (name.equals("*")) {
        next.addAll(list);
      } else if (name.matches("[0-9]+") && Integer.parseInt(name) < list.size()) {
        next.add(list.get(Integer.parseInt(name)));
      }
    } else if (here instanceof Map<?, ?> map) {
      if (name.equals("*")) {
        next.addAll(map.values());
      } else if (map.containsKey(name)) {
        next.add(map.get(name));
      }
    }
  }

  private static String relative(String path) {
    String rest = path.startsWith("$") ? path.substring(1) : path;
    return rest.startsWith(".") || rest.startsWith("[") ? rest : "." + rest;
  }
}
