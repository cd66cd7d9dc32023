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
import dev.berth.simulator.world.VolumeClaims;
import dev.berth.simulator.world.World;
import java.time.Duration;
import java.time.Instant;
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
    /// Disruption budgets that let nobody go, several for one pod, made and deleted at any time.
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
    /// that nobody provisions, and that are deleted, lost or edited while they are waited for.
    VOLUMES
  }

  private static final String ANY_GATE = "example.com/hold";
  private static final long YEAR = 365L * 24 * 3600;
  private static final Duration LATEST = Duration.ofSeconds(15);
  private static final int MOST_BUDGETS = 4;
  private static final Duration AT_ONCE = Duration.ofMillis(300);
  private static final Duration LOOK_AT_FINALIZERS = Duration.ofSeconds(2);
  private static final Duration STAYS = Duration.ofSeconds(40);

  private final World world;
  private final Chance chance;
  private final Chance templates;
  private final Chance volumes;
  private final boolean abusesVolumes;
  private final List<Act> acts;
  private final List<String> queues;
  private final BooleanSupplier leads;
  private final RoomWatch rooms;
  private final Journal journal;
  private final PeriodicTask pulse;
  private boolean isCalm;
  private boolean looksAtFinalizers;
  private int number;

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
    this.abusesVolumes = acts.contains(Act.VOLUMES);
    this.volumes = new Chance(world.settings().seed(), "volumes of tenants");
    this.queues = queues;
    this.leads = leads;
    this.rooms = rooms;
    this.journal = journal;
    var pause =
        chance.of(List.of(Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofSeconds(5)));
    this.pulse = new PeriodicTask(world.time(), chance, pause, this::act);
  }

  void begin() {
    if (abusesVolumes && !looksAtFinalizers) {
      looksAtFinalizers = true;
      liftFinalizers();
    }
    isCalm = false;
    if (!acts.isEmpty()) {
      pulse.begin();
    }
  }

  void end() {
    pulse.end();
    isCalm = true;
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
        case RELABEL -> relabel();
        case OWNERS -> owners();
        case BUDGETS -> budgets();
        case GROUPS -> groups();
        case FORGERY -> forge();
        case GATES -> liftGates();
        case HOLDERS -> loseHolder();
        case QUEUES -> changeQueues();
        case VOLUMES -> editClaim();
        case GRACES -> {}
      }
      journal.count("tenants: " + act.name().toLowerCase(Locale.ROOT));
    } catch (ApiRefusal refusal) {
      journal.count(
          "tenants refused: " + act.name().toLowerCase(Locale.ROOT) + ", " + refusal.status());
    }
  }

  private List<Map<String, Object>> ours() {
    return world.list(Kind.POD).stream()
        .filter(pod -> ObjectTree.text(pod, "spec", "schedulerName").equals("berth"))
        .filter(pod -> !PodView.of(pod).isHolder())
        .toList();
  }

  private void patch(Map<String, Object> pod, String what, Map<String, Object> metadata) {
    world.patchByTenant(ObjectRef.to(Kind.POD, pod), of("metadata", metadata));
    journal.tell("tenant: pod " + ObjectTree.name(pod) + " gets " + what);
  }

  // Labels

  private void relabel() {
    var pods = ours();
    if (pods.isEmpty()) {
      return;
    }
    var pod = chance.of(pods);
    Object value;
    switch (chance.below(7)) {
      case 0, 1 -> label(pod, "berth.dev/queue", chance.comes(0.1) ? "nowhere" : chance.of(queues));
      case 2 -> {
        value = chance.of(List.of("preemptible", "non-preemptible", ObjectTree.ABSENT));
        label(pod, "berth.dev/preemptibility", value);
      }
      case 3 -> label(pod, "priorityClassName", chance.of(ClusterGenerator.PRIORITIES));
      case 4 -> label(pod, "berth.dev/pod-group", group());
      case 5 -> label(pod, "app", ObjectTree.label(chance.of(pods), "app"));
      default -> {
        value = chance.of(List.of("1", "2", "3", ObjectTree.ABSENT));
        patch(
            pod, "min-member " + word(value), of("annotations", of("berth.dev/min-member", value)));
      }
    }
  }

  /// That of another, one that does not exist, or none.
  private Object group() {
    var groups = world.list(Kind.POD_GROUP);
    return groups.isEmpty() || chance.comes(0.3)
        ? chance.of(List.of("no-such-group", ObjectTree.ABSENT))
        : ObjectTree.name(chance.of(groups));
  }

  private void label(Map<String, Object> pod, String name, Object value) {
    patch(pod, "label " + name + " " + word(value), of("labels", of(name, value)));
  }

  private static String word(Object value) {
    return value == ObjectTree.ABSENT ? "(none)" : value.toString();
  }

  // Owners

  private void owners() {
    var pods = ours();
    var jobs = world.list(Kind.JOB);
    if (pods.isEmpty()) {
      return;
    }
    var running = pods.stream().filter(each -> !PodView.of(each).node().isEmpty()).toList();
    var pod = chance.of(running.isEmpty() || chance.comes(0.5) ? pods : running);
    var odd = of("apiVersion", "example.com/v1", "kind", "Widget", "name", "-_!", "uid", "odd");
    switch (chance.below(5)) {
      case 0, 1 -> {
        if (!jobs.isEmpty()) {
          String queue = ObjectTree.label(pod, "berth.dev/queue");
          var others =
              jobs.stream()
                  .filter(
                      each -> !ObjectTree.label(template(each), "berth.dev/queue").equals(queue));
          var job = chance.of(chance.comes(0.5) ? jobs : orElse(others.toList(), jobs));
          owned(
              pod,
              ObjectTree.ownedBy("batch/v1", "Job", ObjectTree.name(job), ObjectTree.uid(job)));
        }
      }
      case 2 -> {
        owned(pod, ObjectTree.ownedBy("batch/v1", "Job", "ghost", "ghost-" + ++number));
        later(() -> collect(pod));
      }
      case 3 -> owned(pod, List.of(odd));
      default -> owned(pod, ObjectTree.ABSENT);
    }
  }

  private static Map<String, Object> template(Map<String, Object> job) {
    return ObjectTree.map(job, "spec", "template");
  }

  private static <T> List<T> orElse(List<T> some, List<T> others) {
    return some.isEmpty() ? others : some;
  }

  private void owned(Map<String, Object> pod, Object owners) {
    patch(pod, "owners " + word(owners), of("ownerReferences", owners));
  }

  /// The garbage collector deletes what has no owner but such that do not exist.
  private void collect(Map<String, Object> pod) {
    world
        .find(ObjectRef.to(Kind.POD, pod))
        .filter(is -> ObjectTree.uid(is).equals(ObjectTree.uid(pod)))
        .filter(is ->
            ObjectTree.maps(is, "metadata", "ownerReferences").stream()
                .anyMatch(owner -> ObjectTree.text(owner, "name").equals("ghost")))
        .ifPresent(is -> {
          journal.tell("pod " + ObjectTree.name(is) + " is collected: its owner does not exist");
          world.delete(ObjectRef.to(Kind.POD, is));
        });
  }

  private void later(Runnable act) {
    world.time().after(chance.between(Duration.ofMillis(200), LATEST), act);
  }

  // Budgets

  private void budgets() {
    var there = world.list(Kind.DISRUPTION_BUDGET);
    if (!there.isEmpty() && (chance.comes(0.4) || there.size() >= MOST_BUDGETS)) {
      delete(chance.of(there), Kind.DISRUPTION_BUDGET);
      return;
    }
    var pods = ours();
    if (pods.isEmpty()) {
      return;
    }
    String app = ObjectTree.label(chance.of(pods), "app");
    var selector = app.isEmpty() || chance.comes(0.2) ? of() : of("matchLabels", of("app", app));
    String name = "nobody-leaves-" + ++number;
    world.create(
        Kind.DISRUPTION_BUDGET,
        of(
            "metadata",
            of("namespace", ClusterGenerator.NAMESPACE, "name", name),
            "spec",
            of("selector", selector, "maxUnavailable", chance.comes(0.7) ? 0L : 1L)));
    journal.tell("tenant: budget " + name + " for " + (selector.isEmpty() ? "all" : app));
    if (chance.comes(0.7)) {
      var budget =
          world.find(new ObjectRef(Kind.DISRUPTION_BUDGET, ClusterGenerator.NAMESPACE, name));
      later(() -> budget.ifPresent(it -> delete(it, Kind.DISRUPTION_BUDGET)));
    }
  }

  private void delete(Map<String, Object> object, Kind kind) {
    var ref = ObjectRef.to(kind, object);
    if (world
        .find(ref)
        .filter(is -> ObjectTree.uid(is).equals(ObjectTree.uid(object)))
        .isPresent()) {
      journal.tell("tenant: deletes " + ref);
      world.delete(ref);
    }
  }

  // Groups

  private void groups() {
    var groups = world.list(Kind.POD_GROUP);
    if (groups.isEmpty() || chance.comes(0.1)) {
      squat();
      return;
    }
    var group = chance.of(groups);
    boolean tree = ObjectTree.has(group, "spec", "subGroups");
    switch (chance.below(6)) {
      case 0 -> delete(group, Kind.POD_GROUP);
      case 1 -> edit(group, of("queue", chance.of(queues)));
      case 2 -> edit(group, of("priorityClassName", chance.of(ClusterGenerator.PRIORITIES)));
      case 3 ->
          edit(
              group,
              of(
                  "preemptibility",
                  chance.of(List.of("Preemptible", "NonPreemptible", "SemiPreemptible"))));
      default -> {
        long top =
            ObjectTree.maps(group, "spec", "subGroups").stream()
                .filter(each -> ObjectTree.text(each, "parent").isEmpty())
                .count();
        edit(
            group,
            tree
                ? of("minSubGroup", (long) chance.between(1, (int) top))
                : of("minMember", (long) chance.between(1, 6)));
      }
    }
  }

  private void edit(Map<String, Object> group, Map<String, Object> spec) {
    world.patch(ObjectRef.to(Kind.POD_GROUP, group), of("spec", spec));
    journal.tell("tenant: PodGroup " + ObjectTree.name(group) + " gets " + spec);
  }

  /// A PodGroup in the name of a job or a pod of others.
  private void squat() {
    var others = new ArrayList<>(world.list(Kind.JOB));
    others.addAll(ours());
    if (!others.isEmpty()) {
      String name = ObjectTree.name(chance.of(others));
      world.create(
          Kind.POD_GROUP,
          of(
              "metadata",
              of("namespace", ClusterGenerator.NAMESPACE, "name", name),
              "spec",
              of("minMember", (long) chance.between(1, 3), "queue", chance.of(queues))));
      journal.tell("tenant: makes PodGroup " + name);
      var squatted = world.find(new ObjectRef(Kind.POD_GROUP, ClusterGenerator.NAMESPACE, name));
      later(() -> squatted.ifPresent(it -> delete(it, Kind.POD_GROUP)));
    }
  }

  // What must be refused

  private void forge() {
    var pods = ours();
    if (pods.isEmpty()) {
      return;
    }
    var pod = chance.of(pods);
    var ref = ObjectRef.to(Kind.POD, pod);
    var node = chance.of(world.list(Kind.NODE));
    String plan = "node=" + ObjectTree.name(node) + " slots=0 millis=10 until=2036-01-01T00:00:00Z";
    boolean gated = ObjectTree.maps(pod, "spec", "schedulingGates").size() > 0;
    switch (chance.below(6)) {
      case 0 -> refused("a plan", ref, of("annotations", of("berth.dev/plan", plan)));
      case 1 -> refused("devices", ref, of("annotations", of("berth.dev/gpu-devices", "GPU-1")));
      case 2 -> refused("a share", ref, of("annotations", of("gpu-fraction", "0.01")));
      case 3 -> refused("the name of a holder", ref, of("labels", of("berth.dev/holder", "true")));
      case 4 -> {
        if (gated) {
          refused("no gate", ref, of(), of("schedulingGates", ObjectTree.ABSENT));
        }
      }
      default -> {
        var copy = of("metadata", of("namespace", ClusterGenerator.NAMESPACE, "name", "forged"));
        copy.put("spec", of("schedulerName", "berth", "nodeName", ObjectTree.name(node)));
        try {
          world.createByTenant(copy);
          journal.breaks("a tenant made a pod of ours on a node");
        } catch (ApiRefusal refusal) {
          journal.count("tenants refused: a pod on a node");
        }
      }
    }
  }

  private void refused(String what, ObjectRef pod, Map<String, Object> metadata) {
    refused(what, pod, metadata, of());
  }

  private void refused(
      String what, ObjectRef pod, Map<String, Object> metadata, Map<String, Object> spec) {
    try {
      world.patchByTenant(pod, of("metadata", metadata, "spec", spec));
      journal.breaks("a tenant gave " + pod + " " + what);
    } catch (ApiRefusal refusal) {
      journal.count("tenants refused: " + what);
    }
  }

  // Gates of their own

  private void liftGates() {
    for (var pod : ours()) {
      var gates = ObjectTree.maps(pod, "spec", "schedulingGates");
      var left =
          gates.stream().filter(gate -> !ObjectTree.text(gate, "name").equals(ANY_GATE)).toList();
      if (left.size() < gates.size() && chance.comes(0.5)) {
        journal.tell("tenant: lifts " + ANY_GATE + " of " + ObjectTree.name(pod));
        world.patchByTenant(
            ObjectRef.to(Kind.POD, pod),
            of("spec", of("schedulingGates", left.isEmpty() ? ObjectTree.ABSENT : left)));
      }
    }
  }

  // Holders

  /// By a kubelet that is short of something, or by the control plane: nobody else may.
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

  // Volumes

  /// kube-scheduler begins to wait for volumes of a pod: another member of its gang goes, or the
  /// pod itself, which stays where it has a finalizer.
  void selected(KeptRoom room) {
    if (abusesVolumes && !isCalm && volumes.comes(0.6)) {
      boolean itself = volumes.comes(0.4);
      world
          .time()
          .after(volumes.between(Duration.ZERO, AT_ONCE), () -> disturb(room.pod(), itself));
    }
  }

  private void disturb(Map<String, ?> pod, boolean itself) {
    String app = ObjectTree.label(pod, "app");
    var others =
        ours().stream()
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

  /// Of a claim for which a node is selected.
  private void editClaim() {
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
    switch (chance.below(5)) {
      case 0 -> annotate(ref, VolumeClaims.SELECTED_NODE, ObjectTree.ABSENT);
      case 1 -> {
        var node = chance.of(world.list(Kind.NODE));
        annotate(ref, VolumeClaims.SELECTED_NODE, ObjectTree.name(node));
      }
      case 2 -> annotate(ref, VolumeClaims.BOUND, "yes");
      case 3 -> { // and the control plane says that it is lost
        annotate(ref, VolumeClaims.BOUND, "yes");
        world.patch(ref, of("spec", of("volumeName", "disk-of-nobody")));
        later(() -> {
          if (world.find(ref).isPresent()) {
            world.patchStatus(ref, of("status", of("phase", "Lost")));
          }
        });
      }
      default -> {
        world.patch(ref, of("metadata", of("finalizers", List.of(World.FINALIZER))));
        world.delete(ref);
      }
    }
  }

  private void annotate(ObjectRef claim, String annotation, Object value) {
    world.patch(claim, of("metadata", of("annotations", of(annotation, value))));
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
        later(() -> {
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
