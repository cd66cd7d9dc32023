package dev.berth.engine.session;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.Expectations.byTaking;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.QueueSketch.anything;
import static dev.berth.engine.QueueSketch.quota;
import static dev.berth.engine.model.Decision.Cause.RECLAIM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Cluster;
import dev.berth.engine.PodSketch;
import dev.berth.engine.fairness.FairShareSettings;
import dev.berth.engine.fairness.Shares;
import dev.berth.engine.model.Constraints.Operator;
import dev.berth.engine.model.Node.Accelerator;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import org.junit.jupiter.api.Test;

/// What a queue requests of a device model: what it has of it, and of what waits only that which
/// can be of no other model.
class ModelsTest {
  private static final Resource H100 = Resource.gpuOfModel("H100");
  private static final Resource A100 = Resource.gpuOfModel("A100");

  private static Cluster both() {
    return cluster()
        .node("h", gpus(8).model("H100"))
        .node("a", gpus(8).model("A100"))
        .queue("q", anything().quota(H100, 8_000).quota(A100, 8_000));
  }

  private static double requested(Cluster cluster, Resource resource) {
    var session = Session.over(cluster.snapshot());
    var queues = session.queues();
    var shares = Shares.of(session, FairShareSettings.DEFAULT);
    for (int r = 0; r < queues.width(); r++) {
      if (queues.resource(r).equals(resource)) {
        return shares.requested(queues.find(new QueueName("q")), r) / 1000.0;
      }
    }
    throw new AssertionError("nobody counts " + resource);
  }

  private static void isOf(double h100, double a100, PodSketch sketch) {
    var cluster = both().waiting("w", "q", sketch);
    assertThat(requested(cluster, H100)).as("H100").isEqualTo(h100);
    assertThat(requested(cluster, A100)).as("A100").isEqualTo(a100);
    assertThat(requested(cluster, Resource.GPU)).as("gpu").isEqualTo(2);
  }

  @Test
  void podOfEitherModelCountsForNone() {
    isOf(0, 0, gang(2));
    isOf(0, 0, gang(2).wants(Accelerator.MODEL, Operator.IN, "H100", "A100"));
    isOf(0, 0, gang(2).selects("zone", "z"));
  }

  @Test
  void podThatNamesAModelCountsForIt() {
    isOf(2, 0, gang(2).model("h100"));
    isOf(2, 0, gang(2).selects(Accelerator.MODEL, "H100"));
    isOf(0, 2, gang(2).wants(Accelerator.MODEL, Operator.IN, "A100"));
  }

  @Test
  void podThatRulesOutAllOthersCountsForTheOneThatIsLeft() {
    isOf(2, 0, gang(2).wants(Accelerator.MODEL, Operator.NOT_IN, "A100"));
    isOf(0, 0, gang(2).wants(Accelerator.MODEL, Operator.IN, "H200"));
  }

  @Test
  void whereThereIsOneModelAllCountForIt() {
    var cluster =
        cluster()
            .node("h", gpus(8).model("H100"))
            .queue("q", anything().quota(H100, 8_000))
            .waiting("w", "q", gang(2));
    assertThat(requested(cluster, H100)).isEqualTo(2);
    assertThat(requested(cluster.node("x", gpus(8)), H100))
        .as("a node does not tell its model")
        .isEqualTo(0);
  }

  @Test
  void aShareOfAModelIsOwedToTheQueueThatWaitsForIt() {
    cluster()
        .node("h", gpus(4).model("H100"))
        .queue("q", quota(4).quota(H100, 4_000))
        .queue("r", quota(0).quota(Resource.CPU, 64_000).quota(Resource.MEMORY, 1L << 40))
        .running("lent", "r", PodSketch.pods(4))
        .waiting("mine", "q", gang(4).model("H100"))
        .plan()
        .reserves("mine", 4, byTaking(RECLAIM, "lent", "lent", "lent", "lent"))
        .andNothingElse();
  }
}
