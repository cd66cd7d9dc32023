package dev.berth.simulator.chaos;

import static dev.berth.simulator.world.ObjectTree.of;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.KeptRoom;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import dev.berth.simulator.world.VolumeClaims;
import dev.berth.simulator.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// What tenants do while kube-scheduler waits for volumes: they delete pods, finalizers keep those,
/// claims are edited, lost or deleted.
final class TenantVolumes {
  private static final Duration AT_ONCE = Duration.ofMillis(300);
  private static final Duration BETWEEN_FLIPS = Duration.ofSeconds(2);
  private static final Duration UNSEEN = Duration.ofMillis(900);
  private static final Duration LOOK_AT_FINALIZERS = Duration.ofSeconds(2);
  private static final Duration STAYS = Duration.ofSeconds(40);

  private final TenantAccess access;
  private final World world;
  private final Chance chance;
  private final Journal journal;
  private final Chance volumes;
  private final boolean isOn;
  private boolean isCalm;
  private boolean looksAtFinalizers;

  /// @param volumes the chance of what is done to volumes alone
  /// @param isOn whether anything is done
  TenantVolumes(TenantAccess access, Chance volumes, boolean isOn) {
    this.access = access;
    this.world = access.world;
    this.chance = access.chance;
    this.journal = access.journal;
    this.volumes = volumes;
    this.isOn = isOn;
  }

  void begin() {
    if (isOn && !looksAtFinalizers) {
      looksAtFinalizers = true;
      liftFinalizers();
    }
    isCalm = false;
  }

  void end() {
    isCalm = true;
  }

  /// kube-scheduler begins to wait for volumes of a pod: another member of its gang goes, or the
  /// pod itself, which stays where it has a finalizer.
  void selected(KeptRoom room) {
    if (isOn && !isCalm && volumes.comes(0.6)) {
      boolean itself = volumes.comes(0.4);
      world
          .time()
          .after(volumes.between(Duration.ZERO, AT_ONCE), () -> disturb(room.pod(), itself));
    }
  }

  private void disturb(Map<String, ?> pod, boolean itself) {
    String app = ObjectTree.label(pod, "app");
    var others =
        access.pods().stream()
            .filter(each -> PodView.of(each).node().isEmpty() && !PodView.of(each).isLeaving())
            .filter(each ->
                ObjectTree.uid(each).equals(ObjectTree.uid(pod)) == itself
                    && ObjectTree.label(each, "app").equals(app))
            .filter(each -> itself || !app.isEmpty())
            .toList();
    if (!others.isEmpty()) {
      var victim = volumes.of(others);
      journal.tell("tenant: deletes " + ObjectTree.name(victim) + " as a node is selected");
      journal.count(
          itself
              ? "tenants: deleted while its volume is awaited"
              : "tenants: deleted while the volume of another one is awaited");
      world.delete(ObjectRef.to(Kind.POD, victim));
    }
  }

  /// Finalizers are taken off some time after a deletion, in a calm at once.
  private void liftFinalizers() {
    var now = world.time().instant();
    for (Kind kind : List.of(Kind.POD, Kind.VOLUME_CLAIM)) {
      for (var object : world.list(kind)) {
        String deleted = ObjectTree.text(object, "metadata", "deletionTimestamp");
        boolean isFinal =
            ObjectTree.list(object, "metadata", "finalizers").contains(World.FINALIZER);
        if (isFinal
            && !deleted.isEmpty()
            && (isCalm
                || Instant.parse(deleted).plus(STAYS).isBefore(now)
                || volumes.comes(0.05))) {
          world.patch(
              ObjectRef.to(kind, object), of("metadata", of("finalizers", ObjectTree.ABSENT)));
        }
      }
    }
    world.time().after(LOOK_AT_FINALIZERS, this::liftFinalizers);
  }

  /// Edits or deletes a claim for which a node is selected.
  void editClaim() {
    var asked =
        world.list(Kind.VOLUME_CLAIM).stream()
            .filter(it -> !ObjectTree.annotation(it, VolumeClaims.SELECTED_NODE).isEmpty())
            .filter(it -> ObjectTree.text(it, "spec", "volumeName").isEmpty())
            .toList();
    if (asked.isEmpty()) {
      return;
    }
    var claim = chance.of(asked);
    var ref = ObjectRef.to(Kind.VOLUME_CLAIM, claim);
    journal.tell("tenant: edits claim " + ref.name());
    switch (chance.below(6)) {
      case 0 -> annotate(ref, VolumeClaims.SELECTED_NODE, ObjectTree.ABSENT);
      case 1 -> {
        var node = chance.of(world.list(Kind.NODE));
        annotate(ref, VolumeClaims.SELECTED_NODE, ObjectTree.name(node));
      }
      case 2 -> annotate(ref, VolumeClaims.BOUND, "yes");
      case 3 -> { // and the control plane says that it is lost
        annotate(ref, VolumeClaims.BOUND, "yes");
        world.patch(ref, of("spec", of("volumeName", "disk-of-nobody")));
        access.later(() -> {
          if (world.find(ref).isPresent()) {
            world.patchStatus(ref, of("status", of("phase", "Lost")));
          }
        });
      }
      case 4 -> flip(ref, ObjectTree.annotation(claim, VolumeClaims.SELECTED_NODE));
      default -> {
        world.patch(ref, of("metadata", of("finalizers", List.of(World.FINALIZER))));
        world.delete(ref);
      }
    }
  }

  /// The claim names no node for less time than kube-scheduler has between two looks, again and
  /// again.
  private void flip(ObjectRef claim, String node) {
    var at = Duration.ZERO;
    for (int times = volumes.between(1, 12); times > 0; times--) {
      world.time().after(at, () -> selects(claim, ObjectTree.ABSENT));
      at = at.plus(volumes.between(Duration.ofMillis(50), UNSEEN));
      world.time().after(at, () -> selects(claim, node));
      at = at.plus(volumes.between(Duration.ofMillis(50), BETWEEN_FLIPS));
    }
    journal.count("tenants: claims flipped while their volume is awaited");
  }

  private void selects(ObjectRef claim, Object node) {
    world
        .find(claim)
        .filter(it -> ObjectTree.text(it, "spec", "volumeName").isEmpty())
        .ifPresent(_ -> annotate(claim, VolumeClaims.SELECTED_NODE, node));
  }

  private void annotate(ObjectRef claim, String annotation, Object value) {
    world.patch(claim, of("metadata", of("annotations", of(annotation, value))));
  }
}
