package dev.berth.simulator.chaos;

import dev.berth.controllers.client.LeaseClient.Lease;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldLeases;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Backups of etcd, one a second, and now and then one of the last twenty is put back. As
/// Kubernetes requires then, the API server, kube-scheduler, kube-controller-manager and the
/// kubelets are restarted; Berth is not told.
final class Backups {
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofSeconds(15);
  private static final int KEPT = 20;

  private record Backup(Instant taken, World.State state, Optional<Lease> lease) {}

  private final World world;
  private final WorldLeases leases;
  private final Journal journal;
  private final Chance chance;
  private final PeriodicTask disasters;
  private final ArrayDeque<Backup> kept = new ArrayDeque<>();
  private final List<Runnable> beneficiaries = new ArrayList<>();
  private boolean on;

  Backups(World world, WorldLeases leases, Journal journal) {
    this.world = world;
    this.leases = leases;
    this.journal = journal;
    this.chance = new Chance(world.settings().seed(), "backups");
    this.disasters = new PeriodicTask(world.time(), chance, PAUSE, this::putBack);
  }

  /// Run each time, in this order, in the same moment.
  void whenPutBack(Runnable beneficiary) {
    beneficiaries.add(beneficiary);
  }

  void begin() {
    on = true;
    take();
    disasters.begin();
  }

  void end() {
    on = false;
    disasters.end();
    kept.clear();
  }

  private void take() {
    if (on) {
      if (kept.size() == KEPT) {
        kept.removeFirst();
      }
      kept.addLast(new Backup(world.time().instant(), world.state(), leases.read()));
      world.time().after(EVERY, this::take);
    }
  }

  private void putBack() {
    var backup = chance.of(List.copyOf(kept));
    journal.tell("etcd goes back to " + backup.taken());
    journal.count("etcd went back");
    kept.removeIf(later -> later.taken().isAfter(backup.taken()));
    world.restore(backup.state());
    leases.restore(backup.lease());
    beneficiaries.forEach(Runnable::run);
  }
}
