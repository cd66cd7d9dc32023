package dev.berth.controllers.groups;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.InMemoryEvents;
import dev.berth.controllers.World;
import dev.berth.controllers.client.PodGroupClient;
import dev.berth.controllers.crd.ForecastStatus;
import dev.berth.controllers.crd.PodGroupSpec.Edits;
import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.controllers.groups.DesiredGroupStatus.ReasonText;
import dev.berth.engine.forecast.Forecast;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// When the forecast in the status of a PodGroup is written, and how often.
final class ForecastUpdatesTest {
  private static final String GATED = "schedulingGates: [{name: 'berth.dev/queued'}]";
  private static final GroupKey TRAIN = new GroupKey("default", "train");
  private static final ReasonText WAITS =
      text(new Reason.HeldForHead(new GroupKey("team", "head"), 1, Instant.MAX), "1 is free");
  private static final ReasonText MUST_BE_CHANGED =
      text(new Reason.NoSuchQueue(new QueueName("lost")), "no queue");

  private record Written(GroupKey group, PodGroupStatus status, Instant at) {}

  private final World world = new World().node("n1", 8);
  private final List<Written> writes = new ArrayList<>();
  private final TreeMap<GroupKey, Supplier<Forecast>> likely = new TreeMap<>();
  private final GroupStatusWriter writer = writer();

  @Test
  void theFirstOneIsWrittenSoonAfterItIsKnown() {
    waits("train", WAITS);
    assertThat(writes).as("none is known").hasSize(1);
    assertThat(last().isNone()).as("has no forecast").isTrue();
    fixed(TRAIN, minutes(60), minutes(240));
    seconds(9);
    assertThat(writes).hasSize(1);
    seconds(2);
    assertThat(writes).hasSize(2);
    assertThat(last())
        .isEqualTo(
            new ForecastStatus(
                start(minutes(60)), start(minutes(240)), start(Duration.ofSeconds(10))));
  }

  @Test
  void oneThatMovesLittleIsNotWrittenAlone() {
    fixed(TRAIN, minutes(60), minutes(240));
    waits("train", WAITS);
    assertThat(last().median()).as("with the first write").isEqualTo(start(minutes(60)));
    fixed(TRAIN, minutes(70), minutes(270));
    seconds(30 * 60);
    assertThat(writes).as("10 of 40 minutes, 30 of 240").hasSize(1);
    seconds(60);
    fixed(TRAIN, minutes(73), minutes(270));
    seconds(60);
    assertThat(writes).as("13 of 41 minutes").hasSize(2);
  }

  @Test
  void thoseOfOneGroupAreFiveMinutesApart() {
    likely.put(TRAIN, () -> forecast(now().plusSeconds(100), now().plusSeconds(1000)));
    waits("train", WAITS);
    writes.clear();
    seconds(3600);
    assertThat(writes).hasSizeBetween(10, 12);
    for (int i = 1; i < writes.size(); i++) {
      assertThat(Duration.between(writes.get(i - 1).at(), writes.get(i).at()))
          .isGreaterThanOrEqualTo(minutes(5));
    }
  }

  @Test
  void thousandsThatMoveShareABudget() {
    for (int i = 0; i < 600; i++) {
      likely.put(
          new GroupKey("default", "g-" + i),
          () -> forecast(now().plusSeconds(100), now().plusSeconds(1000)));
      waits("g-" + i, WAITS);
    }
    writes.clear();
    seconds(65);
    assertThat(writes).as("ten seconds of a hundred").isEmpty();
    seconds(105);
    assertThat(writes.size()).as("ten at once, then two a second").isBetween(205, 212);
    seconds(900);
    assertThat(writes.size()).isBetween(1700, 2012);
    assertThat(writes.stream().map(Written::group).distinct()).as("each has its turn").hasSize(600);
  }

  @Test
  void thousandsThatHoldAreNotWritten() {
    for (int i = 0; i < 600; i++) {
      fixed(new GroupKey("default", "g-" + i), minutes(600), minutes(2400));
      waits("g-" + i, WAITS);
    }
    assertThat(writes).hasSize(600);
    seconds(3600);
    assertThat(writes).hasSize(600);
  }

  @Test
  void withAnotherWriteItGoesAlongAsItIsByThen() {
    fixed(TRAIN, minutes(60), minutes(240));
    waits("train", WAITS);
    fixed(TRAIN, minutes(61), minutes(241));
    seconds(30);
    waits("train", text(new Reason.HeldForHead(new GroupKey("team", "head"), 1, Instant.MAX), "2"));
    seconds(30);
    assertThat(writes).hasSize(2);
    assertThat(last().median()).isEqualTo(start(minutes(61)));
    assertThat(last().updated()).isEqualTo(writes.getLast().at());
  }

  @Test
  void itGoesWithTheStart() {
    fixed(TRAIN, minutes(60), minutes(240));
    waits("train", WAITS);
    world.pod("train", "labels: {'berth.dev/pod-group': 'train'}", "nodeName: 'n1'", "");
    tell("train", ReasonText.NONE);
    assertThat(writes).hasSize(2);
    assertThat(last().isNone()).as("has no forecast").isTrue();
    seconds(3600);
    assertThat(writes).hasSize(2);
  }

