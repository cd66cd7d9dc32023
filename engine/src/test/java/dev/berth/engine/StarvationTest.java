package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.pod;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.action.BackfillSettings;
import dev.berth.engine.model.Decision;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A stream of small pods that never ends, and one that wants a whole node. A minute is a step.
class StarvationTest {
  private static final int END = 400;
  private static final int COMES = 30;
  private static final BackfillSettings OFF =
      new BackfillSettings(false, Duration.ZERO, Duration.ZERO, 100);
  private static final BackfillSettings RESERVES =
      new BackfillSettings(true, Duration.ZERO, Duration.ZERO, 100);
  private static final BackfillSettings HOLDS =
      new BackfillSettings(false, ofMinutes(10), ofMinutes(10), 50);

  /// @param started -1 = not yet
  private record Job(int devices, int came, int runtime, int started, String node) {
    boolean runs(int now) {
      return started >= 0 && now < started + runtime;
    }

    boolean waits() {
      return started < 0;
    }
  }

  private final TreeMap<String, Job> jobs = new TreeMap<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void withAReservationTheLargeOneStartsWhenThoseBeforeItHaveEnded(long seed) {
    int started = start(seed, RESERVES, true);
    assertThat(started >= 0).as("it starts within " + END + " minutes").isTrue();
    // all that ran or came before it are over within two runtimes of a small one
    assertThat(started - COMES <= 2 * LONGEST)
        .as("it waited for " + (started - COMES) + " minutes")
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void withAHoldItStartsThoughNoPodSaysHowLongItRuns(long seed) {
    int started = start(seed, HOLDS, false);
    assertThat(started >= 0).as("it starts within " + END + " minutes").isTrue();
  }

  /// What the two above are against.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void withNeitherItStarves(long seed) {
    assertThat(start(seed, OFF, true)).as("minute of its start").isEqualTo(-1);
  }

  private static final int LONGEST = 40;

  /// When the large one starts.
  private int start(long seed, BackfillSettings backfill, boolean tells) {
    var chance = new Random(seed);
    var planner = new Planner(PlannerSettings.DEFAULT.with(backfill));
    jobs.clear();
    for (int now = 0; now < END; now++) {
      for (int i = 0; i < 2; i++) {
        int runtime = LONGEST / 4 + chance.nextInt(3 * LONGEST / 4);
        jobs.put(String.format(Locale.ROOT, "s%04d-%d", now, i), new Job(1, now, runtime, -1, ""));
      }
      if (now == COMES) {
        jobs.put("large", new Job(8, now, 30, -1, ""));
      }
      step(planner, now, tells);
      if (jobs.containsKey("large") && !jobs.get("large").waits()) {
        return now;
      }
    }
    return -1;
  }

  private void step(Planner planner, int now, boolean tells) {
    jobs.values().removeIf(job -> !job.waits() && !job.runs(now));
    jobs.values().removeIf(job -> job.waits() && job.devices() == 1 && now - job.came() > 20);
    var world = cluster().node("n1", gpus(8)).node("n2", gpus(8));
    jobs.forEach((name, job) -> {
      var sketch = pod().gpus(job.devices()).minutesOld(now - job.came());
      if (tells) {
        sketch.expects(ofMinutes(job.runtime()));
      }
      if (job.waits()) {
        world.waiting(name, "default", sketch);
      } else {
        sketch.on(job.node()).runningFor(ofMinutes(now - job.started()));
        world.running(name, "default", sketch);
      }
    });
    for (Decision decision : planner.plan(world.snapshot()).decisions()) {
      if (decision instanceof Decision.Reserve reserve) {
        var place = Expectations.all(reserve).getFirst();
        jobs.computeIfPresent(
            place.pod().name(),
            (_, job) ->
                new Job(
                    job.devices(),
                    job.came(),
                    job.runtime(),
                    now,
                    place.placement().node().value()));
      }
    }
  }
}
