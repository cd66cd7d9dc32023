package dev.berth.simulator.chaos;

import static dev.berth.simulator.world.ObjectTree.of;

import dev.berth.controllers.client.Watcher.Kind;
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
import java.util.TreeMap;
import java.util.function.Consumer;

/// Who comes, ends, fails, gives up: jobs with gangs and without, pods that nobody brings back,
/// pods of another scheduler. Stops when the faults are over: from then on nothing ends.
final class Traffic {
  static final String OTHER = "default-scheduler";
  private static final String APP = "app";
  private static final int MOST = 9;
  private static final int MOST_BUDGETS = 2;

  private final World world;
  private final Chance chance;
  private final List<String> queues;
  private final Journal journal;
  private final PeriodicTask pulse;
  private final Consumer<Map<String, Object>> dress;
  private final Chance trees;
  private final Chance waves;
  private final Chance unlike;
  private final boolean areUnlike;
  private final boolean areTrees;
  private final TreeMap<String, List<ObjectRef>> jobsOfTrees = new TreeMap<>();
  private int number;

  /// @param areTrees whether gangs come that are trees
  /// @param dress adds to every pod of ours what tenants say of it
  Traffic(
      World world,
      List<String> queues,
      Journal journal,
      boolean areTrees,
      Consumer<Map<String, Object>> dress) {
    this.areTrees = areTrees;
    this.trees = new Chance(world.settings().seed(), "trees");
    this.waves = new Chance(world.settings().seed(), "waves");
    this.unlike = new Chance(world.settings().seed(), "unlike");
    this.areUnlike = world.settings().seed() % 4 == 1;
    this.dress = dress;
    this.world = world;
    this.chance = new Chance(world.settings().seed(), "traffic");
    this.queues = queues;
    this.journal = journal;
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
    if (areTrees && here < MOST && trees.comes(0.15)) {
      tree();
    }
    if (areUnlike && here < MOST && unlike.comes(0.2)) {
      unlike();
    }
    clearTrees();
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

  // Who comes

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
    var pod = pod("stranger-" + ++number, OTHER);
    amounts(
        pod,
        of("cpu", "1", "memory", "1Gi", ClusterGenerator.GPU, chance.of(List.of("0", "1", "2"))));
    world.create(Kind.POD, pod);
    journal.tell("comes stranger-" + number);
  }

