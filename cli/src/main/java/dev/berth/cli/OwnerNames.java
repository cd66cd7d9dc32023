package dev.berth.cli;

import dev.berth.engine.model.PodKey;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.world.ObjectTree;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The names of the owners of pods, and of theirs in turn, as far as a scenario holds them.
final class OwnerNames {
  private final TreeMap<PodKey, SortedSet<String>> names = new TreeMap<>();

  private OwnerNames() {}

  static OwnerNames of(Scenario scenario) {
    var byUid = new HashMap<String, Map<String, Object>>();
    for (var items : List.of(scenario.objects(), scenario.ignored())) {
      items.forEach(item -> byUid.putIfAbsent(ObjectTree.uid(item.object()), item.object()));
    }
    var all = new OwnerNames();
    for (var item : scenario.objects()) {
      var pod = item.object();
      if (item.kind().equals("Pod")) {
        String namespace = ObjectTree.text(pod, "metadata", "namespace");
        all.names.put(new PodKey(namespace, ObjectTree.name(pod)), above(pod, byUid));
      }
    }
    return all;
  }

  private static SortedSet<String> above(
      Map<String, Object> pod, Map<String, Map<String, Object>> byUid) {
    var found = new TreeSet<String>();
    var seen = new TreeSet<String>(); // owners may own each other
    var next = new ArrayDeque<Map<String, Object>>();
    next.add(pod);
    while (!next.isEmpty()) {
      for (var owner : ObjectTree.maps(next.poll(), "metadata", "ownerReferences")) {
        found.add(ObjectTree.text(owner, "name"));
        String uid = ObjectTree.text(owner, "uid");
        var object = byUid.get(uid);
        if (object != null && seen.add(uid)) {
          next.add(object);
        }
      }
    }
    return found;
  }

  SortedSet<String> of(PodKey pod) {
    return names.getOrDefault(pod, Collections.emptySortedSet());
  }
}
