package dev.berth.engine.victims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Contests;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.action.ActionSettings;
import dev.berth.engine.action.ActionSettings.Searching;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Snapshot;
import java.util.Collections;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/// A wide search finds nearly what the exhaustive one finds, and asks no more to leave, but in one
/// world of some hundreds (where it moves two pods of one node and one would do).
class WideSearchLawTest {
  private static final long WHOLE = Long.MAX_VALUE / 1024;
  private static final Planner EXHAUSTIVE = planner(Integer.MAX_VALUE, WHOLE);
  private static final Planner WIDE = planner(0, WHOLE);
  private static final int WORLDS = 2_000;

  private static Planner planner(int wideFrom, long slice) {
    var searching = new Searching(Searching.DEFAULT.trials(), slice, wideFrom);
    return new Planner(PlannerSettings.DEFAULT.with(ActionSettings.DEFAULT.with(searching)));
  }

  private record Count(int placed, int victims) {
    static Count of(Plan plan) {
      int placed = 0;
      int victims = 0;
      for (Decision decision : plan.decisions()) {
        if (decision instanceof Decision.Reserve reserve && !reserve.victims().isEmpty()) {
          placed++;
          victims += reserve.victims().size();
        }
      }
      return new Count(placed, victims);
    }
  }

  /// Counts worlds.
  private static void compare(LongFunction<Snapshot> worlds) {
    int found = 0;
    int missed = 0;
    int more = 0;
    for (long seed = 0; seed < WORLDS; seed++) {
      var snapshot = worlds.apply(seed);
      var exhaustive = Count.of(EXHAUSTIVE.plan(snapshot));
      var wide = Count.of(WIDE.plan(snapshot));
      found += exhaustive.placed > 0 ? 1 : 0;
      missed += exhaustive.placed > 0 && wide.placed == 0 ? 1 : 0;
      more += exhaustive.placed == wide.placed && wide.victims > exhaustive.victims ? 1 : 0;
    }
    assertThat(found).as("worlds in which others can make room").isGreaterThan(100);
    assertThat(missed * 20).as("missed, of %s", found).isLessThanOrEqualTo(found);
    assertThat(more * 100).as("more victims for as many claimants").isLessThanOrEqualTo(found);
  }

  /// Slices of one step each, as long as the search goes on.
  private static Plan inSlices(Snapshot snapshot) {
    var planner = planner(0, 1).incremental();
    for (int slice = 0; slice < 1_000; slice++) {
      var plan = planner.plan(snapshot, Collections.emptySortedMap());
      if (!plan.searches() || Count.of(plan).placed > 0) {
        return plan;
      }
    }
    throw new AssertionError("the search did not end");
  }

  /// What is cut short comes to the same end, and every search ends. A group that starts with its
  /// minimum gets what it wants beyond that in a later plan.
  @Test
  void slicesFindWhatTheWholeSearchFinds() {
    int found = 0;
    for (long seed = 0; seed < 300; seed++) {
      var snapshot = Contests.duel(seed).snapshot();
      var whole = Count.of(WIDE.plan(snapshot));
      var slices = Count.of(inSlices(snapshot));
      assertThat(slices.placed).as("seed %s", seed).isEqualTo(whole.placed);
      assertThat(slices.victims).as("seed %s", seed).isLessThanOrEqualTo(whole.victims);
      found += whole.placed;
    }
    assertThat(found).isGreaterThan(20);
  }

  @Test
  void ofSingleGangs() {
    compare(seed -> Contests.duel(seed).snapshot());
  }

  @Test
  void ofMany() {
    compare(seed -> Contests.random(seed).snapshot());
  }
}
