package dev.berth.engine.ledger;

import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Workload;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// For what a plan evicts, as it was when its first victims were chosen, whatever is edited later.
///
/// @param workload of the preemptor
/// @param losers other queues that lose the victims
/// @param gpus that the plan takes, in thousandths; GPUs of claims are not counted
record EvictingClaim(Workload workload, SortedSet<QueueName> losers, long gpus) {
  EvictingClaim {
    losers = Collections.unmodifiableSortedSet(new TreeSet<>(losers));
  }
}
