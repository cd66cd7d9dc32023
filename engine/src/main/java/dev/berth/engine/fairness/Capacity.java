package dev.berth.engine.fairness;

import dev.berth.engine.model.Resource;
import dev.berth.engine.session.Charge;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.PodClass;
import dev.berth.engine.session.QueueTree;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Supply;

/// What there is to divide: allocatable of ready, schedulable nodes (of devices, where they are
/// healthy) minus what pods of other schedulers use of it ([Supply]), and minus pods of Berth that
/// are in no queue or in a broken one. (No queue can have what those use, and a queue that loses
/// its parent changes no other share. A pod on an unhealthy device takes nothing of the healthy
/// ones.)
final class Capacity {
  private final QueueTree queues;
  private final FreeCapacity room;
  private final Supply supply;
  private final long[] outside; // by number of the queues' resources

  private Capacity(Session session) {
    queues = session.queues();
    room = session.room();
    supply = session.supply();
    outside = new long[queues.width()];
    if (queues.size() > 0) {
      session.index().outside().forEach(this::leaveOut);
    }
  }

  /// By number of the queues' resources; never negative.
  static long[] of(Session session) {
    return new Capacity(session).total();
  }

  private void leaveOut(Group group) {
    for (MemberState seat : group.seats()) {
      var assignment = seat.now();
      if (assignment.isOnTheMap() && supply.counts(assignment.node())) {
        for (int r = 0; r < outside.length; r++) {
          outside[r] = Charge.sum(outside[r], chargeOn(assignment.node(), seat.podClass(), r));
        }
      }
    }
  }

  /// Of sick devices nothing: they are not there. Claims are told of by others, and count.
  private long chargeOn(int n, PodClass podClass, int r) {
    var resource = queues.resource(r);
    if (supply.isSick(n) && resource.isGpuOfQueues()) {
      return resource.equals(Resource.GPU) ? podClass.claimedMillisOn(room.kind(n)) : 0;
    }
    boolean lost = supply.isSick(n) && (resource.isDevice() || resource.migSlices() > 0);
    return lost ? 0 : podClass.chargeOn(room.kind(n)).of(r);
  }

  private long[] total() {
    var total = new long[queues.width()];
    for (int r = 0; r < total.length; r++) {
      var resource = queues.resource(r);
      long taken = Charge.sum(supply.foreign(resource), outside[r]);
      total[r] = Math.max(0, supply.allocatable(resource) - taken);
    }
    return total;
  }
}
