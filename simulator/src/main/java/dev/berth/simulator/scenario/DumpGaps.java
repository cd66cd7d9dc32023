package dev.berth.simulator.scenario;

import dev.berth.engine.request.WellKnownNames;
import dev.berth.simulator.scenario.Scenario.Item;
import dev.berth.simulator.world.ObjectTree;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// What a dump lacks, so that answers from it may differ from those of its cluster: owners of pods,
/// which may say their queue, priority and gang, and namespaces, whose labels may say the queue.
final class DumpGaps {
  private static final int FEW = 3; // objects that one sentence names

  private final List<Item> objects = new ArrayList<>();
  private final Map<String, Map<String, Object>> byKey = new HashMap<>(); // looked up only

  private DumpGaps(List<Item> watched, List<Item> others) {
    objects.addAll(watched);
    objects.addAll(others);
    for (Item item : objects) {
      var object = item.object();
      String namespace = ObjectTree.text(object, "metadata", "namespace");
      byKey.putIfAbsent(key(item.kind(), namespace, ObjectTree.name(object)), object);
    }
  }

  /// Each gap a sentence.
  static List<String> of(List<Item> watched, List<Item> others) {
    var gaps = new DumpGaps(watched, others);
    var pods = watched.stream().filter(DumpGaps::isToBePlanned).map(Item::object).toList();
    var sentences = new ArrayList<String>();
    var owners = gaps.owners(pods);
    if (!owners.isEmpty()) {
      sentences.add(
          "the file lacks owners of pods ("
              + few(owners)
              + "): what these say of queue, priority and gang is missing; dump their kinds, too");
    }
    var namespaces = gaps.namespaces(pods);
    if (!namespaces.isEmpty()) {
      sentences.add(
          "the file lacks namespaces of pods ("
              + few(namespaces)
              + "): their labels say which queue takes these pods; dump namespaces, too");
    }
    return sentences;
  }

  private static String few(Collection<String> names) {
    String first = String.join(", ", names.stream().limit(FEW).toList());
    return names.size() > FEW ? first + " and " + (names.size() - FEW) + " more" : first;
  }

  private static boolean isToBePlanned(Item item) {
    String phase = ObjectTree.text(item.object(), "status", "phase");
    return item.kind().equals("Pod")
        && ObjectTree.text(item.object(), "spec", "schedulerName").equals(WellKnownNames.SCHEDULER)
        && !phase.equals("Succeeded")
        && !phase.equals("Failed");
  }

  /// Owners of pods, directly or not, that are not there.
  private TreeSet<String> owners(List<Map<String, Object>> pods) {
    var missing = new TreeSet<String>();
    var seen = new TreeSet<String>(); // many pods have one owner, and owners may own each other
    var next = new ArrayDeque<>(pods);
    while (!next.isEmpty()) {
      var object = next.poll();
      String namespace = ObjectTree.text(object, "metadata", "namespace");
      for (var ref : ObjectTree.maps(object, "metadata", "ownerReferences")) {
        String kind = ObjectTree.text(ref, "kind");
        String name = ObjectTree.text(ref, "name");
        if (kind.equals("Node") || !seen.add(key(kind, namespace, name))) {
          continue; // a node owns its mirror pods
        }
        var owner = byKey.getOrDefault(key(kind, namespace, name), byKey.get(key(kind, "", name)));
        if (owner == null) {
          missing.add(kind + " " + namespace + "/" + name);
        } else {
          next.add(owner);
        }
      }
    }
    return missing;
  }

  /// Namespaces that are not there, of pods whose queue may depend on them.
  private TreeSet<String> namespaces(List<Map<String, Object>> pods) {
    boolean isSelected = false;
    boolean isAnyQueue = false;
    for (Item item : objects) {
      isAnyQueue |= item.kind().equals("Queue");
      isSelected |=
          item.kind().equals("Queue") && ObjectTree.has(item.object(), "spec", "namespaceSelector");
    }
    var missing = new TreeSet<String>();
    for (var pod : pods) {
      boolean isQueueless =
          isAnyQueue
              && ObjectTree.label(pod, WellKnownNames.QUEUE).isEmpty()
              && ObjectTree.label(pod, WellKnownNames.QUEUE_ALIAS).isEmpty();
      String namespace = ObjectTree.text(pod, "metadata", "namespace");
      if ((isSelected || isQueueless) && !byKey.containsKey(key("Namespace", "", namespace))) {
        missing.add(namespace);
      }
    }
    return missing;
  }

  private static String key(String kind, String namespace, String name) {
    return kind + " " + namespace + "/" + name;
  }
}
