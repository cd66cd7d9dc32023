package dev.berth.engine.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A node as its object says, without what runs on it.
///
/// @param version resourceVersion of the object; later is larger
/// @param allocatable what pods may ask for, `pods` included
/// @param accelerator its devices, or none
public record Node(
    NodeName name,
    long version,
    SortedMap<String, String> labels,
    List<Taint> taints,
    boolean unschedulable,
    boolean ready,
    Amounts allocatable,
    Accelerator accelerator) {
  /// Stands for a node that no watch has shown: nothing may be placed on it.
  public static final Node UNSEEN =
      new Node(
          NodeName.NONE,
          0,
          new TreeMap<>(),
          List.of(),
          true,
          false,
          Amounts.NONE,
          Accelerator.NONE);

  public Node {
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    taints = List.copyOf(taints);
  }

  /// The same node, on which containers get their GPUs in this way.
  public Node with(Injection injection) {
    return accelerator.injection().equals(injection)
        ? this
        : new Node(
            name,
            version,
            labels,
            taints,
            unschedulable,
            ready,
            allocatable,
            accelerator.with(injection));
  }

  /// `effect` is `NoSchedule`, `PreferNoSchedule` or `NoExecute`.
  public record Taint(String key, String value, String effect) {
    public boolean repels() {
      return !effect.equals("PreferNoSchedule");
    }

    /// As `kubectl` writes it: `key=value:effect`.
    public String words() {
      return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
    }
  }

  /// The devices of a node: one kind, handed out by one device plugin.
  ///
  /// @param count allocatable devices: those that the device plugin calls healthy
  /// @param capacity devices that there are, and numbers for shared ones; `count` at least
  /// @param model `nvidia.com/gpu.product`; empty = not told
  /// @param memoryMib memory of one device, `nvidia.com/gpu.memory`; 0 = not told
  /// @param mig how the node is partitioned, `nvidia.com/mig.strategy`
  /// @param sick what the node says is wrong with all of them; empty = nothing. No pod is planned
  ///   onto them then; pods that are there stay
  /// @param fractions what the vendor's own agent says of enforcing shares
  /// @param injection how containers get the GPU of their share; not from the node's object, the
  ///   ledger adds it
  public record Accelerator(
      Resource resource,
      int count,
      int capacity,
      String model,
      long memoryMib,
      Mig mig,
      String sick,
      Fractions fractions,
      Injection injection) {
    public Accelerator {
      capacity = Math.max(count, capacity);
    }

    /// Nothing is known of injection.
    public Accelerator(
        Resource resource,
        int count,
        int capacity,
        String model,
        long memoryMib,
        Mig mig,
        String sick,
        Fractions fractions) {
      this(resource, count, capacity, model, memoryMib, mig, sick, fractions, Injection.ASSUMED);
    }

    Accelerator with(Injection next) {
      return new Accelerator(
          resource, count, capacity, model, memoryMib, mig, sick, fractions, next);
    }

    /// All of them healthy.
    public Accelerator(Resource resource, int count, String model, long memoryMib, Mig mig) {
      this(resource, count, count, model, memoryMib, mig, "", Fractions.UNTOLD);
    }

    /// Devices that there are and that the device plugin does not offer; 0 where it offers none,
    /// which says that the plugin is not there.
    public int unhealthy() {
      return count == 0 ? 0 : capacity - count;
    }

    /// The label of a node that tells the model.
    public static final String MODEL = "nvidia.com/gpu.product";

    public static final Accelerator NONE = new Accelerator(Resource.NVIDIA, 0, "", 0, Mig.NONE);
  }

  /// Condition `gpu-fractioning.nvidia.com/Ready`: whether shares in the mode `nvidia` are
  /// enforced.
  public enum Fractions {
    UNTOLD,
    READY,
    NOT_READY
  }

  /// `single`: instances look like whole devices; `mixed`: instances have their own resource names.
  public enum Mig {
    NONE,
    SINGLE,
    MIXED
  }
}
