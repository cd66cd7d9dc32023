package dev.berth.engine.request;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.GroupSpec.Patience;
import dev.berth.engine.model.GroupSpec.Run;
import dev.berth.engine.model.GroupSpec.SubGroup;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Idleness;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.QueueName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
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

  /// The condition that says that a group is warned of its end.
  public static final String ENDS_SOON = "EndsSoon";

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
      checkMinSubGroup(spec, minSubGroup.getAsInt(), atTheTop(subGroups));
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
            0,
            warned(manifest.status()),
            Idleness.NONE,
            notice(manifest.status())),
        GroupSpec.Completions.NONE,
        manifest.problems().list());
  }

  private static Instant warned(ManifestTree status) {
    return StatusConditions.of(status, ENDS_SOON)
        .findFirst()
        .map(each -> StatusConditions.isTrue(each) ? each.time("lastTransitionTime") : Run.RECALLED)
        .orElse(Instant.EPOCH);
  }

  private static Idleness.Notice notice(ManifestTree status) {
    return StatusConditions.of(status, Idleness.Notice.CONDITION)
        .findFirst()
        .map(each ->
            StatusConditions.isTrue(each) ? IdleConditions.read(each) : Idleness.Notice.RECALLED)
        .orElse(Idleness.Notice.NONE);
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
    var trees = spec.objects("subGroups");
    var written = new ArrayList<SubGroup>(trees.size());
    var byName = new HashMap<String, ManifestTree>(); // looked up only
    for (ManifestTree tree : trees) {
      tree.onlyKnows(SUBGROUP_FIELDS);
      String name = tree.text("name");
      byName.putIfAbsent(name, tree);
      written.add(
          new SubGroup(
              name,
              tree.text("parent"),
              tree.number("minMember", 0).orElse(0),
              tree.number("minSubGroup", 0).orElse(0),
              topology(tree)));
    }
    var subGroups =
        SubGroupTree.of(
            written, (index, field, value, rule) -> trees.get(index).problem(field, value, rule));
    var children = new HashMap<String, Integer>(); // looked up only
    subGroups.forEach(each -> children.merge(each.parent(), 1, Integer::sum));
    for (SubGroup each : subGroups) {
      checkMinima(
          byName.getOrDefault(each.name(), spec), each, children.getOrDefault(each.name(), 0));
    }
    return subGroups;
  }

  private static void checkMinima(ManifestTree tree, SubGroup subGroup, int children) {
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

  private static int atTheTop(List<SubGroup> subGroups) {
    int count = 0;
    for (SubGroup subGroup : subGroups) {
      count += subGroup.parent().isEmpty() ? 1 : 0;
    }
    return count;
  }
}
