package dev.berth.cli.bench;

import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.cycle.Cycle;
import dev.berth.controllers.cycle.CycleLoop;
import dev.berth.controllers.cycle.CycleOutcome;
import dev.berth.controllers.cycle.CycleSettings;
import dev.berth.controllers.loop.VirtualThreads;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.Usage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// How long a pod that fits waits for its plan on a full cluster, while searches go on for those
/// that do not fit: the shipped [Cycle] on its own threads and the clock of the wall, from the
/// moment at which the ledger hears of the pod to the one at which its plan is handed over.
final class ArrivalDelays implements Cycle.DecisionSink, Cycle.CycleListener {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int MEAN_PAUSE = 100; // milliseconds between two of them

  private final TraceWorld world;
  private final int waiting;
  private final Random random = new Random(42);
  private final BlockingQueue<Handed> handed = new LinkedBlockingQueue<>();
  private final List<Decision.Reserve> open = new ArrayList<>(); // not all room is clear yet
  private int searching; // plans after which a search went on; of the planning thread
  private int plans;

  /// @param at [System#nanoTime] when it was handed over
  private record Handed(Decision decision, long at) {}

  /// @param waiting how many groups there are for which there is no room
  ArrivalDelays(TraceWorld world, int waiting) {
    this.world = world;
    this.waiting = waiting;
  }

  /// @return nanoseconds that each of them waited
  /// @throws IllegalStateException if one is not planned within half a minute
  long[] measure(int pods) {
    long began = System.nanoTime();
    InstantSource time =
        () -> BenchCluster.NOW.plusSeconds(60).plusNanos(System.nanoTime() - began);
    try (var workers = new VirtualThreads("arrivals", time, PATIENCE)) {
      var cycle =
          new CycleLoop(
              new Cycle(
                  world.ledger(),
                  Cycle.PlanningPolicy.by(new Planner(PlannerSettings.DEFAULT)),
                  this,
                  this,
                  workers.time(),
                  CycleSettings.DEFAULT),
              Freshness.always(),
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

  /// A plan that was given back meanwhile is left alone, and one whose room others still leave
  /// starts once these are gone.
  ///
  /// @return names of the groups that started
  private List<String> carryOut(Decision decision) {
    switch (decision) {
      case Decision.Reserve reserve -> open.add(reserve); // its victims come by themselves
      case Decision.Evict(_, var victims) -> victims.forEach(world::moves);
      case Decision.Wait _, Decision.Withdraw _ -> {}
    }
    open.removeIf(reserve -> !stands(reserve));
    var started = new ArrayList<String>();
    for (var each = open.iterator(); each.hasNext(); ) {
      var reserve = each.next();
      if (placed(reserve).allMatch(pod -> world.ledger().isClear(pod.uid()))) {
        each.remove();
        var _ = world.start(reserve);
        placed(reserve).forEach(pod -> started.add(pod.pod().name()));
      }
    }
    return started;
  }

  private boolean stands(Decision.Reserve reserve) {
    return placed(reserve)
        .allMatch(pod ->
            world.ledger().standing(pod.uid()).orElse(null) instanceof Standing.Planned(var plan, _)
                && plan.placement().equals(pod.placement()));
  }

  private static Stream<Reserved> placed(Decision.Reserve reserve) {
    return Stream.concat(reserve.block().stream(), reserve.surplus().stream());
  }

  @Override
  public void reserved(Decision.Reserve decision, List<Assumed> assumed) {
    handed.add(new Handed(decision, System.nanoTime()));
  }

  @Override
  public void evict(List<Decision.Victim> victims) {
    var eviction = new Decision.Evict(victims.getFirst().beneficiary(), victims);
    handed.add(new Handed(eviction, System.nanoTime()));
  }

  @Override
  public void lapsed(List<Assumed> assumed) {}

  @Override
  public void planned(CycleOutcome outcome) {
    plans++;
    searching += outcome.plan().searches() ? 1 : 0;
  }

  @Override
  public void kept(Accounts accounts, Usage usage) {}
}
