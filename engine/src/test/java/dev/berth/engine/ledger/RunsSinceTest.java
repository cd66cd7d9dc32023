package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.START;
import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.group;
import static dev.berth.engine.ledger.Sketch.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec.Run;
import dev.berth.engine.model.IdleRule;
import dev.berth.engine.model.Idleness;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// A group runs with its minimum since a moment that members made anew do not move.
class RunsSinceTest {
  private final Told told = begun();
  private final TreeMap<String, Integer> numbers = new TreeMap<>();
  private int made;
  private int seen = 1;

  private static Told begun() {
    var told = new Told();
    told.nodes(8, "a");
    return told;
  }

  private static Instant after(int minutes) {
    return START.plus(Duration.ofMinutes(minutes));
  }

  private void sees(Instant runsSince) {
    told.ledger.record(new Fact.GroupSeen(group("g", 2).with(new Run(runsSince, 0, 0))));
  }

  private void runs(String name, int minutes) {
    made++;
    numbers.put(name, made);
    told.sees(
        pod(name)
            .gpus(1)
            .group("g")
            .minMember(2)
            .uid(name + made)
            .on("a")
            .startedAt(after(minutes)));
  }

  private void goes(String name, int number) {
    told.ledger.record(new Fact.PodGone(new PodKey("default", name), new PodUid(name + number)));
  }

  private Instant since() {
    return told.shown("g").spec().run().since();
  }

  @Test
  void podMadeAnewInTurnDoesNotRenewIt() {
    sees(Instant.EPOCH);
    runs("one", 0);
    assertThat(since()).isEqualTo(Instant.EPOCH); // one of two
    runs("two", 3);
    assertThat(since()).isEqualTo(after(3));
    goes("one", 1);
    assertThat(since()).isEqualTo(after(3));
    runs("one", 8);
    assertThat(since()).isEqualTo(after(3));
    goes("two", 2);
    runs("two", 13);
    assertThat(since()).isEqualTo(after(3));
  }

  @Test
  void whenNoPodRunsAnyMoreItEnds() {
    sees(Instant.EPOCH);
    runs("one", 0);
    runs("two", 3);
    assertThat(since()).isEqualTo(after(3));
    goes("one", 1);
    goes("two", 2);
    assertThat(since()).isEqualTo(Instant.EPOCH);
    runs("one", 10);
    runs("two", 11);
    assertThat(since()).isEqualTo(after(11));
  }

  /// By what stands in the status.
  @Test
  void anotherProcessKnowsItToo() {
    sees(after(3));
    runs("one", 8);
    runs("two", 13);
    assertThat(since()).isEqualTo(after(3));
  }

  @Test
  void succeededPodThatIsDeletedIsRemembered() {
    sees(Instant.EPOCH);
    runs("one", 0);
    runs("two", 3);
    ends("one", true);
    assertThat(completed()).isEqualTo(1);
    goes("one", 1);
    assertThat(completed()).isEqualTo(1);
    runs("three", 4);
    ends("three", true);
    assertThat(completed()).isEqualTo(2);
    goes("two", 2);
    assertThat(completed()).isZero(); // no member runs any more
  }

  @Test
  void failedPodIsNotRemembered() {
    sees(Instant.EPOCH);
    runs("one", 0);
    runs("two", 3);
    ends("one", false);
    goes("one", 1);
    assertThat(completed()).isZero();
  }

  @Test
  void anotherProcessKnowsWhichPodsSucceeded() {
    told.ledger.record(new Fact.GroupSeen(group("g", 2).with(new Run(after(0), 1, 0))));
    runs("two", 3);
    assertThat(completed()).isEqualTo(1);
  }

  private void ends(String name, boolean well) {
    told.sees(
        pod(name)
            .gpus(1)
            .group("g")
            .minMember(2)
            .uid(name + numbers.getOrDefault(name, 0))
            .on("a")
            .over(well)
            .version(2));
  }

  private int completed() {
    return told.shown("g").spec().run().completed();
  }

  /// The status may be written late.
  @Test
  void podSeenToStartDoesNotRunSinceAFormerTime() {
    sees(after(3));
    told.sees(pod("one").gpus(1).group("g").minMember(2));
    told.sees(pod("two").gpus(1).group("g").minMember(2));
    told.assumed("one", Placement.on(at("a")));
    assertThat(since()).isEqualTo(Instant.EPOCH);
    told.sees(pod("one").gpus(1).group("g").minMember(2).on("a").startedAt(after(20)).version(2));
    told.sees(pod("two").gpus(1).group("g").minMember(2).on("a").startedAt(after(21)).version(2));
    assertThat(since()).isEqualTo(after(21));
  }

  @Test
  void anObjectThatIsDeletedTakesNothingWithIt() {
    sees(Instant.EPOCH);
    runs("one", 0);
    runs("two", 3);
    assertThat(since()).isEqualTo(after(3));
    told.ledger.record(new Fact.GroupGone(new GroupKey("default", "g"), 9));
    goes("one", 1);
    runs("one", 8);
    goes("two", 2);
    runs("two", 13);
    assertThat(since()).isEqualTo(after(3));
  }

