package dev.berth.cli.imports;

import java.util.List;

/// A scheduler whose queues can be imported. The constants are the words of the command line.
public enum OtherScheduler {
  kai(ForeignKind.KAI_QUEUE, ForeignKind.KAI_SHARD),
  kueue(ForeignKind.CLUSTER_QUEUE, ForeignKind.COHORT, ForeignKind.FLAVOR, ForeignKind.LOCAL_QUEUE),
  volcano(ForeignKind.VOLCANO_QUEUE);

  private final ForeignKind queues;
  private final List<ForeignKind> others;

  OtherScheduler(ForeignKind queues, ForeignKind... others) {
    this.queues = queues;
    this.others = List.of(others);
  }

  /// The kind without which there is nothing to import.
  ForeignKind queues() {
    return queues;
  }

  /// Kinds that say more about the queues.
  List<ForeignKind> others() {
    return others;
  }
}
