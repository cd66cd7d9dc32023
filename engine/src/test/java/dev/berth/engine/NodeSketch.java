package dev.berth.engine;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Injection;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.Node.Accelerator;
import dev.berth.engine.model.Node.Fractions;
import dev.berth.engine.model.Node.Mig;
import dev.berth.engine.model.Node.Taint;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Numa;
import dev.berth.engine.model.Numa.Policy;
import dev.berth.engine.model.Numa.Scope;
import dev.berth.engine.model.Numa.Zone;
import dev.berth.engine.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// A node in the words of a test: `gpus(8).model("H100").taint("dedicated", "ml", "NoSchedule")`.
public final class NodeSketch {
  private int offered = Integer.MAX_VALUE;
  private Injection injection = Injection.ASSUMED;
  private final TreeMap<Resource, Long> allocatable = new TreeMap<>();
  private final TreeMap<String, String> labels = new TreeMap<>();
  private final List<Taint> taints = new ArrayList<>();
  private final int devices;
  private String model = "";
  private long memoryMib = 80_000;
  private Mig mig = Mig.NONE;
  private String sick = "";
  private Numa numa = Numa.NONE;
  private boolean ready = true;
  private boolean cordoned;

  private NodeSketch(int devices) {
    this.devices = devices;
    allocatable.put(Resource.CPU, 64_000L);
    allocatable.put(Resource.MEMORY, 512L << 30);
    allocatable.put(Resource.PODS, 110L);
    if (devices > 0) {
      allocatable.put(Resource.NVIDIA, (long) devices);
    }
  }

  public static NodeSketch gpus(int devices) {
    return new NodeSketch(devices);
  }

  public static NodeSketch noGpus() {
    return new NodeSketch(0);
  }

  public NodeSketch with(Resource resource, long amount) {
    allocatable.put(resource, amount);
    return this;
  }

  public NodeSketch label(String key, String value) {
    labels.put(key, value);
    return this;
  }

  public NodeSketch taint(String key, String value, String effect) {
    taints.add(new Taint(key, value, effect));
    return this;
  }

  public NodeSketch model(String name) {
    model = name;
    return this;
  }

  public NodeSketch deviceMemory(long mib) {
    memoryMib = mib;
    return this;
  }

  public NodeSketch mig(Mig strategy) {
    mig = strategy;
    return this;
  }

  /// All of its devices are.
  public NodeSketch sick(String words) {
    sick = words;
    return this;
  }

  /// Its device plugin does not run: it has its devices and offers none.
  public NodeSketch withoutPlugin() {
    allocatable.put(Resource.NVIDIA, 0L);
    offered = 0;
    return this;
  }

  /// Its device plugin calls so many of its devices unhealthy.
  public NodeSketch unhealthy(int count) {
    offered = devices - count;
    allocatable.put(Resource.NVIDIA, (long) offered);
    return this;
  }

  /// How containers there get the GPU of their share.
  public NodeSketch injection(Injection how) {
    injection = how;
    return this;
  }

  public NodeSketch zones(Policy policy, Scope scope, Zone... zones) {
    numa = new Numa(policy, scope, List.of(zones));
    return this;
  }

  /// A zone of whose devices and cores so many are left.
  public static Zone zone(long devices, long cores, long devicesLeft, long coresLeft) {
    return new Zone(zone(devices, cores), zone(devicesLeft, coresLeft));
  }

  private static Amounts zone(long devices, long cores) {
    return Amounts.of(Resource.CPU, 1000 * cores)
        .plus(Amounts.of(Resource.MEMORY, cores << 33))
        .plus(Amounts.of(Resource.NVIDIA, devices));
  }

  public Numa numa() {
    return numa;
  }

  public NodeSketch notReady() {
    ready = false;
    return this;
  }

  public NodeSketch cordoned() {
    cordoned = true;
    return this;
  }

  public Node named(String name) {
    var accelerator =
        devices == 0 && mig == Mig.NONE
            ? Accelerator.NONE
            : new Accelerator(
                Resource.NVIDIA,
                Math.min(offered, devices),
                devices,
                model,
                memoryMib,
                mig,
                sick,
                Fractions.UNTOLD);
    return new Node(
            new NodeName(name),
            1,
            labels,
            taints,
            cordoned,
            ready,
            Amounts.of(allocatable),
            accelerator)
        .with(injection);
  }
}
