package dev.berth.engine.session;

import dev.berth.engine.model.DeviceClaim.Result;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/// The devices of a [DeviceInventory], each free, taken, or held by a terminating pod. Of a device
/// with `allowMultipleAllocations` several claims have parts, as far as each of its capacities
/// goes.
final class ClaimedDevices {
  private static final byte FREE = 0;
  private static final byte TAKEN = 1;
  private static final byte HELD = 2; // by an unknown pod

  private final DeviceInventory inventory;
  private final Partitions partitions;
  private final byte[] state;
  private final boolean[] leaving; // a terminating pod has it still
  private final long[][] used; // by capacity
  private final long[][] left; // by capacity: a terminating pod has it still
  private final int[] heldMillis; // thousandths that unknown pods have
  private final long[] inUse; // by counter: what the devices that are in use consume of it
  private final long[] inUseStill; // the same, of devices that terminating pods alone have
  private final int[] changes; // by node

  /// What a claim has of one device.
  ///
  /// @param whole no other claim has anything of the device
  /// @param amounts by number of the device's capacities; not to be changed
  record DevicePortion(int device, boolean whole, long[] amounts) {
    static DevicePortion whole(int device) {
      return new DevicePortion(device, true, new long[0]);
    }
  }

  ClaimedDevices(DeviceInventory inventory, int nodes) {
    this.inventory = inventory;
    this.partitions = inventory.partitions();
    int size = inventory.size();
    state = new byte[size];
    leaving = new boolean[size];
    used = new long[size][];
    left = new long[size][];
    heldMillis = new int[size];
    changes = new int[nodes];
    inUse = new long[partitions.counters()];
    inUseStill = new long[partitions.counters()];
    for (int d = 0; d < size; d++) {
      int capacities = inventory.capacities(d).length;
      used[d] = new long[capacities];
      left[d] = new long[capacities];
    }
  }

  /// What was allocated, as far as the devices are known.
  List<DevicePortion> find(List<Result> results) {
    var found = new ArrayList<DevicePortion>(results.size());
    for (Result result : results) {
      int d = inventory.number(result.device());
      if (d >= 0 && result.isShare() && inventory.device(d).shared()) {
        String[] capacities = inventory.capacities(d);
        var amounts = new long[capacities.length];
        for (int c = 0; c < amounts.length; c++) {
          amounts[c] = result.consumed().getOrDefault(capacities[c], 0L);
        }
        found.add(new DevicePortion(d, false, amounts));
      } else if (d >= 0) {
        found.add(DevicePortion.whole(d));
      }
    }
    return found;
  }

  /// Thousandths of the GPUs of a node, without what unknown pods hold. A GPU and its partitions
  /// count once.
  long gpuMillis(int n) {
    long millis = 0;
    var seen = new TreeSet<Integer>();
    for (int d = inventory.from(n); d < inventory.to(n); d++) {
      int whole = partitions.whole(d);
      if (inventory.isGpu(d) && whole < 0) {
        millis += state[d] != HELD ? 1000 - heldMillis[d] : 0;
      } else if (inventory.isGpu(d)) {
        millis += seen.add(whole) ? 1000 : 0;
        millis -= state[d] == HELD ? partitions.millis(d) : heldMillis[d];
      }
    }
    return Math.max(0, millis);
  }

  /// Grows with all that is taken of a node's devices, or given back.
  int changes(int n) {
    return changes[n];
  }

  /// Whether the whole device is free.
  ///
  /// @param promised whether a device that is being left will do
  boolean isFree(int d, boolean promised) {
    return state[d] == FREE && (promised || !leaving[d]);
  }

  /// Whether what devices of its GPU consume leaves enough for one more.
  boolean hasCounters(int d, boolean promised) {
    boolean counted = isInUse(d) || !promised && isInUseStill(d);
    for (Partitions.Need need : partitions.needs(d)) {
      int c = need.counter();
      long used = inUse[c] + (promised ? 0 : inUseStill[c]) + (counted ? 0 : need.amount());
      if (used > partitions.total(c)) {
        return false;
      }
    }
    return true;
  }

