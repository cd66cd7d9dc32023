package dev.berth.engine.request;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.GroupSpec.Patience;
import dev.berth.engine.model.GroupSpec.Run;
import dev.berth.engine.model.GroupSpec.SubGroup;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.QueueName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// A `berth.dev/v1alpha1` PodGroup.
///
/// Without sub-groups `minMember` is 1 if it is not said. With sub-groups the tree decides, and
/// what `minMember` of the group says on top is kept.
public final class GroupManifest {
  private static final List<String> FIELDS =
      List.of(
          "queue",
          "minMember",
          "minSubGroup",
          "subGroups",
          "topology",
          "priorityClassName",
          "preemptibility",
          "preemptionDelay",
          "stalenessGracePeriod",
          "expectedRuntime",
          "maxRuntime");
  private static final List<String> SUBGROUP_FIELDS =
      List.of("name", "parent", "minMember", "minSubGroup", "topology");
  private static final List<String> TOPOLOGY_FIELDS = List.of("name", "required", "preferred");

  private GroupManifest() {}

  /// Empty only for a tree without `metadata.name`.
  public static Optional<GroupSpec> read(Map<?, ?> tree) {
    return Manifest.open(tree).map(GroupManifest::group);
  }

  private static GroupSpec group(Manifest manifest) {
    ObjectMeta head = manifest.head();
    ManifestTree spec = manifest.spec(FIELDS);
    var subGroups = subGroups(spec);
    OptionalInt minMember = spec.number("minMember", 0);
    OptionalInt minSubGroup = spec.number("minSubGroup", 0);
    if (minSubGroup.isPresent()) {
      checkMinSubGroup(spec, minSubGroup.getAsInt(), childrenOf("", subGroups));
    }
    boolean flat = subGroups.isEmpty();
    return new GroupSpec(
        new GroupKey(head.namespace(), head.name()),
        head.uid(),
        head.version(),
        head.metadata().number("generation", 0).orElse(0),
        head.created(),
        queue(spec, head),
        minMember.orElse(flat ? 1 : 0),
        flat ? 0 : minSubGroup.orElse(0),
        subGroups,
        topology(spec),
        spec.text("priorityClassName"),
        preemptibility(spec),
        new Patience(
            Durations.read(spec, "preemptionDelay", false),
            GroupLabels.grace(spec, "stalenessGracePeriod"),
            Durations.read(spec, "expectedRuntime", false),
            Durations.read(spec, "maxRuntime", false)),
        manifest.status().time("staleSince"),
        new Run(
            manifest.status().time("runsSince"),
            manifest.status().object("members").number("succeeded", 0).orElse(0),
            0),
        GroupSpec.Completions.NONE,
        manifest.problems().list());
  }

  private static QueueName queue(ManifestTree spec, ObjectMeta head) {
    String queue = spec.text("queue");
    return queue.isEmpty() ? GroupLabels.queue(head.labels()) : new QueueName(queue);
  }

  private static Preemptibility preemptibility(ManifestTree spec) {
    return GroupLabels.preemptibility(
        spec, "preemptibility", "it is Preemptible, SemiPreemptible or NonPreemptible.");
  }

  private static TopologyAsk topology(ManifestTree tree) {
    ManifestTree topology = tree.object("topology");
    topology.onlyKnows(TOPOLOGY_FIELDS);
    return GroupLabels.topology(topology, "name", "required", "preferred");
  }

  private static List<SubGroup> subGroups(ManifestTree spec) {
    var trees = new LinkedHashMap<String, ManifestTree>();
    for (ManifestTree tree : spec.objects("subGroups")) {
      tree.onlyKnows(SUBGROUP_FIELDS);
      String name = tree.text("name");
      if (name.isEmpty()) {
        tree.problem("name", name, "a sub-group has a name; pods join it by label.");
      } else if (trees.putIfAbsent(name, tree) != null) {
        tree.problem("name", name, "another sub-group is called so.");
      }
    }
    var subGroups = new ArrayList<SubGroup>();
    trees.forEach((name, tree) ->
        subGroups.add(
            new SubGroup(
                name,
                parent(trees, name, tree),
                tree.number("minMember", 0).orElse(0),
                tree.number("minSubGroup", 0).orElse(0),
                topology(tree))));
    for (SubGroup subGroup : subGroups) {
      checkMinima(trees.getOrDefault(subGroup.name(), spec), subGroup, subGroups);
    }
    return subGroups;
  }

  /// A parent that does not exist, or that is below the sub-group itself, counts as none.
  private static String parent(Map<String, ManifestTree> trees, String name, ManifestTree tree) {
    String parent = tree.text("parent");
    if (!parent.isEmpty() && !trees.containsKey(parent)) {
      tree.problem("parent", parent, "there is no such sub-group.");
      return "";
    }
    String above = parent;
    for (int steps = 0; !above.isEmpty(); steps++) {
      if (above.equals(name) || steps > trees.size()) {
        tree.problem("parent", parent, "sub-groups form a tree, and this one leads in a circle.");
        return "";
      }
      ManifestTree next = trees.get(above);
      above = next == null ? "" : next.text("parent");
    }
    return parent;
  }

  private static void checkMinima(ManifestTree tree, SubGroup subGroup, List<SubGroup> all) {
    int children = childrenOf(subGroup.name(), all);
    if (children > 0 && subGroup.minMember() > 0) {
      tree.problem(
          "minMember",
          Integer.toString(subGroup.minMember()),
          "it has sub-groups of its own, so set minSubGroup and leave minMember to them.");
    }
    if (subGroup.minSubGroup() > 0) {
      checkMinSubGroup(tree, subGroup.minSubGroup(), children);
    }
  }

  private static void checkMinSubGroup(ManifestTree tree, int minSubGroup, int children) {
    if (minSubGroup > children) {
      tree.problem(
          "minSubGroup",
          Integer.toString(minSubGroup),
          children == 0
              ? "it has no sub-groups. Set minMember instead."
              : "it has " + children + " sub-groups only.");
    }
  }

  private static int childrenOf(String parent, List<SubGroup> all) {
    int children = 0;
    for (SubGroup subGroup : all) {
      children += subGroup.parent().equals(parent) ? 1 : 0;
    }
    return children;
  }
}
