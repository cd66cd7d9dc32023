package dev.berth.controllers.kai;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What an object of KAI says, as an object of Berth that says the same. Pure functions over trees.
///
/// An invalid value is handed on as it stands, so that the reader of Berth's objects names it. The
/// `resourceVersion` is left out: theirs and those of Berth of the same name are versions of
/// nothing common.
public final class Translation {
  private static final Map<String, String> PREEMPTIBILITY =
      Map.of(
          "preemptible", "Preemptible",
          "non-preemptible", "NonPreemptible",
          "semi-preemptible", "SemiPreemptible");

  private Translation() {}

  /// A `scheduling.run.ai/v2` Queue. Its cpu is in milli-cores, its memory in megabytes of 10^6
  /// bytes. A quota of -1 is unlimited, and none is 0; a limit of -1 is none at all, and where it
  /// is 0 or not said nothing is allowed. A weight that is not said is 0.
  public static Map<String, Object> queue(Map<String, ?> theirs) {
    var is = map(theirs.get("spec"));
    var ours = new LinkedHashMap<String, Object>();
    copy(is, "parentQueue", ours, "parent");
    copy(is, "priority", ours, "priority");
    copy(is, "preemptMinRuntime", ours, "preemptMinRuntime");
    copy(is, "reclaimMinRuntime", ours, "reclaimMinRuntime");
    var quota = new LinkedHashMap<String, Object>();
    var limit = new LinkedHashMap<String, Object>();
    var weight = new LinkedHashMap<String, Object>();
    var resources = map(is.get("resources"));
    for (String resource : List.of("cpu", "gpu", "memory")) {
      var said = map(resources.get(resource));
      boolean unlimited = isMinusOne(said.get("quota"));
      quota.put(resource, unlimited ? "unlimited" : amount(resource, said.get("quota")));
      if (!isMinusOne(said.get("limit"))) {
        limit.put(resource, amount(resource, said.get("limit")));
      }
      weight.put(resource, 0);
      copy(said, "overQuotaWeight", weight, resource);
    }
    ours.put("quota", quota);
    ours.put("limit", limit);
    ours.put("weight", weight);
    return object("Queue", theirs, ours);
  }

  /// A `scheduling.run.ai/v2alpha2` PodGroup.
  public static Map<String, Object> group(Map<String, ?> theirs) {
    var is = map(theirs.get("spec"));
    var ours = shape(is);
    for (String same :
        List.of("queue", "priorityClassName", "preemptionDelay", "stalenessGracePeriod")) {
      copy(is, same, ours, same);
    }
    if (is.containsKey("preemptibility")) {
      String said = String.valueOf(is.get("preemptibility"));
      if (!said.isEmpty()) {
        ours.put(
            "preemptibility", PREEMPTIBILITY.getOrDefault(said.toLowerCase(Locale.ROOT), said));
      }
    }
    if (is.get("subGroups") instanceof List<?> list) {
      var subGroups = new ArrayList<Object>();
      for (Object each : list) {
        var subGroup = map(each);
        var mine = shape(subGroup);
        copy(subGroup, "name", mine, "name");
        copy(subGroup, "parent", mine, "parent");
        subGroups.add(mine);
      }
      ours.put("subGroups", subGroups);
    }
    return object("PodGroup", theirs, ours);
  }

  /// A `kai.scheduler/v1alpha1` Topology: its fields are called as those of Berth.
  public static Map<String, Object> topology(Map<String, ?> theirs) {
    return object("Topology", theirs, map(theirs.get("spec")));
  }

  /// Minima and topology, which a group and a sub-group say alike.
  private static LinkedHashMap<String, Object> shape(Map<String, ?> is) {
    var ours = new LinkedHashMap<String, Object>();
    copy(is, "minMember", ours, "minMember");
    copy(is, "minSubGroup", ours, "minSubGroup");
    var constraint = map(is.get("topologyConstraint"));
    var topology = new LinkedHashMap<String, Object>();
    copy(constraint, "topology", topology, "name");
    copy(constraint, "requiredTopologyLevel", topology, "required");
    copy(constraint, "preferredTopologyLevel", topology, "preferred");
    if (!topology.isEmpty()) {
      ours.put("topology", topology);
    }
    return ours;
  }

  private static Map<String, Object> object(
      String kind, Map<String, ?> theirs, Map<String, ?> spec) {
    var metadata = new LinkedHashMap<String, Object>(map(theirs.get("metadata")));
    metadata.remove("resourceVersion");
    var ours = new LinkedHashMap<String, Object>();
    ours.put("apiVersion", "berth.dev/v1alpha1");
    ours.put("kind", kind);
    ours.put("metadata", metadata);
    ours.put("spec", spec);
    return ours;
  }

  private static void copy(
      Map<String, ?> from, String key, Map<String, Object> to, String calledHere) {
    if (from.containsKey(key) && !"".equals(from.get(key))) {
      to.put(calledHere, from.get(key));
    }
  }

  private static boolean isMinusOne(@Nullable Object number) {
    return number instanceof Number value && value.doubleValue() == -1;
  }

  /// In Berth's units; 0 where it is not said.
  private static Object amount(String resource, @Nullable Object said) {
    if (!(said instanceof Number number)) {
      return said == null ? 0 : said;
    }
    String text = new BigDecimal(number.toString()).stripTrailingZeros().toPlainString();
    return switch (resource) {
      case "cpu" -> text + "m";
      case "memory" -> text + "M";
      default -> text;
    };
  }

  @SuppressWarnings("unchecked") // keys of JSON objects are strings
  private static Map<String, ?> map(@Nullable Object tree) {
    return tree instanceof Map<?, ?> map ? (Map<String, ?>) map : Map.of();
  }
}
