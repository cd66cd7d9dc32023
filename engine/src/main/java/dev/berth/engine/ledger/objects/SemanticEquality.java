package dev.berth.engine.ledger.objects;

import dev.berth.engine.model.DeviceClaim;
import dev.berth.engine.model.DeviceClass;
import dev.berth.engine.model.DeviceSlice;
import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.Idleness;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.PersistentVolume;
import dev.berth.engine.model.PersistentVolumeClaim;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.StorageClass;
import dev.berth.engine.model.Topology;
import java.time.Instant;

/// Whether two versions of an object differ in nothing but their version: a heartbeat starts no
/// cycle.
///
/// Spelled out by component, so that a new one does not compile until its meaning is decided.
public final class SemanticEquality {
  private SemanticEquality() {}

  public static boolean of(Pod one, Pod other) {
    return timeless(one).equals(timeless(other));
  }

  private static Pod timeless(Pod pod) {
    return new Pod(
        pod.uid(),
        pod.key(),
        0,
        pod.created(),
        pod.scheduler(),
        pod.life(),
        pod.asks(),
        pod.belonging(),
        pod.written(),
        pod.holding(),
        pod.traits(),
        pod.problems());
  }

  public static boolean of(Node one, Node other) {
    return timeless(one).equals(timeless(other));
  }

  private static Node timeless(Node node) {
    return new Node(
        node.name(),
        0,
        node.labels(),
        node.taints(),
        node.unschedulable(),
        node.ready(),
        node.allocatable(),
        node.accelerator());
  }

  public static boolean of(GroupSpec one, GroupSpec other) {
    return timeless(one).equals(timeless(other));
  }

  private static GroupSpec timeless(GroupSpec group) {
    return new GroupSpec(
        group.key(),
        group.uid(),
        0,
        group.generation(),
        group.created(),
        group.queue(),
        group.minMember(),
        group.minSubGroup(),
        group.subGroups(),
        group.topology(),
        group.priorityClass(),
        group.preemptibility(),
        group.patience(),
        Instant.EPOCH, // Berth wrote it, as what follows
        new GroupSpec.Run(
            Instant.EPOCH,
            0,
            0,
            group.run().warned(), // the warning counts from there
            Idleness.NONE,
            group.run().notice()), // and that of an eviction from here
        group.completions(),
        group.problems());
  }

  public static boolean of(Queue one, Queue other) {
    return timeless(one).equals(timeless(other));
  }

  private static Queue timeless(Queue queue) {
    return queue.of(0, queue.generation(), queue.created());
  }

  public static boolean of(DeviceClaim one, DeviceClaim other) {
    return one.in(0).equals(other.in(0));
  }

  public static boolean of(DeviceSlice one, DeviceSlice other) {
    return one.in(0).equals(other.in(0));
  }

  public static boolean of(DeviceClass one, DeviceClass other) {
    return one.in(0).equals(other.in(0));
  }

  public static boolean of(PersistentVolumeClaim one, PersistentVolumeClaim other) {
    return one.in(0).equals(other.in(0));
  }

  public static boolean of(PersistentVolume one, PersistentVolume other) {
    return one.in(0).equals(other.in(0));
  }

  public static boolean of(StorageClass one, StorageClass other) {
    return one.in(0).equals(other.in(0));
  }

  public static boolean of(DisruptionBudget one, DisruptionBudget other) {
    return timeless(one).equals(timeless(other));
  }

  private static DisruptionBudget timeless(DisruptionBudget budget) {
    return new DisruptionBudget(
        budget.key(),
        0,
        budget.selector(),
        budget.coversNoPod(),
        budget.allowed(),
        budget.only(),
        budget.isTooLong());
  }

  public static boolean of(Topology one, Topology other) {
    return one.levels().equals(other.levels());
  }
}
