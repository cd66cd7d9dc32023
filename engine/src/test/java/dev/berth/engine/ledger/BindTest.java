package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.SOON;
import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.group;
import static dev.berth.engine.ledger.Sketch.node;
import static dev.berth.engine.ledger.Sketch.plan;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.share;
import static dev.berth.engine.ledger.Sketch.slots;
import static dev.berth.engine.ledger.Sketch.uid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.ledger.view.BindCommit;
import dev.berth.engine.ledger.view.IdleHolder;
import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Standing;
import java.util.List;
import org.junit.jupiter.api.Test;

/// From commit to the Binding, or to a refusal.
class BindTest {
  private final Told told = new Told();

  @Test
  void commitTellsTheDevicesAndConfirmBindsForGood() {
    told.nodes(4, "a");
    told.sees(pod("p").share(new DeviceRequest.Fraction(500, 500, 2)));
    var plan = told.assumed("p", slots("a", 500, 1, 3));
    assertThat(told.ledger.missingHolders())
        .containsExactly(new SlotKey(at("a"), 1), new SlotKey(at("a"), 3));
    told.holds("a", 1, "GPU-b");
    assertThat(told.ledger.commit(uid("p"), at("a")))
        .isEqualTo(new BindCommit.AwaitsHolders(plan, List.of(3)));
    told.holds("a", 3, "GPU-a");
    assertThat(told.ledger.missingHolders()).isEmpty();
    assertThat(told.ledger.isClear(uid("p"))).as("clear").isTrue();
    var ready = new BindCommit.Ready(plan, List.of("GPU-b", "GPU-a"));
    assertThat(told.ledger.commit(uid("p"), at("a"))).isEqualTo(ready);
    assertThat(told.ledger.commit(uid("p"), at("a"))).as("repeated").isEqualTo(ready);
    assertThat(told.ledger.expire(SOON.plusSeconds(9))).as("not while it is bound").isEmpty();
    told.ledger.confirm(uid("p"), plan.placement());
    assertThat(told.standing("p")).isEqualTo(new Standing.Bound(plan.placement()));
    told.sees(pod("p").share(new DeviceRequest.Fraction(500, 500, 2)).written(plan).version(2));
    assertThat(told.standing("p"))
        .as("the watch is late")
        .isEqualTo(new Standing.Bound(plan.placement()));
    assertThat(told.ledger.commit(uid("p"), at("a"))).isEqualTo(new BindCommit.AlreadyBound());
  }

  @Test
  void aBindingThatWasNotWrittenLeavesThePlanAsItWas() {
    told.nodes(4, "a");
    told.sees(pod("p").gpus(1));
    told.assumed("p", Placement.on(at("a")));
    told.ledger.commit(uid("p"), at("a"));
    told.ledger.release(uid("p"));
    assertThat(told.ledger.expire(SOON)).hasSize(1);
    assertThat(told.ledger.commit(uid("p"), at("a")))
        .isEqualTo(new BindCommit.Refused(BindCommit.Why.NO_PLAN, NodeName.NONE));
  }

  @Test
  void aBindingWithUnknownOutcomeKeepsItsPlaceForAWhile() {
    told.nodes(4, "a");
    told.sees(pod("p").gpus(1));
    told.assumed("p", Placement.on(at("a")));
    told.ledger.commit(uid("p"), at("a"));
    told.ledger.doubt(uid("p"), SOON.plusSeconds(9));
    assertThat(told.ledger.expire(SOON.plusSeconds(8))).as("it may be written yet").isEmpty();
    assertThat(told.ledger.expire(SOON.plusSeconds(9))).hasSize(1);
  }

  @Test
  void aBindingThatIsTriedAgainDoesNotLapseMeanwhile() {
    told.nodes(4, "a");
    told.sees(pod("p").gpus(1));
    told.assumed("p", Placement.on(at("a")));
    told.ledger.commit(uid("p"), at("a"));
    told.ledger.doubt(uid("p"), SOON.minusSeconds(9));
    assertThat(told.ledger.expire(SOON.minusSeconds(1))).as("before its deadline").isEmpty();
    told.ledger.commit(uid("p"), at("a"));
    assertThat(told.ledger.expire(SOON.plusSeconds(9))).isEmpty();
  }

