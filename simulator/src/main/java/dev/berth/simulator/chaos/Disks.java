package dev.berth.simulator.chaos;

import static dev.berth.simulator.world.ObjectTree.of;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.KeptRoom;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.VolumeClaims;
import dev.berth.simulator.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Volumes of pods, in every fourth seed: claims that come late, are bound to a disk of one pool or
/// of both, lose it, are deleted and made again. Storage classes wait for pods, or do not. Some
/// pods have claims of their own (generic ephemeral volumes), which are made and deleted with them.
///
/// A provisioner binds claims for which kube-scheduler has selected a node: after a while, mostly
/// to a disk that is reached from there; with some it fails, and some it leaves until all is calm.
///
/// Draws from chances of its own, so that runs without it are what they were.
final class Disks {
  private static final List<String> CLAIMS = List.of("data-0", "data-1", "data-2");
  private static final List<String> CLASSES = List.of("waits", "waits-in-blue", "at-once");
  private static final String BOUND = VolumeClaims.BOUND;
  private static final Duration LOOK_AT_PODS = Duration.ofMillis(300);
  private static final Duration SOON = Duration.ofMillis(500);
  private static final Duration LATE = Duration.ofSeconds(40);
  private static final Duration IN_A_CALM = Duration.ofSeconds(3);

  private final World world;
  private final boolean areAny;
  private final boolean areAbused;
  private final Chance chance;
  private final Chance provisioning;
  private final Journal journal;
  private final PeriodicTask pulse;
  private boolean isCalm;
  private int number;

