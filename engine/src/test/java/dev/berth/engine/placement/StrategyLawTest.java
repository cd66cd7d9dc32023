package dev.berth.engine.placement;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.NodeSketch.noGpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Cluster;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.PodSketch;
import dev.berth.engine.Seeds;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserve;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.placement.Strategy.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Where a gang starts that finds room, against a recount on a few lists: its members one after the
/// other, each where the strategy means.
class StrategyLawTest {
  private static final List<Strategy> ALL =
      List.of(
          Strategy.DEFAULT, // which is binpack where nothing is known of pods to come
          new Strategy(Spread.BINPACK, Spread.BINPACK),
          new Strategy(Spread.BINPACK, Spread.SPREAD),
          new Strategy(Spread.SPREAD, Spread.BINPACK),
          new Strategy(Spread.SPREAD, Spread.SPREAD));

  static LongStream seeds() {
    return Seeds.worlds(500);
  }

  /// What each member asks for: whole devices, a share of one, or cores alone.
  private record Ask(int gpus, int millis, long cpu) {
    static Ask random(Random random) {
      long cpu = 1000L * (1 + random.nextInt(4));
      return switch (random.nextInt(3)) {
        case 0 -> new Ask(1 + random.nextInt(3), 0, cpu);
        case 1 -> new Ask(0, 100 * (1 + random.nextInt(9)), cpu);
        default -> new Ask(0, 0, cpu);
      };
    }

    PodSketch of(PodSketch sketch) {
      if (millis > 0) {
        sketch.share(millis);
      } else if (gpus > 0) {
        sketch.gpus(gpus);
      } else {
        sketch.noGpu();
      }
      return sketch.asks(Resource.CPU, cpu);
    }

    boolean isForDevices() {
      return gpus > 0 || millis > 0;
    }
  }

  /// A node, counted without the planner's tables.
  private static final class Bin {
    final String name;
    final int devices;
    final long cores;
    long cpu;
    int free;
    final ArrayList<Integer> shared = new ArrayList<>();

    Bin(NodeView room) {
      name = room.name().value();
      devices = (int) room.node().allocatable().of(Resource.NVIDIA);
      cores = room.node().allocatable().of(Resource.CPU);
      cpu = cores - room.used().of(Resource.CPU);
      free = devices - (int) room.used().of(Resource.NVIDIA);
      room.slots().forEach(slot -> shared.add(1000 - slot.usedMillis()));
    }

    boolean opens(Ask ask) {
      return ask.millis > 0 && shared.stream().noneMatch(left -> left >= ask.millis);
    }

    boolean has(Ask ask) {
      return ask.cpu <= cpu && (opens(ask) ? 1 : ask.gpus) <= free;
    }

    void take(Ask ask) {
      cpu -= ask.cpu;
      free -= ask.gpus;
      if (ask.millis > 0) {
        int device = 1000;
        if (opens(ask)) {
          free--;
        } else {
          device = shared.stream().filter(left -> left >= ask.millis).sorted().findFirst().get();
          shared.remove((Integer) device);
        }
        shared.add(device - ask.millis);
      }
    }

    long left(Ask ask) {
      int parts = shared.stream().mapToInt(Integer::intValue).sum();
      return ask.isForDevices() ? 1000L * free + parts : cpu;
    }

    /// Of what is there, in millionths of millionths.
    long part(Ask ask) {
      long whole = ask.isForDevices() ? 1000L * devices : cores;
      return left(ask) * 1_000_000_000_000L / whole;
    }
  }

  private record World(Cluster all, Ask ask, int members) {
    static World of(long seed) {
      var random = new Random(seed);
      var all = cluster();
      int nodes = 2 + random.nextInt(5);
      for (int i = 0; i < nodes; i++) {
        var node = random.nextInt(4) == 0 ? noGpus() : gpus(1 + random.nextInt(8));
        all.node("n" + i, node.with(Resource.CPU, 4_000 + 1_000L * random.nextInt(20)));
      }
      for (int i = 0; i < random.nextInt(10); i++) {
        var there = Ask.random(random).of(pods(1)).on("n" + random.nextInt(nodes));
        all.runningIfItFits("r" + i, "default", there);
      }
      var ask = Ask.random(random);
      int members = 1 + random.nextInt(5);
      return new World(all.waiting("w", "default", ask.of(gang(members))), ask, members);
    }

    /// The node of each member; empty if not all of them have room.
    List<String> places(Strategy strategy) {
      var bins = new ArrayList<Bin>();
      all.snapshot().nodes().forEach(room -> bins.add(new Bin(room)));
      var places = new ArrayList<String>();
      for (int i = 0; i < members; i++) {
        var best = bins.stream().filter(bin -> bin.has(ask)).min(order(strategy));
        if (best.isEmpty()) {
          return List.of();
        }
        best.get().take(ask);
        places.add(best.get().name);
      }
      return places;
    }

    private Comparator<Bin> order(Strategy strategy) {
      var means = ask.isForDevices() ? strategy.gpu() : strategy.cpu();
      var tidy =
          Comparator.<Bin, Boolean>comparing(bin ->
              ask.isForDevices() ? means != Spread.SPREAD && bin.opens(ask) : bin.devices > 0);
      var byStrategy =
          switch (means) {
            case ADAPTIVE, BINPACK -> Comparator.<Bin>comparingLong(bin -> bin.left(ask));
            case SPREAD -> Comparator.<Bin>comparingLong(bin -> -bin.part(ask));
          };
      return tidy.thenComparing(byStrategy).thenComparing(bin -> bin.name);
    }
  }

  private static List<String> planned(Snapshot snapshot, Strategy strategy) {
    var places = new ArrayList<String>();
    var planner = new Planner(PlannerSettings.DEFAULT.with(strategy));
    for (Decision decision : planner.plan(snapshot).decisions()) {
      if (decision instanceof Reserve reserve && reserve.victims().isEmpty()) {
        reserve.block().forEach(each -> places.add(each.placement().node().value()));
      }
    }
    return places;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void podThatFindsRoomStartsWhereTheStrategyMeans(long seed) {
    var world = World.of(seed);
    for (Strategy strategy : ALL) {
      assertThat(planned(world.all.snapshot(), strategy))
          .as(() -> strategy + " on " + world.all.snapshot().nodes())
          .isEqualTo(world.places(strategy));
    }
  }

  @Test
  void theStrategiesDiffer() {
    var differ = new TreeMap<Boolean, Integer>();
    for (long seed = 0; seed < 200; seed++) {
      var world = World.of(seed);
      boolean spreads = !world.places(ALL.getFirst()).equals(world.places(ALL.getLast()));
      differ.merge(world.ask.isForDevices(), spreads ? 1 : 0, Integer::sum);
    }
    differ.forEach(
        (devices, worlds) -> assertThat(worlds > 10).as(() -> devices + ": " + worlds).isTrue());
  }
}
