package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.SOON;
import static dev.berth.engine.ledger.Sketch.node;
import static dev.berth.engine.ledger.Sketch.plan;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.share;
import static dev.berth.engine.ledger.Sketch.shares;
import static dev.berth.engine.ledger.Sketch.slots;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The planner plans nothing that the ledger refuses: it would come back with it for ever.
class LostDeviceTest {
  private final Told told = new Told();

  @Test
  void noPodJoinsASharedDeviceOfANodeThatHasLostOneInUse() {
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

  /// The holder of its slot was lost, and the holder of another slot got its device.
  @Test
  void aShareSitsWhereItsDeviceIsHeld() {
    told.nodes(4, "a");
    told.holds("a", 0, "GPU-0");
    told.sees(pod("r").share(share(600)).on("a").written(plan(slots("a", 600, 0), SOON), "GPU-0"));
    told.farewell("holder-a-0");
    told.holds("a", 2, "GPU-0");
    assertThat(told.room("a").slots())
        .extracting(slot -> slot.index() + " uses " + slot.usedMillis())
        .containsExactly("2 uses 600");
    told.farewell("holder-a-2");
    assertThat(told.room("a").slots())
        .as("nobody holds it: it is as it was planned")
        .extracting(slot -> slot.index() + " uses " + slot.usedMillis())
        .containsExactly("0 uses 600");
  }

  /// Of its two devices one is held again, by the holder of another slot, on which another pod is
  /// planned; the other one is not reported yet.
  @Test
  void aShareOfTwoDevicesSitsWhereOneOfThemIsHeld() {
    told.nodes(8, "a");
    told.holds("a", 4, "GPU-1");
    told.holds("a", 5, "GPU-5");
    told.sees(
        pod("r")
            .share(shares(2, 700))
            .on("a")
            .written(plan(slots("a", 700, 4, 5), SOON), "GPU-1", "GPU-5"));
    told.sees(pod("w").share(shares(2, 700)).queue("q"));
    told.assumed("w", slots("a", 700, 1, 2));
    told.farewell("holder-a-4");
    told.farewell("holder-a-5");
    told.holds("a", 1, "GPU-4");
    told.holds("a", 2, "GPU-1");
    assertThat(used())
        .as("GPU-1 is in use, and the plan beside it is too much")
        .containsExactly("1 uses 700", "2 uses 1400", "5 uses 700");
    var _ = told.ledger.collapse();
    assertThat(used()).containsExactly("1 uses 0", "2 uses 700", "5 uses 700");
    told.holds("a", 6, "GPU-5");
    assertThat(used()).containsExactly("1 uses 0", "2 uses 700", "6 uses 700");
  }

  @Test
  void aShareOfTwoDevicesSitsOnTwoSlots() {
    told.nodes(8, "a");
    told.sees(
        pod("r")
            .share(shares(2, 700))
            .on("a")
            .written(plan(slots("a", 700, 4, 5), SOON), "GPU-1", "GPU-5"));
    told.holds("a", 5, "GPU-1");
    assertThat(used())
        .as("where the one was planned the other one is held")
        .containsExactly("4 uses 700", "5 uses 700");
  }

  /// A holder of the device has ended, and its end is seen late.
  @Test
  void aShareSitsOnTheHolderThatStaysAndThatItWasPlannedOn() {
    told.nodes(4, "a");
    told.holds("a", 0, "GPU-3");
    assertThat(told.ledger.retire(new SlotKey(Sketch.at("a"), 0))).isPresent();
    told.holds("a", 2, "GPU-3");
    told.holds("a", 3, "GPU-3");
    told.sees(pod("r").share(share(600)).on("a").written(plan(slots("a", 600, 3), SOON), "GPU-3"));
    assertThat(used()).as("planned there").containsExactly("0 uses 0", "2 uses 0", "3 uses 600");
    told.farewell("holder-a-3");
    assertThat(used()).as("its holder went").containsExactly("0 uses 0", "2 uses 600");
    assertThat(told.ledger.idleHolder(new SlotKey(Sketch.at("a"), 2))).isEmpty();
  }

  private List<String> used() {
    return told.room("a").slots().stream()
        .map(slot -> slot.index() + " uses " + slot.usedMillis())
        .toList();
  }

  /// Its Binding got no answer, and was done after its holder had gone.
  @Test
  void aShareThatIsBoundLateToADeviceThatIsNotHeldAnyMoreIsLost() {
    told.nodes(4, "a");
    told.holds("a", 0, "GPU-0");
    told.sees(pod("r").share(share(600)).queue("q"));
    told.assumed("r", slots("a", 600, 0));
    told.farewell("holder-a-0");
    told.ledger.record(
        new Fact.PodSeen(
            Sketch.pod("again")
                .scheduler("default-scheduler")
                .on("a")
                .holding(new Pod.Holding(Sketch.at("a"), 0, "GPU-1"))
                .made()));
    told.sees(
        pod("r")
            .share(share(600))
            .queue("q")
            .on("a")
            .version(2)
            .written(plan(slots("a", 600, 0), SOON), "GPU-0"));
    assertThat(told.ledger.lostShares()).hasSize(1);
  }

  @Test
  void aPlanBesideAShareThatTurnsOutToRunThereEnds() {
    told.nodes(4, "a");
    told.holds("a", 0, "GPU-0");
    told.sees(pod("r").share(share(600)).on("a").written(plan(slots("a", 600, 0), SOON), "GPU-0"));
    told.sees(pod("w").share(share(500)).queue("q"));
    told.assumed("w", slots("a", 500, 2));
    told.farewell("holder-a-0");
    told.holds("a", 2, "GPU-0");
    var _ = told.ledger.collapse();
    assertThat(told.room("a").slots())
        .extracting(slot -> slot.index() + " uses " + slot.usedMillis())
        .containsExactly("2 uses 600");
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
