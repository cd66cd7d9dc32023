package dev.berth.extender.rest.state;

import dev.berth.engine.model.BinarySearch;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PriorityClasses;
import dev.berth.engine.model.Snapshot;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// The cluster as it is shown at one moment. Immutable; entries that did not change are shared with
/// the revision before.
///
/// @param number grows with each revision of this process
/// @param nodes by name
/// @param workloads by key
/// @param classes by which a priority may be named
public record Revision(
    long number,
    Snapshot snapshot,
    List<NodeEntry> nodes,
    List<WorkloadEntry> workloads,
    PriorityClasses classes,
    Findings findings) {
  public Revision {
    nodes = Collections.unmodifiableList(nodes);
    workloads = Collections.unmodifiableList(workloads);
  }

  public Optional<NodeEntry> node(NodeName name) {
    int index = BinarySearch.indexOf(nodes, NodeEntry::name, name);
    return index < 0 ? Optional.empty() : Optional.of(nodes.get(index));
  }

  public Optional<WorkloadEntry> workload(GroupKey key) {
    int index = BinarySearch.indexOf(workloads, WorkloadEntry::key, key);
    return index < 0 ? Optional.empty() : Optional.of(workloads.get(index));
  }
}
