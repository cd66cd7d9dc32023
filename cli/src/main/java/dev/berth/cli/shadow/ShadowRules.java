package dev.berth.cli.shadow;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// Which pods count as Berth's, and in which queue.
///
/// @param schedulers whose pods do; empty = those of all
/// @param queueLabel the label of a pod, its owner or its namespace that names the queue; empty =
///   what Berth, Kueue, KAI Scheduler and Volcano read
/// @param byNamespace whether the queue is called as the namespace
public record ShadowRules(SortedSet<String> schedulers, String queueLabel, boolean byNamespace) {
  public static final ShadowRules DEFAULT =
      new ShadowRules(Collections.emptySortedSet(), "", false);

  public ShadowRules {
    schedulers = Collections.unmodifiableSortedSet(new TreeSet<>(schedulers));
  }
}
