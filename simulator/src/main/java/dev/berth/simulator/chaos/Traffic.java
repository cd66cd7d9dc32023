package dev.berth.simulator.chaos;

import static dev.berth.simulator.world.ObjectTree.of;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.engine.request.WellKnownNames;
import dev.berth.simulator.world.ApiRefusal;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import dev.berth.simulator.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// What users create, and what ends, fails or is deleted: jobs with and without gangs, pods without
/// a controller, pods of another scheduler. Stops when the faults are over: from then on nothing
/// ends.
final class Traffic {
  static final String OTHER = WellKnownNames.DEFAULT_SCHEDULER;
  private static final String APP = PodTemplates.APP;
  private static final int MOST = 9;
  private static final int MOST_BUDGETS = 2;

  private final World world;
  private final Chance chance;
  private final Journal journal;
  private final PeriodicTask pulse;
  private final Chance waves;
  private final PodTemplates templates;
  private final GroupTraffic groups;

  /// @param areTrees whether gangs come that are trees
  /// @param dress adds to every pod of Berth what tenants say of it
  Traffic(
      World world,
      List<String> queues,
      Journal journal,
      boolean areTrees,
      Consumer<Map<String, Object>> dress) {
    this.waves = new Chance(world.settings().seed(), "waves");
    this.world = world;
    this.chance = new Chance(world.settings().seed(), "traffic");
    this.journal = journal;
    this.templates = new PodTemplates(chance, queues, dress);
    this.groups = new GroupTraffic(world, templates, queues, areTrees, journal);
    var pause =
        chance.of(List.of(Duration.ofMillis(400), Duration.ofSeconds(1), Duration.ofSeconds(3)));
    this.pulse = new PeriodicTask(world.time(), chance, pause, this::act);
  }

  void begin() {
    int first = chance.between(2, 6);
    for (int i = 0; i < first; i++) {
      come();
    }
    pulse.begin();
  }

  void end() {
    pulse.end();
  }

  private void act() {
    int here = world.list(Kind.JOB).size() + bare().size();
    if (here < MOST) {
      groups.mayCome();
    }
    groups.clear();
    int dice = chance.below(100);
    try {
      if (dice < 45 && here < MOST) {
        come();
      } else if (dice < 65) {
        finish();
      } else if (dice < 75) {
        giveUp();
      } else if (dice < 82) {
        deletePod();
      } else if (dice < 88) {
        fail();
      }
    } catch (ApiRefusal gone) {
      journal.count("users refused");
    }
  }

  // What comes

  private void come() {
    int dice = chance.below(100);
    if (dice < 12) {
      stranger();
    } else if (dice < 30) {
      alone();
    } else if (dice < 55) {
      job(1, 1);
    } else if (dice < 65) {
      job(chance.between(2, 4), 1);
    } else {
      int members = chance.of(List.of(2, 2, 2, 3, 3, 4, 6));
      job(members + (chance.comes(0.25) ? chance.between(1, 2) : 0), members);
    }
  }

  private void stranger() {
    String name = "stranger-" + templates.nextNumber();
    var pod = templates.pod(name, OTHER);
    PodTemplates.amounts(
        pod,
        of("cpu", "1", "memory", "1Gi", ClusterGenerator.GPU, chance.of(List.of("0", "1", "2"))));
    world.create(Kind.POD, pod);
    journal.tell("comes " + name);
  }

  private void alone() {
    var pod = templates.template();
    String name = "alone-" + templates.nextNumber();
    var metadata = ObjectTree.under(pod, "metadata");
    metadata.put("namespace", ClusterGenerator.NAMESPACE);
    metadata.put("name", name);
    if (chance.comes(0.1)) {
      ObjectTree.under(metadata, "annotations").put("berth.dev/max-runtime", "20s");
    }
    world.create(Kind.POD, pod);
    journal.tell("comes " + name);
  }

  private void job(int pods, int minimum) {
    String name = (minimum > 1 ? "gang-" : "job-") + templates.nextNumber();
    var template = templates.template();
    ObjectTree.under(ObjectTree.under(template, "metadata"), "labels").put(APP, name);
    boolean object = minimum > 1 && chance.comes(0.5);
    if (object) {
      ObjectTree.under(ObjectTree.under(template, "metadata"), "labels")
          .put("berth.dev/pod-group", name);
    }
    int completions = pods;
    if (minimum > 1 && !object && waves.comes(0.4)) {
      completions += waves.between(1, 2 * pods);
      journal.count("gangs of several waves");
    }
    var job =
        of(
            "metadata",
            of("namespace", ClusterGenerator.NAMESPACE, "name", name),
            "spec",
            of(
                "parallelism",
                (long) pods,
                "completions",
                (long) completions,
                "ttlSecondsAfterFinished",
                2L,
                "template",
                template));
    if (minimum > 1 && !object) {
      ObjectTree.under(ObjectTree.under(job, "metadata"), "annotations")
          .put("berth.dev/min-member", Integer.toString(minimum));
      topology(ObjectTree.under(job, "metadata"), "berth.dev/topology-");
    }
    var made = world.create(Kind.JOB, job);
    if (object) {
      group(made, minimum);
    }
    if (chance.comes(0.12) && world.list(Kind.DISRUPTION_BUDGET).size() < MOST_BUDGETS) {
      budget(name, pods);
    }
    journal.tell("comes " + name + ", " + pods + " pods, at least " + minimum);
  }

