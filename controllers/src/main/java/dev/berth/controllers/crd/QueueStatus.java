package dev.berth.controllers.crd;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// `status` of a Queue, as `crds/queues.yaml` describes it, in the texts in which it is written: so
/// it can be compared with what a watch shows.
///
/// @param usage past use as a part of the cluster, by resource
/// @param usageUntil the moment up to which it counts; `Instant.EPOCH` = none is kept
/// @param observedGeneration of the spec; 0 = not told
public record QueueStatus(
    SortedMap<String, String> allocated,
    SortedMap<String, String> allocatedNonPreemptible,
    SortedMap<String, String> requested,
    SortedMap<String, String> fairShare,
    SortedMap<String, String> usage,
    Instant usageUntil,
    Workloads workloads,
    long observedGeneration,
    List<Condition> conditions) {
  public QueueStatus {
    allocated = Collections.unmodifiableSortedMap(new TreeMap<>(allocated));
    allocatedNonPreemptible =
        Collections.unmodifiableSortedMap(new TreeMap<>(allocatedNonPreemptible));
    requested = Collections.unmodifiableSortedMap(new TreeMap<>(requested));
    fairShare = Collections.unmodifiableSortedMap(new TreeMap<>(fairShare));
    usage = Collections.unmodifiableSortedMap(new TreeMap<>(usage));
    conditions = List.copyOf(conditions);
  }

  /// @param pending below their minimum
  /// @param running with their minimum; below 0 = neither is told
  public record Workloads(long pending, long running) {
    static final Workloads UNTOLD = new Workloads(-1, -1);
  }

  /// The same with another past.
  public QueueStatus with(SortedMap<String, String> past, Instant until) {
    return new QueueStatus(
        allocated,
        allocatedNonPreemptible,
        requested,
        fairShare,
        past,
        until,
        workloads,
        observedGeneration,
        conditions);
  }

  /// Reads the status of an object. What is of another shape reads as if it were not there: it is
  /// written anew.
  public static QueueStatus read(Map<String, ?> object) {
    var status = StatusTree.map(object, "status");
    var counts = StatusTree.map(status, "workloads");
    return new QueueStatus(
        StatusTree.texts(status, "allocated"),
        StatusTree.texts(status, "allocatedNonPreemptible"),
        StatusTree.texts(status, "requested"),
        StatusTree.texts(status, "fairShare"),
        StatusTree.texts(status, "usage"),
        StatusTree.time(status, "usageUntil"),
        counts.isEmpty()
            ? Workloads.UNTOLD
            : new Workloads(
                StatusTree.number(counts, "pending"), StatusTree.number(counts, "running")),
        StatusTree.number(status, "observedGeneration"),
        StatusTree.conditions(status));
  }

  /// The merge patch that makes another status of this one; empty where they are the same. Only
  /// what differs is in it.
  ///
  /// @param away what stands for a field that goes
  public Map<String, Object> patch(QueueStatus after, Object away) {
    return between(tree(), after.tree(), away);
  }

  private Map<String, Object> tree() {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("allocated", allocated);
    tree.put("allocatedNonPreemptible", allocatedNonPreemptible);
    tree.put("requested", requested);
    tree.put("fairShare", fairShare);
    tree.put("usage", usage);
    if (!usageUntil.equals(Instant.EPOCH)) {
      tree.put("usageUntil", usageUntil.toString());
    }
    if (!workloads.equals(Workloads.UNTOLD)) {
      var counts = new LinkedHashMap<String, Object>();
      counts.put("pending", workloads.pending());
      counts.put("running", workloads.running());
      tree.put("workloads", counts);
    }
    if (observedGeneration > 0) {
      tree.put("observedGeneration", observedGeneration);
    }
    tree.put("conditions", StatusTree.of(conditions));
    return tree;
  }

  private static Map<String, Object> between(
      Map<String, ?> before, Map<String, ?> after, Object away) {
    var patch = new LinkedHashMap<String, Object>();
    for (String gone : before.keySet()) {
      if (!after.containsKey(gone)) {
        patch.put(gone, away);
      }
    }
    after.forEach((key, value) -> {
      var below = StatusTree.map(after, key);
      if (value instanceof Map<?, ?>) {
        var part = between(StatusTree.map(before, key), below, away);
        if (!part.isEmpty()) {
          patch.put(key, part);
        }
      } else if (!value.equals(before.get(key))) {
        patch.put(key, value);
      }
    });
    return patch;
  }
}
