package dev.berth.cli;

import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Spelling;
import dev.berth.engine.request.WellKnownNames;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.world.ObjectTree;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The names of the owners of pods, and of theirs in turn, as far as a scenario holds them; and
/// which scheduler each pod names.
final class OwnerNames {
  private final TreeMap<PodKey, SortedSet<String>> names = new TreeMap<>();

  /// Of pods that are not Berth's.
  private final TreeMap<PodKey, String> schedulers = new TreeMap<>();

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
        var key = new PodKey(namespace, ObjectTree.name(pod));
        all.names.put(key, above(pod, byUid));
        String scheduler = WellKnownNames.scheduler(ObjectTree.text(pod, "spec", "schedulerName"));
        if (!scheduler.equals(WellKnownNames.SCHEDULER)) {
          all.schedulers.put(key, scheduler);
        }
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

  /// Why a pod, or the owner of pods, is no workload: another scheduler plans it. Empty where none
  /// of those is called so.
  ///
  /// @param name `namespace/name` or `name`
  Optional<String> ofOthers(String name) {
    for (var each : schedulers.entrySet()) {
      var pod = each.getKey();
      String scheduler = each.getValue();
      String hint =
          Spelling.nearest(scheduler, List.of(WellKnownNames.SCHEDULER))
              .map(ours -> "; did you mean " + ours + "?")
              .orElse("");
      if (isCalled(name, pod.namespace(), pod.name())) {
        return Optional.of("pod " + pod + " is not Berth's: its scheduler is " + scheduler + hint);
      }
      for (String owner : of(pod)) {
        if (isCalled(name, pod.namespace(), owner)) {
          return Optional.of(
              (pod.namespace() + "/" + owner + " is not Berth's: the scheduler of its pod ")
                  + (pod.name() + " is " + scheduler + hint));
        }
      }
    }
    return Optional.empty();
  }

  static boolean isCalled(String wanted, String namespace, String name) {
    return wanted.equals(name) || wanted.equals(namespace + "/" + name);
  }

  SortedSet<String> of(PodKey pod) {
    return names.getOrDefault(pod, Collections.emptySortedSet());
  }
}
