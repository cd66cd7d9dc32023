package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.SOON;
import static dev.berth.engine.ledger.Sketch.START;
import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.holder;
import static dev.berth.engine.ledger.Sketch.node;
import static dev.berth.engine.ledger.Sketch.plan;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.share;
import static dev.berth.engine.ledger.Sketch.slots;
import static dev.berth.engine.ledger.Sketch.uid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.ledger.view.IdleHolder;
import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.NodeView.Holder;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is taken of a node, and which holders have its shared devices.
class RoomTest {
  private final Told told = new Told();

  @Test
  void aBoundPodTakesRoomUntilItIsOver() {
    told.nodes(8, "a");
    told.sees(pod("p").gpus(2).on("a"));
    assertThat(told.room("a").used().of(Resource.NVIDIA)).isEqualTo(2);
    told.sees(pod("p").gpus(2).on("a").over(true).version(2));
    assertThat(told.room("a").used().isNone()).as("nothing is used").isTrue();
    assertThat(told.standing("p")).isEqualTo(new Standing.Over(true));
  }

  @Test
  void aLeavingPodStillTakesItsRoom() {
    told.nodes(8, "a");
    told.sees(pod("p").gpus(2).on("a").leaving());
    assertThat(told.room("a").used().of(Resource.NVIDIA)).isEqualTo(2);
    assertThat(told.room("a").leaving()).isEqualTo(told.room("a").used());
    told.farewell("p");
    assertThat(told.room("a").used().isNone()).as("nothing is used").isTrue();
    assertThat(told.room("a").leaving().isNone()).as("nothing is leaving").isTrue();
  }

  @Test
  void podsOfOtherSchedulersAreForeignAndInNoGroup() {
    told.nodes(8, "a");
    told.sees(pod("p").scheduler("default-scheduler").gpus(1).on("a"));
    assertThat(told.room("a").foreign()).isEqualTo(told.room("a").used());
    assertThat(told.snapshot().groups()).isEmpty();
    assertThat(told.ledger.groupOf(uid("p"))).isEmpty();
  }

  /// A user that may create pods in a namespace can write any label there.
  @Test
  void whatCallsItselfAHolderElsewhereIsAPodLikeAnyOther() {
    var settings =
        new LedgerSettings(
            List.of("berth"),
            new QueueName("default"),
            "berth-system",
            Duration.ZERO,
            Duration.ofMinutes(10));
    var ledger = new Ledger(settings, () -> {});
    ledger.record(new Fact.NodeSeen(node("a", 8)));
    ledger.record(new Fact.PodSeen(holder("a", 0, "GPU-1", 1)));
    var room = ledger.snapshot(START).nodes().getFirst();
    assertThat(room.slots()).as("devices that are shared").isEmpty();
    told.nodes(8, "a");
    told.holds("a", 0, "GPU-1");
    assertThat(told.room("a").slots()).as("anywhere, where no namespace is set").isNotEmpty();
  }

  @Test
  void podsOnANodeThatComesLaterCountThen() {
    told.sees(pod("p").gpus(2).on("a"));
    assertThat(told.snapshot().nodes()).isEmpty();
    told.nodes(8, "a");
    assertThat(told.room("a").used().of(Resource.NVIDIA)).isEqualTo(2);
  }

  @Test
  void aNodeThatComesBackHasItsPods() {
    told.nodes(8, "a");
    told.sees(pod("p").gpus(2).on("a"));
    told.ledger.record(new Fact.NodeGone(at("a"), 2));
    assertThat(told.snapshot().nodes()).isEmpty();
    assertThat(told.ledger.record(new Fact.NodeSeen(node("a", 8, 1)))).as("late").isFalse();
    assertThat(told.ledger.record(new Fact.NodeSeen(node("a", 8, 3)))).as("back").isTrue();
    assertThat(told.room("a").used().of(Resource.NVIDIA)).isEqualTo(2);
  }

  @Test
  void aSharedDeviceCountsOneDeviceBeforeItsHolderExistsAndAfter() {
    told.nodes(4, "a");
    told.sees(pod("p").share(share(400)).on("a").written(plan(slots("a", 400, 1), SOON)));
    assertThat(told.room("a").used().of(Resource.NVIDIA)).isEqualTo(1);
    assertThat(told.room("a").used().of(Resource.PODS)).isEqualTo(2);
    assertThat(told.room("a").slots())
        .containsExactly(new NodeView.Slot(1, Holder.ABSENT, "", 400, 0));
    told.holds("a", 1, "");
    assertThat(told.room("a").used().of(Resource.NVIDIA)).isEqualTo(1);
    assertThat(told.room("a").slots().getFirst().holder()).isEqualTo(Holder.STARTING);
    told.holds("a", 1, "GPU-1");
    assertThat(told.room("a").used().of(Resource.NVIDIA)).isEqualTo(1);
    assertThat(told.room("a").slots())
        .containsExactly(new NodeView.Slot(1, Holder.REPORTED, "GPU-1", 400, 0));
  }

  @Test
  void aRunningShareWithoutAWrittenPlanSitsOnTheFirstDeviceWhereItFits() {
    told.nodes(4, "a");
    told.sees(pod("planned").share(share(700)).on("a").written(plan(slots("a", 700, 0), SOON)));
    told.sees(pod("q").share(share(400)).on("a"));
    told.sees(pod("r").share(share(300)).on("a"));
    assertThat(told.standing("q")).isEqualTo(new Standing.Bound(slots("a", 400, 1)));
    assertThat(told.standing("r")).isEqualTo(new Standing.Bound(slots("a", 300, 0)));
  }

