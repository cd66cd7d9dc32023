package dev.berth.simulator.chaos;

import static dev.berth.simulator.world.ObjectTree.of;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Groups of several jobs: trees of subgroups, and elastic groups of unlike members.
///
/// Draws from chances of its own, so that runs without them are what they were.
final class GroupTraffic {
  private final World world;
  private final PodTemplates templates;
  private final List<String> queues;
  private final Journal journal;
  private final Chance trees;
  private final Chance unlike;
  private final boolean areTrees;
  private final boolean areUnlike;
  private final TreeMap<String, List<ObjectRef>> jobsByGroup = new TreeMap<>();

  /// @param areTrees whether trees come; unlike members come with every fourth seed
  GroupTraffic(
      World world, PodTemplates templates, List<String> queues, boolean areTrees, Journal journal) {
    this.world = world;
    this.templates = templates;
    this.queues = queues;
    this.areTrees = areTrees;
    this.journal = journal;
    this.trees = new Chance(world.settings().seed(), "trees");
    this.unlike = new Chance(world.settings().seed(), "unlike");
    this.areUnlike = world.settings().seed() % 4 == 1;
  }

  /// Creates none, one or two groups.
  void mayCome() {
    if (areTrees && trees.comes(0.15)) {
      tree();
    }
    if (areUnlike && unlike.comes(0.2)) {
      unlike();
    }
  }

  /// A job for each leaf, and a PodGroup that says how many of which must start together.
  private void tree() {
    String name = "tree-" + templates.nextNumber();
    var template = templates.template();
    var labels = ObjectTree.under(ObjectTree.under(template, "metadata"), "labels");
    labels.put(PodTemplates.APP, name);
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
    comes(name, spec, jobs, "trees");
  }

  /// An elastic group of two jobs whose pods ask for different numbers of GPUs.
  private void unlike() {
    String name = "unlike-" + templates.nextNumber();
    var template = templates.nameless();
    var labels = ObjectTree.under(ObjectTree.under(template, "metadata"), "labels");
    labels.put(PodTemplates.APP, name);
    labels.put("berth.dev/pod-group", name);
    labels.put("berth.dev/queue", unlike.of(queues));
    ObjectTree.under(template, "spec")
        .put("priorityClassName", unlike.of(ClusterGenerator.PRIORITIES));
    var jobs = new ArrayList<ObjectRef>();
    int pods = 0;
    for (String gpus : List.of("1", "2")) {
      var its = ObjectTree.thaw(template);
      PodTemplates.amounts(its, of("cpu", "1", "memory", "1Gi", ClusterGenerator.GPU, gpus));
      int some = unlike.between(1, 2);
      pods += some;
      jobs.add(job(name + "-" + gpus, some, its));
    }
    var spec = of("minMember", (long) unlike.between(1, pods));
    comes(name, spec, jobs, "groups of unlike members");
  }

  private void comes(String name, Map<String, Object> spec, List<ObjectRef> jobs, String kind) {
    world.create(
        Kind.POD_GROUP,
        of("metadata", of("namespace", ClusterGenerator.NAMESPACE, "name", name), "spec", spec));
    jobsByGroup.put(name, jobs);
    journal.tell("comes " + name + " " + spec);
    journal.count(kind);
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

  /// Deletes PodGroups of which all jobs are over.
  void clear() {
    jobsByGroup
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
}
