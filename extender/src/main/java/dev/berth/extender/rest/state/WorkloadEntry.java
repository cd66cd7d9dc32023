package dev.berth.extender.rest.state;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.WorkloadPhase;

/// A workload and its phase. The same object as before where neither changed.
public record WorkloadEntry(PodGroup group, WorkloadPhase phase) {
  public GroupKey key() {
    return group.key();
  }
}
