package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.SOON;
import static dev.berth.engine.ledger.Sketch.START;
import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.node;
import static dev.berth.engine.ledger.Sketch.plan;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.share;
import static dev.berth.engine.ledger.Sketch.slots;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.explain.Sentences;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.Injection;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.Obstacle;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/// Nodes on which no further device can be held for shares.
class HolderFailuresTest {
  private static final String WORDS = "pod berth-system/holder-a-0 does not start: ErrImagePull";

  private final Told told = new Told();

  @Test
  void sharesGoElsewhereAndSayWhyWhereThereIsNoElsewhere() {
    told.nodes(2, "a");
    told.sees(pod("w").share(share(500)).queue("q"));
    assertThat(reserved("w").placement()).isEqualTo(slots("a", 500, 0));
    told.ledger.trouble(at("a"), WORDS, SOON);
    assertThat(decision()).isInstanceOf(Decision.Wait.class);
    assertThat(Sentences.of(((Decision.Wait) decision()).reason()))
        .contains("1 unable to hold a GPU for shares (" + WORDS + ")");
    told.nodes(2, "b");
    assertThat(reserved("w").placement()).isEqualTo(slots("b", 500, 0));
  }

  /// Not only the planner looks.
  @Test
  void firstSnapshotAfterItsEndWakesThePlanner() {
    told.nodes(2, "a");
    told.ledger.trouble(at("a"), WORDS, SOON);
    int before = told.wakes.get();
    var _ = told.ledger.snapshot(SOON.minusMillis(1));
    assertThat(told.wakes).hasValue(before);
    var _ = told.ledger.snapshot(SOON);
    assertThat(told.wakes).hasValue(before + 1);
    var _ = told.ledger.snapshot(SOON);
    assertThat(told.wakes).hasValue(before + 1);
  }

  @Test
  void whatNoHolderCouldHelpIsNotToldOfHolders() {
    told.nodes(2, "a");
    told.ledger.trouble(at("a"), WORDS, SOON);
    told.sees(pod("w").share(new DeviceRequest.Memory(90_000, 90_000, 1)).queue("q"));
    assertThat(obstacle()).as("more than a device").isEqualTo(Obstacle.DEVICE_TOO_SMALL);
    told.farewell("w");
    told.sees(pod("r").gpus(2).priority(1000).on("a"));
    told.sees(pod("w").uid("again").share(share(500)).queue("q"));
    assertThat(obstacle()).as("all in use").isEqualTo(Obstacle.SHARED_DEVICES);
    told.ledger.record(new Fact.NodeSeen(node("a", 1, 2)));
    told.ledger.trouble(at("a"), WORDS, SOON);
    assertThat(obstacle()).as("one in use is lost").isEqualTo(Obstacle.SHARED_DEVICES);
  }

  /// A node whose containers may not see their GPU is no node whose holder is silent.
  @Test
  void aHolderThatHasToldItsGpuIsNotSilentWhileItsNodeIsProven() {
    told.nodes(2, "a");
    told.ledger.injection(at("a"), Injection.unproven(""));
    told.holds("a", 0, "GPU-0");
    told.sees(pod("w").share(share(500)).queue("q").written(plan(slots("a", 500, 0), SOON)));
    assertThat(told.ledger.unproven()).hasSize(1);
    assertThat(told.ledger.silentSlots()).isEmpty();
    told.ledger.injection(at("a"), new Injection("env", "", ""));
    assertThat(told.ledger.unproven()).isEmpty();
  }

  @Test
  void aPlanIsHeldUpByItsHolderThenByTheProofOfItsNode() {
    told.nodes(2, "a");
    told.ledger.injection(at("a"), Injection.probing("", "pod probe-a-0 tries mode env"));
    told.sees(pod("w").share(share(500)).queue("q"));
    told.assumed("w", slots("a", 500, 0));
    assertThat(told.ledger.heldUp())
        .singleElement()
        .satisfies(held -> {
          assertThat(held.group().name()).isEqualTo("w");
          assertThat(held.told()).as("it is told").isFalse();
          assertThat(held.holder()).isEmpty();
        });
    told.holds("a", 0, "GPU-0");
    assertThat(told.ledger.heldUp())
        .singleElement()
        .satisfies(held -> {
          assertThat(held.told()).as("it is told").isTrue();
          assertThat(held.injection().probing()).isEqualTo("pod probe-a-0 tries mode env");
        });
    told.ledger.injection(at("a"), new Injection("env", "", ""));
    assertThat(told.ledger.heldUp()).isEmpty();
  }

  private Obstacle obstacle() {
    var reason = ((Decision.Wait) decision()).reason();
    var none = reason instanceof Reason.NeverFits never ? never.room() : (Reason.NoRoom) reason;
    return none.shortfalls().getFirst().obstacle();
  }

  @Test
  void whatIsHeldMayBeJoinedAndWholeDevicesAreGivenOut() {
    told.nodes(2, "a");
    told.holds("a", 0, "GPU-0");
    var runs = pod("r").share(share(500)).priority(1000).on("a"); // no plan has it as a victim
    told.sees(runs.written(plan(slots("a", 500, 0), SOON)));
    told.ledger.trouble(at("a"), WORDS, SOON);
    told.sees(pod("joins").share(share(500)).queue("q"));
    assertThat(reserved("joins").placement()).isEqualTo(slots("a", 500, 0));
    told.farewell("joins");
    told.sees(pod("opens").share(share(600)).queue("q"));
    assertThat(decision()).isInstanceOf(Decision.Wait.class);
    told.farewell("opens");
    told.sees(pod("whole").gpus(1).queue("q"));
    assertThat(reserved("whole").placement().node()).isEqualTo(at("a"));
  }

  @Test
  void plansThatWaitForAHolderAreGivenBackAndOthersStand() {
    told.nodes(3, "a");
    told.holds("a", 0, "GPU-0");
    told.sees(pod("held").share(share(500)));
    told.sees(pod("unheld").share(share(500)));
    told.assumed("held", slots("a", 500, 0));
    told.assumed("unheld", slots("a", 500, 1));
    assertThat(told.ledger.trouble(at("a"), WORDS, SOON))
        .extracting(given -> given.pod().key().name())
        .containsExactly("unheld");
    assertThat(told.ledger.assume(Told.alone("unheld", slots("a", 500, 1)), SOON))
        .as("a planner that saw an older world")
        .isEmpty();
    told.ledger.expire(SOON);
    assertThat(told.ledger.assume(Told.alone("unheld", slots("a", 500, 1)), SOON)).isPresent();
  }

  @Test
  void aTroubleEndsAtItsTime() {
    told.nodes(2, "a");
    told.ledger.trouble(at("a"), WORDS, SOON);
    assertThat(told.ledger.snapshot(START).nodes().getFirst().trouble()).isEqualTo(WORDS);
    assertThat(told.ledger.snapshot(SOON).nodes().getFirst().trouble()).isEmpty();
  }

  private Decision.Reserved reserved(String pod) {
    var reserve = (Decision.Reserve) decision();
    assertThat(reserve.block()).singleElement().matches(each -> each.pod().name().equals(pod), pod);
    return reserve.block().getFirst();
  }

  private Decision decision() {
    told.ledger.record(new Fact.QueueSeen(Queue.implied(new QueueName("q"), true)));
    return new Planner(PlannerSettings.DEFAULT)
        .plan(told.snapshot(), Collections.emptySortedMap()).decisions().stream()
            .filter(each -> !(each instanceof Decision.Evict))
            .findFirst()
            .orElseThrow();
  }
}
