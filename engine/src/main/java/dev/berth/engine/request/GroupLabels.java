package dev.berth.engine.request;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec.Patience;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.ObjectNames;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.QueueName;
import java.time.Duration;
import java.util.Locale;

/// What labels and annotations of a pod, or of its owner, say for the group.
public final class GroupLabels {
  private GroupLabels() {}

  public static QueueName queue(ManifestTree labels) {
    String queue = labels.text(WellKnownNames.QUEUE, WellKnownNames.QUEUE_ALIAS);
    return queue.isEmpty() ? QueueName.NONE : new QueueName(queue);
  }

  /// The group that a pod names, or a template of pods: the first that is there of Berth's label,
  /// Berth's annotation, its aliases, the field of Kubernetes. None, and a problem, where no object
  /// can be called so: the ledger has names of its own that no object can have.
  static GroupKey group(
      String namespace, ManifestTree labels, ManifestTree annotations, ManifestTree spec) {
    ManifestTree at = labels;
    String key = WellKnownNames.POD_GROUP;
    if (at.text(key).isEmpty()) {
      at = annotations;
      key = at.spoken(WellKnownNames.POD_GROUP, WellKnownNames.POD_GROUP_ALIAS);
    }
    if (at.text(key).isEmpty()) {
      at = labels;
      key = WellKnownNames.POD_GROUP_LABEL;
    }
    if (at.text(key).isEmpty()) {
      at = spec.object("schedulingGroup");
      key = "podGroupName";
    }
    String name = at.text(key);
    if (name.isEmpty()) {
      return GroupKey.NONE;
    }
    if (!ObjectNames.isOne(name)) {
      at.problem(key, name, "a PodGroup has a name of " + ObjectNames.RULE);
      return GroupKey.NONE;
    }
    return new GroupKey(namespace, name);
  }

  /// The role that a pod names, or a template of pods; empty = none.
  static String subGroup(ManifestTree labels) {
    return labels.text(WellKnownNames.SUBGROUP, WellKnownNames.SUBGROUP_ALIAS);
  }

  /// @param ignored takes a value that is none: it counts as not there
  public static Preemptibility preemptibility(ManifestTree labels, Problems ignored) {
    return preemptibility(labels.telling(ignored));
  }

  static Preemptibility preemptibility(ManifestTree labels) {
    String key = labels.spoken(WellKnownNames.PREEMPTIBILITY, WellKnownNames.PREEMPTIBILITY_ALIAS);
    return preemptibility(labels, key, "it is preemptible, semi-preemptible or non-preemptible.");
  }

  /// Labels are written `non-preemptible`, fields `NonPreemptible`: each is read in both places.
  static Preemptibility preemptibility(ManifestTree tree, String key, String wayOut) {
    String text = tree.text(key);
    return switch (text.toLowerCase(Locale.ROOT).replace("-", "")) {
      case "" -> Preemptibility.BY_PRIORITY;
      case "preemptible" -> Preemptibility.PREEMPTIBLE;
      case "nonpreemptible" -> Preemptibility.NON_PREEMPTIBLE;
      case "semipreemptible" -> Preemptibility.SEMI_PREEMPTIBLE;
      default -> {
        tree.problem(key, text, wayOut);
        yield Preemptibility.BY_PRIORITY;
      }
    };
  }

  /// 0 where it is not said.
  public static int minMember(ManifestTree annotations) {
    return annotations
        .number(annotations.spoken(WellKnownNames.MIN_MEMBER, WellKnownNames.MIN_MEMBER_ALIAS), 1)
        .orElse(0);
  }

  public static TopologyAsk topology(ManifestTree annotations) {
    if (annotations.isEmpty()) {
      return TopologyAsk.NONE;
    }
    return topology(
        annotations,
        annotations.spoken(WellKnownNames.TOPOLOGY, WellKnownNames.TOPOLOGY_ALIAS),
        annotations.spoken(
            WellKnownNames.TOPOLOGY_REQUIRED, WellKnownNames.TOPOLOGY_REQUIRED_ALIAS),
        annotations.spoken(
            WellKnownNames.TOPOLOGY_PREFERRED, WellKnownNames.TOPOLOGY_PREFERRED_ALIAS));
  }

  public static TopologyAsk topology(
      ManifestTree tree, String nameKey, String requiredKey, String preferredKey) {
    String name = tree.text(nameKey);
    String required = tree.text(requiredKey);
    String preferred = tree.text(preferredKey);
    if (name.isEmpty() && required.isEmpty() && preferred.isEmpty()) {
      return TopologyAsk.NONE;
    }
    if (name.isEmpty()) {
      String level = required.isEmpty() ? preferredKey : requiredKey;
      tree.problem(
          level,
          tree.text(level),
          "a level belongs to a Topology object. Name it with " + nameKey + ".");
      return TopologyAsk.NONE;
    }
    return new TopologyAsk(name, required, preferred);
  }

  /// @param ignored takes a delay or grace that is no duration: it counts as not there
  public static Patience patience(ManifestTree annotations, Problems ignored) {
    if (annotations.isEmpty()) {
      return Patience.NONE;
    }
    ManifestTree lenient = annotations.telling(ignored);
    var patience =
        new Patience(
            Durations.read(
                lenient,
                annotations.spoken(
                    WellKnownNames.PREEMPTION_DELAY, WellKnownNames.PREEMPTION_DELAY_ALIAS),
                false),
            grace(
                lenient,
                annotations.spoken(
                    WellKnownNames.STALENESS_GRACE, WellKnownNames.STALENESS_GRACE_ALIAS)),
            Durations.read(annotations, WellKnownNames.EXPECTED_RUNTIME, false),
            Durations.read(annotations, WellKnownNames.MAX_RUNTIME, false));
    return patience.equals(Patience.NONE) ? Patience.NONE : patience;
  }

  /// A grace of zero that is written means "at once", and is told apart from one that is not
  /// written (zero in the model) as one nanosecond.
  static Duration grace(ManifestTree tree, String key) {
    Duration grace = Durations.read(tree, key, true);
    boolean atOnce =
        grace.isZero()
            && Durations.parse(tree.text(key).trim()).filter(Duration::isZero).isPresent();
    return atOnce ? Duration.ofNanos(1) : grace;
  }
}
