package dev.berth.engine.action;

import static dev.berth.engine.Cluster.NOW;
import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.Cluster.key;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;

import dev.berth.engine.Cluster;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.Reason.HeldForHead;
import dev.berth.engine.model.Reason.NeverFits;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.OverLimit;
import dev.berth.engine.model.Reason.WouldDelay;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// A group that comes first and does not fit yet is not starved by small ones behind it.
class BackfillTest {
  private static final PlannerSettings OFF =
      PlannerSettings.DEFAULT.with(new BackfillSettings(false, Duration.ZERO, Duration.ZERO, 25));
  private static final PlannerSettings HOLDS =
      PlannerSettings.DEFAULT.with(new BackfillSettings(true, ofMinutes(10), ofMinutes(10), 50));

  /// Two of eight devices are free; the others are in an hour. The head wants all of them.
  private static Cluster reserved() {
    return cluster()
        .node("n1", gpus(8))
        .running("runs", "default", pods(6).expects(ofHours(2)).runningFor(ofHours(1)))
        .waiting("head", "default", gang(8).minutesOld(50));
  }

  @Test
  void groupThatEndsBeforeTheHeadStartsMayStart() {
    reserved()
        .waiting("short", "default", gang(2).minutesOld(5).expects(ofHours(1)))
        .plan()
        .looksAgainAfter(ofHours(1))
        .waits("head", NoRoom.class)
        .reserves("short", 2)
        .andNothingElse();
  }

  @Test
  void groupThatWouldDelayTheHeadWaits() {
    reserved()
        .waiting("long", "default", gang(1).minutesOld(5).expects(ofMinutes(61)))
        .waiting("silent", "default", gang(1).minutesOld(4))
        .plan()
        .waits("head", NoRoom.class)
        .waits("long", new WouldDelay(key("head"), NOW.plus(ofHours(1)), ofMinutes(61)))
        .waits("silent", new WouldDelay(key("head"), NOW.plus(ofHours(1)), Duration.ZERO))
        .andNothingElse();
  }

