package dev.berth.simulator.scenario;

import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Decision.Victim;

/// Actions by the causes of their victims, in words.
final class Causes {
  private Causes() {}

  /// The action that takes for this cause.
  static String action(Cause cause) {
    return switch (cause) {
      case CONSOLIDATE -> "consolidate";
      case RECLAIM -> "reclaim";
      case PREEMPT -> "preempt";
      case STALE -> "evict stale";
      case MAX_RUNTIME -> "end";
      case IDLE -> "evict idle";
    };
  }

  /// Why a victim leaves, for a list.
  static String of(Victim victim) {
    return switch (victim.cause()) {
      case CONSOLIDATE, RECLAIM, PREEMPT ->
          action(victim.cause()) + " for " + Names.of(victim.beneficiary());
      case STALE, MAX_RUNTIME, IDLE -> action(victim.cause());
    };
  }

  /// After "leaves", where there is no beneficiary.
  static String because(Cause cause) {
    return switch (cause) {
      case CONSOLIDATE -> ", to start again elsewhere";
      case RECLAIM, PREEMPT -> "";
      case STALE -> "; the group ran below its minimum for longer than its grace";
      case MAX_RUNTIME -> "; its time is over";
      case IDLE -> "; its GPUs did nothing";
    };
  }
}
