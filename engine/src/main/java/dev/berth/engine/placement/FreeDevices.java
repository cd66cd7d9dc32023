package dev.berth.engine.placement;

import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Reason.Free;
import dev.berth.engine.session.Room;
import dev.berth.engine.session.Shape;
import java.util.Arrays;
import java.util.TreeMap;

/// What is free of devices for pods of one shape, over nodes that they may be on, kept by node: a
/// node that changes costs O(log of distinct amounts).
final class FreeDevices {
  private static final int NOT_COUNTED = -1;

  private final Room room;
  private final Shape shape;
  private final int[] byNode;
  private final TreeMap<Integer, Integer> nodesOf = new TreeMap<>(); // by amount
  private int nodes;
  private long total;

  FreeDevices(Room room, Shape shape) {
    this.room = room;
    this.shape = shape;
    this.byNode = new int[isTold(shape) ? room.nodes() : 0];
    clear();
  }

  /// Of memory the part depends on the node, and partitions are resources like others.
  private static boolean isTold(Shape shape) {
    return switch (shape.devices()) {
      case DeviceRequest.Whole _, DeviceRequest.Fraction _ -> true;
      case DeviceRequest.Memory _, DeviceRequest.None _ -> false;
    };
  }

  void clear() {
    Arrays.fill(byNode, NOT_COUNTED);
    nodesOf.clear();
    nodes = 0;
    total = 0;
  }

  /// Looks at a node again.
  ///
  /// @param isAllowed whether such a pod may be there, whatever is free
  void see(int n, boolean isAllowed) {
    if (byNode.length == 0) {
      return;
    }
    int now = isAllowed ? free(n) : NOT_COUNTED;
    int before = byNode[n];
    if (now != before) {
      count(before, -1);
      count(now, 1);
      byNode[n] = now;
    }
  }

  private void count(int amount, int by) {
    if (amount != NOT_COUNTED) {
      nodes += by;
      total += (long) by * amount;
      nodesOf.merge(amount, by, (one, other) -> one + other == 0 ? null : one + other);
    }
  }

  private int free(int n) {
    int device = room.device(n);
    if (device < 0 || isOfAnotherKind(device)) {
      return NOT_COUNTED;
    }
    int whole = (int) Math.max(0, room.free(n, device));
    if (!shape.isShare()) {
      return whole;
    }
    int largest = whole > 0 ? 1000 : 0;
    for (int slot = 0; slot < room.slots(n); slot++) {
      if (room.isShared(n, slot) || room.isVacant(n, slot)) {
        largest = Math.max(largest, room.slotFree(n, slot));
      }
    }
    return largest;
  }

  private boolean isOfAnotherKind(int device) {
    return shape.devices() instanceof DeviceRequest.Whole(var resource, _)
        && !resource.equals(room.resource(device));
  }

  Free told() {
    if (byNode.length == 0) {
      return Free.UNTOLD;
    }
    var devices = shape.devices();
    int most = nodesOf.isEmpty() ? 0 : nodesOf.lastKey();
    return devices instanceof DeviceRequest.Fraction(int millis, _, int count)
        ? new Free(count, millis, nodes, 0, most)
        : new Free(devices.count(), 1000, nodes, total, most);
  }
}
