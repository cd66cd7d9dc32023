package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.START;
import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.uid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.ledger.view.Unasked;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodKey;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A pod whose gate is lifted waits for kube-scheduler, which may be down: no other component
/// reports that.
final class UnaskedTest {
  private static final Instant LATE = START.plusSeconds(31);

  private final Told told = new Told();

  @BeforeEach
  void aPodThatWasReleased() {
    told.nodes(4, "a");
    told.sees(pod("x").gpus(1));
    told.assumed("x", Placement.on(at("a")));
  }

  private void released() {
    told.sees(pod("x").gpus(1).ungated().version(2));
  }

  private void plannedAgain() {
    told.ledger.expire(LATE);
    told.ledger.assume(Told.alone("x", Placement.on(at("a"))), LATE.plusSeconds(30)).orElseThrow();
  }

  @Test
  void itIsToldOnceItsPlanHasLapsedAndItHasAPlaceAgain() {
    released();
    assertThat(told.ledger.unasked()).isEmpty();
    told.ledger.expire(LATE);
    assertThat(told.ledger.unasked()).as("without a place it waits for that").isEmpty();
    plannedAgain();
    assertThat(told.ledger.unasked())
        .containsExactly(
            new Unasked(
                new GroupKey("default", "x"), uid("x"), new PodKey("default", "x"), "berth", ""));
  }

  @Test
  void itIsToldNoMoreOnceKubeSchedulerAsks() {
    released();
    plannedAgain();
    assertThat(told.ledger.asksAnew(uid("x"), LATE)).as("its plan stands").isFalse();
    assertThat(told.ledger.unasked()).isEmpty();
    told.ledger.expire(LATE.plusSeconds(60));
    told.ledger.assume(Told.alone("x", Placement.on(at("a"))), LATE.plusSeconds(120)).orElseThrow();
    assertThat(told.ledger.unasked()).as("it was asked for").isEmpty();
  }

  @Test
  void aPlanBehindAClosedGateSaysNothingOfKubeScheduler() {
    plannedAgain();
    assertThat(told.ledger.unasked()).isEmpty();
  }

  @Test
  void podThatIsBoundOrGoneIsForgotten() {
    released();
    plannedAgain();
    told.farewell("x");
    assertThat(told.ledger.unasked()).isEmpty();
  }
}
