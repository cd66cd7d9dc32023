package dev.berth.controllers.grouping.kinds;

import dev.berth.controllers.grouping.kinds.GangShape.Roles;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.request.GroupLabels;
import dev.berth.engine.request.GroupNames;
import dev.berth.engine.request.JobManifest;
import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.Problems;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// `jobset.x-k8s.io` JobSet: a sub-group per replicatedJob, below it one per Job of it, whose
/// minimum is the Job's parallelism (or `berth.dev/min-member` on its template).
///
/// All replicatedJobs start together, but those that cannot exist yet do not count: with
/// `startupPolicyOrder: InOrder` the first is enough, and one that depends on others counts when
/// they are ready, or complete, as it says. What is complete counts no more. `berth.dev/min-member`
/// on the JobSet says how many of them it takes, at least one.
final class JobSets implements Rule {
  private static final String LABELS = "jobset.sigs.k8s.io/";
  private static final Set<String> COMPLETE = Set.of("Complete");
  private static final int LONGEST_NAME = 63;
  private static final int MOST_DIGITS = 9;

  /// A replicatedJob and what the status says of it.
  private record Replicated(
      String name, ManifestTree tree, int replicas, int ready, int succeeded) {
    boolean isComplete() {
      return replicas > 0 && succeeded >= replicas;
    }

    boolean isReady() {
      return (long) ready + succeeded >= replicas;
    }
  }

  @Override
  public RoleAssignment seat(KubeObject subject, WorkloadPod pod, Problems problems) {
    String name = pod.label(LABELS + "replicatedjob-name");
    String index = pod.label(LABELS + "job-index");
    if (name.isEmpty() || !isIndex(index)) {
      problems.add(
          LABELS + (name.isEmpty() ? "replicatedjob-name" : "job-index"),
          name.isEmpty() ? name : index,
          "the JobSet controller writes both labels, and without them Berth does not know the pod's"
              + " role.");
      return RoleAssignment.ALONE;
    }
    return RoleAssignment.of(leaf(name, Integer.parseInt(index)));
  }

  /// The leaf of a pod that has a seat.
  private static String leaf(WorkloadPod pod) {
    String index = pod.label(LABELS + "job-index");
    return isIndex(index)
        ? leaf(pod.label(LABELS + "replicatedjob-name"), Integer.parseInt(index))
        : "";
  }

