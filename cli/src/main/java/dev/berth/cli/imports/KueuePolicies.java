package dev.berth.cli.imports;

import java.util.List;

/// What a ClusterQueue of Kueue says of preemption, order and admission, beside Berth's one policy.
/// Values that mean what Berth does are not told.
final class KueuePolicies {
  private KueuePolicies() {}

  /// @param borrows whether the queue has a cohort
  static void tell(ForeignFields is, boolean borrows) {
    tellWithin(is.object("preemption"));
    tellReclaim(is.object("preemption"), borrows);
    tellBorrowing(is.object("preemption").object("borrowWithinCohort"));
    if (is.text("queueingStrategy").equals("StrictFIFO")) {
      is.note(
          "queueingStrategy",
          "is StrictFIFO, which has no counterpart: workloads behind one that waits start if they"
              + " fit. An expected runtime of those that run reserves room for the first.");
    }
    tellFlavors(is.object("flavorFungibility"));
    is.lost("admissionChecks", "pods start once Berth has a place for them.");
    is.lost("admissionChecksStrategy", "pods start once Berth has a place for them.");
    is.lost(
        "admissionScope",
        "past use counts for queues, not for namespaces (fairShare.k in Berth's configuration).");
    is.lost("concurrentAdmissionPolicy", "a workload has one place, and keeps it.");
    is.lost(
        "excludeResourcePrefixes",
        "gpu, cpu and memory always count, and of other resources those that a Queue names.");
  }

  private static void tellWithin(ForeignFields preemption) {
    String within = preemption.text("withinClusterQueue");
    if (within.equals("LowerOrNewerEqualPriority")) {
      preemption.note(
          "withinClusterQueue",
          "is LowerOrNewerEqualPriority: within a queue Berth preempts lower priorities alone.");
    } else if (!within.equals("LowerPriority")) {
      preemption.note(
          "withinClusterQueue",
          never(within)
              + ": within a queue Berth preempts lower priorities. Set preemptMinRuntime on the"
              + " Queue, or label workloads berth.dev/preemptibility: non-preemptible.");
    }
  }

  private static void tellReclaim(ForeignFields preemption, boolean borrows) {
    String reclaim = preemption.text("reclaimWithinCohort");
    if (!borrows) {
      return; // without a cohort it has no effect
    }
    if (reclaim.equals("LowerPriority")) {
      preemption.note(
          "reclaimWithinCohort",
          "is LowerPriority: Berth reclaims what others borrowed, whatever their priority.");
    } else if (!reclaim.equals("Any")) {
      preemption.note(
          "reclaimWithinCohort",
          never(reclaim)
              + ": Berth reclaims what others borrowed. Set reclaimMinRuntime on the Queues that"
              + " borrow, or reclaim.enabled: false in Berth's configuration.");
    }
  }

  private static String never(String policy) {
    return policy.isEmpty() ? "is not set, which is Never" : "is " + policy;
  }

  private static void tellBorrowing(ForeignFields borrowing) {
    String policy = borrowing.text("policy");
    if (!policy.isEmpty() && !policy.equals("Never")) {
      borrowing.note(
          "policy",
          "is "
              + policy
              + ", which has no counterpart: a queue reclaims within its fair share, which is its"
              + " quota and its part of what is idle.");
      borrowing.lost("maxPriorityThreshold", "priorities of other queues do not count.");
    } else {
      borrowing.text("maxPriorityThreshold"); // has no effect
    }
  }

  /// Its API server writes the defaults into each ClusterQueue: they say nothing.
  private static void tellFlavors(ForeignFields fungibility) {
    tellFlavor(fungibility, "whenCanBorrow", List.of("MayStopSearch", "Borrow"));
    tellFlavor(fungibility, "whenCanPreempt", List.of("TryNextFlavor"));
  }

  private static void tellFlavor(ForeignFields fungibility, String key, List<String> defaults) {
    String value = fungibility.text(key);
    if (!value.isEmpty() && !defaults.contains(value)) {
      fungibility.note(
          key,
          "is "
              + value
              + ", which has no counterpart: Berth takes the best node that a workload may be on,"
              + " and evicts pods only where none has room.");
    }
  }

  /// Whether the queue is stopped, which is told.
  static boolean isHeld(ForeignFields is) {
    String policy = is.text("stopPolicy");
    if (policy.isEmpty() || policy.equals("None")) {
      return false;
    }
    is.note(
        "stopPolicy",
        "is "
            + policy
            + ": the limit pods: 0 lets no workload start. Take it out to open the queue."
            + (policy.equals("HoldAndDrain") ? " Berth evicts none of those that run." : ""));
    return true;
  }
}
