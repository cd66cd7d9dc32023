package dev.berth.engine.explain;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.GroupSpec.SubGroup;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.PodRequest;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueInPool;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Standing;
import java.util.ArrayList;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/// Copies of a workload or queue in which one thing is otherwise.
final class Rewritten {
  private Rewritten() {}

  static PodGroup with(PodGroup group, QueueName queue) {
    return with(group, group.spec(), queue, group.priority(), group.preemptibility());
  }

  static PodGroup with(PodGroup group, Preemptibility preemptibility) {
    return with(group, group.spec(), group.queue(), group.priority(), preemptibility);
  }

  /// Which may decide whether it is preemptible.
  static PodGroup withPriority(PodGroup group, int priority) {
    var preemptibility =
        group.preemptibilitySource().isByPriority()
            ? Preemptibility.BY_PRIORITY.at(priority)
            : group.preemptibility();
    return with(group, group.spec(), group.queue(), priority, preemptibility);
  }

  /// Others may be asked to leave for it.
  static PodGroup takingVictims(PodGroup group) {
    return with(group, group.spec(), group.queue(), group.priority(), group.preemptibility(), true);
  }

  static PodGroup with(PodGroup group, GroupSpec spec) {
    return with(group, spec, group.queue(), group.priority(), group.preemptibility());
  }

  /// The members that wait ask for something else.
  static PodGroup asking(PodGroup group, UnaryOperator<Pod> pods) {
    var members = new ArrayList<Member>();
    for (Member member : group.members()) {
      members.add(
          member.standing() instanceof Standing.Waiting
              ? new Member(pods.apply(member.pod()), member.standing(), member.vetoes())
              : member);
    }
    return group.of(members);
  }

  private static PodGroup with(
      PodGroup group,
      GroupSpec spec,
      QueueName queue,
      int priority,
      Preemptibility preemptibility) {
    return with(group, spec, queue, priority, preemptibility, group.takesVictims());
  }

  private static PodGroup with(
      PodGroup group,
      GroupSpec spec,
      QueueName queue,
      int priority,
      Preemptibility preemptibility,
      boolean takesVictims) {
    return new PodGroup(
        group.key(),
        spec,
        queue,
        priority,
        preemptibility,
        group.preemptibilitySource(),
        group.created(),
        group.members(),
        group.single(),
        group.origin(),
        takesVictims,
        group.standsFast(),
        group.resumed(),
        group.namespaceLabels(),
        group.namespaceTerminates());
  }

  /// Every level that is required, of the group and of its sub-groups, is preferred instead.
  static GroupSpec preferring(GroupSpec spec) {
    var subGroups = new ArrayList<SubGroup>();
    for (SubGroup each : spec.subGroups()) {
      subGroups.add(
          new SubGroup(
              each.name(),
              each.parent(),
              each.minMember(),
              each.minSubGroup(),
              preferring(each.topology())));
    }
    return spec.withSubGroups(subGroups).withTopology(preferring(spec.topology()), spec.problems());
  }

  private static TopologyAsk preferring(TopologyAsk ask) {
    return ask.required().isEmpty() ? ask : new TopologyAsk(ask.topology(), "", ask.required());
  }

  static Pod with(Pod pod, Constraints constraints) {
    return pod.asking(pod.asks().with(constraints));
  }

  static Constraints without(Constraints constraints, String label) {
    var selector = new TreeMap<>(constraints.nodeSelector());
    selector.remove(label);
    return new Constraints(
        selector,
        constraints.required(),
        constraints.tolerations(),
        constraints.interPod(),
        constraints.volumes());
  }

  static Constraints tolerating(Constraints constraints, Constraints.Toleration toleration) {
    var tolerations = new ArrayList<>(constraints.tolerations());
    tolerations.add(toleration);
    return new Constraints(
        constraints.nodeSelector(),
        constraints.required(),
        tolerations,
        constraints.interPod(),
        constraints.volumes());
  }

  /// The pod asks for other devices; whole ones count among its amounts, too.
  static Pod with(Pod pod, DeviceRequest devices) {
    PodRequest request = pod.asks().request();
    Amounts amounts = request.amounts();
    var alignment = request.alignment();
    if (request.devices() instanceof DeviceRequest.Whole(Resource was, int before)
        && devices instanceof DeviceRequest.Whole(_, int now)) {
      amounts = amounts.minus(Amounts.of(was, before - now));
      alignment = alignment.withFewer(was, before - now);
    }
    var asks = pod.asks();
    return pod.asking(
        new Pod.Asks(
            new PodRequest(
                amounts,
                devices,
                request.deviceContainer(),
                request.models(),
                request.isolation(),
                request.hostPorts(),
                alignment,
                request.runtimeClass()),
            asks.constraints(),
            asks.priority(),
            asks.preemptibility(),
            asks.manners()));
  }

  /// @param pool the node pool whose own limit it is; empty = the limit of the queue
  static Queue withLimit(Queue queue, Resource resource, long limit, Optional<String> pool) {
    if (pool.isPresent()) {
      var there = queue.in(pool.get());
      var limits = withLimit(there, resource, limit, Optional.empty()).limit();
      var was = inPool(queue, pool.get());
      return with(
          queue,
          pool.get(),
          new QueueInPool(was.quota(), was.zeroQuota(), Optional.of(limits), was.weight()));
    }
    var limits = new TreeMap<>(queue.limit());
    limits.put(resource, limit);
    return with(queue, queue.quota(), queue.zeroQuota(), limits, queue.pools());
  }

  /// @param pool the node pool whose own quota it is; empty = the quota of the queue
  static Queue withQuota(Queue queue, Resource resource, long quota, Optional<String> pool) {
    if (pool.isPresent()) {
      var there = queue.in(pool.get());
      var other = withQuota(there, resource, quota, Optional.empty());
      var was = inPool(queue, pool.get());
      return with(
          queue,
          pool.get(),
          new QueueInPool(
              Optional.of(other.quota()), other.zeroQuota(), was.limit(), was.weight()));
    }
    var quotas = queue.quota().toMap();
    quotas.put(resource, quota);
    var zeros = new TreeSet<>(queue.zeroQuota());
    zeros.removeAll(Amounts.of(quotas).resources());
    return with(queue, Amounts.of(quotas), zeros, queue.limit(), queue.pools());
  }

  /// What it says of a pool; nothing where it does not list it.
  private static QueueInPool inPool(Queue queue, String pool) {
    return queue
        .pools()
        .getOrDefault(
            pool,
            new QueueInPool(Optional.empty(), new TreeSet<>(), Optional.empty(), Optional.empty()));
  }

  private static Queue with(Queue queue, String pool, QueueInPool there) {
    var pools = new TreeMap<>(queue.pools());
    pools.put(pool, there);
    return with(queue, queue.quota(), queue.zeroQuota(), queue.limit(), pools);
  }

  private static Queue with(
      Queue queue,
      Amounts quota,
      SortedSet<Resource> zeros,
      SortedMap<Resource, Long> limits,
      SortedMap<String, QueueInPool> pools) {
    return new Queue(
        queue.name(),
        queue.version(),
        queue.generation(),
        queue.created(),
        queue.parent(),
        queue.priority(),
        quota,
        zeros,
        limits,
        queue.weight(),
        pools,
        queue.preemptMinRuntime(),
        queue.reclaimMinRuntime(),
        queue.maxRuntime(),
        queue.maxRuntimeWarning(),
        queue.idle(),
        queue.namespaces(),
        queue.problems());
  }
}