  /// Written out, since it is asked for each event of each pod.
  private static boolean isIndex(String text) {
    if (text.isEmpty() || text.length() > MOST_DIGITS) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  /// @param finished its Job is complete
  /// @param failed indexes of its Job that do not come again
  private record Trait(String leaf, boolean finished, int failed) {}

  /// Of a replicatedJob of which no Job has finished, it does not matter which pods are there.
  @Override
  public Object trait(KubeObject subject, WorkloadPod pod) {
    boolean finished = isOfFinishedJob(pod);
    int failed = failedIndexes(pod);
    return finished
            || failed > 0
            || hasFinishedJobs(subject, pod.label(LABELS + "replicatedjob-name"))
        ? new Trait(leaf(pod), finished, failed)
        : SAME;
  }

  /// Reads the bare tree: a JobSet may have thousands of replicatedJobs, and pods of each.
  private static boolean hasFinishedJobs(KubeObject subject, String name) {
    if (subject.fields().get("status") instanceof Map<?, ?> status
        && status.get("replicatedJobsStatus") instanceof List<?> all) {
      for (Object each : all) {
        if (each instanceof Map<?, ?> of && name.equals(of.get("name"))) {
          return of.get("succeeded") instanceof Number number && number.longValue() > 0;
        }
      }
    }
    return false;
  }

  @Override
  public GangShape shape(GangMembers family, Problems problems) {
    var jobs = replicatedJobs(family.subject(), problems);
    var present = new TreeSet<String>();
    var done = new TreeSet<String>();
    var failed = new TreeMap<String, Integer>();
    for (WorkloadPod member : family.members()) {
      String leaf = leaf(member);
      present.add(leaf);
      failed.merge(leaf, failedIndexes(member), Math::max);
      if (isOfFinishedJob(member)) {
        done.add(leaf);
      }
    }
    var roles = new Roles();
    int top = 0;
    int startable = 0;
    for (Replicated job : jobs.values()) {
      if (!roles.takes(1L + job.replicas(), job.tree(), "replicas")) {
        break;
      }
      if (!job.isComplete() && add(roles, job, present, done, failed)) {
        top++;
        startable += canStart(job, jobs) ? 1 : 0;
      }
    }
    if (roles.isEmpty()) {
      return GangShape.of(
          1); // all is done, or it has none: what is there still asks for nothing more
    }
    int minimum = minimum(family.subject(), startable, problems);
    return roles.shape().needing(minimum >= top ? 0 : minimum);
  }

  private static int minimum(KubeObject subject, int startable, Problems problems) {
    int said = GroupLabels.minMember(subject.annotations(problems));
    if (said > 0) {
      return said;
    }
    ManifestTree policy = subject.spec(problems).object("startupPolicy");
    return policy.text("startupPolicyOrder").equals("InOrder") ? 1 : Math.max(1, startable);
  }

  /// The sub-groups of one replicatedJob.
  ///
  /// @return false if nothing of it is to run
  private static boolean add(
      Roles roles,
      Replicated job,
      TreeSet<String> present,
      TreeSet<String> done,
      TreeMap<String, Integer> failed) {
    ManifestTree template = job.tree().object("template");
    ManifestTree spec = template.object("spec");
    var annotations = annotations(template);
    int asked = GroupLabels.minMember(annotations.getFirst());
    int minimum = asked > 0 ? asked : pods(spec);
    var topology = topology(annotations);
    int vanished = job.succeeded(); // finished, and their pods may be gone
    var leaves = new ArrayList<String>();
    for (int i = 0; i < job.replicas(); i++) {
      String leaf = leaf(job.name(), i);
      if (done.contains(leaf)) {
        vanished--;
      } else {
        leaves.add(leaf);
      }
    }
    if (vanished > 0) {
      leaves = withoutFirst(vanished, leaves, present);
    }
    if (leaves.isEmpty()) {
      return false;
    }
    roles.parent(job.name(), leaves.size(), TopologyAsk.NONE);
    int completions = spec.number("completions", 0).orElse(Integer.MAX_VALUE);
    for (String leaf : leaves) {
      int left = Math.max(1, completions - failed.getOrDefault(leaf, 0));
      roles.leaf(leaf, job.name(), Math.min(minimum, left), topology);
    }
    return true;
  }

  /// Leaves out so many that have no pods, the first ones.
  private static ArrayList<String> withoutFirst(
      int count, ArrayList<String> leaves, TreeSet<String> present) {
    var rest = new ArrayList<String>(leaves.size());
    int left = count;
    for (String leaf : leaves) {
      if (left > 0 && !present.contains(leaf)) {
        left--;
      } else {
        rest.add(leaf);
      }
    }
    return rest;
  }

  /// Of the Job's template, then of its pods' template.
  private static List<ManifestTree> annotations(ManifestTree template) {
    return List.of(
        template.object("metadata").words("annotations"),
        template.object("spec").object("template").object("metadata").words("annotations"));
  }

  private static TopologyAsk topology(List<ManifestTree> annotations) {
    for (ManifestTree each : annotations) {
      var topology = GroupLabels.topology(each);
      if (!topology.isNone()) {
        return topology;
      }
    }
    return TopologyAsk.NONE;
  }

  private static int pods(ManifestTree spec) {
    int parallelism = spec.number("parallelism", 0).orElse(1);
    var completions = spec.number("completions", 0);
    return Math.max(1, Math.min(parallelism, completions.orElse(parallelism)));
  }

  private static Map<String, Replicated> replicatedJobs(KubeObject jobSet, Problems problems) {
    var status = new LinkedHashMap<String, ManifestTree>();
    for (ManifestTree each : jobSet.status(problems).objects("replicatedJobsStatus")) {
      status.put(each.text("name"), each);
    }
    var jobs = new LinkedHashMap<String, Replicated>();
    for (ManifestTree each : jobSet.spec(problems).objects("replicatedJobs")) {
      String name = each.text("name");
      ManifestTree said = status.getOrDefault(name, ManifestTree.root(Map.of(), problems));
      jobs.put(
          name,
          new Replicated(
              name,
              each,
              each.number("replicas", 0).orElse(1),
              said.number("ready", 0).orElse(0),
              said.number("succeeded", 0).orElse(0)));
    }
    return jobs;
  }

  private static boolean canStart(Replicated job, Map<String, Replicated> jobs) {
    for (ManifestTree dependency : job.tree().objects("dependsOn")) {
      var other = jobs.get(dependency.text("name"));
      boolean complete = dependency.text("status").equals("Complete");
      if (other != null && !(complete ? other.isComplete() : other.isReady())) {
        return false;
      }
    }
    return true;
  }

  private static int failedIndexes(WorkloadPod member) {
    int failed = 0;
    for (KubeObject job : member.owner("batch", "Job")) {
      failed += JobManifest.failedIndexes(job.spec(new Problems()), job.status(new Problems()));
    }
    return failed;
  }

  private static boolean isOfFinishedJob(WorkloadPod member) {
    for (KubeObject job : member.owner("batch", "Job")) {
      if (job.status(new Problems()).hasTrue(COMPLETE)) {
        return true;
      }
    }
    return false;
  }

  /// `<replicatedJob>-replica-<index>`, shortened where a label could not bear it.
  private static String leaf(String name, int index) {
    return GroupNames.shortened(name + "-replica-" + index, LONGEST_NAME);
  }
}
