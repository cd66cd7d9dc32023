package dev.berth.simulator.chaos;

import static dev.berth.simulator.world.ObjectTree.of;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.check.RoomWatch;
import dev.berth.simulator.world.ApiRefusal;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.KeptRoom;
import dev.berth.simulator.world.Kubelet;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import dev.berth.simulator.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// What tenants with the right to edit their namespace do to disturb others, and what
/// administrators and nodes do meanwhile. Each edit is one that the API server lets through with
/// `manifests/policies`, or one that it must refuse.
///
/// Draws from chances of its own, so that runs without it are what they were.
final class Tenants {
  /// What they do; a seed chooses some of it, or nothing.
  enum Act {
    /// Labels and annotations by which queue, group, priority and budget are found.
    RELABEL,
    /// Owner references to other jobs, to jobs that do not exist, to kinds that do not exist.
    OWNERS,
    /// Disruption budgets that allow no disruption, several for one pod, made and deleted at any
    /// time.
    BUDGETS,
    /// PodGroups: another minimum or queue, deleted under their pods, made in the name of others.
    GROUPS,
    /// Writes that the policies refuse: plans, gates, devices, shares, holders.
    FORGERY,
    /// Scheduling gates of their own, lifted later.
    GATES,
    /// Pods that take a year to end.
    GRACES,
    /// Holders that fail, or are deleted by the control plane.
    HOLDERS,
    /// Limits and quotas that change, queues that are deleted and made again.
    QUEUES,
    /// What keeps room that kube-scheduler took for them: pods that stay when they are deleted,
    /// gangs that lose another member as soon as a node is selected for the volume of one, claims
    /// without a provisioner, and that are deleted, lost or edited while they are waited for.
    VOLUMES
  }

  static final String ANY_GATE = "example.com/hold";
  private static final long YEAR = 365L * 24 * 3600;

  private final World world;
  private final Chance chance;
  private final Chance templates;
  private final Chance volumes;
  private final List<Act> acts;
  private final BooleanSupplier leads;
  private final RoomWatch rooms;
  private final Journal journal;
  private final PeriodicTask pulse;
  private final TenantAccess access;
  private final TenantPods pods;
  private final TenantForgeries forgeries;
  private final TenantGroups groups;
  private final TenantVolumes volumeEdits;

  /// @param leads whether a process of Berth leads now
  Tenants(
      World world,
      Set<Act> acts,
      List<String> queues,
      BooleanSupplier leads,
      RoomWatch rooms,
      Journal journal) {
    this.world = world;
    this.chance = new Chance(world.settings().seed(), "tenants");
    this.templates = new Chance(world.settings().seed(), "templates of tenants");
    this.acts = new ArrayList<>(acts);
    this.acts.remove(Act.GRACES); // said when pods are made
    this.volumes = new Chance(world.settings().seed(), "volumes of tenants");
    this.leads = leads;
    this.rooms = rooms;
    this.journal = journal;
    this.access = new TenantAccess(world, chance, journal);
    this.pods = new TenantPods(access, queues);
    this.forgeries = new TenantForgeries(access);
    this.groups = new TenantGroups(access, queues);
    this.volumeEdits = new TenantVolumes(access, volumes, acts.contains(Act.VOLUMES));
    var pause =
        chance.of(List.of(Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofSeconds(5)));
    this.pulse = new PeriodicTask(world.time(), chance, pause, this::act);
  }

  void begin() {
    volumeEdits.begin();
    if (!acts.isEmpty()) {
      pulse.begin();
    }
  }

  void end() {
    pulse.end();
    volumeEdits.end();
  }

