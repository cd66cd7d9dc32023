package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.Expectations.byTaking;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;

import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Reason.OverLimit;
import dev.berth.engine.model.Resource;
import org.junit.jupiter.api.Test;

/// Places among the pods of a node are a resource as any other, where a queue says something of
/// them: pods that ask for nothing take no more than that.
final class PodSlotsTest {
  @Test
  void aLimitOfPodsHolds() {
    cluster()
        .node("n1", gpus(4))
        .queue("a", quota(0).limit(Resource.PODS, 2))
        .running("idle", "a", pods(2).noGpu().asks(Resource.PODS, 1))
        .waiting("more", "a", gang(1).noGpu().asks(Resource.PODS, 1))
        .plan()
        .waits("more", OverLimit.class)
        .andNothingElse();
  }

  @Test
  void placesBeyondAQuotaOfPodsAreReclaimed() {
    cluster()
        .node("n1", gpus(4).with(Resource.PODS, 6))
        .queue("a", quota(0).quota(Resource.PODS, 1))
        .queue("b", quota(4).quota(Resource.PODS, 2))
        .running("idle", "a", pods(3).noGpu().asks(Resource.PODS, 1).atLeast(1))
        .waiting("train", "b", gang(1).gpus(4).asks(Resource.PODS, 1))
        .plan()
        .reserves("train", 1, byTaking(Cause.RECLAIM, "idle"))
        .andNothingElse();
  }
}
