package dev.berth.engine.explain;

import dev.berth.engine.action.ActionSettings.Switch;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// A change to the cluster that has not happened: *what if it did?*
public sealed interface Change {
  /// The queue is created, or has this quota, limit, weight, parent and priority from now on.
  record SetQueue(Queue queue) implements Change {}

  /// The queue is deleted. Workloads that name it stay where they are.
  record RemoveQueue(QueueName queue) implements Change {}

  /// The node is added with nothing on it, or has this instead of what it has now.
  record SetNode(NodeView node) implements Change {
    /// A node with nothing on it.
    public static SetNode empty(Node node) {
      return new SetNode(
          new NodeView(node, Amounts.NONE, Amounts.NONE, Amounts.NONE, List.of(), new TreeSet<>()));
    }
  }

  /// The node is drained and goes. Pods that were on it wait again, as their controllers make them
  /// anew; pods without a controller are gone.
  record DrainNode(NodeName node) implements Change {}

  /// The workload is submitted, or says this from now on.
  record SetGroup(PodGroup group) implements Change {}

  /// The workload ends: its pods are gone, and what they had is free.
  record RemoveGroup(GroupKey group) implements Change {}

  /// So much time passes, and nothing else happens: protections, delays and back-offs end.
  record AtTime(Instant now) implements Change {}

  /// An action that the configuration switches off is on, as far as it goes by default.
  record SwitchOn(Switch action) implements Change {}

  /// The queue with another limit.
  ///
  /// @param limit [Queue#UNLIMITED] = none
  /// @param pool the node pool in which it is so; empty = in each that has none of its own
  static Queue withLimit(Queue queue, Resource resource, long limit, Optional<String> pool) {
    return Rewritten.withLimit(queue, resource, limit, pool);
  }

  /// The queue with another quota.
  ///
  /// @param pool the node pool in which it is so; empty = in each that has none of its own
  static Queue withQuota(Queue queue, Resource resource, long quota, Optional<String> pool) {
    return Rewritten.withQuota(queue, resource, quota, pool);
  }

  /// So many more empty nodes of the shape of one.
  static List<Change> addNodes(int count, NodeView like) {
    var nodes = new ArrayList<Change>();
    for (int i = 1; i <= count; i++) {
      var node = renamed(like.node(), new NodeName(like.name() + "-more-" + i));
      nodes.add(new SetNode(SetNode.empty(node).node().in(like.numa().emptied())));
    }
    return nodes;
  }

  private static Node renamed(Node like, NodeName name) {
    var labels = new TreeMap<>(like.labels());
    labels.replace("kubernetes.io/hostname", name.value());
    return new Node(
        name, 1, labels, like.taints(), false, true, like.allocatable(), like.accelerator());
  }
}
