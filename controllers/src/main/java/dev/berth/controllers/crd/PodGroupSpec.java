package dev.berth.controllers.crd;

import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.GroupSpec.SubGroup;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.QueueName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The spec of a PodGroup as a plain tree.
///
/// A tree of roles that is too large for an object is written as the number of its members alone:
/// the object is for users then, and Berth reads the rest from the owners.
public final class PodGroupSpec {
  private static final int MOST_SUBGROUPS = 64;

  /// The fields that say what must start together.
  public static final List<String> SHAPE = List.of("minMember", "minSubGroup", "subGroups");

  private PodGroupSpec() {}

  /// All of it.
  ///
  /// @param queue none = left out
  public static Map<String, Object> tree(GroupSpec spec, QueueName queue) {
    var tree = new LinkedHashMap<String, Object>();
    if (!queue.isNone()) {
      tree.put("queue", queue.value());
    }
    tree.putAll(shape(spec));
    put(tree, "priorityClassName", spec.priorityClass());
    put(tree, "preemptibility", word(spec.preemptibility()));
    var patience = spec.patience();
    put(tree, "preemptionDelay", text(patience.preemptionDelay()));
    put(tree, "stalenessGracePeriod", text(patience.stalenessGrace()));
    put(tree, "expectedRuntime", text(patience.expectedRuntime()));
    put(tree, "maxRuntime", text(patience.maxRuntime()));
    return tree;
  }

  /// What must start together, and where: of [#SHAPE] what applies.
  public static Map<String, Object> shape(GroupSpec spec) {
    var tree = new LinkedHashMap<String, Object>();
    int roles = spec.subGroups().size();
    if (roles == 0 || roles > MOST_SUBGROUPS) {
      tree.put("minMember", (long) Math.max(1, spec.required()));
    } else {
      if (spec.minSubGroup() > 0) {
        tree.put("minSubGroup", (long) spec.minSubGroup());
      }
      var list = new ArrayList<Object>(roles);
      spec.subGroups().forEach(role -> list.add(tree(role)));
      tree.put("subGroups", list);
    }
    putTopology(tree, spec.topology());
    return tree;
  }

  private static Map<String, Object> tree(SubGroup role) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("name", role.name());
    put(tree, "parent", role.parent());
    if (role.minMember() > 0) {
      tree.put("minMember", (long) role.minMember());
    }
    if (role.minSubGroup() > 0) {
      tree.put("minSubGroup", (long) role.minSubGroup());
    }
    putTopology(tree, role.topology());
    return tree;
  }

  private static void putTopology(Map<String, Object> tree, TopologyAsk ask) {
    if (!ask.isNone()) {
      var topology = new LinkedHashMap<String, Object>();
      topology.put("name", ask.topology());
      put(topology, "required", ask.required());
      put(topology, "preferred", ask.preferred());
      tree.put("topology", topology);
    }
  }

  /// Fields besides [#SHAPE] that are to become others in an object.
  ///
  /// @param set by name
  /// @param unset taken out
  public record Edits(Map<String, Object> set, List<String> unset) {
    public Edits {
      unset = List.copyOf(unset);
    }

    public static final Edits NONE = new Edits(Map.of(), List.of());

    public boolean isNone() {
      return set.isEmpty() && unset.isEmpty();
    }

    public Edits without(String field) {
      var others = new LinkedHashMap<>(set);
      others.remove(field);
      return new Edits(others, unset.stream().filter(each -> !each.equals(field)).toList());
    }

    /// Adds them to a merge patch of the spec.
    ///
    /// @param absent what takes a field out there
    public void into(Map<String, Object> spec, Object absent) {
      spec.putAll(set);
      unset.forEach(field -> spec.put(field, absent));
    }
  }

  /// What a workload says otherwise than before, as far as its object still says the same as the
  /// workload did. What else people wrote into the object stays.
  ///
  /// @param before what the workload said
  /// @param now what it says
  /// @param object what the object says; a field that the workload did not say before may be the
  ///   default there
  public static Edits edits(GroupSpec before, GroupSpec now, GroupSpec object) {
    var was = besidesShape(before);
    var is = besidesShape(now);
    var there = besidesShape(object);
    var set = new LinkedHashMap<String, Object>();
    var unset = new ArrayList<String>();
    var fields = new LinkedHashSet<>(was.keySet());
    fields.addAll(is.keySet());
    for (String field : fields) {
      Object old = was.get(field);
      Object wanted = is.get(field);
      boolean isOurs = old == null || old.equals(there.get(field));
      if (isOurs && !Objects.equals(old, wanted) && !Objects.equals(wanted, there.get(field))) {
        if (wanted == null) {
          unset.add(field);
        } else {
          set.put(field, wanted);
        }
      }
    }
    return new Edits(set, unset);
  }

  private static Map<String, Object> besidesShape(GroupSpec spec) {
    var tree = tree(spec, spec.queue());
    SHAPE.forEach(tree::remove);
    return tree;
  }

  private static void put(Map<String, Object> tree, String field, String text) {
    if (!text.isEmpty()) {
      tree.put(field, text);
    }
  }

  private static String word(Preemptibility preemptibility) {
    return switch (preemptibility) {
      case BY_PRIORITY -> "";
      case PREEMPTIBLE -> "Preemptible";
      case NON_PREEMPTIBLE -> "NonPreemptible";
      case SEMI_PREEMPTIBLE -> "SemiPreemptible";
    };
  }

  /// A grace of a nanosecond is one that was written as zero.
  private static String text(Duration duration) {
    if (duration.isZero()) {
      return "";
    }
    return duration.equals(Duration.ofNanos(1)) ? "0" : duration.toMillis() + "ms";
  }
}
