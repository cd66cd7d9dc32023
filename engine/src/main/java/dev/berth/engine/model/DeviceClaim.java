package dev.berth.engine.model;

import java.util.List;

/// A ResourceClaim: devices that are asked for as a whole, by one pod or by several together.
///
/// @param version resourceVersion of the object; later is larger
/// @param queue the label `berth.dev/queue`; none = not labelled
/// @param generated made from a template, for one pod alone
/// @param asks all of them are wanted
/// @param allocation devices that kube-scheduler chose; none = not yet
public record DeviceClaim(
    ClaimKey key,
    long version,
    QueueName queue,
    boolean generated,
    List<Ask> asks,
    Allocation allocation) {
  public DeviceClaim {
    asks = List.copyOf(asks);
  }

  /// Another sighting that says the same says it in this version.
  public DeviceClaim in(long other) {
    return new DeviceClaim(key, other, queue, generated, asks, allocation);
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
  /// @param shared access beside others (`adminAccess`): takes no device from anybody
  /// @param matches what else is asked of each device
  public record Choice(
      String deviceClass, int count, boolean all, boolean shared, List<DeviceMatch> matches) {
    public Choice {
      matches = List.copyOf(matches);
    }
  }

  /// @param node where the devices are, as the claim says; none = look at the devices
  public record Allocation(NodeName node, List<DeviceId> devices) {
    public static final Allocation NONE = new Allocation(NodeName.NONE, List.of());

    public Allocation {
      devices = List.copyOf(devices);
    }

    public boolean isNone() {
      return node.isNone() && devices.isEmpty();
    }
  }

  /// A device of the cluster.
  public record DeviceId(String driver, String pool, String device) {}
}
