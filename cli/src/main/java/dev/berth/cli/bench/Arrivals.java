package dev.berth.cli.bench;

import dev.berth.controllers.cycle.Cycle;
import dev.berth.controllers.cycle.CycleSettings;
import dev.berth.controllers.cycle.Outcome;
import dev.berth.controllers.door.Freshness;
import dev.berth.controllers.loop.VirtualThreads;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.ledger.Ledger.Assumed;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Usage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// How long a pod that fits waits for its plan on a full cluster, while searches go on for those
/// that do not fit: the shipped [Cycle] on its own threads and the clock of the wall, from the
/// moment at which the ledger hears of the pod to the one at which its plan is handed over.
final class Arrivals implements Cycle.Hands, Cycle.Audience {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int MEAN_PAUSE = 100; // milliseconds between two of them

  private final TraceWorld world;
  private final int waiting;
  private final Random random = new Random(42);
  private final BlockingQueue<Handed> handed = new LinkedBlockingQueue<>();
  private int searching; // plans after which a search went on; of the planning thread
  private int plans;

  /// @param at [System#nanoTime] when it was handed over
  private record Handed(Decision decision, long at) {}

  /// @param waiting how many there are for whom there is no room
  Arrivals(TraceWorld world, int waiting) {
    this.world = world;
    this.waiting = waiting;
  }

  /// @return nanoseconds that each of them waited
  /// @throws IllegalStateException if one is not planned within half a minute
  long[] measure(int pods) {
    long began = System.nanoTime();
    InstantSource time = () -> World.NOW.plusSeconds(60).plusNanos(System.nanoTime() - began);
    try (var workers = new VirtualThreads("arrivals", time, PATIENCE)) {
      var cycle =
          new Cycle(
              world.ledger(),
              Cycle.Thinker.by(new Planner(PlannerSettings.DEFAULT)),
              Freshness.always(),
              this,
              this,
              workers,
              CycleSettings.DEFAULT);
      world.tell(cycle::changed);
      cycle.start();
      for (int i = 0; i < pods / 10; i++) { // warm-up
        var _ = one();
      }
      var nanos = new long[pods];
      for (int i = 0; i < pods; i++) {
        nanos[i] = one();
      }
      world.tell(() -> {});
      cycle.stop();
      return nanos;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /// Of the plans made so far, in per cent, those after which a search went on.
  int searchingPercent() {
    return plans == 0 ? 0 : 100 * searching / plans;
  }

  private long one() throws InterruptedException {
    Thread.sleep((long) (-Math.log(1 - random.nextDouble()) * MEAN_PAUSE));
    for (var next = handed.poll(); next != null; next = handed.poll()) {
      var _ = carryOut(next.decision);
    }
    world.oneEnds();
    do {
      var _ = world.comes();
    } while (world.waits() < waiting);
    long came = System.nanoTime();
    var name = world.oneCpuComes();
    for (; ; ) {
      var next = handed.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (next == null) {
        throw new IllegalStateException(name + " was not planned within " + PATIENCE);
      }
      if (carryOut(next.decision).contains(name)) {
        world.leaves(name);
        return next.at - came;
      }
    }
  }

  /// @return names of those who started
  private List<String> carryOut(Decision decision) {
    switch (decision) {
      case Decision.Reserve reserve -> {
        reserve.victims().forEach(world::moves);
        var _ = world.start(reserve);
        return reserve.block().stream().map(each -> each.pod().name()).toList();
      }
      case Decision.Evict(_, var victims) -> victims.forEach(world::moves);
      case Decision.Wait _, Decision.Withdraw _ -> {}
    }
    return List.of();
  }

  @Override
  public void reserved(Decision.Reserve decision, List<Assumed> assumed) {
    handed.add(new Handed(decision, System.nanoTime()));
  }

  @Override
  public void evict(List<Decision.Victim> victims) {}

  @Override
  public void lapsed(List<Assumed> assumed) {}

  @Override
  public void planned(Outcome outcome) {
    plans++;
    searching += outcome.plan().searches() ? 1 : 0;
  }

  @Override
  public void kept(Accounts accounts, Usage usage) {}
}
