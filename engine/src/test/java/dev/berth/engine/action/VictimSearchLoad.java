package dev.berth.engine.action;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.engine.Cluster;
import dev.berth.engine.Contests;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.PodSketch;
import dev.berth.engine.action.ActionSettings.Searching;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/// What searches in slices find beside the exhaustive one, where many may be asked to leave: on
/// full clusters cut from a published trace (mixed models, shares, gangs, three queues), and on
/// small random ones. Printed for each action: worlds in which the exhaustive search finds a plan,
/// how many of them the slices find too, victims, trials, and the CPU time until it is found.
///
/// Not part of `verify`: `./mvnw -pl engine test -Dtest=VictimSearchLoad [-Dworlds=250]
/// [-Dnodes=12]`.
class VictimSearchLoad {
  private static final Path TRACE = Path.of("../../shared/traces/fgd");
  private static final int WORLDS = Integer.getInteger("worlds", 250);
  private static final int NODES = Integer.getInteger("nodes", 12);
  private static final int MOST_SLICES = 10_000;
  private static final List<String> QUEUES = List.of("a", "b", "c");

  private static final Planner EXHAUSTIVE =
      new Planner(with(new Searching(20_000_000, 1, Integer.MAX_VALUE)));
  private static final PlannerSettings SLICED =
      with(new Searching(Searching.DEFAULT.trials(), Searching.DEFAULT.slice(), 0));

  private static PlannerSettings with(Searching searching) {
    return PlannerSettings.DEFAULT.with(ActionSettings.DEFAULT.with(searching));
  }

  /// One search, and what came of it.
  ///
  /// @param victims none = nothing was found
  /// @param nanos of CPU, of all plans until something was found
  private record Found(List<Victim> victims, long trials, long nanos, int plans, boolean isProven) {
    boolean any() {
      return !victims.isEmpty();
    }

    String told() {
      return victims.size()
          + " victims "
          + victims.stream().map(Victim::cause).distinct().toList()
          + ", "
          + trials
          + " trials";
    }
  }

  /// Sums over worlds.
  private static final class Sum {
    int worlds;
    int found;
    int foundToo;
    int onlySliced;
    int moreVictims;
    long victims;
    long victimsSliced;
    long trials;
    long trialsSliced;
    final List<Double> millis = new ArrayList<>();
    final List<Double> millisExhaustive = new ArrayList<>();

    void add(Found exhaustive, Found sliced) {
      worlds++;
      trials += exhaustive.trials;
      trialsSliced += sliced.trials;
      if (!exhaustive.any()) {
        onlySliced += sliced.any() ? 1 : 0;
        return;
      }
      found++;
      millisExhaustive.add(exhaustive.nanos / 1e6);
      if (sliced.any()) {
        foundToo++;
        victims += exhaustive.victims.size();
        victimsSliced += sliced.victims.size();
        moreVictims += sliced.victims.size() > exhaustive.victims.size() ? 1 : 0;
        millis.add(sliced.nanos / 1e6);
      }
    }

    void print(String name) {
      System.out.printf(
          Locale.ROOT,
          "%-34s %4d worlds, found in %3d, sliced finds %3d of them (and %d more); victims %d : %d,"
              + " more in %d; trials %d : %d (%.2f %%); CPU ms to find p50/p99/worst %s, exhaustive"
              + " %s%n",
          name,
          worlds,
          found,
          foundToo,
          onlySliced,
          victims,
          victimsSliced,
          moreVictims,
          trials,
          trialsSliced,
          100.0 * trialsSliced / Math.max(1, trials),
          quantiles(millis),
          quantiles(millisExhaustive));
    }

    private static String quantiles(List<Double> values) {
      if (values.isEmpty()) {
        return "-";
      }
      var sorted = values.stream().sorted().toList();
      return String.format(
          Locale.ROOT,
          "%.1f/%.1f/%.1f",
          sorted.get(sorted.size() / 2),
          sorted.get(Math.min(sorted.size() - 1, sorted.size() * 99 / 100)),
          sorted.getLast());
    }
  }

  @Test
  void smallRandomWorlds() {
    var sum = new Sum();
    for (long seed = 10_000; seed < 10_000 + WORLDS; seed++) {
      var snapshot = Contests.duel(seed).snapshot();
      sum.add(exhaustive(snapshot), sliced(snapshot));
    }
    sum.print("random, 1 to 4 nodes");
    check(sum);
  }

  @Test
  void movesOnACutOfTheTrace() {
    check(cut(Cause.CONSOLIDATE));
  }

  @Test
  void reclaimOnACutOfTheTrace() {
    check(cut(Cause.RECLAIM));
  }

  @Test
  void preemptionOnACutOfTheTrace() {
    check(cut(Cause.PREEMPT));
  }

  private static void check(Sum sum) {
    assertThat(sum.found).as("worlds in which others can make room").isPositive();
    assertThat(sum.foundToo * 10).as("found").isGreaterThanOrEqualTo(sum.found * 9);
  }