  /// What they add to the pods that they make.
  void dress(Map<String, Object> pod, Set<Act> chosen) {
    if (chosen.contains(Act.GRACES) && templates.comes(0.2)) {
      ObjectTree.under(pod, "spec").put("terminationGracePeriodSeconds", YEAR);
      ObjectTree.under(ObjectTree.under(pod, "metadata"), "annotations")
          .put(Kubelet.TERMINATION, "8760h");
      journal.count("tenants: pods with a grace of a year");
    }
    if (chosen.contains(Act.GATES) && templates.comes(0.2)) {
      ObjectTree.under(pod, "spec").put("schedulingGates", List.of(of("name", ANY_GATE)));
    }
    if (chosen.contains(Act.VOLUMES) && volumes.comes(0.4)) {
      ObjectTree.under(pod, "metadata").put("finalizers", List.of(World.FINALIZER));
      journal.count("tenants: pods with a finalizer");
    }
  }

  private void act() {
    var act = chance.of(acts);
    try {
      switch (act) {
        case RELABEL -> pods.relabel();
        case OWNERS -> pods.owners();
        case BUDGETS -> groups.budgets();
        case GROUPS -> groups.groups();
        case FORGERY -> forgeries.forge();
        case GATES -> pods.liftGates();
        case HOLDERS -> loseHolder();
        case QUEUES -> changeQueues();
        case VOLUMES -> volumeEdits.editClaim();
        case GRACES -> {}
      }
      journal.count("tenants: " + act.name().toLowerCase(Locale.ROOT));
    } catch (ApiRefusal refusal) {
      journal.count(
          "tenants refused: " + act.name().toLowerCase(Locale.ROOT) + ", " + refusal.status());
    }
  }

  // Holders

  /// By a kubelet that is short of something, or by the control plane: others may not.
  private void loseHolder() {
    var holders =
        world.list(Kind.POD).stream()
            .map(PodView::of)
            .filter(pod -> pod.isHolder() && pod.takesRoom() && !pod.isLeaving())
            .toList();
    if (holders.isEmpty()) {
      return;
    }
    var holder = chance.of(holders);
    var ref = ObjectRef.to(Kind.POD, holder.tree());
    rooms.losesHolder(holder, world.time().instant());
    if (chance.comes(0.5)) {
      journal.tell("the kubelet evicts " + holder.name());
      world.patchStatus(ref, of("status", of("phase", "Failed", "reason", "Evicted")));
    } else {
      journal.tell("the control plane deletes " + holder.name());
      world.delete(ref);
    }
  }

  /// kube-scheduler begins to wait for volumes of a pod.
  void selected(KeptRoom room) {
    volumeEdits.selected(room);
  }

  // Queues

  /// More often while no process leads.
  private void changeQueues() {
    if (leads.getAsBoolean() && chance.comes(0.5)) {
      return;
    }
    var there = world.list(Kind.QUEUE);
    if (there.isEmpty()) {
      return;
    }
    var queue = chance.of(there);
    var ref = ObjectRef.to(Kind.QUEUE, queue);
    switch (chance.below(4)) {
      case 0 -> {
        journal.tell("administrator: deletes " + ref);
        world.delete(ref);
        var again = ObjectTree.thaw(queue);
        again.remove("status");
        ObjectTree.under(again, "metadata").remove("resourceVersion");
        access.later(() -> {
          if (world.find(ref).isEmpty()) {
            journal.tell("administrator: makes " + ref + " again");
            world.create(Kind.QUEUE, again);
          }
        });
      }
      case 1 -> change(ref, "quota", chance.comes(0.2) ? "unlimited" : (long) chance.between(0, 6));
      default ->
          change(ref, "limit", chance.comes(0.3) ? "unlimited" : (long) chance.between(1, 10));
    }
  }

  private void change(ObjectRef queue, String what, Object devices) {
    journal.tell(
        "administrator: "
            + what
            + " of "
            + queue.name()
            + " is "
            + devices
            + (leads.getAsBoolean() ? "" : ", while no process leads"));
    world.patch(queue, of("spec", of(what, of(ClusterGenerator.GPU_IN_QUEUES, devices))));
  }
}
