package dev.berth.simulator.chaos;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import dev.berth.simulator.world.TenantWrites;
import dev.berth.simulator.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// What all edits of tenants need: the world, chance, the journal.
final class TenantAccess {
  private static final Duration LATEST = Duration.ofSeconds(15);

  final World world;
  final TenantWrites writes;
  final Chance chance;
  final Journal journal;
  private int number;

  TenantAccess(World world, Chance chance, Journal journal) {
    this.world = world;
    this.writes = new TenantWrites(world);
    this.chance = chance;
    this.journal = journal;
  }

  /// For a name: 1 or more.
  int nextNumber() {
    return ++number;
  }

  /// Pods of Berth, without its holders.
  List<Map<String, Object>> pods() {
    return world.list(Kind.POD).stream()
        .filter(pod -> ObjectTree.text(pod, "spec", "schedulerName").equals("berth"))
        .filter(pod -> !PodView.of(pod).isHolder())
        .toList();
  }

  /// Does something some seconds from now.
  void later(Runnable act) {
    world.time().after(chance.between(Duration.ofMillis(200), LATEST), act);
  }

  /// Deletes an object unless another one has its name by now.
  void delete(Map<String, Object> object, Kind kind) {
    var ref = ObjectRef.to(kind, object);
    if (world
        .find(ref)
        .filter(is -> ObjectTree.uid(is).equals(ObjectTree.uid(object)))
        .isPresent()) {
      journal.tell("tenant: deletes " + ref);
      world.delete(ref);
    }
  }
}
