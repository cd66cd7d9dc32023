package dev.berth.engine.session;

import dev.berth.engine.model.DeviceCapacity;
import dev.berth.engine.model.DeviceClaim.Choice;
import dev.berth.engine.model.DeviceClaim.Result;
import dev.berth.engine.model.DeviceSlice;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/// Devices that have the same capacities, with the same rules of their driver: there are few such
/// shapes. What a request consumes of a device, and what that is charged, its shape says.
///
/// A GPU that several claims may have parts of is charged by what is consumed of it: by memory, and
/// in thousandths by whatever other capacity is consumed more of. Any other is charged as it is,
/// whatever is asked of its capacity: it is given whole.
final class DeviceShapes {
  /// Thousandths of a device that is no part of a GPU.
  static final int WHOLE = 1000;

  private static final long[] NOTHING = {};

  private final List<DeviceShape> shapes = new ArrayList<>();
  private final HashMap<DeviceShape, Integer> numbers = new HashMap<>(); // looked up only
  private final IdentityHashMap<Choice, HashMap<Integer, Optional<long[]>>> known =
      new IdentityHashMap<>(); // looked up only

  /// @param shared whether several claims may have parts of it
  /// @param partBytes of memory, if it is a part of a GPU; else 0
  /// @param partMillis thousandths of that GPU
  private record DeviceShape(
      boolean shared, SortedMap<String, DeviceCapacity> capacity, long partBytes, int partMillis) {}

  int number(DeviceSlice.Device device, long partBytes, int partMillis) {
    var shape = new DeviceShape(device.shared(), device.capacity(), partBytes, partMillis);
    int number = numbers.computeIfAbsent(shape, _ -> numbers.size());
    if (number == shapes.size()) {
      shapes.add(shape);
    }
    return number;
  }

  /// What a request consumes of each capacity of a device, in the order of their names; nothing of
  /// one that is given whole. Empty = it cannot be allocated for the request. Not to be changed.
  Optional<long[]> consumed(int shape, Choice choice) {
    return known
        .computeIfAbsent(choice, _ -> new HashMap<>())
        .computeIfAbsent(shape, _ -> consumed(shapes.get(shape), choice));
  }

  private static Optional<long[]> consumed(DeviceShape shape, Choice choice) {
    for (var asked : choice.capacity().entrySet()) {
      var capacity = shape.capacity.get(asked.getKey());
      if (capacity == null || asked.getValue() > capacity.value()) {
        return Optional.empty();
      }
    }
    if (!shape.shared) {
      return Optional.of(NOTHING);
    }
    var amounts = new long[shape.capacity.size()];
    int c = 0;
    for (var each : shape.capacity.entrySet()) {
      Long asked = choice.capacity().get(each.getKey());
      amounts[c] = asked == null ? each.getValue().usual() : each.getValue().consumedBy(asked);
      if (amounts[c++] == DeviceCapacity.NEVER) {
        return Optional.empty();
      }
    }
    return Optional.of(amounts);
  }

  /// The dearest of what so many devices cost for a request, of whichever of these shapes.
  ClaimedGpus charge(BitSet among, Choice choice, int count) {
    long bytes = 0;
    int millis = 0;
    boolean isAny = false;
    for (int s = among.nextSetBit(0); s >= 0; s = among.nextSetBit(s + 1)) {
      var amounts = consumed(s, choice);
      if (amounts.isPresent()) {
        var cost = cost(shapes.get(s), amounts.get());
        if (cost.isWhole()) {
          return ClaimedGpus.of(count);
        }
        bytes = Math.max(bytes, cost.bytes);
        millis = Math.max(millis, cost.millis);
        isAny = true;
      }
    }
    return isAny ? ClaimedGpus.of(count, bytes, millis) : ClaimedGpus.of(count);
  }

  /// What an allocated device costs.
  ClaimedGpus charge(int shape, Result result) {
    var of = shapes.get(shape);
    var cost = cost(of, result.isShare() ? consumed(of, result) : NOTHING);
    return cost.isWhole() ? ClaimedGpus.of(1) : ClaimedGpus.of(1, cost.bytes, cost.millis);
  }

  private static long[] consumed(DeviceShape shape, Result result) {
    return shape.capacity.keySet().stream()
        .mapToLong(name -> result.consumed().getOrDefault(name, 0L))
        .toArray();
  }

  /// @param millis thousandths at least, by whatever is consumed beside memory
  private record Cost(long bytes, int millis) {
    boolean isWhole() {
      return bytes == 0 && millis == 0;
    }
  }

  private static Cost cost(DeviceShape shape, long[] consumed) {
    if (consumed.length == 0) {
      return new Cost(shape.partBytes, 0);
    }
    long bytes = 0;
    int millis = 0;
    boolean hasMemory = false;
    int c = 0;
    for (var each : shape.capacity.entrySet()) {
      long amount = consumed[c++];
      if (!hasMemory && DeviceCapacity.isMemory(each.getKey())) {
        hasMemory = true;
        bytes = amount;
      } else if (amount > 0) {
        millis = Math.max(millis, ClaimedGpus.millis(amount, each.getValue().value()));
      }
    }
    if (!hasMemory || bytes == 0 && millis == 0) {
      return new Cost(shape.partBytes, 0);
    }
    return new Cost(bytes, (millis * shape.partMillis + WHOLE - 1) / WHOLE);
  }
}
