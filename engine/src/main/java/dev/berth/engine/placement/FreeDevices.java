package dev.berth.engine.placement;

import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Reason.Free;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.PodClass;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/// What is free of devices for pods of one shape, over nodes that they may be on, kept by node: a
/// node that changes costs O(log of distinct amounts).
final class FreeDevices {
  private static final int NOT_COUNTED = -1;
  private static final int MOST_ON_A_NODE = 64;

  private final FreeCapacity room;
  private final PodClass podClass;
  private final int[] byNode;
  private final TreeMap<Integer, Integer> nodesOf = new TreeMap<>(); // by amount
  private final boolean isOfSeveralParts; // then the amount is what the node lacks
  private int nodes;
  private long total;

  FreeDevices(FreeCapacity room, PodClass podClass) {
    this.room = room;
    this.podClass = podClass;
    this.byNode = new int[isTold(podClass) ? room.nodes() : 0];
    this.isOfSeveralParts = podClass.isShare() && podClass.devices().count() > 1;
    clear();
  }

  /// Partitions are resources like others.
  private static boolean isTold(PodClass podClass) {
    return switch (podClass.devices()) {
      case DeviceRequest.Whole _, DeviceRequest.Fraction _, DeviceRequest.Memory _ -> true;
      case DeviceRequest.None _ -> false;
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
    if (!podClass.isShare()) {
      return whole;
    }
    if (isOfSeveralParts) {
      return lacks(n);
    }
    int largest = whole > 0 ? 1000 : 0;
    var slots = room.slots();
    for (int slot = 0; slot < slots.count(n); slot++) {
      if (slots.isShared(n, slot) || slots.isVacant(n, slot)) {
        largest = Math.max(largest, slots.free(n, slot));
      }
    }
    return amount(n, largest);
  }

  /// Of thousandths of a device of the node, in the unit that is asked for.
  private int amount(int n, int millis) {
    return podClass.devices() instanceof DeviceRequest.Memory
        ? (int) Math.min(Integer.MAX_VALUE, millis * memoryMib(n) / 1000)
        : millis;
  }

  /// What the node lacks, in sum over as many devices as are asked for.
  private int lacks(int n) {
    long asked =
        switch (podClass.devices()) {
          case DeviceRequest.Fraction(int millis, _, _) -> millis;
          case DeviceRequest.Memory(long mib, _, _) -> mib;
          case DeviceRequest.Whole _, DeviceRequest.None _ -> 0;
        };
    long lacks = 0;
    for (int part : parts(n)) {
      lacks += Math.max(0, asked - part);
    }
    return (int) Math.min(Integer.MAX_VALUE, lacks);
  }

  /// The largest free parts of as many devices of the node as are asked for, largest first.
  private List<Integer> parts(int n) {
    int count = podClass.devices().count();
    var parts = new ArrayList<Integer>();
    for (long whole = room.free(n, room.device(n)); whole > 0 && parts.size() < count; whole--) {
      parts.add(amount(n, 1000));
    }
    var slots = room.slots();
    for (int slot = 0; slot < slots.count(n); slot++) {
      if (slots.isShared(n, slot) || slots.isVacant(n, slot)) {
        parts.add(amount(n, Math.max(0, slots.free(n, slot))));
      }
    }
    while (parts.size() < count) {
      parts.add(0);
    }
    parts.sort(Comparator.reverseOrder());
    return List.copyOf(parts.subList(0, count));
  }

  /// Those of the nearest node.
  private List<Integer> partsOfNearest() {
    return nodesOf.isEmpty() ? List.of() : parts(nearest());
  }

  /// What devices of the nearest node lack of so much memory, in MiB: shares are rounded up to
  /// thousandths.
  ///
  /// @param parts that are free of them, in MiB
  private List<Integer> lackingOfNearest(long asked, List<Integer> parts) {
    long memory = nodesOf.isEmpty() ? 0 : memoryMib(nearest());
    if (memory <= 0) {
      return List.of();
    }
    var lacking = new ArrayList<Integer>();
    for (int part : parts) {
      long millis = Math.ceilDiv(asked * 1000, memory) - Math.ceilDiv(part * 1000L, memory);
      long mib = Math.ceilDiv(Math.max(0, millis) * memory, 1000L);
      lacking.add((int) Math.min(Integer.MAX_VALUE, mib));
    }
    return lacking;
  }

  /// The node that lacks least, or has the largest part free; of several the first.
  private int nearest() {
    int amount = isOfSeveralParts ? nodesOf.firstKey() : nodesOf.lastKey();
    for (int n = 0; n < byNode.length; n++) {
      if (byNode[n] == amount) {
        return n;
      }
    }
    throw new IllegalStateException("no node has " + amount + ", though one is counted");
  }

  private long memoryMib(int n) {
    return room.hardware().kinds().get(room.kind(n)).memoryMib();
  }

  private boolean isOfAnotherKind(int device) {
    return podClass.devices() instanceof DeviceRequest.Whole(var resource, _)
        && !resource.equals(room.resource(device));
  }

  Free told() {
    if (byNode.length == 0) {
      return Free.UNTOLD;
    }
    int most = nodesOf.isEmpty() ? 0 : nodesOf.lastKey();
    return switch (podClass.devices()) {
      case DeviceRequest.Fraction(int millis, _, int count) when isOfSeveralParts ->
          Free.ofParts(count, millis, 0, nodes, partsOfNearest());
      case DeviceRequest.Memory(long mib, _, int count) when isOfSeveralParts -> {
        var parts = partsOfNearest();
        yield Free.ofParts(count, 0, mib, nodes, lackingOfNearest(mib, parts), parts);
      }
      case DeviceRequest.Fraction(int millis, _, int count) ->
          new Free(count, millis, 0, nodes, 0, most, List.of());
      case DeviceRequest.Memory(long mib, _, int count) ->
          new Free(count, 0, mib, nodes, 0, most, lackingOfNearest(mib, List.of(most)));
      case DeviceRequest.Whole(_, int count) ->
          new Free(count, 1000, 0, nodes, total, most, lacking(count));
      case DeviceRequest.None _ -> Free.UNTOLD;
    };
  }

  /// How many nodes lack one device, two, and so on.
  private List<Integer> lacking(int asked) {
    if (asked > MOST_ON_A_NODE) {
      return Collections.emptyList();
    }
    var lacking = new ArrayList<Integer>();
    for (var entry : nodesOf.headMap(asked, false).descendingMap().entrySet()) {
      while (lacking.size() < asked - entry.getKey() - 1) {
        lacking.add(0);
      }
      lacking.add(entry.getValue());
    }
    return lacking;
  }
}
