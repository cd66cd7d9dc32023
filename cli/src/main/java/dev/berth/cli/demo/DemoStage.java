package dev.berth.cli.demo;

import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.client.WriteClients;
import dev.berth.extender.Verbs;
import dev.berth.simulator.world.BerthExtender;
import dev.berth.simulator.world.JobController;
import dev.berth.simulator.world.KubeScheduler;
import dev.berth.simulator.world.Kubelet;
import dev.berth.simulator.world.SchedulerSettings;
import dev.berth.simulator.world.Time;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldClients;
import dev.berth.simulator.world.WorldEvents;
import dev.berth.simulator.world.WorldSettings;
import java.util.EnumSet;
import java.util.Optional;

/// The demo's cluster, ready for the product to be put on: clients for it to write to, and a start
/// that lets it see and be asked. The same on real and on virtual time.
public final class DemoStage {
  private final World world;
  private final DemoJournal logbook;
  private final WorldEvents events;

  public DemoStage(Time time, long seed) {
    world = new World(time, WorldSettings.of(seed));
    logbook = new DemoJournal(world);
    events = new WorldEvents(world);
    DemoCluster.build(world);
  }

  public World world() {
    return world;
  }

  public DemoJournal logbook() {
    return logbook;
  }

  // What the product writes to

  public WriteClients clients() {
    return WorldClients.of(world);
  }

  public EventRecorder events() {
    return events;
  }

  /// Everything begins to move: the product sees, kube-scheduler asks it, users come.
  ///
  /// @param product takes what the watches deliver
  /// @param verbs what kube-scheduler asks
  public void open(Watcher product, Verbs verbs) {
    world.watch(EnumSet.allOf(Watcher.Kind.class), product);
    new Kubelet(world).start();
    new JobController(world).start();
    new KubeScheduler(world, SchedulerSettings.BERTH, Optional.of(new BerthExtender(verbs)))
        .start();
    logbook.start();
    new DemoWorkload(world).start();
  }
}