  @Test
  void aBindingThatIsRefusedSaysNothingOfAnEarlierOneWithoutAnAnswer() {
    told.nodes(2, "a");
    told.sees(pod("p").share(share(700)));
    var plan = told.assumed("p", slots("a", 700, 1));
    told.holds("a", 1, "GPU-b");
    told.ledger.commit(uid("p"), at("a"));
    told.ledger.doubt(uid("p"), SOON.plusSeconds(9));
    told.ledger.commit(uid("p"), at("a"));
    told.ledger.release(uid("p"));
    assertThat(told.ledger.expire(SOON.plusSeconds(8))).as("the first may be done yet").isEmpty();
    told.ledger.record(new Fact.NodeSeen(node("a", 0, 2)));
    assertThat(told.ledger.collapse()).as("though its node lost its devices").isEmpty();
    assertThat(told.ledger.forget(uid("p"), plan)).as("forgotten").isFalse();
    assertThat(told.ledger.idleHolders()).isEmpty();
    assertThat(told.ledger.expire(SOON.plusSeconds(9))).hasSize(1);
    assertThat(told.ledger.idleHolders()).extracting(IdleHolder::slot).hasSize(1);
  }

  @Test
  void theLastOfSeveralBindingsWithoutAnAnswerEndsTheDoubt() {
    told.nodes(4, "a");
    told.sees(pod("p").gpus(1));
    told.assumed("p", Placement.on(at("a")));
    told.ledger.commit(uid("p"), at("a"));
    told.ledger.doubt(uid("p"), SOON.plusSeconds(9));
    told.ledger.commit(uid("p"), at("a"));
    told.ledger.doubt(uid("p"), SOON.plusSeconds(5));
    assertThat(told.ledger.expire(SOON.plusSeconds(8))).isEmpty();
    assertThat(told.ledger.expire(SOON.plusSeconds(9))).hasSize(1);
  }

  @Test
  void theDoubtOfAPlanEndsWithIt() {
    told.nodes(4, "a");
    told.sees(pod("p").gpus(1));
    told.assumed("p", Placement.on(at("a")));
    told.ledger.commit(uid("p"), at("a"));
    told.ledger.doubt(uid("p"), SOON.plusSeconds(9));
    told.ledger.expire(SOON.plusSeconds(9));
    told.ledger.assume(Told.alone("p", Placement.on(at("a"))), SOON.plusSeconds(10));
    told.ledger.commit(uid("p"), at("a"));
    told.ledger.release(uid("p"));
    told.ledger.record(new Fact.NodeSeen(node("a", 0, 2)));
    assertThat(told.ledger.collapse()).as("nobody doubts that it is not bound").hasSize(1);
  }

  @Test
  void podThatMayBeBoundKeepsItsPlaceThoughItsGangLostThePlanAndALaterTryIsRefused() {
    Placement placeOfP = gangOfTwo();
    told.ledger.commit(uid("p"), at("a"), true);
    told.ledger.doubt(uid("p"), SOON.plusSeconds(9));
    told.ledger.expire(SOON);
    assertThat(told.standing("q")).isEqualTo(new Standing.Waiting());
    told.ledger.commit(uid("p"), at("a"), true);
    told.ledger.release(uid("p"));
    assertThat(told.room("a").used().of(Resource.NVIDIA)).as("may be bound").isEqualTo(1);
    told.sees(pod("p").gpus(1).group("g").on("a").version(2));
    assertThat(told.standing("p")).isEqualTo(new Standing.Bound(placeOfP));
  }