  private boolean isInUse(int d) {
    return state[d] != FREE || isAny(used[d]);
  }

  private boolean isInUseStill(int d) {
    return leaving[d] || isAny(left[d]);
  }

  private static boolean isAny(long[] amounts) {
    for (long amount : amounts) {
      if (amount > 0) {
        return true;
      }
    }
    return false;
  }

  /// Adds what a device consumes of counters as it is now, or takes that away.
  private void count(int d, int sign) {
    if (partitions.needs(d).isEmpty() || !isInUse(d) && !isInUseStill(d)) {
      return;
    }
    var sums = isInUse(d) ? inUse : inUseStill;
    for (Partitions.Need need : partitions.needs(d)) {
      sums[need.counter()] += sign * need.amount();
    }
  }

  /// Whether the free part of each capacity is enough for a part.
  boolean hasRoom(DevicePortion part, boolean promised) {
    for (int c = 0; c < part.amounts.length; c++) {
      if (part.amounts[c] > free(part.device, c, promised)) {
        return false;
      }
    }
    return true;
  }

  /// The free part of a capacity.
  long free(int d, int c, boolean promised) {
    return inventory.capacity(d, c).value() - used[d][c] - (promised ? 0 : left[d][c]);
  }

  boolean areFree(List<DevicePortion> parts) {
    int put = 0;
    while (put < parts.size() && isFree(parts.get(put))) {
      put(parts.get(put++));
    }
    putBack(parts.subList(0, put));
    return put > 0 && put == parts.size();
  }

  private boolean isFree(DevicePortion part) {
    return state[part.device] == FREE
        && hasCounters(part.device, true)
        && (part.whole || hasRoom(part, true));
  }

  /// A part that is chosen: it is taken for what is chosen next, until it is put back.
  void put(DevicePortion part) {
    set(part, TAKEN, 1);
  }

  void putBack(List<DevicePortion> parts) {
    parts.forEach(part -> set(part, FREE, -1));
  }

  void take(List<DevicePortion> parts) {
    parts.forEach(part -> change(part, TAKEN, 1));
  }

  void free(List<DevicePortion> parts) {
    parts.forEach(part -> change(part, FREE, -1));
  }

  private void change(DevicePortion part, byte to, int sign) {
    changes[inventory.node(part.device)]++;
    set(part, to, sign);
  }

  /// Parts that are taken.
  ///
  /// @param goes whether the pod that holds them is terminating
  void hold(List<DevicePortion> parts, boolean goes) {
    for (DevicePortion part : parts) {
      int d = part.device;
      changes[inventory.node(d)]++;
      count(d, -1);
      if (part.whole) {
        state[d] = goes ? FREE : HELD;
        leaving[d] = goes;
      } else if (goes) {
        for (int c = 0; c < part.amounts.length; c++) {
          used[d][c] -= part.amounts[c];
          left[d][c] += part.amounts[c];
        }
      } else {
        heldMillis[d] = Math.min(1000, heldMillis[d] + millis(part));
      }
      count(d, 1);
    }
  }

  private int millis(DevicePortion part) {
    int c = inventory.memory(part.device);
    return c < 0
        ? 0
        : ClaimedGpus.millis(part.amounts[c], inventory.capacity(part.device, c).value());
  }

  private void set(DevicePortion part, byte to, int sign) {
    int d = part.device;
    count(d, -1);
    if (part.whole) {
      state[d] = to;
    } else {
      for (int c = 0; c < part.amounts.length; c++) {
        used[d][c] += sign * part.amounts[c];
      }
    }
    count(d, 1);
  }

  void fingerprint(StringBuilder into) {
    into.append("devices ").append(Arrays.toString(state));
    into.append(Arrays.deepToString(used)).append('\n');
  }
}