  private void group(Map<String, Object> job, int minimum) {
    var spec = of("minMember", (long) minimum);
    if (chance.comes(0.3)) {
      spec.put(
          "topology",
          of(
              "name",
              ClusterGenerator.TOPOLOGY,
              chance.comes(0.5) ? "required" : "preferred",
              "rack"));
    }
    var group =
        of(
            "metadata",
            of(
                "namespace",
                ClusterGenerator.NAMESPACE,
                "name",
                ObjectTree.name(job),
                "ownerReferences",
                ObjectTree.ownedBy("batch/v1", "Job", ObjectTree.name(job), ObjectTree.uid(job))),
            "spec",
            spec);
    Duration late =
        chance.comes(0.2) ? chance.between(Duration.ZERO, Duration.ofSeconds(3)) : Duration.ZERO;
    world
        .time()
        .after(
            late,
            () -> {
              boolean squatted = world.find(ObjectRef.to(Kind.POD_GROUP, group)).isPresent();
              if (world.find(ObjectRef.to(Kind.JOB, job)).isPresent() && !squatted) {
                world.create(Kind.POD_GROUP, group);
              }
            });
  }

  private void topology(Map<String, Object> metadata, String prefix) {
    if (chance.comes(0.3)) {
      var annotations = ObjectTree.under(metadata, "annotations");
      annotations.put("berth.dev/topology", ClusterGenerator.TOPOLOGY);
      annotations.put(prefix + (chance.comes(0.5) ? "required" : "preferred"), "rack");
    }
  }

  private void budget(String app, int pods) {
    var spec = of("selector", of("matchLabels", of(APP, app)));
    if (chance.comes(0.5)) {
      spec.put("maxUnavailable", (long) chance.between(0, 1));
    } else {
      spec.put("minAvailable", (long) chance.between(1, pods));
    }
    world.create(
        Kind.DISRUPTION_BUDGET,
        of("metadata", of("namespace", ClusterGenerator.NAMESPACE, "name", app), "spec", spec));
  }

  // What goes

  private List<Map<String, Object>> bare() {
    return pods(pod -> ObjectTree.list(pod.tree(), "metadata", "ownerReferences").isEmpty());
  }

  private List<Map<String, Object>> pods(java.util.function.Predicate<PodView> which) {
    var found = new ArrayList<Map<String, Object>>();
    for (var pod : world.list(Kind.POD)) {
      var view = PodView.of(pod);
      if (!view.isHolder() && which.test(view)) {
        found.add(pod);
      }
    }
    return found;
  }

  /// All that runs of one job has succeeded, or a pod alone.
  private void finish() {
    var running = pods(pod -> pod.phase().equals("Running") && !pod.isLeaving());
    if (running.isEmpty()) {
      return;
    }
    var one = chance.of(running);
    String app = ObjectTree.label(one, APP);
    journal.tell("finishes " + (app.isEmpty() ? ObjectTree.name(one) : app));
    for (var pod : running) {
      if (pod == one || !app.isEmpty() && ObjectTree.label(pod, APP).equals(app)) {
        phase(pod, "Succeeded");
        if (ObjectTree.list(pod, "metadata", "ownerReferences").isEmpty()) {
          world.time().after(Duration.ofSeconds(1), () -> remove(pod));
        }
      }
    }
  }

  private void remove(Map<String, Object> pod) {
    if (world
        .find(ObjectRef.to(Kind.POD, pod))
        .filter(is -> ObjectTree.uid(is).equals(ObjectTree.uid(pod)))
        .isPresent()) {
      world.delete(ObjectRef.to(Kind.POD, pod));
    }
  }

  private void phase(Map<String, Object> pod, String phase) {
    world.patchStatus(
        ObjectRef.to(Kind.POD, pod),
        of("metadata", of("uid", ObjectTree.uid(pod)), "status", of("phase", phase)));
  }

  private void fail() {
    var running = pods(pod -> pod.phase().equals("Running") && !pod.isLeaving());
    if (!running.isEmpty()) {
      var one = chance.of(running);
      journal.tell("fails " + ObjectTree.name(one));
      phase(one, "Failed");
    }
  }

  private void giveUp() {
    var jobs = world.list(Kind.JOB);
    var bare = bare();
    int which = chance.below(jobs.size() + bare.size() + 1);
    if (which < jobs.size()) {
      journal.tell("gives up " + ObjectTree.name(jobs.get(which)));
      world.delete(ObjectRef.to(Kind.JOB, jobs.get(which)));
    } else if (which < jobs.size() + bare.size()) {
      var pod = bare.get(which - jobs.size());
      journal.tell("gives up " + ObjectTree.name(pod));
      world.delete(ObjectRef.to(Kind.POD, pod));
    }
  }

  private void deletePod() {
    var ours = pods(pod -> !pod.isLeaving());
    if (!ours.isEmpty()) {
      var pod = chance.of(ours);
      journal.tell("a tenant deletes " + ObjectTree.name(pod));
      world.delete(ObjectRef.to(Kind.POD, pod));
    }
  }
}
