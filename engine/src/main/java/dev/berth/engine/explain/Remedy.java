package dev.berth.engine.explain;

import dev.berth.engine.action.ActionSettings.Switch;
import dev.berth.engine.model.AmountText;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Node.Taint;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// One thing that could be otherwise, so that a waiting group starts.
///
/// Amounts of `gpu` are in thousandths, of others as [Resource] has them.
public sealed interface Remedy {
  /// The role that can apply it.
  enum By {
    /// The user of the workload, by submitting another one.
    USER,
    /// An administrator of queues and nodes.
    ADMINISTRATOR,
    /// No action is needed, or a workload has to end.
    TIME
  }

  /// Nothing is done before then.
  record NotBefore(Instant at) implements Remedy {}

  /// A queue may have more.
  ///
  /// @param pool the node pool whose own limit is raised; empty = that of the queue
  record RaiseLimit(QueueName queue, Resource resource, long from, long to, Optional<String> pool)
      implements Remedy {
    /// That of the queue.
    public RaiseLimit(QueueName queue, Resource resource, long from, long to) {
      this(queue, resource, from, to, Optional.empty());
    }
  }

  /// A queue is owed more.
  ///
  /// @param pool the node pool whose own quota is raised; empty = that of the queue
  record RaiseQuota(QueueName queue, Resource resource, long from, long to, Optional<String> pool)
      implements Remedy {
    /// That of the queue.
    public RaiseQuota(QueueName queue, Resource resource, long from, long to) {
      this(queue, resource, from, to, Optional.empty());
    }
  }

  /// The level of the topology that is required is preferred instead.
  record PreferTopology(String topology, String level) implements Remedy {}

  /// The workload may be evicted for others.
  ///
  /// @param byObject its PodGroup says that it may not, whatever labels say
  record Preemptible(boolean byObject) implements Remedy {}

  /// Others may be evicted for the workload.
  record MayPreempt() implements Remedy {}

  /// @param priorityClass that gives its pods that priority; empty = the classes are not known
  /// @param isCapped a class that its label or PodGroup names lowers its priority
  record RaisePriority(int from, int to, String priorityClass, boolean isCapped) implements Remedy {
    /// The classes are not known.
    public RaisePriority(int from, int to) {
      this(from, to, "", false);
    }
  }

  /// Fewer members start together.
  record LowerMinimum(int from, int to) implements Remedy {}

  /// Each member asks for fewer whole devices.
  record FewerDevices(int from, int to) implements Remedy {}

  /// Each member asks for a smaller share of a device, in thousandths.
  record SmallerShare(int from, int to) implements Remedy {}

  /// Each member asks for less memory of a device, in MiB.
  record SmallerMemory(long from, long to) implements Remedy {}

  /// The pods drop a label of their node selector.
  record DropSelector(String label, String value) implements Remedy {}

  /// The pods tolerate a taint.
  record Tolerate(Taint taint) implements Remedy {}

  /// Another queue.
  record OtherQueue(QueueName queue) implements Remedy {}

  /// These workloads end.
  ///
  /// @param gpuMillis thousandths of GPUs that they have together
  /// @param isSmallest whether no other running workloads that have fewer GPUs would do
  record EndWorkloads(List<GroupKey> groups, long gpuMillis, boolean isSmallest) implements Remedy {
    public EndWorkloads {
      groups = List.copyOf(groups);
    }
  }

  /// A node takes pods again.
  record Uncordon(NodeName node) implements Remedy {}

  /// Nodes like one that there is.
  record AddNodes(int count, NodeName like) implements Remedy {}

  /// An action that the configuration switches off.
  record SwitchOn(Switch action) implements Remedy {}

  default By by() {
    return switch (this) {
      case NotBefore _, EndWorkloads _ -> By.TIME;
      case RaiseLimit _, RaiseQuota _, Uncordon _, AddNodes _, SwitchOn _ -> By.ADMINISTRATOR;
      case PreferTopology _,
          Preemptible _,
          MayPreempt _,
          RaisePriority _,
          LowerMinimum _,
          FewerDevices _,
          SmallerShare _,
          SmallerMemory _,
          DropSelector _,
          Tolerate _,
          OtherQueue _ ->
          By.USER;
    };
  }

  /// In words, without a full stop: `a limit of 20 GPUs in research (now 16)`.
  default String words() {
    return switch (this) {
      case NotBefore(var at) -> "waiting until " + Phrases.moment(at);
      case RaiseLimit(var queue, var resource, long from, long to, var pool) ->
          "a limit of " + amounts(PoolNames.of(queue, pool), resource, from, to);
      case RaiseQuota(var queue, var resource, long from, long to, var pool) ->
          "a quota of " + amounts(PoolNames.of(queue, pool), resource, from, to);
      case PreferTopology(var topology, var level) ->
          level + " of topology " + topology + " preferred instead of required";
      case Preemptible(boolean byObject) ->
          "preemptible work ("
              + (byObject ? Phrases.PREEMPTIBLE_SPEC : Phrases.PREEMPTIBLE_LABEL)
              + ")";
      case MayPreempt _ -> "a priority class that preempts (now preemptionPolicy: Never)";
      case RaisePriority(int from, int to, var priorityClass, boolean isCapped) ->
          "a priority of "
              + (to + " (now " + from + ")")
              + (priorityClass.isEmpty() ? "" : ": priorityClassName " + priorityClass)
              + (isCapped ? " in its pods and in its label or PodGroup" : "");
      case LowerMinimum(int from, int to) ->
          "a minimum of " + Phrases.count(to, "member") + " (now " + from + ")";
      case FewerDevices(int from, int to) -> Phrases.count(to, "GPU") + " a pod (now " + from + ")";
      case SmallerShare(int from, int to) ->
          "a share of " + Resource.GPU.text(to) + " of a GPU (now " + Resource.GPU.text(from) + ")";
      case SmallerMemory(long from, long to) ->
          "gpu-memory: " + memory(to) + " (now " + memory(from) + ")";
      case DropSelector(var label, var value) -> "no node selector " + label + "=" + value;
      case Tolerate(var taint) -> "a toleration of " + taint.words();
      case OtherQueue(var queue) -> "queue " + queue;
      case EndWorkloads(var groups, long gpuMillis, boolean isSmallest) ->
          (gpuMillis == 0 ? "" : AmountText.of(Resource.GPU, gpuMillis) + " released: ")
              + groups.stream().map(GroupKey::toString).collect(Collectors.joining(", "))
              + (groups.size() == 1 ? " ends" : " end")
              + (isSmallest ? "" : " (fewer may do)");
      case Uncordon(var node) -> "node " + node + " uncordoned";
      case AddNodes(int count, var like) ->
          (count == 1 ? "another node" : count + " more nodes") + " like " + like;
      case SwitchOn(var action) ->
          switch (action) {
            case RECLAIM -> "reclaim switched on (setting reclaim.enabled)";
            case PREEMPTION -> "preemption switched on (setting preemption.enabled)";
            case CONSOLIDATION -> "consolidation switched on (setting consolidation.maxMoves)";
          };
    };
  }

  /// Memory of a device as users write it: `20Gi`, `20500Mi`.
  static String memory(long mib) {
    return mib % 1024 == 0 ? mib / 1024 + "Gi" : mib + "Mi";
  }

  private static String amounts(String queue, Resource resource, long from, long to) {
    return AmountText.of(resource, to)
        + " in "
        + queue
        + " (now "
        + AmountText.number(resource, from)
        + ")";
  }
}
