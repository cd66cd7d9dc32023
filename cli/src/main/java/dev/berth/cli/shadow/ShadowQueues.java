package dev.berth.cli.shadow;

import static dev.berth.simulator.world.ObjectTree.annotation;
import static dev.berth.simulator.world.ObjectTree.label;
import static dev.berth.simulator.world.ObjectTree.maps;
import static dev.berth.simulator.world.ObjectTree.text;

import dev.berth.engine.request.WellKnownNames;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/// Which queue a pod is in, by what its scheduler reads. In this order:
///
/// 1. the namespace or the label that the rules name, where they name one
/// 2. what Berth reads: then nothing is to be added
/// 3. Kueue's label of the pod or an owner: the ClusterQueue of that LocalQueue, or the LocalQueue
///    itself where it cannot be read
/// 4. what the pod's PodGroup names
/// 5. Volcano's annotation or label of the pod or an owner, or `spec.queue` of an owner
final class ShadowQueues {
  private static final String OF_KUEUE = "kueue.x-k8s.io/queue-name";
  private static final List<String> OF_VOLCANO =
      List.of("scheduling.volcano.sh/queue-name", "volcano.sh/queue-name");
  private static final int MOST_LEVELS = 8;

  private final ShadowRules rules;
  private final Map<String, Map<String, Object>> objects = new HashMap<>(); // by UID, looked up
  private final Map<String, Map<String, Object>> namespaces = new HashMap<>(); // looked up only
  private final Map<String, String> clusterQueues = new HashMap<>(); // of LocalQueues, as above
  private final ForeignGroups groups;

  /// @param all objects of the cluster, owners of pods among them
  ShadowQueues(ShadowRules rules, List<Map<String, Object>> all) {
    this.rules = rules;
    this.groups = new ForeignGroups(all);
    for (Map<String, Object> object : all) {
      String name = text(object, "metadata", "name");
      switch (text(object, "kind")) {
        case "Pod" -> {} // they own nothing
        case "Namespace" -> namespaces.put(name, object);
        case "LocalQueue" ->
            clusterQueues.put(
                text(object, "metadata", "namespace") + "/" + name,
                text(object, "spec", "clusterQueue"));
        default -> objects.put(text(object, "metadata", "uid"), object);
      }
    }
  }

  /// Its gang and its queue.
  ///
  /// @param pod that counts as Berth's; it is changed
  void settle(Map<String, Object> pod) {
    var group = groups.of(pod);
    if (group.minMember() > 1) {
      ShadowPods.joins(pod, group.name(), group.minMember());
    } else {
      ShadowPods.leavesGroup(pod);
    }
    String queue = queue(pod, group);
    if (!queue.isEmpty()) {
      ShadowPods.into(pod, queue);
    }
  }

  private String queue(Map<String, Object> pod, ForeignGroups.Group group) {
    String namespace = text(pod, "metadata", "namespace");
    if (rules.byNamespace()) {
      return namespace;
    }
    var chain = chain(pod);
    if (!rules.queueLabel().isEmpty()) {
      String named = first(chain, rules.queueLabel());
      return named.isEmpty()
          ? label(namespaces.getOrDefault(namespace, Map.of()), rules.queueLabel())
          : named;
    }
    if (!first(chain, WellKnownNames.QUEUE).isEmpty()
        || !first(chain, WellKnownNames.QUEUE_ALIAS).isEmpty()) {
      return "";
    }
    String ofKueue = first(chain, OF_KUEUE);
    if (!ofKueue.isEmpty()) {
      return clusterQueues.getOrDefault(namespace + "/" + ofKueue, ofKueue);
    }
    return group.queue().isEmpty() ? ofVolcano(chain) : group.queue();
  }

  private static String ofVolcano(List<Map<String, Object>> chain) {
    for (Map<String, Object> object : chain) {
      for (String key : OF_VOLCANO) {
        String named =
            annotation(object, key).isEmpty() ? label(object, key) : annotation(object, key);
        if (!named.isEmpty()) {
          return named;
        }
      }
      if (text(object, "apiVersion").startsWith("batch.volcano.sh/")) {
        return text(object, "spec", "queue");
      }
    }
    return "";
  }

  private static String first(List<Map<String, Object>> chain, String key) {
    return chain.stream()
        .map(object -> label(object, key))
        .filter(named -> !named.isEmpty())
        .findFirst()
        .orElse("");
  }

  /// The pod, its owners, theirs: the nearest first.
  private List<Map<String, Object>> chain(Map<String, Object> pod) {
    var chain = new ArrayList<Map<String, Object>>();
    var next = new ArrayDeque<Map<String, Object>>(List.of(pod));
    var known = new HashSet<String>();
    while (!next.isEmpty() && chain.size() < MOST_LEVELS) {
      var object = next.removeFirst();
      chain.add(object);
      for (Map<String, Object> owner : maps(object, "metadata", "ownerReferences")) {
        String uid = text(owner, "uid");
        if (objects.containsKey(uid) && known.add(uid)) {
          next.add(objects.get(uid));
        }
      }
    }
    return chain;
  }
}
