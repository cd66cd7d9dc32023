package dev.berth.simulator.check;

import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// No gang stays partly bound: from the first binding, its minimum is bound within the deadline.
///
/// A gang that has started once is left out until none of its pods is bound any more: what it loses
/// later is for the rule of stale groups. So is one with a finished member, unless it is the gang
/// of a Job: others come in their stead, and its minimum follows what is still to run. Members that
/// their Jobs make no more, since so many have succeeded, are done without, if these Jobs make them
/// for this gang: a pod may be moved into another one. Of pods that their plans charge as different
/// things only those count of which there are most: the others were planned as members of other
/// groups, and stand alone.
public final class GangWatch {
  private final Duration deadline;
  private final TreeMap<String, Instant> partlySince = new TreeMap<>();
  private final Set<String> started = new HashSet<>();

  /// @param deadline how long a gang may be partly bound
  public GangWatch(Duration deadline) {
    this.deadline = deadline;
  }

  /// To be asked again and again: it remembers since when.
  public List<String> broken(
      List<Map<String, Object>> groups,
      List<Map<String, Object>> pods,
      List<Map<String, Object>> jobs,
      Instant now) {
    var counts = counts(groups, pods, jobs);
    var broken = new ArrayList<String>();
    partlySince.keySet().removeIf(group -> !counts.containsKey(group));
    started.removeIf(group -> !counts.containsKey(group));
    counts.forEach((group, count) -> {
      if (count.bound == 0 && count.over == 0) {
        started.remove(group);
      } else if (count.over > 0 || count.isMet()) {
        started.add(group);
      }
      if (!count.isPartly() || started.contains(group)) {
        partlySince.remove(group);
      } else if (partlySince.computeIfAbsent(group, _ -> now).plus(deadline).isBefore(now)) {
        broken.add(
            "gang "
                + group
                + " has "
                + count.bound
                + " of "
                + count.asked()
                + " bound since "
                + partlySince.get(group));
      }
    });
    return broken;
  }

  /// Gangs with some of their minimum bound and not all of it.
  public static List<String> partlyBound(
      List<Map<String, Object>> groups,
      List<Map<String, Object>> pods,
      List<Map<String, Object>> jobs) {
    var partly = new ArrayList<String>();
    counts(groups, pods, jobs)
        .forEach((group, count) -> {
          if (count.isPartly()) {
            partly.add(group + " (" + String.join(", ", count.names) + ")");
          }
        });
    return partly;
  }

  /// The pods of a gang that are bound, by the leaf of its tree (the empty name where it has none).
  private static final class Count {
    private final Map<String, Object> spec;
    private final List<PodView> pods = new ArrayList<>();
    private final TreeMap<String, Integer> boundByLeaf = new TreeMap<>();
    private int bound;
    private int leaving;
    private int over; // that count

    /// How many members fewer than in the beginning its Jobs run at once now, by leaf.
    private final TreeMap<String, Integer> fewerByLeaf = new TreeMap<>();

    private final Set<String> jobs = new HashSet<>();
    private boolean isOfJob;
    private final List<String> names = new ArrayList<>();

    private Count(Map<String, Object> spec) {
      this.spec = spec;
    }

    /// Counts the pods that are bound, once all of them are there.
    private void count() {
      var byCharge = new LinkedHashMap<String, Integer>();
      pods.forEach(pod -> byCharge.merge(charge(pod), 1, Integer::sum));
      byCharge.remove("");
      int most = byCharge.values().stream().max(Integer::compare).orElse(0);
      var usual =
          byCharge.entrySet().stream()
              .filter(each -> each.getValue() == most)
              .map(Map.Entry::getKey)
              .findFirst()
              .orElse("");
      for (var pod : pods) {
        if (charge(pod).isEmpty() || charge(pod).equals(usual)) {
          bound++;
          boundByLeaf.merge(ObjectTree.label(pod.tree(), "berth.dev/subgroup"), 1, Integer::sum);
          leaving += pod.isLeaving() ? 1 : 0;
          names.add(pod.name());
        }
      }
    }

    /// Queue and preemptibility: priorities alone split no group. A plan of another node says
    /// nothing: etcd went back to it, and a Binding of a later one came after.
    private static String charge(PodView pod) {
      var words = List.of(ObjectTree.annotation(pod.tree(), "berth.dev/plan").split(" ", -1));
      return words.contains("node=" + pod.node())
          ? words.stream()
              .filter(word -> word.startsWith("charge="))
              .findFirst()
              .map(word -> word.replaceFirst("/[^/]*/", "/"))
              .orElse("")
          : "";
    }

    /// Not where all bound members are being evicted: no more can be done.
    private boolean isPartly() {
      return bound > leaving && over == 0 && !isMet();
    }

    /// Whether what is bound meets the minimum, at every node of the tree that is needed.
    private boolean isMet() {
      return ObjectTree.maps(spec, "subGroups").isEmpty()
          ? bound + Math.max(over, fewer("")) >= ObjectTree.number(spec, 0, "minMember")
          : isMet("", ObjectTree.number(spec, 0, "minSubGroup"));
    }