  @Test
  void aRunningShareSitsOnTheDeviceThatItsBindingNames() {
    told.nodes(4, "a");
    told.sees(pod("p").share(share(400)).on("a").written(WrittenPlan.NONE, "GPU-3"));
    assertThat(told.standing("p")).isEqualTo(new Standing.Bound(slots("a", 400, 0)));
    told.holds("a", 3, "GPU-3");
    assertThat(told.standing("p")).isEqualTo(new Standing.Bound(slots("a", 400, 3)));
    told.sees(pod("q").share(share(400)).on("a").written(WrittenPlan.NONE, "2"));
    assertThat(told.standing("q")).isEqualTo(new Standing.Bound(slots("a", 400, 2)));
  }

  @Test
  void theDevicesOfAShareAreHeldInWhateverOrderItsBindingNamesThem() {
    told.nodes(4, "a");
    told.holds("a", 0, "GPU-0");
    told.holds("a", 1, "GPU-1");
    var ofTwo = pod("p").share(new DeviceRequest.Fraction(400, 400, 2)).on("a");
    told.sees(ofTwo.written(WrittenPlan.NONE, "GPU-1", "GPU-0"));
    expectBothHeld();
    told.sees(ofTwo.version(2).written(plan(slots("a", 400, 0, 1), SOON), "GPU-1", "GPU-0"));
    expectBothHeld();
  }

  private void expectBothHeld() {
    assertThat(told.standing("p")).isEqualTo(new Standing.Bound(slots("a", 400, 0, 1)));
    assertThat(told.room("a").used().of(Resource.NVIDIA)).as("devices").isEqualTo(2);
    assertThat(told.room("a").slots())
        .extracting(NodeView.Slot::holder)
        .as("others may join")
        .containsExactly(Holder.REPORTED, Holder.REPORTED);
  }

  @Test
  void aMemoryShareIsCountedByTheDevicesOfItsNode() {
    told.sees(pod("p").share(new DeviceRequest.Memory(20_000, 20_000, 1)).on("a"));
    assertThat(told.standing("p"))
        .as("nobody knows yet, so all of a device")
        .isEqualTo(new Standing.Bound(slots("a", 1000, 0)));
    told.nodes(4, "a");
    assertThat(told.standing("p")).isEqualTo(new Standing.Bound(slots("a", 250, 0)));
  }

  @Test
  void aDeadHolderWithoutUsersTakesNothingAndIsToBeDeleted() {
    told.nodes(4, "a");
    var dead = holder("a", 0, "", 1);
    told.ledger.record(new Fact.PodSeen(dead));
    var failed =
        new Pod(
            dead.uid(),
            dead.key(),
            2,
            dead.created(),
            dead.scheduler(),
            new Pod.Lifecycle(Pod.Phase.FAILED, at("a"), List.of(), false, ""),
            dead.asks(),
            dead.belonging(),
            dead.written(),
            dead.holding(),
            List.of());
    told.ledger.record(new Fact.PodSeen(failed));
    assertThat(told.room("a").used().isNone()).as("nothing is used").isTrue();
    assertThat(told.room("a").slots()).isEmpty();
    assertThat(told.ledger.idleHolders()).extracting(IdleHolder::holder).containsExactly(failed);
    assertThat(told.ledger.retire(new SlotKey(at("a"), 0))).as("may be deleted").isPresent();
    assertTheSlotMayBePlanned(failed);
  }

  /// A snapshot does not show it, so it is free for plans.
  private void assertTheSlotMayBePlanned(Pod failed) {
    told.sees(pod("p").share(share(500)));
    told.assumed("p", slots("a", 500, 0));
    assertThat(told.room("a").slots())
        .containsExactly(new NodeView.Slot(0, Holder.ABSENT, "", 500, 0));
    assertThat(told.ledger.missingHolders()).as("its name is still taken").isEmpty();
    told.ledger.record(new Fact.PodGone(failed.key(), failed.uid()));
    assertThat(told.ledger.missingHolders()).containsExactly(new SlotKey(at("a"), 0));
  }

  @Test
  void anIdleHolderIsRetiredUnlessAPodJoins() {
    told.nodes(4, "a");
    told.holds("a", 0, "GPU-0");
    var slot = new SlotKey(at("a"), 0);
    assertThat(told.ledger.idleHolders()).extracting(IdleHolder::slot).containsExactly(slot);
    told.sees(pod("p").share(share(500)));
    var plan = told.assumed("p", slots("a", 500, 0));
    assertThat(told.ledger.idleHolders()).isEmpty();
    assertThat(told.ledger.retire(slot)).as("retired").isEmpty();
    told.ledger.forget(uid("p"), plan);
    assertThat(told.ledger.retire(slot)).as("retired").isPresent();
    assertThat(told.ledger.retire(slot)).as("retired again: somebody deletes it").isEmpty();
    assertThat(told.ledger.assume(Told.alone("p", slots("a", 500, 0)), SOON))
        .as("closed")
        .isEmpty();
    told.ledger.reopen(slot);
    assertThat(told.ledger.assume(Told.alone("p", slots("a", 500, 0)), SOON))
        .as("open")
        .isPresent();
  }
}
