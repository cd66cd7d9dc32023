package dev.berth.engine.explain;

import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.Constraints.Toleration;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Snapshot;
import java.util.List;
import java.util.function.UnaryOperator;

/// The changes to a cluster that a [Remedy] stands for.
final class RemedyChanges {
  private static final String UNSCHEDULABLE = "node.kubernetes.io/unschedulable";

  private RemedyChanges() {}

  /// @param world with the remedies before it
  /// @param group that it is for, which is there
  static List<Change> of(Remedy remedy, Snapshot world, GroupKey group) {
    return switch (remedy) {
      case Remedy.NotBefore(var at) -> List.of(new Change.AtTime(at));
      case Remedy.RaiseLimit(var name, var resource, _, long to, var pool) ->
          List.of(new Change.SetQueue(Rewritten.withLimit(queue(world, name), resource, to, pool)));
      case Remedy.RaiseQuota(var name, var resource, _, long to, var pool) ->
          List.of(new Change.SetQueue(Rewritten.withQuota(queue(world, name), resource, to, pool)));
      case Remedy.EndWorkloads(var groups, _, _) ->
          groups.stream().map(key -> (Change) new Change.RemoveGroup(key)).toList();
      case Remedy.Uncordon(var name) ->
          List.of(new Change.SetNode(schedulable(world.node(name).orElseThrow())));
      case Remedy.AddNodes(int count, var like) ->
          Change.addNodes(count, world.node(like).orElseThrow());
      case Remedy.SwitchOn(var action) -> List.of(new Change.SwitchOn(action));
      case Remedy.PreferTopology _,
          Remedy.Preemptible _,
          Remedy.MayPreempt _,
          Remedy.RaisePriority _,
          Remedy.LowerMinimum _,
          Remedy.FewerDevices _,
          Remedy.SmallerShare _,
          Remedy.SmallerMemory _,
          Remedy.DropSelector _,
          Remedy.Tolerate _,
          Remedy.OtherQueue _ ->
          List.of(new Change.SetGroup(otherwise(remedy, world.group(group).orElseThrow())));
    };
  }

  /// A queue by its name; one that is not declared has no limits.
  static Queue queue(Snapshot world, QueueName name) {
    return world.queue(name).orElseGet(() -> Queue.implied(name, false));
  }

  private static PodGroup otherwise(Remedy remedy, PodGroup group) {
    var spec = group.spec();
    return switch (remedy) {
      case Remedy.PreferTopology _ -> Rewritten.with(group, Rewritten.preferring(spec));
      case Remedy.Preemptible _ -> Rewritten.with(group, Preemptibility.PREEMPTIBLE);
      case Remedy.MayPreempt _ -> Rewritten.takingVictims(group);
      case Remedy.RaisePriority(_, int to, _, _) -> Rewritten.withPriority(group, to);
      case Remedy.LowerMinimum(_, int to) -> Rewritten.with(group, spec.withMinimum(to));
      case Remedy.FewerDevices(_, int to) -> asking(group, devices -> fewer(devices, to));
      case Remedy.SmallerShare(_, int to) -> asking(group, devices -> smallerShare(devices, to));
      case Remedy.SmallerMemory(_, long to) -> asking(group, devices -> smallerMemory(devices, to));
      case Remedy.DropSelector(var label, _) ->
          constrained(group, it -> Rewritten.without(it, label));
      case Remedy.Tolerate(var taint) -> {
        var bears = new Toleration(taint.key(), false, taint.value(), taint.effect());
        yield constrained(group, it -> Rewritten.tolerating(it, bears));
      }
      case Remedy.OtherQueue(var queue) -> Rewritten.with(group, queue);
      case Remedy.NotBefore _,
          Remedy.RaiseLimit _,
          Remedy.RaiseQuota _,
          Remedy.EndWorkloads _,
          Remedy.Uncordon _,
          Remedy.AddNodes _,
          Remedy.SwitchOn _ ->
          group;
    };
  }

  private static DeviceRequest fewer(DeviceRequest devices, int to) {
    return devices instanceof DeviceRequest.Whole(var resource, _)
        ? new DeviceRequest.Whole(resource, to)
        : devices;
  }

  private static DeviceRequest smallerShare(DeviceRequest devices, int to) {
    return devices instanceof DeviceRequest.Fraction(_, int limit, int count)
        ? new DeviceRequest.Fraction(to, Math.max(to, limit), count)
        : devices;
  }

  private static DeviceRequest smallerMemory(DeviceRequest devices, long mib) {
    return devices instanceof DeviceRequest.Memory(_, long limit, int count)
        ? new DeviceRequest.Memory(mib, Math.max(mib, limit), count)
        : devices;
  }

  private static PodGroup asking(PodGroup group, UnaryOperator<DeviceRequest> other) {
    return Rewritten.asking(
        group, pod -> Rewritten.with(pod, other.apply(pod.asks().request().devices())));
  }

  private static PodGroup constrained(PodGroup group, UnaryOperator<Constraints> other) {
    UnaryOperator<Pod> pods = pod -> Rewritten.with(pod, other.apply(pod.asks().constraints()));
    return Rewritten.asking(group, pods);
  }

  private static NodeView schedulable(NodeView view) {
    var was = view.node();
    var taints = was.taints().stream().filter(taint -> !taint.key().equals(UNSCHEDULABLE)).toList();
    var node =
        new Node(
            was.name(),
            was.version(),
            was.labels(),
            taints,
            false,
            was.ready(),
            was.allocatable(),
            was.accelerator());
    return new NodeView(
        node,
        view.used(),
        view.leaving(),
        view.foreign(),
        view.slots(),
        view.hostPorts(),
        view.trouble(),
        view.numa());
  }
}
