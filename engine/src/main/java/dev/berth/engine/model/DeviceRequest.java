package dev.berth.engine.model;

/// What a pod asks of accelerators. Shares are in thousandths of a device or MiB of its memory.
public sealed interface DeviceRequest {
  /// No accelerator, or only partitions (MIG), which are counted as ordinary extended resources.
  record None() implements DeviceRequest {}

  /// Whole devices, chosen by the kubelet: `resources.limits: {nvidia.com/gpu: 2}`.
  record Whole(Resource resource, int count) implements DeviceRequest {}

  /// The same share, 1…999 thousandths, of each of `count` distinct devices of one node.
  record Fraction(int millis, int limitMillis, int count) implements DeviceRequest {}

  /// The same memory of each of `count` distinct devices of one node; a share that depends on the
  /// memory of the node's devices.
  record Memory(long mib, long limitMib, int count) implements DeviceRequest {}

  DeviceRequest NONE = new None();

  /// Whether it is a share of a device, so that a holder keeps the device from the kubelet.
  default boolean isShare() {
    return switch (this) {
      case Fraction _, Memory _ -> true;
      case None _, Whole _ -> false;
    };
  }

  /// Devices touched: distinct devices of one node.
  default int count() {
    return switch (this) {
      case None _ -> 0;
      case Whole(_, int count) -> count;
      case Fraction(_, _, int count) -> count;
      case Memory(_, _, int count) -> count;
    };
  }

  /// Thousandths of each device that this takes where devices have `memoryMib` of memory: ⌈MiB /
  /// device memory⌉ in thousandths. 0 for no device; more than 1000 where it can never fit (no
  /// memory known, or too little).
  default int millisOn(long memoryMib) {
    return switch (this) {
      case None _ -> 0;
      case Whole _ -> 1000;
      case Fraction(int millis, _, _) -> millis;
      case Memory(long mib, _, _) ->
          memoryMib <= 0 || mib > memoryMib
              ? NEVER
              : (int) ((mib * 1000 + memoryMib - 1) / memoryMib);
    };
  }

  /// Thousandths of devices that this takes in a place, all together.
  default long millisAt(Placement place) {
    return this instanceof Whole ? 1000L * count() : (long) place.slots().size() * place.millis();
  }

  /// More than any device has.
  int NEVER = 1001;
}