  @Test
  void itGoesWhereSomethingMustBeChangedFirst() {
    fixed(TRAIN, minutes(60), minutes(240));
    waits("train", WAITS);
    waits("train", MUST_BE_CHANGED);
    assertThat(writes).hasSize(2);
    assertThat(last().isNone()).as("has no forecast").isTrue();
    seconds(3600);
    assertThat(writes).hasSize(2);
    waits("train", WAITS);
    assertThat(last().median()).as("with the reason").isEqualTo(start(minutes(60)));
  }

  @Test
  void itGoesAloneWhereThereIsNoneAnyMore() {
    fixed(TRAIN, minutes(60), minutes(240));
    waits("train", WAITS);
    likely.remove(TRAIN);
    seconds(60);
    assertThat(writes).hasSize(2);
    assertThat(last().isNone()).as("has no forecast").isTrue();
  }

  @Test
  void thatOfALeaderBeforeStaysUntilThereIsOneOrItHasPassed() {
    group("train");
    var told = new ForecastStatus(start(minutes(-10)), start(minutes(30)), start(minutes(-60)));
    writer.seen(TRAIN, PodGroupStatus.NONE.with(told));
    tell("train", WAITS);
    assertThat(last()).as("with the first write").isEqualTo(told);
    seconds(29 * 60);
    assertThat(writes).hasSize(1);
    seconds(120);
    assertThat(writes).hasSize(2);
    assertThat(last().isNone()).as("has no forecast").isTrue();
    fixed(TRAIN, minutes(60), minutes(240));
    seconds(6 * 60);
    assertThat(last().median()).isEqualTo(start(minutes(60)));
  }

  @Test
  void nothingIsLookedAtOnceAGroupIsGone() {
    fixed(TRAIN, minutes(60), minutes(240));
    waits("train", WAITS);
    writer.gone(TRAIN);
    likely.put(
        TRAIN,
        () -> {
          throw new AssertionError("looked at");
        });
    seconds(3600);
    assertThat(writes).hasSize(1);
  }

  /// Else a tenant that makes and deletes PodGroups faster than they are told fills the memory.
  @Test
  void nothingIsKeptOfGroupsThatAreGone() {
    for (int i = 0; i < 2000; i++) {
      var key = new GroupKey("default", "g-" + i);
      likely.put(key, () -> forecast(now().plusSeconds(100), now().plusSeconds(1000)));
      waits("g-" + i, WAITS);
      tell("g-" + i, text(new Reason.HeldForHead(TRAIN, 1, Instant.MAX), "another is ahead"));
      tell("g-" + i, MUST_BE_CHANGED);
      world.podGone("g-" + i);
      writer.gone(key);
    }
    assertThat(writer.waiting()).isZero();
    seconds(10);
    assertThat(writer.waiting()).as("once an event would have been due").isZero();
  }

  private GroupStatusWriter writer() {
    var settings =
        new GroupSettings(
            Duration.ofMillis(500), Duration.ofSeconds(3), 20, 20, 2, Duration.ofSeconds(60));
    return new GroupStatusWriter(
        new WrittenStatuses(),
        new InMemoryEvents(),
        world.workers,
        settings,
        (key, _) -> Optional.ofNullable(likely.get(key)).map(Supplier::get));
  }

  private static ReasonText text(Reason reason, String sentence) {
    return ReasonText.of(new PendingReason(reason, "train"), _ -> sentence);
  }

  private void group(String name) {
    world.group(name, 1, "");
    world.pod(name, "labels: {'berth.dev/pod-group': '%s'}".formatted(name), GATED, "");
  }

  /// A cycle after which it waits for that.
  private void waits(String name, ReasonText words) {
    group(name);
    tell(name, words);
  }

  private void tell(String name, ReasonText words) {
    var group = world.ledger.group(new GroupKey("default", name)).orElseThrow();
    writer.tell(group, words, Fate.NONE, now());
    seconds(0);
  }

  /// From the start of the test.
  private void fixed(GroupKey group, Duration median, Duration p90) {
    var forecast = forecast(start(median), start(p90));
    likely.put(group, () -> forecast);
  }

  private static Forecast forecast(Instant median, Instant p90) {
    return new Forecast(median, p90);
  }

  private static Instant start(Duration after) {
    return new World().workers.time().instant().plus(after);
  }

  private static Duration minutes(int minutes) {
    return Duration.ofMinutes(minutes);
  }

  private Instant now() {
    return world.workers.time().instant();
  }

  private ForecastStatus last() {
    return writes.getLast().status().forecast();
  }

  private void seconds(int seconds) {
    world.workers.turn(Duration.ofSeconds(seconds));
  }

  private final class WrittenStatuses implements PodGroupClient {
    @Override
    public void create(GroupKey key, int minMember, QueueName queue, Owner owner) {
      throw new AssertionError(key);
    }

    @Override
    public void keep(GroupSpec spec, QueueName queue, Owner owner, Edits edits) {
      throw new AssertionError(spec);
    }

    @Override
    public void status(GroupKey key, PodGroupStatus before, PodGroupStatus after) {
      writes.add(new Written(key, after, now()));
    }

    @Override
    public void delete(GroupKey key, String uid) {
      throw new AssertionError(key);
    }
  }
}
