package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;

import dev.berth.engine.model.LabelSelector;
import dev.berth.engine.model.LabelSelector.Operator;
import dev.berth.engine.model.LabelSelector.Requirement;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Queues take pods of the namespaces that they choose by label.
class QueueNotAllowedTest {
  private static final LabelSelector OF_ML =
      new LabelSelector(List.of(new Requirement("team", Operator.IN, List.of("ml"))));

  private static Reason refused(String queue, String at) {
    return new Reason.QueueNotAllowed(new QueueName(queue), "default", new QueueName(at), OF_ML);
  }

  private static Cluster oneNode() {
    return cluster().node("n", gpus(8));
  }

  @Test
  void aQueueThatSaysNothingTakesAll() {
    oneNode()
        .queue("ml", quota(8))
        .waiting("w", "ml", gang(2).gpus(1))
        .plan()
        .reserves("w", 2)
        .andNothingElse();
  }

  @Test
  void aNamespaceWithoutTheLabelWaitsAndTellsWhichQueueTakesWhichNamespaces() {
    oneNode()
        .queue("ml", quota(8).namespacesWith("team", "ml"))
        .waiting("w", "ml", gang(2).gpus(1))
        .namespaceLabel("team", "vision")
        .waiting("v", "ml", gang(2).gpus(1))
        .plan()
        .waits("w", refused("ml", "ml"))
        .waits("v", refused("ml", "ml"))
        .andNothingElse();
  }

  @Test
  void aNamespaceWithTheLabelHasItsPlaces() {
    oneNode()
        .queue("ml", quota(8).namespacesWith("team", "ml"))
        .namespaceLabel("team", "ml")
        .waiting("w", "ml", gang(2).gpus(1))
        .plan()
        .reserves("w", 2)
        .andNothingElse();
  }

  @Test
  void whatTheParentSaysHoldsBelowIt() {
    oneNode()
        .queue("org", quota(8).namespacesWith("team", "ml"))
        .queue("ml", quota(8).below("org"))
        .waiting("w", "ml", gang(2).gpus(1))
        .plan()
        .waits("w", refused("ml", "org"))
        .andNothingElse();
  }

  @Test
  void aQueueThatSaysItselfDoesNotAskItsParent() {
    oneNode()
        .queue("org", quota(8).namespacesWith("team", "ml"))
        .queue("all", quota(8).below("org").allNamespaces())
        .waiting("w", "all", gang(2).gpus(1))
        .plan()
        .reserves("w", 2)
        .andNothingElse();
  }

  /// What is advised to a group whose queue is misspelt is a leaf that would take it.
  @Test
  void aNamespaceIsToldOfNoQueueThatDoesNotTakeIt() {
    misspelt()
        .plan()
        .waits("w", new Reason.NoSuchQueue(new QueueName("vison")))
        .waits("p", new Reason.NoSuchQueue(new QueueName("visul")))
        .andNothingElse();
    misspelt()
        .namespaceLabel("team", "ml")
        .plan()
        .waits("w", new Reason.NoSuchQueue(new QueueName("vison"), new QueueName("vision")))
        .waits("p", new Reason.NoSuchQueue(new QueueName("visul")))
        .andNothingElse();
  }

  private static Cluster misspelt() {
    return oneNode()
        .queue("visual", quota(8))
        .queue("vision", quota(8).below("visual").namespacesWith("team", "ml"))
        .waiting("w", "vison", gang(2).gpus(1))
        .waiting("p", "visul", gang(2).gpus(1));
  }

  /// A namespace that lost the right keeps its running pods, and gets nothing more.
  @Test
  void whatRunsStays() {
    oneNode()
        .queue("ml", quota(8).namespacesWith("team", "ml"))
        .running("r", "ml", pods(2).gpus(1))
        .partly("p", "ml", 1, pods(2).gpus(1))
        .plan()
        .waits("p", refused("ml", "ml"))
        .andNothingElse();
  }

  /// No pod leaves for a group that may not start.
  @Test
  void noPodLeavesForIt() {
    oneNode()
        .queue("ml", quota(8).namespacesWith("team", "ml"))
        .queue("other", quota(0))
        .running("r", "other", pods(8).gpus(1))
        .waiting("w", "ml", gang(2).gpus(1))
        .plan()
        .waits("w", refused("ml", "ml"))
        .andNothingElse();
  }
}
