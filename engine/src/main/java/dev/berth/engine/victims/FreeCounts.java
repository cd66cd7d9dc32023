package dev.berth.engine.victims;

import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.Session;

/// What is free or being left on the nodes, counted once for all preemptors until a plan is kept.
final class FreeCounts {
  private final Session session;
  private long[] devices = {};
  private long[] shared = {};
  private long whole;
  private long thousandths;
  private long counted = -1;

  FreeCounts(Session session) {
    this.session = session;
  }

  private void count() {
    if (counted == session.settled()) {
      return;
    }
    counted = session.settled();
    var room = session.room();
    devices = new long[room.nodes()];
    shared = new long[devices.length];
    whole = 0;
    thousandths = 0;
    for (int n = 0; n < devices.length; n++) {
      devices[n] = room.device(n) < 0 ? 0 : Math.max(0, room.freeSoon(n, room.device(n)));
      whole += devices[n];
      shared[n] = shared(room, n);
      thousandths += 1000 * devices[n] + shared[n];
    }
  }

  private static long shared(FreeCapacity room, int n) {
    long left = 0;
    var slots = room.slots();
    for (int slot = 0; slot < slots.count(n); slot++) {
      left += slots.isShared(n, slot) ? Math.max(0, slots.freeSoon(n, slot)) : 0;
    }
    return left;
  }

  /// Whole devices by node; a copy.
  long[] devices() {
    count();
    return devices.clone();
  }

  /// Thousandths of devices on a node, those of shared ones included.
  long thousandths(int n) {
    return 1000 * devices[n] + shared[n];
  }

  /// Whole devices of all nodes.
  long whole() {
    count();
    return whole;
  }

  /// Thousandths of devices of all nodes, those of shared ones included.
  long thousandths() {
    count();
    return thousandths;
  }
}