    private boolean isMet(String parent, long minimum) {
      int children = 0;
      int met = 0;
      for (var each : ObjectTree.maps(spec, "subGroups")) {
        if (ObjectTree.text(each, "parent").equals(parent)) {
          children++;
          met += isChildMet(each) ? 1 : 0;
        }
      }
      return met >= (minimum == 0 ? children : minimum);
    }

    private boolean isChildMet(Map<String, Object> child) {
      String name = ObjectTree.text(child, "name");
      boolean inner =
          ObjectTree.maps(spec, "subGroups").stream()
              .anyMatch(each -> ObjectTree.text(each, "parent").equals(name));
      return inner
          ? isMet(name, ObjectTree.number(child, 0, "minSubGroup"))
          : boundByLeaf.getOrDefault(name, 0) + fewer(name)
              >= ObjectTree.number(child, 0, "minMember");
    }

    /// Of the gang of a Job the minimum follows already.
    private int fewer(String leaf) {
      return isOfJob ? 0 : fewerByLeaf.getOrDefault(leaf, 0);
    }

    private void addJob(String job, int fewer, String leaf) {
      if (jobs.add(job)) {
        fewerByLeaf.merge(
            ObjectTree.maps(spec, "subGroups").isEmpty() ? "" : leaf, fewer, Integer::sum);
      }
    }

    private String asked() {
      return ObjectTree.maps(spec, "subGroups").isEmpty()
          ? ObjectTree.text(spec, "minMember")
          : "the tree " + ObjectTree.maps(spec, "subGroups");
    }
  }

  private static SortedMap<String, Count> counts(
      List<Map<String, Object>> groups,
      List<Map<String, Object>> pods,
      List<Map<String, Object>> jobs) {
    var counts = new TreeMap<String, Count>();
    var jobsByUid = new TreeMap<String, Map<String, Object>>();
    jobs.forEach(job -> jobsByUid.put(ObjectTree.uid(job), job));
    var groupOfOwner = new TreeMap<String, String>();
    for (var group : groups) {
      String key = ObjectTree.text(group, "metadata", "namespace") + "/" + ObjectTree.name(group);
      var spec = ObjectTree.map(group, "spec");
      if (ObjectTree.number(spec, 0, "minMember") > 1
          || !ObjectTree.maps(spec, "subGroups").isEmpty()) {
        counts.put(key, new Count(spec));
        for (var owner : ObjectTree.maps(group, "metadata", "ownerReferences")) {
          if (!ObjectTree.text(owner, "name").equals(ObjectTree.name(group))) { // else pods name it
            groupOfOwner.put(ObjectTree.text(owner, "uid"), key);
            counts.get(key).isOfJob |= ObjectTree.text(owner, "kind").equals("Job");
          }
        }
      }
    }
    for (var tree : pods) {
      var pod = PodView.of(tree);
      var count = counts.get(groupOf(pod, groupOfOwner));
      if (count != null) {
        String leaf = ObjectTree.label(tree, "berth.dev/subgroup");
        for (String owner : owners(tree)) {
          var job = jobsByUid.get(owner);
          if (job != null && isMadeSo(tree, job)) {
            count.addJob(owner, fewer(job), leaf);
          }
        }
      }
      if (count != null && !pod.node().isEmpty()) {
        if (pod.takesRoom()) {
          count.pods.add(pod);
        } else if (pod.phase().equals("Succeeded") && !count.isOfJob) {
          count.over++;
        }
      }
    }
    counts.values().forEach(Count::count);
    return counts;
  }

  /// Whether a pod of a Job names the gang and the role that the Job's template names, if any.
  private static boolean isMadeSo(Map<String, Object> pod, Map<String, Object> job) {
    var template = ObjectTree.map(job, "spec", "template");
    return ObjectTree.label(pod, "berth.dev/pod-group")
            .equals(ObjectTree.label(template, "berth.dev/pod-group"))
        && ObjectTree.label(pod, "berth.dev/subgroup")
            .equals(ObjectTree.label(template, "berth.dev/subgroup"));
  }

  /// How many pods fewer than in the beginning a Job runs at once, since so many have succeeded.
  private static int fewer(Map<String, ?> job) {
    long parallelism = ObjectTree.number(job, 1, "spec", "parallelism");
    long completions = ObjectTree.number(job, Integer.MAX_VALUE, "spec", "completions");
    long left = Math.max(0, completions - ObjectTree.number(job, 0, "status", "succeeded"));
    return (int) (Math.min(parallelism, completions) - Math.min(parallelism, left));
  }

  /// By name, else by a common owner.
  private static String groupOf(PodView pod, Map<String, String> groupOfOwner) {
    if (!pod.group().isEmpty()) {
      return ObjectTree.text(pod.tree(), "metadata", "namespace") + "/" + pod.group();
    }
    for (String owner : owners(pod.tree())) {
      if (groupOfOwner.containsKey(owner)) {
        return groupOfOwner.get(owner);
      }
    }
    return "";
  }

  private static List<String> owners(Map<String, ?> object) {
    return ObjectTree.maps(object, "metadata", "ownerReferences").stream()
        .map(reference -> ObjectTree.text(reference, "uid"))
        .toList();
  }
}
