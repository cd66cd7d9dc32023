package dev.berth.engine.fairness;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Resource;
import dev.berth.engine.session.Charge;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.Queues;
import dev.berth.engine.session.Room;
import dev.berth.engine.session.Seat;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Shape;

/// What there is to divide: allocatable of ready, schedulable nodes (of devices, where they are not
/// sick) minus what pods of other schedulers use of it, and minus pods of ours that are in no queue
/// or in a broken one. (No queue can have what those use, and a queue that loses its parent changes
/// nobody's share. Who uses a sick device takes nothing of the healthy ones.)
///
/// Summed over the rows of [Room], which is quick, then translated once into what queues count.
final class Capacity {
  /// More on one node is absurd; it must not overflow.
  private static final long MOST_DEVICES = Integer.MAX_VALUE;

  private final Queues queues;
  private final Room room;
  private final long[] devicesOfOne; // by number of the room's resources, in thousandths
  private final Sum allocatable;
  private final Sum foreign;
  private final long[] outside; // by number of the queues' resources

  private static final class Sum {
    final long[] amounts; // by number of the room's resources
    final long[] devices; // thousandths, by kind of node
    long claimable; // thousandths of GPUs of no model that claims may have (DRA)

    Sum(Room room) {
      amounts = new long[room.width()];
      devices = new long[room.kinds().size()];
    }
  }

  private Capacity(Session session) {
    queues = session.queues();
    room = session.room();
    allocatable = new Sum(room);
    foreign = new Sum(room);
    outside = new long[queues.width()];
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
        allocatable.claimable += session.claims().millisToClaim(n);
      }
    }
    if (queues.size() > 0) {
      session.outside().forEach(this::leaveOut);
    }
  }

  /// By number of the queues' resources; never negative.
  static long[] of(Session session) {
    return new Capacity(session).total();
  }

  private boolean counts(int n) {
    var node = room.node(n).node();
    return node.ready() && !node.unschedulable();
  }

  private boolean sick(int n) {
    return !room.node(n).node().accelerator().sick().isEmpty();
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
    if (devicesOfOne[column] > 0 && sick(n)) {
      return;
    }
    sum.amounts[column] = Charge.sum(sum.amounts[column], amount);
    if (devicesOfOne[column] > 0) {
      long devices = Math.min(amount, MOST_DEVICES) * devicesOfOne[column];
      sum.devices[room.kind(n)] = Charge.sum(sum.devices[room.kind(n)], devices);
    }
  }

  private void leaveOut(Group group) {
    for (Seat seat : group.seats()) {
      var spot = seat.now();
      if (spot.isOnTheMap() && counts(spot.node())) {
        for (int r = 0; r < outside.length; r++) {
          outside[r] = Charge.sum(outside[r], chargeOn(spot.node(), seat.shape(), r));
        }
      }
    }
  }

  /// Of sick devices nothing: they are not there. Claims are told of by others, and count.
  private long chargeOn(int n, Shape shape, int r) {
    var resource = queues.resource(r);
    if (sick(n) && resource.isGpuOfQueues()) {
      return resource.equals(Resource.GPU) ? shape.claimedMillisOn(room.kind(n)) : 0;
    }
    boolean lost = sick(n) && (resource.isDevice() || resource.migSlices() > 0);
    return lost ? 0 : shape.chargeOn(room.kind(n)).of(r);
  }

  private long[] total() {
    var total = new long[queues.width()];
    for (int r = 0; r < total.length; r++) {
      var resource = queues.resource(r);
      long taken = Charge.sum(of(resource, foreign), outside[r]);
      total[r] = Math.max(0, of(resource, allocatable) - taken);
    }
    return total;
  }

  private long of(Resource resource, Sum sum) {
    long amount = 0;
    if (resource.isGpuOfQueues()) {
      amount = resource.equals(Resource.GPU) ? sum.claimable : 0;
      for (int kind = 0; kind < sum.devices.length; kind++) {
        boolean counts =
            resource.equals(Resource.GPU)
                || resource.equals(Resource.gpuOfModel(room.kinds().get(kind).model()));
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
