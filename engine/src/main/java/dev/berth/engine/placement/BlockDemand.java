package dev.berth.engine.placement;

import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.MemberState;
import java.util.List;

/// What some seats need together, to be held against what a domain has free.
final class BlockDemand {
  private final FreeCapacity room;
  private final long[] amounts;
  private long shares; // thousandths of devices

  BlockDemand(FreeCapacity room, List<MemberState> seats) {
    this.room = room;
    amounts = new long[room.width()];
    for (MemberState seat : seats) {
      var podClass = seat.podClass();
      for (int i = 0; i < podClass.needs(); i++) {
        amounts[podClass.resource(i)] += podClass.need(i);
      }
      if (podClass.isShare()) {
        int smallest = 1000; // on the nodes that are best for it
        for (int kind = 0; kind < room.hardware().kinds().size(); kind++) {
          smallest = Math.min(smallest, podClass.millisOn(kind));
        }
        shares += (long) podClass.devices().count() * smallest;
      }
    }
  }

  /// For each domain the highest need / free over all resources; infinite where there is nothing.
  double[] tightness(int[] domainOf, int domains, Domain within) {
    var free = new long[domains][amounts.length];
    var devices = new long[domains];
    for (int n = 0; n < domainOf.length; n++) {
      if (domainOf[n] >= 0 && within.contains(n)) {
        for (int r = 0; r < amounts.length; r++) {
          free[domainOf[n]][r] += Math.max(0, room.freeSoon(n, r));
        }
        devices[domainOf[n]] += FreeOnNode.devicesLeft(room, n);
      }
    }
    var tightness = new double[domains];
    for (int domain = 0; domain < domains; domain++) {
      tightness[domain] = ratio(shares, devices[domain]);
      for (int r = 0; r < amounts.length; r++) {
        tightness[domain] = Math.max(tightness[domain], ratio(amounts[r], free[domain][r]));
      }
    }
    return tightness;
  }

  private static double ratio(long need, long free) {
    return need <= 0 ? 0 : free <= 0 ? Double.POSITIVE_INFINITY : (double) need / free;
  }
}
