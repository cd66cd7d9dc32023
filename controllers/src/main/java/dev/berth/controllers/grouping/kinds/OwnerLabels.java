package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.model.GroupSpec.Patience;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.request.GroupLabels;
import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.Problems;
import dev.berth.engine.request.WellKnownNames;
import java.util.List;

/// What labels and annotations of the owners of a pod say, the nearest owner first.
///
/// @param topology of the subject, and of what was skipped above it
/// @param ownClass the PriorityClass that these name
/// @param lowerClass the one that owners below the subject name
/// @param podClass the one that the pod names
/// @param problems what is invalid
public record OwnerLabels(
    QueueName queue,
    Preemptibility preemptibility,
    Patience patience,
    TopologyAsk topology,
    String ownClass,
    String lowerClass,
    String podClass,
    List<Problem> problems) {

  /// @param speakers what comes before all owners
  /// @param lower owners below the subject, nearest first
  /// @param upper the subject, and what was skipped above it
  static OwnerLabels of(
      KubeObject pod, List<KubeObject> speakers, List<KubeObject> lower, List<KubeObject> upper) {
    var problems = new Problems();
    var ignored = new Problems(); // told once per object
    var queue = QueueName.NONE;
    var preemptibility = Preemptibility.BY_PRIORITY;
    var patience = Patience.NONE;
    for (List<KubeObject> part : List.of(speakers, lower, upper)) {
      for (KubeObject owner : part) {
        ManifestTree metadata = owner.tree(problems).object("metadata");
        ManifestTree labels = metadata.words("labels");
        queue = queue.isNone() ? GroupLabels.queue(labels) : queue;
        if (preemptibility == Preemptibility.BY_PRIORITY) {
          preemptibility = GroupLabels.preemptibility(labels, ignored);
        }
        if (patience.equals(Patience.NONE)) {
          patience = GroupLabels.patience(metadata.words("annotations"), ignored);
        }
      }
    }
    return new OwnerLabels(
        queue,
        preemptibility,
        patience,
        topology(List.of(speakers, upper), problems),
        classOf(List.of(speakers, upper)),
        classOf(List.of(lower)),
        pod.label(WellKnownNames.PRIORITY_CLASS),
        problems.list());
  }

  private static TopologyAsk topology(List<List<KubeObject>> parts, Problems problems) {
    var topology = TopologyAsk.NONE;
    for (List<KubeObject> part : parts) {
      for (KubeObject owner : part) {
        var levels = GroupLabels.topology(owner.annotations(problems));
        boolean namesALevel = !levels.required().isEmpty() || !levels.preferred().isEmpty();
        topology = topology.equals(TopologyAsk.NONE) && namesALevel ? levels : topology;
      }
    }
    return topology;
  }

  private static String classOf(List<List<KubeObject>> parts) {
    for (List<KubeObject> part : parts) {
      for (KubeObject owner : part) {
        String named = owner.label(WellKnownNames.PRIORITY_CLASS);
        if (!named.isEmpty()) {
          return named;
        }
      }
    }
    return "";
  }

  /// The class of the nearest owner that names one, else that of the pod.
  String nearestClass() {
    String ofOwner = lowerClass.isEmpty() ? ownClass : lowerClass;
    return ofOwner.isEmpty() ? podClass : ofOwner;
  }
}
