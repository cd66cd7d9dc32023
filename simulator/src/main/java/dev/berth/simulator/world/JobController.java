package dev.berth.simulator.world;

import dev.berth.controllers.client.Watcher;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// The Job controller and the garbage collector, as far as batch work needs them.
///
/// Keeps `parallelism` pods until `completions` of them succeeded; a pod that fails, is evicted or
/// deleted comes back under a new name with a new UID, at once or after a pause, twice as long from
/// the second one on (the real one doubles it up to 10 min). Its status tells a while later how
/// many have succeeded. A finished job goes, with all it owns, after its `ttlSecondsAfterFinished`.
public final class JobController implements Watcher {
  private final World world;
  private final Time time;
  private final Chance chance;
  private final Chance pauses;
  private final Duration pause;
  private final TreeMap<String, Owned> jobs = new TreeMap<>();

  /// A job and its pods, by UID.
  private static final class Owned {
    private Map<String, ?> job;
    private final TreeMap<String, Map<String, ?>> pods = new TreeMap<>();
    private final TreeSet<String> names = new TreeSet<>();
    private final TreeSet<String> succeeded = new TreeSet<>();
    private int gone; // that succeeded before this one came up
    private boolean finished;
    private boolean tells;
    private final TreeSet<String> lost = new TreeSet<>();
    private Instant notBefore = Instant.EPOCH;

    private Owned(Map<String, ?> job) {
      this.job = job;
    }

    private int succeeded() {
      return gone + succeeded.size();
    }
  }

  /// Jobs that do not pause.
  public JobController(World world) {
    this(world, Duration.ZERO);
  }

  /// @param pause of a job that has lost its first pod
  public JobController(World world, Duration pause) {
    this.world = world;
    this.pause = pause;
    this.time = world.time();
    this.chance = new Chance(world.settings().seed(), "jobs");
    this.pauses = new Chance(world.settings().seed(), "job statuses");
  }

  public void start() {
    world.watch(EnumSet.of(Kind.JOB, Kind.POD), this);
  }

  /// Comes up again with an empty memory. The pods of jobs that are not there are collected.
  public void restart() {
    world.unwatch(this);
    jobs.clear();
    for (var job : world.list(Kind.JOB)) {
      jobs.put(ObjectTree.uid(job), new Owned(job));
    }
    for (var pod : world.list(Kind.POD)) {
      var owned = jobs.get(ownerOf(pod));
      if (owned != null) {
        owned.pods.put(ObjectTree.uid(pod), pod);
        if (ObjectTree.text(pod, "status", "phase").equals("Succeeded")) {
          owned.succeeded.add(ObjectTree.uid(pod));
        }
      }
    }
    jobs.values().forEach(owned -> owned.gone = Math.max(0, told(owned) - owned.succeeded()));
    for (Kind kind : List.of(Kind.POD, Kind.POD_GROUP)) {
      world.list(kind).stream().filter(this::isOrphan).forEach(this::delete);
    }
    start();
  }

  private boolean isOrphan(Map<String, ?> object) {
    return ObjectTree.maps(object, "metadata", "ownerReferences").stream()
        .anyMatch(owner ->
            ObjectTree.text(owner, "kind").equals("Job")
                && !jobs.containsKey(ObjectTree.text(owner, "uid")));
  }

  private void delete(Map<String, Object> object) {
    Kind kind = ObjectTree.has(object, "spec", "containers") ? Kind.POD : Kind.POD_GROUP;
    if (kind != Kind.POD || !PodRules.isLeaving(object)) {
      world.delete(ObjectRef.to(kind, object));
    }
  }

  @Override
  public void seen(Kind kind, Map<String, ?> object) {
    if (kind == Kind.JOB) {
      var owned = jobs.computeIfAbsent(ObjectTree.uid(object), _ -> new Owned(object));
      owned.job = object;
      reconcile(owned);
    } else {
      var owned = jobs.get(ownerOf(object));
      for (Owned other : jobs.values()) { // a tenant may write another owner
        if (other != owned && other.pods.remove(ObjectTree.uid(object)) != null) {
          reconcile(other);
        }
      }
      if (owned != null) {
        owned.names.remove(ObjectTree.name(object));
        owned.pods.put(ObjectTree.uid(object), object);
        reconcile(owned);
      }
    }
  }

  @Override
  public void gone(Kind kind, Map<String, ?> object) {
    if (kind == Kind.JOB) {
      jobs.remove(ObjectTree.uid(object));
      collect(ObjectTree.uid(object));
    } else {
      var owned = jobs.get(ownerOf(object));
      if (owned != null) {
        owned.pods.remove(ObjectTree.uid(object));
        pauseFor(owned, object);
        reconcile(owned);
      }
    }
  }

  @Override
  public void synced(Kind kind) {}

