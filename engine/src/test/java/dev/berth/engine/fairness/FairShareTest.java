package dev.berth.engine.fairness;

import static dev.berth.engine.fairness.Division.UNLIMITED;
import static dev.berth.engine.fairness.Division.asks;
import static dev.berth.engine.fairness.Division.devices;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FairShareTest {

  // ---- deserved

  @Test
  void everyoneGetsItsQuotaAsFarAsItAsks() {
    devices(8).queue("a", asks(6).quota(4).weight(0)).queue("b", asks(3).quota(4)).gives(4, 3);
  }

  @Test
  void queueThatAsksForNothingGetsNothing() {
    devices(8).queue("idle", asks(0).quota(4)).queue("b", asks(9).quota(4)).gives(0, 8);
  }

  @Test
  void quotasMayExceedTheAmount() {
    devices(4).queue("a", asks(4).quota(4)).queue("b", asks(9).quota(3)).gives(4, 3);
  }

  @Test
  void anUnlimitedQuotaIsTheWholeAmount() {
    devices(8)
        .queue("a", asks(6).quota(UNLIMITED))
        .queue("b", asks(UNLIMITED).quota(UNLIMITED))
        .queue("c", asks(8).quota(1))
        .gives(6, 8, 1);
  }

  @Test
  void limitsBoundQuotaAndOverQuota() {
    devices(9).queue("a", asks(8).quota(4).limit(2)).queue("b", asks(8).limit(3)).gives(2, 3);
  }

  @Test
  void ofNothingOnlyQuotasAreLeft() {
    devices(0).queue("a", asks(4).quota(2)).queue("b", asks(4).quota(UNLIMITED)).gives(2, 0);
    devices(-3).queue("a", asks(4)).queue("b", asks(4).quota(UNLIMITED)).gives(0, 0);
    devices(8).gives();
  }

  // ---- over quota

  @Test
  void whatIsLeftGoesByWeight() {
    devices(12).queue("a", asks(20).weight(1)).queue("b", asks(20).weight(3)).gives(3, 9);
  }

  @Test
  void onlyWhatQuotasLeaveGoesByWeight() {
    devices(12).queue("a", asks(20).quota(6)).queue("b", asks(20).weight(2)).gives(8, 4);
  }

  @Test
  void weightZeroGetsNoOverQuota() {
    devices(8).queue("a", asks(8).quota(2).weight(0)).queue("b", asks(3)).gives(2, 3);
  }

  @Test
  void whatOneDoesNotWantTheOthersDivide() {
    devices(13).queue("a", asks(1)).queue("b", asks(20)).queue("c", asks(20)).gives(1, 6, 6);
  }

  @Test
  void equalWeightsOfAsManyDevicesGetOneEach() {
    devices(7)
        .queue("a", asks(9))
        .queue("b", asks(9))
        .queue("c", asks(9))
        .queue("d", asks(9))
        .queue("e", asks(9))
        .queue("f", asks(9))
        .queue("g", asks(9))
        .gives(1, 1, 1, 1, 1, 1, 1);
  }

  @Test
  void weightsWithDecimalsAreExact() {
    devices(10)
        .queue("a", asks(1).weight(0.1))
        .queue("b", asks(2).weight(0.2))
        .queue("c", asks(9).weight(0.7))
        .gives(1, 2, 7);
  }

  @Test
  void higherPriorityTakesAllThatItWants() {
    devices(8)
        .queue("low", asks(8).weight(100))
        .queue("high", asks(5).priority(200))
        .queue("highest", asks(1).priority(300))
        .gives(2, 5, 1);
  }

  @Test
  void priorityDoesNotTouchTheQuotaOfOthers() {
    devices(8).queue("low", asks(8).quota(3)).queue("high", asks(8).priority(200)).gives(3, 5);
  }

  // ---- whole devices

  @Test
  void aWishThatFitsItsPartIsGivenExactly() {
    devices(4).queue("a", asks(0.5)).queue("b", asks(20)).gives(0.5, 3.5);
    devices(4).queue("a", asks(1.25)).queue("b", asks(2.25)).gives(1.25, 2.25);
  }

  @Test
  void queueThatGetsLessThanItWantsGetsWholeDevices() {
    devices(7).queue("a", asks(2.9)).queue("b", asks(20)).queue("c", asks(20)).gives(3, 2, 2);
  }

  @Test
  void aLeftoverIsAWholeDeviceAsLongAsThereIsOne() {
    // no request is served in part: the last one gets more than it asked for, by less than a device
    devices(3).queue("a", asks(1.7)).queue("b", asks(1.8)).gives(2, 1);
  }

  @Test
  void queueWithAllThatItWantedRemembersNoRemainder() {
    // of the first 3⅓ each, a and c took three and remembered a third; then the rest fitted
    devices(10).queue("a", asks(4)).queue("b", asks(1)).queue("c", asks(3.5)).gives(4, 1, 3.5);
  }

  @Test
  void theLargestRemainderGetsTheLeftover() {
    devices(10).queue("a", asks(20).weight(1)).queue("b", asks(20).weight(2)).gives(3, 7);
  }

  @Test
  void ofEqualRemaindersTheOlderQueueGetsTheLeftover() {
    devices(7).queue("a", asks(20)).queue("b", asks(20).daysOld(1)).gives(3, 4);
  }

  @Test
  void ofEqualAgesTheNameDecides() {
    devices(10).queue("c", asks(20)).queue("b", asks(20)).queue("a", asks(20)).gives(3, 3, 4);
  }

  @Test
  void leftoversGoToTheHigherTierFirst() {
    devices(3)
        .queue("low", asks(1.5).daysOld(9))
        .queue("a", asks(20).priority(200))
        .queue("b", asks(20).priority(200))
        .queue("older", asks(1.5).daysOld(9))
        .gives(0, 2, 1, 0);
  }

  @Test
  void leftoversComeWhenAllTiersAreDone() {
    // the halves of a and b are no device; the next tier wants one and gets it
    devices(1)
        .queue("low", asks(1))
        .queue("a", asks(1).priority(200))
        .queue("b", asks(1).priority(200))
        .gives(1, 0, 0);
  }

  @Test
  void whatIsNoDeviceIsGivenToTheLastUnit() {
    assertThat(FairShare.divide(10, 1, 0, List.of(bytes("a", 1), bytes("b", 1), bytes("c", 1))))
        .isEqualTo(new long[] {4, 3, 3});
  }

  @Test
  void amountsAndWeightsMayBeAbsurd() {
    long huge = Long.MAX_VALUE - 1;
    assertThat(FairShare.divide(huge, 1, 0, List.of(bytes("a", 1e9), bytes("b", 1e9))))
        .isEqualTo(new long[] {huge / 2, huge / 2});
    assertThat(FairShare.divide(huge, 1, 0, List.of(bytes("a", 1e9), bytes("b", 1e-30))))
        .as("the least weight is a millionth")
        .isEqualTo(new long[] {huge - 9223, 9223});
  }

  private static FairShareClaim bytes(String name, double weight) {
    long all = Queue.UNLIMITED;
    return new FairShareClaim(new QueueName(name), Instant.EPOCH, 100, 0, all, all, weight, 0);
  }

  // ---- over time

  @Test
  void withoutFactorThePastDoesNotCount() {
    devices(8).k(0).queue("a", asks(20).used(0.9)).queue("b", asks(20)).gives(4, 4);
  }

  @Test
  void queueThatUsedLessGetsMore() {
    // ½ against ½ + 1 · ½
    devices(9).k(1).queue("a", asks(20).used(0.5)).queue("b", asks(20)).gives(3, 6);
    // ½ + 2 · (½ − ¾) = 0
    devices(9).k(2).queue("a", asks(20).used(0.75)).queue("b", asks(20).used(0.25)).gives(0, 9);
  }

  @Test
  void queueThatUsedItsWeightsWorthIsNotShifted() {
    devices(8)
        .k(5)
        .queue("a", asks(20).weight(3).used(0.75))
        .queue("b", asks(20).used(0.25))
        .gives(6, 2);
  }

  @Test
  void whatOthersLeaveGoesToTheQueueThatUsedTooMuch() {
    devices(9).k(1).queue("a", asks(20).used(1)).queue("b", asks(4)).gives(5, 4);
  }

  @Test
  void thePastDoesNotTouchQuotas() {
    devices(9).k(1).queue("a", asks(20).quota(3).used(1)).queue("b", asks(20)).gives(3, 6);
  }

  @Test
  void whereAllUsedTooMuchWeightsDecide() {
    devices(8).k(1).queue("a", asks(20).weight(3).used(4)).queue("b", asks(20).used(4)).gives(6, 2);
  }

  @Test
  void weightZeroGetsNothingHoweverLittleItUsed() {
    devices(8).k(3).queue("a", asks(20).weight(0)).queue("b", asks(4).used(1)).gives(0, 4);
  }
}
