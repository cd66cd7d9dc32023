package dev.berth.engine.fairness;

import dev.berth.engine.model.Resource;
import dev.berth.engine.session.Charge;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.Queues;
import dev.berth.engine.session.Room;
import dev.berth.engine.session.Seat;
import dev.berth.engine.session.Session;

/// What there is to divide: allocatable of ready, schedulable nodes minus what pods of other
/// schedulers use there, and pods of ours that are in no queue or in a broken one. (Others cannot
/// have what those use, and a queue that lost its parent changes nobody's share.)
///
/// Summed over the rows of [Room], then translated once into what queues count.
final class Capacity {
  private final Queues queues;
  private final Room room;
  private final long[] columns; // by number of the room's resources
  private final long[] millis; // thousandths of a device that one of the resource is
  private final long[] devices; // thousandths, by kind of node
  private final long[] outside; // by number of the queues' resources

  private Capacity(Session session) {
    queues = session.queues();
    room = session.room();
    columns = new long[room.width()];
    millis = new long[room.width()];
    devices = new long[room.kinds().size()];
    outside = new long[queues.width()];
    for (int c = 0; c < columns.length; c++) {
      var resource = room.resource(c);
      millis[c] = resource.isDevice() ? 1000 : 1000L * resource.migSlices();
    }
    for (int n = 0; n < room.nodes(); n++) {
      if (counts(n)) {
        add(n);
      }
    }
    if (queues.size() > 0) {
      for (Group group : session.groups()) {
        if (group.queue() == Queues.NONE || queues.isBroken(group.queue())) {
          leaveOut(group);
        }
      }
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

  private void add(int n) {
    for (int c = 0; c < columns.length; c++) {
      add(n, c, room.allocatable(n, c));
    }
    var foreign = room.node(n).foreign();
    for (int i = 0; i < foreign.size(); i++) {
      for (int c = 0; c < columns.length; c++) {
        if (room.resource(c).equals(foreign.resource(i))) {
          add(n, c, -foreign.value(i));
        }
      }
    }
  }

  private void add(int n, int column, long amount) {
    columns[column] += amount;
    devices[room.kind(n)] += millis[column] * amount;
  }

  private void leaveOut(Group group) {
    for (Seat seat : group.seats()) {
      var spot = seat.now();
      if (spot.isOnTheMap() && counts(spot.node())) {
        Charge charge = seat.shape().chargeOn(room.kind(spot.node()));
        for (int r = 0; r < outside.length; r++) {
          outside[r] += charge.of(r);
        }
      }
    }
  }

  private long[] total() {
    var total = new long[queues.width()];
    for (int r = 0; r < total.length; r++) {
      total[r] = Math.max(0, there(queues.resource(r)) - outside[r]);
    }
    return total;
  }

  private long there(Resource resource) {
    long there = 0;
    for (int kind = 0; kind < devices.length; kind++) {
      boolean counts =
          resource.equals(Resource.GPU)
              || resource.isGpuOfQueues()
                  && resource.equals(Resource.gpuOfModel(room.kinds().get(kind).model()));
      there += counts ? devices[kind] : 0;
    }
    for (int c = 0; c < columns.length; c++) {
      there += room.resource(c).equals(resource) ? columns[c] : 0;
    }
    return there;
  }
}