  private void warns(Instant since) {
    var run = new Run(Instant.EPOCH, 0, 0, since);
    told.ledger.record(new Fact.GroupSeen(group("g", 2, ++seen).with(run)));
  }

  private Instant warned() {
    return told.shown("g").spec().run().warned();
  }

  @Test
  void aWarningOutlivesItsObjectUntilAStatusTakesItBack() {
    sees(Instant.EPOCH);
    runs("one", 0);
    runs("two", 3);
    assertThat(warned()).isEqualTo(Instant.EPOCH);
    warns(after(10));
    assertThat(warned()).isEqualTo(after(10));
    warns(Instant.EPOCH); // deleted, and made anew
    assertThat(warned()).isEqualTo(after(10));
    warns(Run.RECALLED);
    assertThat(warned()).isEqualTo(Instant.EPOCH);
    warns(after(20));
    assertThat(warned()).isEqualTo(after(20));
  }

  private void measures(Idleness idleness) {
    var idle = new TreeMap<GroupKey, Idleness>();
    if (!idleness.isNone()) {
      idle.put(new GroupKey("default", "g"), idleness);
    }
    told.ledger.record(new Fact.IdleSeen(after(1000), idle));
  }

  private static Idleness idleSince(Instant since) {
    var rule = new IdleRule(new QueueName("q"), Duration.ofMinutes(5), 5, Duration.ZERO, true);
    return new Idleness(rule, since, 2, 2000);
  }

  private Idleness idle() {
    return told.shown("g").spec().run().idle();
  }

  @Test
  void aGroupIsIdleSinceItWasMeasuredFirst() {
    sees(Instant.EPOCH);
    runs("one", 0);
    runs("two", 3);
    measures(idleSince(after(5)));
    assertThat(idle()).isEqualTo(idleSince(after(5)));
    measures(idleSince(after(6)));
    assertThat(idle()).isEqualTo(idleSince(after(5)));
    measures(Idleness.NONE);
    assertThat(idle()).isEqualTo(Idleness.NONE);
    measures(idleSince(after(20)));
    assertThat(idle()).isEqualTo(idleSince(after(20)));
    goes("one", 1);
    goes("two", 2);
    assertThat(idle()).as("none runs").isEqualTo(Idleness.NONE);
    runs("one", 30);
    runs("two", 30);
    assertThat(idle()).as("the next run").isEqualTo(Idleness.NONE);
  }

  @Test
  void whatWasMeasuredLongAgoSaysNothing() {
    sees(Instant.EPOCH);
    runs("one", 0);
    runs("two", 3);
    measures(idleSince(after(5)));
    told.ledger.snapshot(after(999));
    assertThat(idle()).isEqualTo(idleSince(after(5)));
    told.ledger.snapshot(after(1000));
    assertThat(idle()).isEqualTo(Idleness.NONE);
  }

  /// A new leader has not measured yet: what its status says is neither taken back nor believed.
  @Test
  void untilAnythingWasMeasuredANoticeStays() {
    sees(Instant.EPOCH);
    runs("one", 0);
    runs("two", 3);
    assertThat(idle()).as("it says nothing").isEqualTo(Idleness.NONE);
    var notice = new Idleness.Notice(after(9), true);
    var run = new Run(Instant.EPOCH, 0, 0, Instant.EPOCH, Idleness.NONE, notice);
    told.ledger.record(new Fact.GroupSeen(group("g", 2, ++seen).with(run)));
    assertThat(idle()).isEqualTo(Idleness.UNKNOWN);
    assertThat(told.shown("g").spec().run().notice()).isEqualTo(notice);
    measures(idleSince(after(50)));
    assertThat(idle()).as("at the latest").isEqualTo(idleSince(after(9)));
    measures(Idleness.NONE);
    assertThat(idle()).isEqualTo(Idleness.NONE);
  }

  @Test
  void theFirstMeasurementTakesBackWhatIsNotSo() {
    sees(Instant.EPOCH);
    runs("one", 0);
    runs("two", 3);
    var run =
        new Run(
            Instant.EPOCH, 0, 0, Instant.EPOCH, Idleness.NONE, new Idleness.Notice(after(9), true));
    told.ledger.record(new Fact.GroupSeen(group("g", 2, ++seen).with(run)));
    assertThat(idle()).isEqualTo(Idleness.UNKNOWN);
    assertThat(told.ledger.record(Fact.IdleSeen.NOTHING)).as("news").isTrue();
    assertThat(idle()).isEqualTo(Idleness.NONE);
    assertThat(told.ledger.record(Fact.IdleSeen.NOTHING)).as("no news").isFalse();
  }

  @Test
  void aWarningIsOfOneRun() {
    warns(after(1));
    runs("one", 3);
    runs("two", 3);
    assertThat(warned()).as("of a former run").isEqualTo(Instant.EPOCH);
    warns(after(4));
    assertThat(warned()).isEqualTo(after(4));
    goes("one", 1);
    goes("two", 2);
    assertThat(since()).as("none runs").isEqualTo(Instant.EPOCH);
    runs("one", 8);
    runs("two", 8);
    assertThat(warned()).as("the next one").isEqualTo(Instant.EPOCH);
  }
}
