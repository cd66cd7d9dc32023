package dev.berth.engine.placement;

import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.PodClass;

/// The largest amount of each resource on one node, used or not. Counted anew only when a node says
/// another thing of itself: what asks for more is known without a look at the nodes.
final class LargestAmounts {
  private final FreeCapacity room;
  private long[] most = {};
  private long devices;
  private long described = -1;

  LargestAmounts(FreeCapacity room) {
    this.room = room;
  }

  /// Whether a pod of that shape asks for more than any node has. False says nothing.
  boolean isBelow(PodClass podClass) {
    refresh();
    for (int i = 0; i < podClass.needs(); i++) {
      long has = most[podClass.resource(i)];
      if (has > 0 && podClass.need(i) > has) { // what no node offers is told as that
        return true;
      }
    }
    return podClass.isShare() && podClass.devices().count() > devices && devices > 0;
  }

  private void refresh() {
    if (described == room.changes().described() && most.length == room.width()) {
      return;
    }
    most = new long[room.width()];
    devices = 0;
    for (int n = 0; n < room.nodes(); n++) {
      for (int r = 0; r < most.length; r++) {
        most[r] = Math.max(most[r], Fit.whole(room, n, r));
      }
      int device = room.device(n);
      devices = device < 0 ? devices : Math.max(devices, Fit.whole(room, n, device));
    }
    described = room.changes().described();
  }
}