  private void alone() {
    var pod = template();
    String name = "alone-" + ++number;
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
    String name = (minimum > 1 ? "gang-" : "job-") + ++number;
    var template = template();
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

  // Trees

  /// A job for each leaf, and a PodGroup that says how many of which must start together.
  private void tree() {
    String name = "tree-" + ++number;
    var template = template();
    var labels = ObjectTree.under(ObjectTree.under(template, "metadata"), "labels");
    labels.put(APP, name);
    labels.put("berth.dev/pod-group", name);
    var subGroups = new ArrayList<Map<String, Object>>();
    var jobs = new ArrayList<ObjectRef>();
    int children = trees.between(2, 3);
    for (int i = 0; i < children; i++) {
      String child = "c" + i;
      if (trees.comes(0.3)) {
        int below = trees.between(2, 3);
        subGroups.add(minimum(of("name", child), "minSubGroup", trees.between(0, below)));
        for (int k = 0; k < below; k++) {
          jobs.add(leaf(name, child + "-" + k, child, template, subGroups));
        }
      } else {
        jobs.add(leaf(name, child, "", template, subGroups));
      }
    }
    var spec = minimum(of("subGroups", subGroups), "minSubGroup", trees.between(0, children));
    world.create(
        Kind.POD_GROUP,
        of("metadata", of("namespace", ClusterGenerator.NAMESPACE, "name", name), "spec", spec));
    jobsOfTrees.put(name, jobs);
    journal.tell("comes " + name + " " + spec);
    journal.count("trees");
  }

  /// An elastic group of two jobs whose pods ask for different numbers of GPUs.
  private void unlike() {
    String name = "unlike-" + ++number;
    var template = pod("", "berth");
    ObjectTree.under(template, "metadata").remove("name");
    ObjectTree.under(template, "metadata").remove("namespace");
    var labels = ObjectTree.under(ObjectTree.under(template, "metadata"), "labels");
    labels.put(APP, name);
    labels.put("berth.dev/pod-group", name);
    labels.put("berth.dev/queue", unlike.of(queues));
    ObjectTree.under(template, "spec")
        .put("priorityClassName", unlike.of(ClusterGenerator.PRIORITIES));
    var jobs = new ArrayList<ObjectRef>();
    int pods = 0;
    for (String gpus : List.of("1", "2")) {
      var its = ObjectTree.thaw(template);
      amounts(its, of("cpu", "1", "memory", "1Gi", ClusterGenerator.GPU, gpus));
      int some = unlike.between(1, 2);
      pods += some;
      jobs.add(job(name + "-" + gpus, some, its));
    }
    var spec = of("minMember", (long) unlike.between(1, pods));
    world.create(
        Kind.POD_GROUP,
        of("metadata", of("namespace", ClusterGenerator.NAMESPACE, "name", name), "spec", spec));
    jobsOfTrees.put(name, jobs);
    journal.tell("comes " + name + " " + spec);
    journal.count("groups of unlike members");
  }

  private ObjectRef job(String name, int pods, Map<String, Object> template) {
    var spec =
        of(
            "parallelism",
            (long) pods,
            "completions",
            (long) pods,
            "ttlSecondsAfterFinished",
            2L,
            "template",
            template);
    var metadata = of("namespace", ClusterGenerator.NAMESPACE, "name", name);
    return ObjectRef.to(Kind.JOB, world.create(Kind.JOB, of("metadata", metadata, "spec", spec)));
  }

  private static Map<String, Object> minimum(Map<String, Object> of, String field, int minimum) {
    if (minimum > 0) {
      of.put(field, (long) minimum);
    }
    return of;
  }

  private ObjectRef leaf(
      String tree,
      String leaf,
      String parent,
      Map<String, Object> template,
      List<Map<String, Object>> subGroups) {
    int pods = trees.between(1, 2);
    var subGroup = minimum(of("name", leaf), "minMember", trees.between(trees.below(2), pods));
    if (!parent.isEmpty()) {
      subGroup.put("parent", parent);
    }
    subGroups.add(subGroup);
    var its = ObjectTree.thaw(template);
    ObjectTree.under(ObjectTree.under(its, "metadata"), "labels").put("berth.dev/subgroup", leaf);
    return job(tree + "-" + leaf, pods, its);
  }

  /// PodGroups of which all jobs are over go, too.
  private void clearTrees() {
    jobsOfTrees
        .entrySet()
        .removeIf(tree -> {
          boolean over = tree.getValue().stream().noneMatch(job -> world.find(job).isPresent());
          var group = new ObjectRef(Kind.POD_GROUP, ClusterGenerator.NAMESPACE, tree.getKey());
          if (over && world.find(group).isPresent()) {
            world.delete(group);
          }
          return over;
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

  private Map<String, Object> pod(String name, String scheduler) {
    return of(
        "metadata",
        of("namespace", ClusterGenerator.NAMESPACE, "name", name),
        "spec",
        of(
            "schedulerName",
            scheduler,
            "terminationGracePeriodSeconds",
            (long) chance.between(1, 6)));
  }

  private static void amounts(Map<String, Object> pod, Map<String, Object> amounts) {
    ObjectTree.under(pod, "spec")
        .put(
            "containers",
            List.of(of("name", "main", "resources", of("requests", amounts, "limits", amounts))));
  }

  /// A pod of ours without a name: what it asks for, in which queue, how important.
  private Map<String, Object> template() {
    var pod = pod("", "berth");
    ObjectTree.under(pod, "metadata").remove("name");
    ObjectTree.under(pod, "metadata").remove("namespace");
    var labels = ObjectTree.under(ObjectTree.under(pod, "metadata"), "labels");
    var annotations = ObjectTree.under(ObjectTree.under(pod, "metadata"), "annotations");
    var spec = ObjectTree.under(pod, "spec");
    labels.put("berth.dev/queue", chance.of(queues));
    spec.put("priorityClassName", chance.of(ClusterGenerator.PRIORITIES));
    if (chance.comes(0.1)) {
      labels.put("berth.dev/preemptibility", chance.comes(0.5) ? "preemptible" : "non-preemptible");
    }
    if (chance.comes(0.1)) {
      spec.put("nodeSelector", of(ClusterGenerator.POOL, chance.of(List.of("blue", "red"))));
    }
    if (chance.comes(0.05)) {
      annotations.put("berth.dev/preemption-delay", "5s");
    }
    var amounts = of("cpu", chance.of(List.of("1", "1", "2")), "memory", "1Gi");
    int dice = chance.below(100);
    if (dice < 40) {
      annotations.put("gpu-fraction", chance.of(List.of("0.2", "0.3", "0.5", "0.5", "0.7", "0.9")));
    } else if (dice < 50) {
      annotations.put("gpu-memory", chance.of(List.of("8192", "20Gi", "36Gi")));
    }
    if (dice < 50 && chance.comes(0.15)) {
      annotations.put("gpu-fraction-num-devices", "2");
    } else if (dice >= 50 && dice < 92) {
      amounts.put(ClusterGenerator.GPU, chance.of(List.of("1", "1", "1", "2", "4")));
    }
    amounts(pod, amounts);
    dress.accept(pod);
    return pod;
  }

  // Who goes

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
      journal.tell("somebody deletes " + ObjectTree.name(pod));
      world.delete(ObjectRef.to(Kind.POD, pod));
    }
  }
}
