package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.SOON;
import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.uid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodGroup;
import org.junit.jupiter.api.Test;

final class ResumedPreemptorsTest {
  private final Told told = new Told();

  private PodGroup preemptor() {
    return told.shown("preemptor");
  }

  private void begin() {
    told.nodes(4, "a");
    told.sees(pod("preemptor").gpus(1).preemptor());
    told.ledger.resumePreemptors(SOON);
  }

  @Test
  void onlyWhatWasThereAtTheStartIsResumed() {
    begin();
    told.sees(pod("later").gpus(1).preemptor());
    assertThat(preemptor().resumed()).as("the preemptor is resumed").isTrue();
    assertThat(told.shown("later").resumed()).as("the preemptor is resumed").isFalse();
  }

  @Test
  void onceItIsPlannedItsPlanStands() {
    begin();
    told.assumed("preemptor", Placement.on(at("a")));
    assertThat(preemptor().resumed()).as("to be planned first").isFalse();
    assertThat(preemptor().standsFast()).as("the plan is firm").isTrue();
    told.ledger.confirm(uid("preemptor"), Placement.on(at("a")));
    assertThat(preemptor().standsFast()).as("when it is bound").isFalse();
  }

  @Test
  void itEndsWithItsTime() {
    begin();
    told.ledger.expire(SOON.minusMillis(1));
    assertThat(preemptor().resumed()).as("the preemptor is resumed").isTrue();
    long before = told.ledger.version();
    told.ledger.expire(SOON);
    assertThat(preemptor().resumed()).as("the preemptor is resumed").isFalse();
    assertThat(told.ledger.version()).as("the planner is woken").isGreaterThan(before);
  }

  @Test
  void onePlanThatStandsIsNotResumed() {
    told.nodes(4, "a");
    told.sees(pod("preemptor").gpus(1).preemptor());
    told.assumed("preemptor", Placement.on(at("a")));
    told.ledger.resumePreemptors(SOON);
    assertThat(preemptor().standsFast()).as("the plan is firm").isFalse();
  }
}
