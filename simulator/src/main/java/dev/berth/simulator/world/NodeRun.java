package dev.berth.simulator.world;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// What one kubelet knows: what its node has, which pods run on it, which device each has.
final class NodeRun {
  private static final List<String> DEVICE_RESOURCES =
      List.of("nvidia.com/gpu", "amd.com/gpu", "gpu.intel.com/i915", "gpu.intel.com/xe");

  /// Why the kubelet fails a pod.
  record Refusal(String reason, String message) {}

  private record Running(RequestedAmounts demand, List<String> devices) {}

  private final String name;
  private final TreeMap<String, Running> running = new TreeMap<>();
  private final Map<String, Long> ending = new HashMap<>(); // with the grace
  private final Set<String> refused = new HashSet<>();
  private SortedMap<String, Long> allocatable = new TreeMap<>();

  NodeRun(String name) {
    this.name = name;
  }

  void update(Map<String, ?> node) {
    allocatable = RequestedAmounts.amounts(ObjectTree.map(node, "status", "allocatable"));
  }

  boolean isNew(String uid) {
    return !running.containsKey(uid) && !refused.contains(uid);
  }

  /// Runs here and has not been asked to leave.
  boolean runs(String uid) {
    return running.containsKey(uid) && !ending.containsKey(uid);
  }

  /// Ends at once all but these.
  void retain(Set<String> uids) {
    running.keySet().retainAll(uids);
    ending.keySet().retainAll(uids);
    refused.retainAll(uids);
  }

  boolean has(String uid) {
    return running.containsKey(uid);
  }

  List<String> devicesOf(String uid) {
    var is = running.get(uid);
    return is == null ? List.of() : is.devices();
  }

  /// @return false if its end has begun already, with no longer a grace
  boolean startEnding(String uid, long grace) {
    Long before = ending.get(uid);
    ending.merge(uid, grace, Math::min);
    return before == null || before > grace;
  }

  void release(String uid) {
    running.remove(uid);
    ending.remove(uid);
    refused.remove(uid);
  }

  /// Takes a pod in, or says why not: devices first (the device manager), then everything else.
  Optional<Refusal> admit(String uid, RequestedAmounts demand, Chance chance) {
    for (var asked : demand.amounts().entrySet()) {
      if (DEVICE_RESOURCES.contains(asked.getKey())) {
        long free = allocatable.getOrDefault(asked.getKey(), 0L) - used(asked.getKey());
        if (asked.getValue() > free) {
          return refuse(
              uid,
              "UnexpectedAdmissionError",
              "Allocate failed due to requested number of devices unavailable for "
                  + asked.getKey()
                  + ". Requested: "
                  + asked.getValue()
                  + ", Available: "
                  + free
                  + ", which is unexpected");
        }
      }
    }
    for (var asked : demand.amounts().entrySet()) {
      long used = used(asked.getKey());
      long capacity = allocatable.getOrDefault(asked.getKey(), 0L);
      if (used + asked.getValue() > capacity) {
        return refuse(
            uid,
            "OutOf" + asked.getKey(),
            "Node didn't have enough resource: "
                + asked.getKey()
                + ", requested: "
                + asked.getValue()
                + ", used: "
                + used
                + ", capacity: "
                + capacity);
      }
    }
    takeOver(uid, demand, chance);
    return Optional.empty();
  }

  /// Takes a pod in without asking; it gets of the devices what is there.
  void takeOver(String uid, RequestedAmounts demand, Chance chance) {
    running.put(uid, new Running(demand, devices(demand, chance)));
  }

  private Optional<Refusal> refuse(String uid, String reason, String message) {
    refused.add(uid);
    return Optional.of(new Refusal(reason, message));
  }

  private long used(String resource) {
    return running.values().stream().mapToLong(pod -> pod.demand().of(resource)).sum();
  }

  private List<String> devices(RequestedAmounts demand, Chance chance) {
    var chosen = new ArrayList<String>();
    for (String resource : DEVICE_RESOURCES) {
      var free = free(resource);
      for (long i = 0; i < demand.of(resource) && !free.isEmpty(); i++) {
        chosen.add(free.remove(chance.below(free.size())));
      }
    }
    return List.copyOf(chosen);
  }

  private List<String> free(String resource) {
    var taken = new HashSet<String>();
    running.values().forEach(pod -> taken.addAll(pod.devices()));
    var free = new ArrayList<String>();
    for (int i = 0; i < allocatable.getOrDefault(resource, 0L); i++) {
      String device = device(resource, i);
      if (!taken.contains(device)) {
        free.add(device);
      }
    }
    return free;
  }

  /// The same node has the same devices in every run: like `GPU-5c3f09aa-0003-4000-a000-…`.
  private String device(String resource, int index) {
    long identity = (name + "/" + resource).hashCode() * 0x9E3779B97F4A7C15L;
    return String.format(
        Locale.ROOT,
        "GPU-%08x-%04x-4000-a000-%012x",
        identity >>> 32,
        index,
        identity & 0xFFFF_FFFF_FFFFL);
  }
}