  @Test
  void podThatIsBeingBoundKeepsItsPlaceWhenThePlanOfItsGangEnds() {
    Placement placeOfP = gangOfTwo();
    told.ledger.commit(uid("p"), at("a"), true);
    told.ledger.commit(uid("q"), at("b"), true);
    told.ledger.release(uid("q"));
    assertThat(told.ledger.expire(SOON)).extracting(one -> one.pod().uid()).containsOnly(uid("q"));
    assertThat(told.room("a").used().of(Resource.NVIDIA)).as("may be bound").isEqualTo(1);
    told.ledger.confirm(uid("p"), placeOfP);
    assertThat(told.standing("p")).isEqualTo(new Standing.Bound(placeOfP));
  }

  @Test
  void podThatIsNotBoundAfterAllLosesThePlanThatItsGangHasLost() {
    gangOfTwo();
    told.ledger.commit(uid("p"), at("a"), true);
    told.ledger.expire(SOON);
    assertThat(told.standing("q")).isEqualTo(new Standing.Waiting());
    assertThat(told.standing("p")).isInstanceOf(Standing.Planned.class);
    told.ledger.release(uid("p"));
    assertThat(told.standing("p")).isEqualTo(new Standing.Waiting());
    assertThat(told.room("a").used().isNone()).as("nothing is used").isTrue();
  }

  @Test
  void podThatWaitsForTheOthersLosesItsPlanWithTheirs() {
    gangOfTwo();
    told.ledger.commit(uid("p"), at("a"));
    assertThat(told.ledger.expire(SOON)).as("plans that ended").hasSize(2);
    assertThat(told.standing("p")).isEqualTo(new Standing.Waiting());
  }

  /// The place of p, on a; q is on b.
  private Placement gangOfTwo() {
    told.nodes(4, "a", "b");
    told.ledger.record(new Fact.GroupSeen(group("g", 2)));
    told.sees(pod("p").gpus(1).group("g"));
    told.sees(pod("q").gpus(1).group("g"));
    var place = Told.place("p", Placement.on(at("a")));
    var other = Told.place("q", Placement.on(at("b")));
    var key = new GroupKey("default", "g");
    told.ledger.assume(
        new Decision.Reserve(key, List.of(place, other), List.of(), List.of()), SOON);
    return place.placement();
  }

  @Test
  void commitIsRefusedForAnotherNodeAndForUnknownPods() {
    told.nodes(4, "a", "b");
    told.sees(pod("p").gpus(1));
    told.assumed("p", Placement.on(at("a")));
    assertThat(told.ledger.commit(uid("p"), at("b")))
        .isEqualTo(new BindCommit.Refused(BindCommit.Why.OTHER_NODE, at("a")));
    assertThat(told.ledger.commit(uid("q"), at("b")))
        .isEqualTo(new BindCommit.Refused(BindCommit.Why.UNKNOWN_POD, NodeName.NONE));
  }

  @Test
  void aVetoGivesThePlanBackAndEndsWithItsTime() {
    told.nodes(4, "a");
    told.sees(pod("p").gpus(1));
    told.assumed("p", Placement.on(at("a")));
    told.ledger.veto(uid("p"), at("a"), "no volume", SOON);
    assertThat(told.standing("p")).isEqualTo(new Standing.Waiting());
    assertThat(told.shown("p").members().getFirst().vetoes()).containsEntry(at("a"), "no volume");
    assertThat(told.ledger.snapshot(SOON).groups().getFirst().members().getFirst().vetoes())
        .isEmpty();
  }

  @Test
  void aVetoEndsWhenTheNodeIsAnotherOne() {
    told.nodes(4, "a");
    told.sees(pod("p").gpus(1));
    told.ledger.veto(uid("p"), at("a"), "no volume", SOON);
    told.ledger.record(new Fact.NodeSeen(node("a", 4, 2)));
    assertThat(told.shown("p").members().getFirst().vetoes()).as("a heartbeat").isNotEmpty();
    told.ledger.record(new Fact.NodeSeen(node("a", 5, 3)));
    assertThat(told.shown("p").members().getFirst().vetoes()).isEmpty();
  }
}
