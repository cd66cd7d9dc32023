package dev.berth.simulator.chaos;

import static dev.berth.simulator.world.ObjectTree.of;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Volumes of pods, in every fourth seed: claims that come late, are bound to a disk of one pool or
/// of both, lose it, are deleted and made again. Storage classes wait for pods, or do not.
///
/// Draws from chances of its own, so that runs without it are what they were.
final class Disks {
  private static final List<String> CLAIMS = List.of("data-0", "data-1", "data-2");
  private static final List<String> CLASSES = List.of("waits", "waits-in-blue", "at-once");
  private static final String BOUND = "pv.kubernetes.io/bind-completed";

  private final World world;
  private final boolean areAny;
  private final Chance chance;
  private final Journal journal;
  private final PeriodicTask pulse;
  private int number;

  Disks(World world, boolean areAny, Journal journal) {
    this.world = world;
    this.areAny = areAny;
    this.chance = new Chance(world.settings().seed(), "disks");
    this.journal = journal;
    this.pulse = new PeriodicTask(world.time(), chance, Duration.ofSeconds(2), this::act);
  }

  void begin() {
    if (!areAny) {
      return;
    }
    if (world.list(Kind.STORAGE_CLASS).isEmpty()) {
      storageClass("waits", "WaitForFirstConsumer");
      storageClass("waits-in-blue", "WaitForFirstConsumer");
      storageClass("at-once", "Immediate");
      CLAIMS.forEach(this::make);
    }
    pulse.begin();
  }

  void end() {
    pulse.end();
  }

  private void storageClass(String name, String mode) {
    var storageClass = of("metadata", of("name", name), "volumeBindingMode", mode);
    if (name.endsWith("blue")) {
      var label = of("key", ClusterGenerator.POOL, "values", List.of("blue"));
      storageClass.put("allowedTopologies", List.of(of("matchLabelExpressions", List.of(label))));
    }
    world.create(Kind.STORAGE_CLASS, storageClass);
  }

  /// What pods name, whether it is there or not.
  void dress(Map<String, Object> pod) {
    if (areAny && chance.comes(0.25)) {
      var claim = of("claimName", chance.of(CLAIMS));
      ObjectTree.under(pod, "spec")
          .put("volumes", List.of(of("name", "data", "persistentVolumeClaim", claim)));
      journal.count("pods with a volume");
    }
  }

  private void act() {
    String name = chance.of(CLAIMS);
    var ref = new ObjectRef(Kind.VOLUME_CLAIM, ClusterGenerator.NAMESPACE, name);
    var claim = world.find(ref);
    if (claim.isEmpty()) {
      make(name);
      return;
    }
    boolean isBound = ObjectTree.map(claim.get(), "metadata", "annotations").containsKey(BOUND);
    if (!isBound && chance.comes(0.7)) {
      String disk = disk();
      world.patch(
          ref, of("metadata", of("annotations", of(BOUND, "yes")), "spec", of("volumeName", disk)));
      journal.tell("claim " + name + " is bound to " + disk);
    } else if (isBound && chance.comes(0.3)) {
      var disk = new ObjectRef(Kind.VOLUME, "", ObjectTree.text(claim.get(), "spec", "volumeName"));
      boolean isNoticed = chance.comes(0.5);
      if (isNoticed) {
        world.patchStatus(ref, of("status", of("phase", "Lost")));
      }
      if (world.find(disk).isPresent()) {
        world.delete(disk);
      }
      journal.tell("claim " + name + " loses its volume" + (isNoticed ? "" : " unnoticed"));
    } else {
      world.delete(ref);
      journal.tell("claim " + name + " is deleted");
    }
    journal.count("changes of claims on volumes");
  }

  private void make(String name) {
    String storageClass = chance.of(CLASSES);
    var spec = of("storageClassName", storageClass);
    if (chance.comes(0.2)) {
      spec.put("volumeName", "disk-of-nobody");
    }
    world.create(
        Kind.VOLUME_CLAIM,
        of("metadata", of("namespace", ClusterGenerator.NAMESPACE, "name", name), "spec", spec));
    journal.tell("claim " + name + " comes, of class " + storageClass);
  }

  private String disk() {
    String name = "disk-" + ++number;
    var spec = of("capacity", of("storage", "1Gi"));
    if (chance.comes(0.8)) {
      var pool =
          of(
              "key",
              ClusterGenerator.POOL,
              "operator",
              "In",
              "values",
              List.of(chance.of(List.of("blue", "red"))));
      var term = of("matchExpressions", List.of(pool));
      spec.put("nodeAffinity", of("required", of("nodeSelectorTerms", List.of(term))));
    }
    world.create(Kind.VOLUME, of("metadata", of("name", name), "spec", spec));
    return name;
  }
}
