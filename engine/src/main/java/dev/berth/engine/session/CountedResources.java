package dev.berth.engine.session;

import dev.berth.engine.model.PodRequest;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.Resource;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/// The resources that queues count, by dense number (`gpu`, `cpu`, `memory`, and what any queue
/// names and any node has), and what a pod is charged of them. Of what no node has no pod can get
/// any, so no queue has to be charged for it: else a tenant that may make queues would make every
/// charge as long as it likes.
final class CountedResources {
  private static final int BASIC = 3;

  private final Resources counted = new Resources();
  private final int gpu;
  private final boolean countsModels;

  /// @param hardware what nodes have
  CountedResources(List<Queue> queues, Hardware hardware) {
    gpu = counted.intern(Resource.GPU);
    counted.intern(Resource.CPU);
    counted.intern(Resource.MEMORY);
    var there = hardware.countable();
    for (Queue queue : queues) {
      count(queue.quota().resources(), there);
      count(queue.zeroQuota(), there);
      count(queue.limit().keySet(), there);
      count(queue.weight().keySet(), there);
    }
    boolean models = false;
    for (int r = 0; r < counted.size(); r++) {
      models |= counted.name(r).name().startsWith("gpu/");
    }
    countsModels = models;
  }

  private void count(Collection<Resource> named, Set<Resource> there) {
    for (Resource resource : named) {
      if (there.contains(resource)) {
        counted.intern(resource);
      }
    }
  }

  int size() {
    return counted.size();
  }

  Resource name(int r) {
    return counted.name(r);
  }

  /// The number of `gpu`.
  int gpu() {
    return gpu;
  }

  /// Whether every queue answers for the resource, named or not: `gpu`, `cpu` and `memory`.
  boolean isBasic(int r) {
    return r < BASIC;
  }

  /// Whether any queue says something on one device model.
  boolean countsModels() {
    return countsModels;
  }

  /// What a pod is charged on a node with such devices. A share of memory that fits no device
  /// counts as the whole device.
  ///
  /// @param claimed thousandths of GPUs that it has by claims
  Charge charge(PodRequest request, long claimed, String model, long memoryMib) {
    var values = new long[counted.size()];
    var amounts = request.amounts();
    long devices =
        (long) request.devices().count() * Math.min(1000, request.devices().millisOn(memoryMib));
    for (int i = 0; i < amounts.size(); i++) {
      var resource = amounts.resource(i);
      devices = Charge.sum(devices, 1000L * resource.migSlices() * amounts.value(i));
      int r = counted.find(resource);
      if (r != Resources.UNKNOWN && r != gpu) {
        values[r] = amounts.value(i);
      }
    }
    values[gpu] = Charge.sum(devices, claimed);
    if (countsModels && devices > 0 && !model.isEmpty()) {
      int r = counted.find(Resource.gpuOfModel(model));
      if (r != Resources.UNKNOWN) {
        values[r] = devices;
      }
    }
    return new Charge(values);
  }
}
