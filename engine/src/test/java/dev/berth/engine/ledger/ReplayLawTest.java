package dev.berth.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.SearchEffort;
import dev.berth.engine.Settings;
import dev.berth.engine.action.ActionSettings.Searching;
import dev.berth.engine.format.FormatException;
import dev.berth.engine.format.ValueFormat;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.replay.LogEntry;
import dev.berth.engine.replay.LoggedPlanner;
import dev.berth.engine.replay.PlannerLog;
import dev.berth.engine.replay.PlannerReplay;
import dev.berth.engine.replay.PlannerReplay.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a planner did in a random world is written, read, and done again: byte for byte, also where
/// searches go on from plan to plan and plans are dropped.
class ReplayLawTest {
  private static final ValueFormat<LogEntry> ENTRIES = new ValueFormat<>(LogEntry.class);
  private static final int STEPS = 60;

  static LongStream seeds() {
    return RollingLawTest.seeds().limit(60);
  }

  /// Everything is searched in slices of a few steps.
  private static PlannerSettings sliced(long seed) {
    var settings = Settings.of(seed);
    var slow = new Searching(settings.actions().trials(), 1 + seed % 3, 0);
    return settings.with(settings.actions().with(slow));
  }

  /// Begins anew once in a while.
  private static final class Entries implements PlannerLog {
    private final List<LogEntry> all = new ArrayList<>();
    private final Random random;

    Entries(long seed) {
      random = new Random(~seed);
    }

    @Override
    public boolean mustBegin() {
      return all.isEmpty() || random.nextInt(30) == 0;
    }

    @Override
    public void add(LogEntry entry) {
      all.add(entry);
    }
  }

  private static List<LogEntry> played(long seed) {
    var world = new ChangingWorld(seed);
    var random = new Random(seed);
    var entries = new Entries(seed);
    var planner = new LoggedPlanner(sliced(seed), "test", entries);
    var stale = new TreeMap<GroupKey, Instant>();
    for (int step = 0; step < STEPS; step++) {
      var snapshot = world.ledger.snapshot(world.now);
      if (random.nextInt(4) == 0) {
        var _ = planner.accounts(snapshot);
      }
      if (random.nextInt(8) == 0 && !snapshot.groups().isEmpty()) {
        stale.put(snapshot.groups().getFirst().key(), world.now);
      }
      int[] left = {random.nextInt(3) == 0 ? random.nextInt(40) : Integer.MAX_VALUE};
      var effort = random.nextInt(3) == 0 ? SearchEffort.AT_ONCE : SearchEffort.A_SLICE;
      var plan = planner.planUnless(() -> left[0]-- <= 0, snapshot, stale, effort);
      world.step(plan.orElseGet(() -> new Plan(0, world.now, List.of())));
    }
    return entries.all;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyPlanIsMadeAgain(long seed) throws FormatException {
    var writer = ENTRIES.new Writer();
    var reader = ENTRIES.new Reader();
    var replay = new PlannerReplay();
    var plans = 0;
    for (LogEntry entry : played(seed)) {
      var read = reader.read(writer.write(entry));
      assertThat(read).isEqualTo(entry);
      switch (replay.again(read)) {
        case Verdict.NoPlan() -> assertThat(read).isNotInstanceOf(LogEntry.Planned.class);
        case Verdict.Same() -> plans++;
        case Verdict.Different(_, String words) ->
            throw new AssertionError("seed " + seed + ": " + words);
      }
    }
    assertThat(plans).isEqualTo(STEPS);
  }

  /// A plan is not one of its snapshot alone, or there would be no need to begin where it began.
  @Test
  void aPlanDependsOnThoseBeforeIt() {
    int others = 0;
    for (long seed = 0; seed < 60; seed++) {
      for (LogEntry entry : played(seed)) {
        if (entry instanceof LogEntry.Planned planned) {
          var replay = new PlannerReplay();
          var _ = replay.again(new LogEntry.Begin("test", sliced(seed)));
          others += replay.again(planned) instanceof Verdict.Different ? 1 : 0;
        }
      }
    }
    assertThat(others).isPositive();
  }

  @Test
  void whatIsNotTheSameIsTold() {
    int told = 0;
    for (long seed = 0; seed < 20; seed++) {
      var replay = new PlannerReplay();
      for (LogEntry entry : played(seed)) {
        var other =
            entry instanceof LogEntry.Begin(String build, PlannerSettings settings)
                ? new LogEntry.Begin(build, settings.with(settings.actions().withoutPreempt()))
                : entry;
        if (replay.again(other) instanceof Verdict.Different(_, String words)) {
          assertThat(words).containsAnyOf("decision ", "it was ", "the decisions are the same");
          told++;
        }
      }
    }
    assertThat(told).isPositive();
  }

  /// An internal error is an outcome as any other.
  @Test
  void aFailureIsMadeAgain() {
    var snapshot = new ChangingWorld(1).ledger.snapshot(Instant.EPOCH);
    var plan = new Planner(PlannerSettings.DEFAULT).plan(snapshot);
    var replay = new PlannerReplay();
    var _ = replay.again(new LogEntry.Begin("test", PlannerSettings.DEFAULT));
    var planned =
        new LogEntry.Planned(
            snapshot,
            new TreeMap<>(),
            SearchEffort.A_SLICE,
            0,
            new LogEntry.Outcome.Failed("java.lang.IllegalStateException"));
    assertThat(replay.again(planned))
        .isEqualTo(
            new Verdict.Different(
                new LogEntry.Outcome.Made(plan),
                "it was an internal error (java.lang.IllegalStateException), and now is a plan"
                    + " with 0 decisions"));
  }
}
