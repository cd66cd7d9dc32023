package dev.berth.engine.session;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Resource;

/// What ready, schedulable nodes have (of devices, where they are not sick), and what of it pods of
/// other schedulers use. Summed over the rows of [FreeCapacity], anew only when nodes or those pods
/// change.
public final class Supply {
  /// More on one node is absurd; it must not overflow.
  private static final long MOST_DEVICES = Integer.MAX_VALUE;

  private final FreeCapacity room;
  private final long[] devicesOfOne; // by number of the room's resources, in thousandths
  private final long version;
  private final Sum allocatable;
  private final Sum foreign;

  private static final class Sum {
    final long[] amounts; // by number of the room's resources
    final long[] devices; // thousandths, by kind of node
    long claimable; // thousandths of GPUs of no model that claims may have (DRA)

    Sum(FreeCapacity room) {
      amounts = new long[room.width()];
      devices = new long[room.hardware().kinds().size()];
    }
  }

  Supply(FreeCapacity room, ClaimAllocation claims) {
    this.room = room;
    version = room.changes().supplied();
    allocatable = new Sum(room);
    foreign = new Sum(room);
    devicesOfOne = new long[room.width()];
    for (int c = 0; c < devicesOfOne.length; c++) {
      var resource = room.resource(c);
      devicesOfOne[c] = resource.isDevice() ? 1000 : 1000L * resource.migSlices();
    }
    for (int n = 0; n < room.nodes(); n++) {
      if (counts(n)) {
        for (int c = 0; c < devicesOfOne.length; c++) {
          add(allocatable, n, c, room.allocatable(n, c));
        }
        addForeign(n, room.node(n).foreign());
        allocatable.claimable += claims.millisToClaim(n);
      }
    }
  }

  boolean isOf(FreeCapacity other) {
    return room == other && version == other.changes().supplied();
  }

  /// Whether what a node has is there to be divided.
  public boolean counts(int n) {
    var node = room.node(n).node();
    return node.ready() && !node.unschedulable();
  }

  /// Whether its devices are sick: then they are not there.
  public boolean isSick(int n) {
    return !room.node(n).node().accelerator().sick().isEmpty();
  }

  /// What nodes have of what queues count: devices in thousandths, cores in thousandths, bytes.
  public long allocatable(Resource resource) {
    return of(resource, allocatable);
  }

  /// What of it pods of other schedulers use.
  public long foreign(Resource resource) {
    return of(resource, foreign);
  }

  private void addForeign(int n, Amounts amounts) {
    for (int i = 0; i < amounts.size(); i++) {
      for (int c = 0; c < devicesOfOne.length; c++) {
        if (room.resource(c).equals(amounts.resource(i))) {
          add(foreign, n, c, amounts.value(i));
        }
      }
    }
  }

  private void add(Sum sum, int n, int column, long amount) {
    if (devicesOfOne[column] > 0 && isSick(n)) {
      return;
    }
    sum.amounts[column] = Charge.sum(sum.amounts[column], amount);
    if (devicesOfOne[column] > 0) {
      long devices = Math.min(amount, MOST_DEVICES) * devicesOfOne[column];
      sum.devices[room.kind(n)] = Charge.sum(sum.devices[room.kind(n)], devices);
    }
  }

  private long of(Resource resource, Sum sum) {
    long amount = 0;
    if (resource.isGpuOfQueues()) {
      amount = resource.equals(Resource.GPU) ? sum.claimable : 0;
      for (int kind = 0; kind < sum.devices.length; kind++) {
        boolean counts =
            resource.equals(Resource.GPU)
                || resource.equals(Resource.gpuOfModel(room.hardware().kinds().get(kind).model()));
        amount = Charge.sum(amount, counts ? sum.devices[kind] : 0);
      }
      return amount;
    }
    for (int c = 0; c < sum.amounts.length; c++) {
      amount = room.resource(c).equals(resource) ? sum.amounts[c] : amount;
    }
    return amount;
  }
}