  private static String ownerOf(Map<String, ?> object) {
    for (var reference : ObjectTree.maps(object, "metadata", "ownerReferences")) {
      if (ObjectTree.isTrue(reference, "controller")) {
        return ObjectTree.text(reference, "uid");
      }
    }
    return "";
  }

  private void reconcile(Owned owned) {
    int active = owned.names.size();
    for (var pod : owned.pods.values()) {
      if (ObjectTree.text(pod, "status", "phase").equals("Succeeded")) {
        owned.succeeded.add(ObjectTree.uid(pod));
      } else if (PodRules.isOver(pod) || PodRules.isLeaving(pod)) {
        pauseFor(owned, pod);
      } else {
        active++;
      }
    }
    int parallelism = (int) ObjectTree.number(owned.job, 1, "spec", "parallelism");
    int completions = (int) ObjectTree.number(owned.job, parallelism, "spec", "completions");
    int missing = Math.min(parallelism, completions - owned.succeeded()) - active;
    boolean isPausing = owned.notBefore.isAfter(time.instant());
    for (int i = 0; i < missing && !owned.finished && !isPausing; i++) {
      create(owned);
    }
    if (!owned.finished && owned.succeeded() >= completions) {
      finish(owned);
    } else if (!owned.tells && !owned.finished && owned.succeeded() > told(owned)) {
      owned.tells = true;
      time.after(pauses.between(Duration.ZERO, Duration.ofSeconds(2)), () -> tell(owned));
    }
  }

  /// A pod is lost.
  private void pauseFor(Owned owned, Map<String, ?> pod) {
    boolean succeeded = owned.succeeded.contains(ObjectTree.uid(pod));
    if (!pause.isPositive() || succeeded || !owned.lost.add(ObjectTree.uid(pod))) {
      return;
    }
    var next = owned.lost.size() > 1 ? pause.multipliedBy(2) : pause;
    owned.notBefore = time.instant().plus(next);
    time.after(
        next,
        () -> {
          if (jobs.get(ObjectTree.uid(owned.job)) == owned) {
            reconcile(owned);
          }
        });
  }

  /// How many have succeeded, as its status tells.
  private static int told(Owned owned) {
    return (int) ObjectTree.number(owned.job, 0, "status", "succeeded");
  }

  private void tell(Owned owned) {
    owned.tells = false;
    var ref = ObjectRef.to(Kind.JOB, owned.job);
    boolean ours = jobs.get(ObjectTree.uid(owned.job)) == owned; // else it was restarted
    if (ours && !owned.finished && isThere(ref, ObjectTree.uid(owned.job))) {
      var status = ObjectTree.of("succeeded", (long) owned.succeeded());
      world.patchStatus(ref, ObjectTree.of("status", status));
    }
  }

  private void create(Owned owned) {
    var pod = ObjectTree.thaw(ObjectTree.map(owned.job, "spec", "template"));
    var metadata = ObjectTree.under(pod, "metadata");
    String name = ObjectTree.name(owned.job) + "-" + chance.suffix();
    metadata.put("namespace", ObjectTree.text(owned.job, "metadata", "namespace"));
    metadata.put("name", name);
    metadata.put(
        "ownerReferences",
        ObjectTree.ownedBy(
            "batch/v1", "Job", ObjectTree.name(owned.job), ObjectTree.uid(owned.job)));
    pod.put("apiVersion", "v1");
    pod.put("kind", "Pod");
    owned.names.add(name);
    world.create(Kind.POD, pod);
  }

  private void finish(Owned owned) {
    owned.finished = true;
    var ref = ObjectRef.to(Kind.JOB, owned.job);
    if (!isThere(ref, ObjectTree.uid(owned.job))) {
      return; // it was given up meanwhile
    }
    world.patchStatus(
        ref,
        ObjectTree.of(
            "status",
            ObjectTree.of(
                "succeeded",
                (long) owned.succeeded(),
                "conditions",
                List.of(Conditions.condition("Complete", true, "", "")))));
    if (ObjectTree.has(owned.job, "spec", "ttlSecondsAfterFinished")) {
      long ttl = ObjectTree.number(owned.job, 0, "spec", "ttlSecondsAfterFinished");
      String uid = ObjectTree.uid(owned.job);
      time.after(Duration.ofSeconds(ttl), () -> delete(ref, uid));
    }
  }

  private void delete(ObjectRef ref, String uid) {
    if (isThere(ref, uid)) {
      world.delete(ref);
    }
  }

  private boolean isThere(ObjectRef ref, String uid) {
    return world.find(ref).filter(there -> ObjectTree.uid(there).equals(uid)).isPresent();
  }

  /// What was owned goes after its owner.
  private void collect(String owner) {
    for (Kind kind : List.of(Kind.POD, Kind.POD_GROUP)) {
      for (var object : new ArrayList<>(world.list(kind))) {
        if (ownerOf(object).equals(owner) && !PodRules.isLeaving(object)) {
          world.delete(ObjectRef.to(kind, object));
        }
      }
    }
  }
}
