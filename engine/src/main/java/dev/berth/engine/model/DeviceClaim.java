package dev.berth.engine.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A ResourceClaim: devices that are asked for as a whole, by one pod or by several together.
///
/// @param version resourceVersion of the object; later is larger
/// @param queue the label `berth.dev/queue`; none = not labelled
/// @param asks all of them are wanted
/// @param distinct no device is allocated to it twice (a constraint with `distinctAttribute`);
///   matters for devices with consumable capacity alone
/// @param allocation devices that kube-scheduler chose; none = not yet
/// @param problems why it is not understood; then it asks for nothing
public record DeviceClaim(
    ClaimKey key,
    long version,
    QueueName queue,
    List<Ask> asks,
    boolean distinct,
    Allocation allocation,
    List<Problem> problems) {
  /// Kube-scheduler allocates no more devices to one claim (`AllocationResultsMaxSize`).
  public static final int MOST_DEVICES = 32;

  public DeviceClaim {
    asks = List.copyOf(asks);
    problems = List.copyOf(problems);
  }

  /// Without problems.
  public DeviceClaim(
      ClaimKey key,
      long version,
      QueueName queue,
      List<Ask> asks,
      boolean distinct,
      Allocation allocation) {
    this(key, version, queue, asks, distinct, allocation, List.of());
  }

  /// Without constraints.
  public DeviceClaim(
      ClaimKey key, long version, QueueName queue, List<Ask> asks, Allocation allocation) {
    this(key, version, queue, asks, false, allocation);
  }

  /// Another sighting that says the same says it in this version.
  public DeviceClaim in(long other) {
    return new DeviceClaim(key, other, queue, asks, distinct, allocation, problems);
  }

  /// One request of a claim: the first of these choices that can be had.
  public record Ask(List<Choice> choices) {
    public Ask {
      choices = List.copyOf(choices);
    }
  }

  /// So many devices of a class, of one node.
  ///
  /// @param all every device of the class that the node has, at least one; `count` is 1
  /// @param shared access beside others (`adminAccess`): takes no device from other claims
  /// @param matches what else is asked of each device
  /// @param capacity what is asked of each device's capacity, by name (`capacity.requests`)
  public record Choice(
      String deviceClass,
      int count,
      boolean all,
      boolean shared,
      List<DeviceMatch> matches,
      SortedMap<String, Long> capacity) {
    public Choice {
      matches = List.copyOf(matches);
      capacity = Collections.unmodifiableSortedMap(new TreeMap<>(capacity));
    }

    /// Whole devices.
    public Choice(
        String deviceClass, int count, boolean all, boolean shared, List<DeviceMatch> matches) {
      this(deviceClass, count, all, shared, matches, new TreeMap<>());
    }

    /// How many devices it takes at least.
    public int least() {
      return all ? 1 : count;
    }

    /// Bytes of memory of each device; 0 = it names none, and takes what the driver says, most
    /// often the whole device.
    public long memoryBytes() {
      return memory(capacity);
    }
  }

  private static long memory(SortedMap<String, Long> capacity) {
    for (var each : capacity.entrySet()) {
      if (DeviceCapacity.isMemory(each.getKey())) {
        return each.getValue();
      }
    }
    return 0;
  }

  /// @param node where the devices are, as the claim says; none = look at the devices
  public record Allocation(NodeName node, List<Result> results) {
    public static final Allocation NONE = new Allocation(NodeName.NONE, List.of());

    public Allocation {
      results = List.copyOf(results);
    }

    public boolean isNone() {
      return node.isNone() && results.isEmpty();
    }

    public List<DeviceId> devices() {
      return results.stream().map(Result::device).toList();
    }
  }

  /// One allocated device, or a share of it.
  ///
  /// @param consumed of its capacity, by name
  /// @param share its `shareID`; empty = no other claim can be allocated the device
  public record Result(DeviceId device, SortedMap<String, Long> consumed, String share) {
    public Result {
      consumed = Collections.unmodifiableSortedMap(new TreeMap<>(consumed));
    }

    /// The whole device.
    public static Result whole(DeviceId device) {
      return new Result(device, new TreeMap<>(), "");
    }

    public boolean isShare() {
      return !share.isEmpty();
    }

    /// Bytes of its memory that this consumes; 0 = the driver tells of no memory.
    public long memoryBytes() {
      return memory(consumed);
    }
  }

  /// A device of the cluster.
  public record DeviceId(String driver, String pool, String device) {}
}
