package dev.berth.cli.projects;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Quota, limit and weight of a project, in all node pools and in single ones.
final class ProjectPools {
  private static final List<String> FIELDS = List.of("name", "quota", "limit", "weight");

  /// As many as a Queue may list.
  private static final int MOST = 64;

  /// A value that a label of a node can have.
  private static final Pattern NAME =
      Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");

  private ProjectPools() {}

  /// `quota`, `limit` and `weight`, those that are there, as a Queue has them.
  static Map<String, Object> amounts(ProjectFields fields) {
    var all = new LinkedHashMap<String, Object>();
    for (String key : List.of("quota", "limit")) {
      if (fields.has(key)) {
        all.put(key, quantities(fields.object(key)));
      }
    }
    if (fields.has("weight")) {
      all.put("weight", weights(fields.object("weight")));
    }
    return all;
  }

  /// `spec.pools`, as a Queue has it.
  static List<Map<String, Object>> read(ProjectFields spec) {
    var pools = new ArrayList<Map<String, Object>>();
    var names = new HashSet<String>();
    var listed = spec.objects("pools");
    for (ProjectFields each : listed) {
      each.onlyKnows(FIELDS);
      String name = each.text("name");
      checkName(each, name);
      if (!names.add(name)) {
        each.wrong("name", name, "it is listed already. Take one of the two out.");
        continue;
      }
      var pool = new LinkedHashMap<String, Object>();
      pool.put("name", name);
      pool.putAll(amounts(each));
      pools.add(pool);
    }
    if (listed.size() > MOST) {
      spec.wrong(
          "pools",
          listed.size() + " pools",
          "a Queue lists "
              + MOST
              + " at most. Give the queue what is the same in most of them, and list the others.");
    }
    return pools;
  }

  private static void checkName(ProjectFields pool, String name) {
    if (!pool.has("name")) {
      pool.wrong(
          "name",
          "",
          "each pool has one: the value of the label on its nodes, or \"\" for the nodes without"
              + " the label.");
    } else if (!NAME.matcher(name).matches()) {
      pool.wrong(
          "name",
          name,
          "a pool is called by at most 63 letters, digits, -, _ and ., and begins and ends with a"
              + " letter or a digit, like h100.");
    }
  }

  /// As the API server takes them: whole numbers, and texts for all else.
  private static Map<String, Object> quantities(ProjectFields fields) {
    var quantities = new TreeMap<String, Object>();
    fields
        .scalars()
        .forEach((key, value) ->
            quantities.put(key, value instanceof Long ? value : String.valueOf(value).strip()));
    return quantities;
  }

  private static Map<String, Object> weights(ProjectFields fields) {
    var weights = new TreeMap<String, Object>();
    fields
        .scalars()
        .forEach((key, value) -> {
          boolean isOne =
              value instanceof Number number
                  && number.doubleValue() >= 0
                  && number.doubleValue() <= ProjectNames.LARGEST_WEIGHT;
          if (isOne) {
            weights.put(key, value);
          } else {
            fields.wrong(
                key, value, "a weight is a number from 0 (nothing over quota) to 1000000.");
          }
        });
    return weights;
  }
}
