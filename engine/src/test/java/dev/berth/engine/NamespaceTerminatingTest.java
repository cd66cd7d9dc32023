package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.explain.Sentences;
import dev.berth.engine.model.Reason;
import org.junit.jupiter.api.Test;

/// Namespaces that are being deleted.
class NamespaceTerminatingTest {
  private static final Reason TERMINATES = new Reason.NamespaceTerminating("default");

  @Test
  void nothingIsPlannedInANamespaceThatIsBeingDeleted() {
    cluster()
        .node("n", gpus(8))
        .queue("ml", quota(8))
        .namespaceTerminates()
        .waiting("w", "ml", gang(2).gpus(1))
        .waiting("s", "ml", pods(1).gpus(1))
        .plan()
        .waits("w", TERMINATES)
        .waits("s", TERMINATES)
        .andNothingElse();
  }

  @Test
  void thePodIsToldWhy() {
    assertThat(Sentences.of(TERMINATES))
        .isEqualTo(
            "Waits: namespace default is being deleted, and nothing starts there any more. Helps:"
                + " nothing to do: its pods are deleted with it; create them in another"
                + " namespace.");
  }
}
