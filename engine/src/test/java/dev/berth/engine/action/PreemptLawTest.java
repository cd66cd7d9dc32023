package dev.berth.engine.action;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.Seeds;
import dev.berth.engine.Settings;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserve;
import dev.berth.engine.model.Decision.Victim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The victims on one node against a search of all sets of victims.
///
/// They are not always the fewest. Of all sets that make room it is the one whose most deserving
/// member is the least deserving; among those the one whose second is, and so on: no pod leaves
/// where less deserving ones would have been enough. Of equally large victims these are the fewest.
class PreemptLawTest {
  private static final int DEVICES = 8;

  static LongStream seeds() {
    return Seeds.worlds(500);
  }

  /// One pod that runs.
  private record Work(String name, int gpus, int priority, int minutesOld) {
    /// The least important first, then the youngest, then the last by name.
    static final Comparator<Work> LAST_TO_FIRST =
        Comparator.comparingInt(Work::priority)
            .thenComparingInt(Work::minutesOld)
            .thenComparing(Comparator.comparing(Work::name).reversed());
  }

  private record Case(List<Work> running, int need, TreeSet<String> victims, boolean starts) {
    static Case of(long seed, boolean alike) {
      var random = new Random(seed);
      var world = cluster().node("n", gpus(DEVICES));
      var running = new ArrayList<Work>();
      for (int i = 0, used = 0; used < DEVICES && i < 8; i++) {
        int gpus = alike ? 1 : Math.min(1 + random.nextInt(3), DEVICES - used);
        used += gpus;
        var work = new Work("r" + i, gpus, 30 + 10 * random.nextInt(5), random.nextInt(4));
        running.add(work);
        world.running(
            work.name,
            "default",
            gang(1).gpus(gpus).priority(work.priority).minutesOld(work.minutesOld));
      }
      running.removeIf(work -> work.priority >= 60);
      running.sort(Work.LAST_TO_FIRST);
      int need = 1 + random.nextInt(6);
      world.waiting("w", "default", gang(1).gpus(need).priority(60));
      var victims = new TreeSet<String>();
      boolean starts = false;
      var settings = PlannerSettings.DEFAULT.with(Settings.of(seed).strategy());
      for (Decision decision : new Planner(settings).plan(world.snapshot()).decisions()) {
        if (decision instanceof Reserve reserve) {
          starts = true;
          for (Victim victim : reserve.victims()) {
            victims.add(victim.pod().name().replaceAll("-1\\d{5}$", ""));
          }
        }
      }
      return new Case(running, need, victims, starts);
    }

    /// By number: bit `i` = the victim that is `i`-th in the order to leave. Of two sets the
    /// smaller number is the one that spares the more deserving.
    List<Integer> sufficient() {
      var sufficient = new ArrayList<Integer>();
      for (int set = 0; set < 1 << running.size(); set++) {
        int left = 0;
        for (int i = 0; i < running.size(); i++) {
          left += (set >> i & 1) * running.get(i).gpus;
        }
        if (left >= need) {
          sufficient.add(set);
        }
      }
      return sufficient;
    }

    TreeSet<String> names(int set) {
      var names = new TreeSet<String>();
      for (int i = 0; i < running.size(); i++) {
        if ((set >> i & 1) == 1) {
          names.add(running.get(i).name);
        }
      }
      return names;
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noPodLeavesWhereTheLessDeservingWouldHaveBeenEnough(long seed) {
    var it = Case.of(seed, false);
    var sufficient = it.sufficient();
    assertThat(it.starts)
        .as(() -> "there is a way, or none: " + it)
        .isEqualTo(!sufficient.isEmpty());
    if (it.starts) {
      assertThat(it.victims).as(it::toString).isEqualTo(it.names(sufficient.getFirst()));
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void ofEquallyLargeVictimsTheyAreTheFewest(long seed) {
    var it = Case.of(seed, true);
    if (it.starts) {
      int fewest = it.sufficient().stream().mapToInt(Integer::bitCount).min().orElseThrow();
      assertThat(it.victims.size()).as(it::toString).isEqualTo(fewest);
    }
  }

  @Test
  void theWorldsAreNotIdle() {
    int several = 0;
    int spared = 0;
    for (long seed = 0; seed < 200; seed++) {
      var it = Case.of(seed, false);
      several += it.victims.size() > 1 ? 1 : 0;
      spared += it.starts && it.victims.size() < it.running.size() ? 1 : 0;
    }
    assertThat(several > 20 && spared > 20)
        .as(several + " with several victims, " + spared)
        .isTrue();
  }
}