  /// @param areAbused whether tenants name classes without a provisioner
  Disks(World world, boolean areAny, boolean areAbused, Journal journal) {
    this.world = world;
    this.areAny = areAny;
    this.areAbused = areAbused;
    this.chance = new Chance(world.settings().seed(), "disks");
    this.provisioning = new Chance(world.settings().seed(), "provisioner");
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
      lookAtPods();
    }
    isCalm = false;
    pulse.begin();
  }

  /// From now on every claim for which a node is selected is bound soon.
  void end() {
    pulse.end();
    isCalm = true;
    world.list(Kind.VOLUME_CLAIM).forEach(this::provisionInACalm);
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
    } else if (areAny && provisioning.comes(areAbused ? 0.5 : 0.2)) {
      var template = of("spec", of("storageClassName", CLASSES.getFirst()));
      ObjectTree.under(pod, "spec")
          .put(
              "volumes",
              List.of(of("name", "own", "ephemeral", of("volumeClaimTemplate", template))));
      journal.count("pods with a volume of their own");
    }
  }

  // Claims of single pods, as kube-controller-manager makes and deletes them

  private void lookAtPods() {
    var pods = new TreeMap<ObjectRef, Map<String, Object>>();
    for (var pod : world.list(Kind.POD)) {
      for (var volume : ObjectTree.maps(pod, "spec", "volumes")) {
        if (ObjectTree.has(volume, "ephemeral")) {
          String name = ObjectTree.name(pod) + "-" + ObjectTree.text(volume, "name");
          pods.put(new ObjectRef(Kind.VOLUME_CLAIM, ClusterGenerator.NAMESPACE, name), pod);
        }
      }
    }
    for (var claim : world.list(Kind.VOLUME_CLAIM)) {
      var owners = ObjectTree.maps(claim, "metadata", "ownerReferences");
      var pod = pods.get(ObjectRef.to(Kind.VOLUME_CLAIM, claim));
      boolean isOwned =
          pod != null
              && owners.stream()
                  .anyMatch(it -> ObjectTree.text(it, "uid").equals(ObjectTree.uid(pod)));
      if (!owners.isEmpty() && !isOwned) {
        world.delete(ObjectRef.to(Kind.VOLUME_CLAIM, claim));
      }
    }
    pods.forEach((claim, pod) -> {
      if (world.find(claim).isEmpty() && !ObjectTree.has(pod, "metadata", "deletionTimestamp")) {
        makeFor(pod, claim);
      }
    });
    if (isCalm) {
      deleteLost();
    }
    world.time().after(LOOK_AT_PODS, this::lookAtPods);
  }

  /// In a calm no pod waits for a volume that never comes.
  private void deleteLost() {
    for (var claim : world.list(Kind.VOLUME_CLAIM)) {
      String volume = ObjectTree.text(claim, "spec", "volumeName");
      if (!volume.isEmpty()
          && !ObjectTree.annotation(claim, VolumeClaims.SELECTED_NODE).isEmpty()
          && world.find(new ObjectRef(Kind.VOLUME, "", volume)).isEmpty()) {
        world.delete(ObjectRef.to(Kind.VOLUME_CLAIM, claim));
      }
    }
  }

  private void makeFor(Map<String, Object> pod, ObjectRef claim) {
    var owner = ObjectTree.ownedBy("v1", "Pod", ObjectTree.name(pod), ObjectTree.uid(pod));
    world.create(
        Kind.VOLUME_CLAIM,
        of(
            "metadata",
            of("namespace", claim.namespace(), "name", claim.name(), "ownerReferences", owner),
            "spec",
            of("storageClassName", CLASSES.getFirst())));
  }

  // The provisioner

  /// kube-scheduler waits for the volumes of a pod on a node.
  void selected(KeptRoom room) {
    for (var ref : VolumeClaims.namedBy(room.pod())) {
      world.find(ref).ifPresent(this::selected);
    }
  }

  private void selected(Map<String, Object> claim) {
    if (isCalm) {
      provisionInACalm(claim);
    } else if (provisioning.comes(areAbused ? 0.5 : 0.15)) {
      journal.count("claims that are provisioned in a calm only");
    } else {
      boolean fails = provisioning.comes(0.1);
      boolean isReached = provisioning.comes(0.85);
      world
          .time()
          .after(
              provisioning.between(SOON, LATE),
              () -> {
                if (fails) {
                  fail(claim);
                } else {
                  provision(claim, isReached);
                }
              });
    }
  }

  private void provisionInACalm(Map<String, Object> claim) {
    world.time().after(provisioning.between(SOON, IN_A_CALM), () -> provision(claim, true));
  }

  /// The claim as it is, if its volume is asked for still.
  private Optional<Map<String, Object>> asked(Map<String, Object> claim) {
    return world
        .find(ObjectRef.to(Kind.VOLUME_CLAIM, claim))
        .filter(is -> ObjectTree.uid(is).equals(ObjectTree.uid(claim)))
        .filter(is -> ObjectTree.text(is, "spec", "volumeName").isEmpty())
        .filter(is -> !ObjectTree.annotation(is, VolumeClaims.SELECTED_NODE).isEmpty());
  }

  private void fail(Map<String, Object> claim) {
    asked(claim)
        .ifPresent(is -> {
          journal.tell("claim " + ObjectTree.name(is) + " is not provisioned");
          journal.count("claims that fail to be provisioned");
          var annotations = of(VolumeClaims.SELECTED_NODE, ObjectTree.ABSENT);
          world.patch(
              ObjectRef.to(Kind.VOLUME_CLAIM, is), of("metadata", of("annotations", annotations)));
        });
  }

  private void provision(Map<String, Object> claim, boolean isReached) {
    asked(claim)
        .ifPresent(is -> {
          String node = ObjectTree.annotation(is, VolumeClaims.SELECTED_NODE);
          String pool =
              world
                  .find(new ObjectRef(Kind.NODE, "", node))
                  .map(it -> ObjectTree.label(it, ClusterGenerator.POOL))
                  .orElse("");
          String other = pool.equals("blue") ? "red" : "blue";
          String disk = disk(isReached || pool.isEmpty() ? pool : other);
          bind(ObjectRef.to(Kind.VOLUME_CLAIM, is), disk);
          journal.count("claims that are provisioned");
        });
  }

  private void bind(ObjectRef claim, String disk) {
    var annotations = of(BOUND, "yes");
    world.patch(
        claim, of("metadata", of("annotations", annotations), "spec", of("volumeName", disk)));
    journal.tell("claim " + claim.name() + " is bound to " + disk);
  }

  // What else becomes of claims

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
      String pool = chance.comes(0.8) ? chance.of(List.of("blue", "red")) : "";
      bind(ref, disk(pool));
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

  /// @param pool whose nodes reach it; empty = all nodes do
  private String disk(String pool) {
    String name = "disk-" + ++number;
    var spec = of("capacity", of("storage", "1Gi"));
    if (!pool.isEmpty()) {
      var isIn =
          of("key", ClusterGenerator.POOL, "operator", "In", "values", List.<Object>of(pool));
      var term = of("matchExpressions", List.of(isIn));
      spec.put("nodeAffinity", of("required", of("nodeSelectorTerms", List.of(term))));
    }
    world.create(Kind.VOLUME, of("metadata", of("name", name), "spec", spec));
    return name;
  }
}