  @Test
  void groupBeforeTheHeadIsNotHeldUp() {
    reserved()
        .waiting("first", "default", gang(2).minutesOld(90))
        .plan()
        .reserves("first", 2)
        .waits("head", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void surplusBehindTheHeadIsHeldUpAsWell() {
    cluster()
        .node("n1", gpus(8))
        .running("runs", "default", pods(6).expects(ofHours(2)).runningFor(ofHours(1)))
        .waiting("head", "default", gang(7).minutesOld(50))
        .waiting("elastic", "default", pods(2).minutesOld(90))
        .plan()
        .waits("head", NoRoom.class)
        .reserves("elastic", 1, 0)
        .andNothingElse();
  }

  /// Packing would put it on n1, which the head is to have.
  @Test
  void groupThatFindsRoomBesideTheHeadMayStayForEver() {
    cluster()
        .node("n1", gpus(8))
        .node("n2", gpus(8))
        .running("ends", "default", pods(6).on("n1").expects(ofHours(2)).runningFor(ofHours(1)))
        .running("stays", "default", pods(4).on("n2"))
        .waiting("head", "default", gang(1).gpus(8).minutesOld(50))
        .waiting("silent", "default", gang(1).gpus(2).minutesOld(5))
        .plan()
        .waits("head", NoRoom.class)
        .reserves("silent", "n2")
        .andNothingElse();
  }

  /// At that time eight devices are free and the head needs four of them.
  @Test
  void whatTheHeadDoesNotNeedIsNotKeptForIt() {
    cluster()
        .node("n1", gpus(8))
        .running("ends", "default", pods(6).expects(ofHours(2)).runningFor(ofHours(1)))
        .waiting("head", "default", gang(4).minutesOld(50))
        .waiting("silent", "default", gang(2).minutesOld(5))
        .plan()
        .waits("head", NoRoom.class)
        .reserves("silent", 2)
        .andNothingElse();
  }

  @Test
  void theHeadStartsWithTheFirstWhoseEndsMakeRoom() {
    cluster()
        .node("n1", gpus(8))
        .running("soon", "default", pods(2).expects(ofHours(2)).runningFor(ofMinutes(110)))
        .running("then", "default", pods(2).expects(ofHours(2)).runningFor(ofMinutes(90)))
        .running("late", "default", pods(3).expects(ofHours(9)).runningFor(ofMinutes(1)))
        .waiting("head", "default", gang(4).minutesOld(50))
        .waiting("silent", "default", gang(2).minutesOld(5))
        .waiting("one", "default", gang(1).minutesOld(4))
        .plan()
        .looksAgainAfter(ofMinutes(30))
        .waits("head", NoRoom.class)
        .waits("silent", NoRoom.class)
        .reserves("one", 1)
        .andNothingElse();
  }

  @Test
  void nothingIsKeptForAGroupThatCouldNotStartAnyway() {
    cluster()
        .node("n1", gpus(8))
        .running("ends", "default", pods(4).expects(ofHours(2)).runningFor(ofHours(1)))
        .running("stays", "default", pods(2))
        .waiting("head", "default", gang(8).minutesOld(50))
        .waiting("silent", "default", gang(2).minutesOld(5))
        .plan()
        .looksAgainNever()
        .waits("head", NoRoom.class)
        .reserves("silent", 2)
        .andNothingElse();
  }

  @Test
  void podThatRunsLongerThanItSaidIsNotBelieved() {
    cluster()
        .node("n1", gpus(8))
        .running("late", "default", pods(6).expects(ofMinutes(30)).runningFor(ofHours(1)))
        .waiting("head", "default", gang(8).minutesOld(50))
        .waiting("silent", "default", gang(2).minutesOld(5))
        .plan()
        .waits("head", NoRoom.class)
        .reserves("silent", 2)
        .andNothingElse();
  }

  @Test
  void nothingIsKeptForAGroupThatWaitsForItsLimit() {
    cluster()
        .node("n1", gpus(8))
        .queue("tight", quota(8).limit(7))
        .queue("wide", quota(8))
        .running("runs", "wide", pods(6).expects(ofHours(2)).runningFor(ofHours(1)))
        .waiting("head", "tight", gang(8).minutesOld(50))
        .waiting("silent", "wide", gang(2).minutesOld(5))
        .plan()
        .waits("head", OverLimit.class)
        .reserves("silent", 2)
        .andNothingElse();
  }

  @Test
  void withoutReservationsAGroupThatFitsStarts() {
    reserved()
        .settings(OFF)
        .waiting("silent", "default", gang(2).minutesOld(5))
        .plan()
        .waits("head", NoRoom.class)
        .reserves("silent", 2)
        .andNothingElse();
  }

  // ---- held for a while, where running groups name no end

  /// The head wants eight devices on one node; two are free on each.
  private static Cluster held(int minutesOld) {
    return cluster()
        .settings(HOLDS)
        .node("n1", gpus(8))
        .node("n2", gpus(8))
        .running("busy", "default", pods(6).on("n1"))
        .running("busier", "default", pods(7).on("n2"))
        .waiting("head", "default", gang(1).gpus(8).minutesOld(minutesOld))
        .waiting("small", "default", gang(2).minutesOld(1));
  }

  @Test
  void theFreeDevicesOfTheNodeThatLacksFewestAreHeld() {
    held(15)
        .waiting("one", "default", gang(1).minutesOld(0))
        .plan()
        .looksAgainAfter(ofMinutes(5))
        .waits("head", NoRoom.class)
        .waits("small", new HeldForHead(key("head"), 8, NOW.plus(ofMinutes(5))))
        .reserves("one", "n2")
        .andNothingElse();
  }

  @Test
  void podsWithoutDevicesStartOnHeldNodes() {
    held(15)
        .waiting("cpu", "default", gang(1).noGpu().minutesOld(0))
        .plan()
        .waits("head", NoRoom.class)
        .waits("small", HeldForHead.class)
        .reserves("cpu", 1)
        .andNothingElse();
  }

  @Test
  void nothingIsHeldBeforeItsTimeAndBetweenTwoTimes() {
    held(8)
        .plan()
        .looksAgainAfter(ofMinutes(2))
        .waits("head", NoRoom.class)
        .reserves("small", 2)
        .andNothingElse();
    held(25)
        .plan()
        .looksAgainAfter(ofMinutes(5))
        .waits("head", NoRoom.class)
        .reserves("small", 2)
        .andNothingElse();
  }

  @Test
  void theSecondTimeIsTwiceAsLong() {
    held(48)
        .plan()
        .looksAgainAfter(ofMinutes(2))
        .waits("head", NoRoom.class)
        .waits("small", HeldForHead.class)
        .andNothingElse();
  }

  @Test
  void noMoreIsHeldThanTheSettingsAllow() {
    held(15)
        .settings(
            PlannerSettings.DEFAULT.with(
                new BackfillSettings(true, ofMinutes(10), ofMinutes(10), 49)))
        .plan()
        .waits("head", NoRoom.class)
        .reserves("small", 2)
        .andNothingElse();
  }

  @Test
  void nothingIsHeldForAGroupThatFitsOnNoNode() {
    held(15)
        .waiting("huge", "default", gang(1).gpus(9).minutesOld(90))
        .plan()
        .waits("huge", NeverFits.class)
        .waits("head", NoRoom.class)
        .waits("small", HeldForHead.class)
        .andNothingElse();
  }
}
