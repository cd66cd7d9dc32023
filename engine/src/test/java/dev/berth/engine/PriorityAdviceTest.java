package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.Cluster.key;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.explain.Counterfactuals;
import dev.berth.engine.explain.Remedy;
import dev.berth.engine.model.Fact.PriorityClassSeen;
import dev.berth.engine.model.PriorityClasses;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Priorities that let a workload start: those that a PriorityClass gives.
class PriorityAdviceTest {
  /// What runs has priority 75, what waits 50.
  private static List<String> advised(PriorityClassSeen... classes) {
    var cluster =
        cluster()
            .node("n1", gpus(2))
            .queue("a", quota(2))
            .running("r", "a", gang(2).priority(75))
            .waiting("w", "a", gang(2).priority(50));
    return Counterfactuals.of(
            cluster.planner(),
            cluster.snapshot(),
            Collections.emptySortedMap(),
            key("w"),
            500,
            PriorityClasses.of(List.of(classes)))
        .all()
        .stream()
        .flatMap(each -> each.remedies().stream())
        .filter(Remedy.RaisePriority.class::isInstance)
        .map(Remedy::words)
        .toList();
  }

  private static PriorityClassSeen of(String name, int value) {
    return new PriorityClassSeen(name, 1, value, false);
  }

  @Test
  void theLowestClassThatDoesIsNamed() {
    assertThat(
            advised(
                of("train", 50), of("build-preemptible", 75), of("soon", 90), of("at-once", 95)))
        .containsExactly("a priority of 90 (now 50): priorityClassName soon");
  }

  @Test
  void noPriorityIsAdvisedThatNoClassGives() {
    assertThat(advised(of("train", 50), of("build-preemptible", 75))).isEmpty();
  }

  @Test
  void aClassOfTheSystemOrOneThatDoesNotPreemptIsNotAdvised() {
    assertThat(
            advised(
                of("system-cluster-critical", 2_000_000_000),
                new PriorityClassSeen("polite", 1, 90, false, false)))
        .isEmpty();
  }

  @Test
  void whereNoClassIsKnownTheNumberIsTold() {
    assertThat(advised()).containsExactly("a priority of 76 (now 50)");
  }
}
