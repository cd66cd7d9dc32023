package dev.berth.extender.rest.state;

import java.util.IdentityHashMap;

/// Memory of plans that are held, each counted once however many hold it, for as long as any does.
/// Guarded by its owner.
final class PlanBytes {
  private final IdentityHashMap<EvictionPlan, Integer> holders =
      new IdentityHashMap<>(); // looked up only
  private long bytes;

  void add(EvictionPlan plan) {
    if (holders.merge(plan, 1, Integer::sum) == 1) {
      bytes += plan.bytes();
    }
  }

  /// One that [held][#add] it holds it no more.
  void remove(EvictionPlan plan) {
    if (holders.computeIfPresent(plan, (_, count) -> count == 1 ? null : count - 1) == null) {
      bytes -= plan.bytes();
    }
  }

  long bytes() {
    return bytes;
  }
}
