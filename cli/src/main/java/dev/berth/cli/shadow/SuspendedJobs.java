package dev.berth.cli.shadow;

import static dev.berth.simulator.world.ObjectTree.label;
import static dev.berth.simulator.world.ObjectTree.map;
import static dev.berth.simulator.world.ObjectTree.maps;
import static dev.berth.simulator.world.ObjectTree.number;
import static dev.berth.simulator.world.ObjectTree.text;
import static dev.berth.simulator.world.ObjectTree.under;

import dev.berth.simulator.world.ObjectTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// Jobs that Kueue suspends have no pods while they wait. This makes up the pods that a Job will
/// have, from its template, created when the Job was, or when it was suspended again. A pod that
/// the Job gets later takes the UID of one that was made up: a log shows both as one.
///
/// Remembers from read to read. Of one thread.
final class SuspendedJobs {
  private static final String OF_KUEUE = "kueue.x-k8s.io/queue-name";
  private static final int MOST_PODS = 1000; // of one Job

  /// Reads after which a Job that is no longer suspended has got the pods that it gets.
  private static final int READS = 3;

  private final Map<String, Waiting> jobs = new HashMap<>(); // by UID, looked up only

  /// What is known of a Job that was seen suspended.
  private static final class Waiting {
    private final LinkedHashSet<String> made = new LinkedHashSet<>(); // UIDs without a pod
    private final Map<String, String> taken = new HashMap<>(); // by the UID of the pod, looked up
    private int numbers;
    private int reads; // since it is not suspended
  }

  /// @param objects of the cluster; pods of such Jobs are changed
  /// @return these and the pods that were made up
  List<Map<String, Object>> filled(List<Map<String, Object>> objects) {
    var there = new HashSet<String>();
    var suspended = new ArrayList<Map<String, Object>>();
    for (Map<String, Object> object : objects) {
      if (text(object, "kind").equals("Job")) {
        there.add(text(object, "metadata", "uid"));
        if (isHeld(object)) {
          suspended.add(object);
        }
      }
    }
    jobs.keySet().retainAll(there);
    for (Map<String, Object> object : objects) {
      if (text(object, "kind").equals("Pod")) {
        taken(object);
      }
    }
    var all = new ArrayList<>(objects);
    suspended.forEach(job -> all.addAll(madeUp(job)));
    return all;
  }

  private boolean isHeld(Map<String, Object> job) {
    if (label(job, OF_KUEUE).isEmpty() || ObjectTree.has(job, "status", "completionTime")) {
      return false;
    }
    return ObjectTree.isTrue(job, "spec", "suspend")
        || jobs.containsKey(text(job, "metadata", "uid"));
  }

  private void taken(Map<String, Object> pod) {
    for (Map<String, Object> owner : maps(pod, "metadata", "ownerReferences")) {
      var job = jobs.get(text(owner, "uid"));
      if (job != null) {
        String uid = text(pod, "metadata", "uid");
        boolean mayTake =
            !job.made.isEmpty() && !ObjectTree.has(pod, "metadata", "deletionTimestamp");
        if (!job.taken.containsKey(uid) && mayTake) {
          job.taken.put(uid, job.made.removeFirst());
        }
        under(pod, "metadata").put("uid", job.taken.getOrDefault(uid, uid));
      }
    }
  }

  private List<Map<String, Object>> madeUp(Map<String, Object> job) {
    String uid = text(job, "metadata", "uid");
    var waiting = jobs.computeIfAbsent(uid, _ -> new Waiting());
    long wanted = Math.min(MOST_PODS, number(job, 1, "spec", "parallelism"));
    wanted = Math.min(wanted, number(job, wanted, "spec", "completions"));
    if (ObjectTree.isTrue(job, "spec", "suspend")) {
      waiting.reads = 0;
      while (waiting.made.size() < wanted) {
        waiting.made.add(uid + "-suspended-" + waiting.numbers++);
      }
    } else if (++waiting.reads > READS) {
      waiting.made.clear();
    }
    var pods = new ArrayList<Map<String, Object>>();
    waiting.made.forEach(each -> pods.add(pod(job, each, created(job, waiting))));
    return pods;
  }

  private static String created(Map<String, Object> job, Waiting waiting) {
    if (!waiting.taken.isEmpty() || ObjectTree.has(job, "status", "startTime")) {
      for (Map<String, Object> condition : maps(job, "status", "conditions")) {
        if (text(condition, "type").equals("Suspended")
            && text(condition, "status").equals("True")) {
          return text(condition, "lastTransitionTime");
        }
      }
    }
    return text(job, "metadata", "creationTimestamp");
  }

  private static Map<String, Object> pod(Map<String, Object> job, String uid, String created) {
    var template = ObjectTree.thaw(map(job, "spec", "template"));
    var metadata = under(template, "metadata");
    String name = text(job, "metadata", "name");
    metadata.put("name", name + uid.substring(uid.indexOf("-suspended-")));
    metadata.put("namespace", text(job, "metadata", "namespace"));
    metadata.put("uid", uid);
    metadata.put("creationTimestamp", created);
    metadata.put(
        "ownerReferences",
        new ArrayList<Object>(
            ObjectTree.ownedBy("batch/v1", "Job", name, text(job, "metadata", "uid"))));
    var pod = new LinkedHashMap<String, Object>();
    pod.put("apiVersion", "v1");
    pod.put("kind", "Pod");
    pod.putAll(template);
    pod.put("status", ObjectTree.of("phase", "Pending"));
    return pod;
  }
}
