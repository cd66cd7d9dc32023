package dev.berth.extender.rest.state;

import dev.berth.extender.rest.state.EvictionEntry.Start;

/// A workload that evictions are for, until it starts. Guarded by its owner.
final class Gain {
  int begun;
  int evictions;
  Start start = Start.NOT_YET;

  /// @param begun members that had begun; see [EvictionDraft#begun]
  Gain(int begun) {
    this.begun = begun;
  }
}
