package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.model.GroupSpec.Patience;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.request.GroupWords;
import dev.berth.engine.request.Problems;
import dev.berth.engine.request.Tree;
import dev.berth.engine.request.Words;
import java.util.List;

/// What labels and annotations of the owners of a pod say, the nearest owner first.
///
/// @param topology of the subject, and of what was skipped above it
/// @param ownClass the PriorityClass that these name
/// @param lowerClass the one that owners below the subject name
/// @param podClass the one that the pod names
/// @param problems what cannot be meant
public record Said(
    QueueName queue,
    Preemptibility preemptibility,
    Patience patience,
    TopologyAsk topology,
    String ownClass,
    String lowerClass,
    String podClass,
    List<Problem> problems) {

  /// @param owners nearest first
  /// @param from the number of the subject among them
  static Said of(Thing pod, List<Thing> owners, int from) {
    var problems = new Problems();
    var ignored = new Problems(); // told once per object
    var queue = QueueName.NONE;
    var preemptibility = Preemptibility.BY_PRIORITY;
    var patience = Patience.NONE;
    var topology = TopologyAsk.NONE;
    String ownClass = "";
    String lowerClass = "";
    for (int i = 0; i < owners.size(); i++) {
      Thing owner = owners.get(i);
      Tree metadata = owner.tree(problems).object("metadata");
      Tree labels = metadata.words("labels");
      Tree annotations = metadata.words("annotations");
      queue = queue.isNone() ? GroupWords.queue(labels) : queue;
      if (preemptibility == Preemptibility.BY_PRIORITY) {
        preemptibility = GroupWords.preemptibility(labels, ignored);
      }
      if (patience.equals(Patience.NONE)) {
        patience = GroupWords.patience(annotations, ignored);
      }
      String named = owner.label(Words.PRIORITY_CLASS);
      if (i < from) {
        lowerClass = lowerClass.isEmpty() ? named : lowerClass;
      } else {
        ownClass = ownClass.isEmpty() ? named : ownClass;
        var levels = GroupWords.topology(annotations);
        boolean namesALevel = !levels.required().isEmpty() || !levels.preferred().isEmpty();
        topology = topology.equals(TopologyAsk.NONE) && namesALevel ? levels : topology;
      }
    }
    return new Said(
        queue,
        preemptibility,
        patience,
        topology,
        ownClass,
        lowerClass,
        pod.label(Words.PRIORITY_CLASS),
        problems.list());
  }

  /// The class of the nearest owner that names one, else that of the pod.
  String nearestClass() {
    String ofOwner = lowerClass.isEmpty() ? ownClass : lowerClass;
    return ofOwner.isEmpty() ? podClass : ofOwner;
  }
}
