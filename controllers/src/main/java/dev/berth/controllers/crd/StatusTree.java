package dev.berth.controllers.crd;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Parts of statuses as plain trees. What is of another shape reads as if it were not there.
final class StatusTree {
  private StatusTree() {}

  @SuppressWarnings("unchecked") // keys of JSON objects are strings
  static Map<String, ?> map(Map<String, ?> tree, String key) {
    return tree.get(key) instanceof Map<?, ?> map ? (Map<String, ?>) map : Collections.emptyMap();
  }

  static SortedMap<String, String> texts(Map<String, ?> tree, String key) {
    var texts = new TreeMap<String, String>();
    map(tree, key).forEach((name, value) -> texts.put(name, String.valueOf(value)));
    return texts;
  }

  static String text(Map<?, ?> tree, String key) {
    return tree.get(key) instanceof String text ? text : "";
  }

  static long number(Map<?, ?> tree, String key) {
    return tree.get(key) instanceof Number number ? number.longValue() : 0;
  }

  static Instant time(Map<?, ?> tree, String key) {
    try {
      return Instant.parse(text(tree, key));
    } catch (DateTimeException none) {
      return Instant.EPOCH;
    }
  }

  static List<Condition> conditions(Map<String, ?> status) {
    var conditions = new ArrayList<Condition>();
    if (status.get("conditions") instanceof List<?> list) {
      for (Object each : list) {
        if (each instanceof Map<?, ?> condition) {
          conditions.add(
              new Condition(
                  text(condition, "type"),
                  text(condition, "status").equals("True"),
                  text(condition, "reason"),
                  text(condition, "message"),
                  time(condition, "lastTransitionTime")));
        }
      }
    }
    return conditions;
  }

  static List<Map<String, Object>> of(List<Condition> conditions) {
    return conditions.stream().map(StatusTree::of).toList();
  }

  private static Map<String, Object> of(Condition condition) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("type", condition.type());
    tree.put("status", condition.status() ? "True" : "False");
    tree.put("reason", condition.reason());
    tree.put("message", condition.message());
    tree.put(
        "lastTransitionTime",
        condition.lastTransition().truncatedTo(ChronoUnit.SECONDS).toString());
    return tree;
  }
}
