package dev.berth.cli.usage;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import java.util.Comparator;
import java.util.SortedMap;

/// A pod that holds GPUs, or waits for them, as it is until something of it changes.
///
/// @param account where its quota is
/// @param model of its GPUs; empty = not told
/// @param millis thousandths of GPUs, as queues are charged for them
/// @param sharedMillis of these, parts of GPUs
/// @param labels of the pod
record GpuHold(
    PodUid uid,
    GroupKey workload,
    QuotaAccount account,
    String model,
    boolean isWaiting,
    boolean isPreemptible,
    int priority,
    long millis,
    long sharedMillis,
    SortedMap<String, String> labels) {
  /// Which pods are within the quota of their queue before others, but for how long they hold.
  static final Comparator<GpuHold> ORDER =
      Comparator.<GpuHold>comparingInt(hold -> hold.isPreemptible() ? 1 : 0)
          .thenComparing(GpuHold::priority, Comparator.reverseOrder());

  /// Stands for the node of a pod that waits, in the columns that tell of it.
  static final String NO_NODE = "(waiting)";

  /// A quota holds in each pool on its own.
  ///
  /// @param pool the value of the label that divides nodes; empty = the node has none
  record QuotaAccount(QueueName queue, String pool) implements Comparable<QuotaAccount> {
    @Override
    public int compareTo(QuotaAccount other) {
      int byQueue = queue.compareTo(other.queue);
      return byQueue != 0 ? byQueue : pool.compareTo(other.pool);
    }
  }
}
