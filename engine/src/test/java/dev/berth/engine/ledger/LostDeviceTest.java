package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.SOON;
import static dev.berth.engine.ledger.Sketch.node;
import static dev.berth.engine.ledger.Sketch.plan;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.share;
import static dev.berth.engine.ledger.Sketch.slots;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The planner plans nothing that the ledger refuses: it would come back with it for ever.
class LostDeviceTest {
  private final Told told = new Told();

  @Test
  void nobodyJoinsASharedDeviceOfANodeThatHasLostOneInUse() {
    told.nodes(2, "a");
    for (int slot = 0; slot < 2; slot++) {
      told.holds("a", slot, "GPU-" + slot);
      told.sees(
          pod("r" + slot).share(share(500)).on("a").written(plan(slots("a", 500, slot), SOON)));
    }
    told.sees(pod("w").share(share(300)).queue("q"));
    var first = planned();
    assertThat(first).as("both devices are there").hasSize(1);
    assertThat(told.ledger.assume(first.getFirst(), SOON)).isPresent();
    told.ledger.expire(SOON);
    told.ledger.record(new Fact.NodeSeen(node("a", 1, 2)));
    assertThat(planned()).as("one of two devices in use is not there any more").isEmpty();
  }

  private List<Decision.Reserve> planned() {
    told.ledger.record(new Fact.QueueSeen(Queue.implied(new QueueName("q"), true)));
    return new Planner(PlannerSettings.DEFAULT)
        .plan(told.snapshot(), Collections.emptySortedMap()).decisions().stream()
            .filter(Decision.Reserve.class::isInstance)
            .map(Decision.Reserve.class::cast)
            .toList();
  }
}