  private static Sum cut(Cause cause) {
    assumeTrue(Files.isDirectory(TRACE), "no traces beside the repository: " + TRACE);
    var sum = new Sum();
    for (long seed = 0; seed < WORLDS; seed++) {
      var snapshot = world(seed, cause);
      var exhaustive = exhaustive(snapshot);
      var sliced = sliced(snapshot);
      sum.add(exhaustive, sliced);
      if (exhaustive.any() != sliced.any()
          || sliced.victims.size() > exhaustive.victims.size() && exhaustive.any()) {
        System.out.println("  seed " + seed + ": " + exhaustive.told() + " : " + sliced.told());
      }
    }
    sum.print(NODES + " nodes of openb, " + cause.name().toLowerCase(Locale.ROOT));
    return sum;
  }

  // ---- searches

  private static Found exhaustive(Snapshot snapshot) {
    long began = cpu();
    var plan = EXHAUSTIVE.plan(snapshot);
    return new Found(victims(plan), plan.trials(), cpu() - began, 1, !plan.searches());
  }

  private static Found sliced(Snapshot snapshot) {
    var planner = new Planner(SLICED).incremental();
    long began = cpu();
    long trials = 0;
    for (int plans = 1; plans < MOST_SLICES; plans++) {
      var plan = planner.plan(snapshot, Collections.emptySortedMap());
      trials += plan.trials();
      var victims = victims(plan);
      if (!victims.isEmpty() || !plan.searches()) {
        return new Found(victims, trials, cpu() - began, plans, true);
      }
    }
    throw new AssertionError("the search did not end");
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static List<Victim> victims(Plan plan) {
    return plan.decisions().stream().flatMap(VictimSearchLoad::victims).toList();
  }

  private static Stream<Victim> victims(Decision decision) {
    return switch (decision) {
      case Decision.Reserve reserve -> reserve.victims().stream();
      case Decision.Evict evict -> evict.victims().stream();
      case Decision.Wait _, Decision.Withdraw _ -> Stream.empty();
    };
  }

  // ---- worlds

  /// Full, or nearly so for moves, and one gang that waits.
  private static Snapshot world(long seed, Cause cause) {
    var random = new Random(seed);
    var nodes = new ArrayList<>(rows("openb_node_list_gpu_node.csv"));
    Collections.shuffle(nodes, random);
    var pods = rows("pods/openb_pod_list_default.csv.gz");
    var world = cluster();
    int all = 0;
    for (String[] row : nodes.subList(0, NODES)) {
      int count = Integer.parseInt(row[3]);
      all += count;
      world.node(
          row[0],
          gpus(count)
              .model(row[4])
              .with(Resource.CPU, Long.parseLong(row[1]))
              .with(Resource.MEMORY, Long.parseLong(row[2]) << 20));
    }
    world.queue("a", quota(0.4 * all));
    world.queue("b", quota(0.35 * all));
    world.queue("c", quota(0.25 * all));
    fill(world, nodes.subList(0, NODES), pods, random, cause, all);
    var preemptor = cause == Cause.RECLAIM ? "c" : QUEUES.get(random.nextInt(2));
    return world.waiting("w", preemptor, preemptor(random, cause)).snapshot();
  }

  private static void fill(
      Cluster world,
      List<String[]> nodes,
      List<String[]> pods,
      Random random,
      Cause cause,
      int all) {
    int draws = cause == Cause.CONSOLIDATE ? 2 * all : 5 * all;
    for (int i = 0; i < draws; i++) {
      var row = pods.get(random.nextInt(pods.size()));
      int members = random.nextInt(4) == 0 ? 2 + random.nextInt(3) : 1;
      var node = nodes.get(random.nextInt(nodes.size()));
      boolean goes = row[5].isEmpty() || List.of(row[5].split("\\|")).contains(node[4]);
      if (goes) {
        world.runningIfItFits(
            "r" + i,
            queue(random, cause),
            asking(gang(members), row)
                .on(node[0])
                .minutesOld(i % 500)
                .priority(random.nextInt(3) == 0 ? 60 : 50));
      }
    }
  }

  private static PodSketch asking(PodSketch sketch, String[] row) {
    sketch
        .asks(Resource.CPU, Long.parseLong(row[1]))
        .asks(Resource.MEMORY, Long.parseLong(row[2]) << 20);
    int count = Integer.parseInt(row[3]);
    int millis = Integer.parseInt(row[4]);
    if (count == 0) {
      return sketch.noGpu();
    }
    return count == 1 && millis < 1000 ? sketch.share(millis) : sketch.gpus(count);
  }

  private static String queue(Random random, Cause cause) {
    int dice = random.nextInt(100);
    if (cause == Cause.RECLAIM) {
      return dice < 60 ? "a" : "b";
    }
    return dice < 40 ? "a" : dice < 75 ? "b" : "c";
  }

  private static PodSketch preemptor(Random random, Cause cause) {
    int members = cause == Cause.CONSOLIDATE ? 1 : 1 + random.nextInt(4);
    var sketch = gang(members).priority(cause == Cause.PREEMPT ? 90 : 50);
    return switch (random.nextInt(4)) {
      case 0 -> sketch.gpus(1);
      case 1 -> sketch.gpus(2);
      case 2 -> sketch.gpus(4);
      default -> sketch.share(100 + random.nextInt(900));
    };
  }

  private static List<String[]> rows(String name) {
    var file = TRACE.resolve(name);
    try (var raw = Files.newInputStream(file);
        var plain = name.endsWith(".gz") ? new GZIPInputStream(raw) : raw;
        var reader = new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8))) {
      return reader.lines().skip(1).map(line -> line.split(",", -1)).toList();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
