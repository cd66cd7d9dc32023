package dev.berth.engine.session;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// GPUs that a pod is charged for by its claims (DRA).
///
/// @param whole devices
/// @param parts of devices, by memory, in ascending order
/// @param dearest of each the alternative that costs most, where the memory of a device decides
///   which one that is
public record ClaimedGpus(int whole, List<GpuPortion> parts, List<Dearest> dearest) {
  static final ClaimedGpus NONE = new ClaimedGpus(0, new ArrayList<>(0), new ArrayList<>(0));
  private static final int MOST = Integer.MAX_VALUE / 1000;
  private static final int THOUSAND = 1000;

  /// @param bytes of memory of each device
  /// @param millis thousandths of each device at least, by another capacity that is consumed
  public record GpuPortion(long bytes, int millis, int count) {}

  /// @param of these alternatives one
  public record Dearest(List<ClaimedGpus> of) {
    public Dearest {
      of = List.copyOf(of);
    }
  }

  public ClaimedGpus {
    parts = List.copyOf(parts);
    dearest = List.copyOf(dearest);
  }

  /// So many devices.
  static ClaimedGpus of(int count) {
    return new ClaimedGpus(Math.min(MOST, count), List.of(), List.of());
  }

  /// So many parts of devices.
  static ClaimedGpus of(int count, long bytes, int millis) {
    return new ClaimedGpus(
        0, List.of(new GpuPortion(bytes, millis, Math.min(MOST, count))), List.of());
  }

  boolean isNone() {
    return whole == 0 && parts.isEmpty() && dearest.isEmpty();
  }

  /// Whether it costs at least as much as another wherever it is; only where neither is a choice
  /// itself.
  boolean isAtLeast(ClaimedGpus other) {
    long parts = 0;
    long smallest = Long.MAX_VALUE;
    int fewest = THOUSAND;
    for (GpuPortion part : this.parts) {
      parts += part.count;
      smallest = Math.min(smallest, part.bytes);
      fewest = Math.min(fewest, part.millis);
    }
    long others = other.whole;
    long largest = other.whole > 0 ? Long.MAX_VALUE : 0;
    int most = 0;
    for (GpuPortion part : other.parts) {
      others += part.count;
      largest = Math.max(largest, part.bytes);
      most = Math.max(most, part.millis);
    }
    return others <= whole || others <= whole + parts && largest <= smallest && most <= fewest;
  }

  /// Thousandths of a GPU, where devices have so much memory. What fits no device counts as the
  /// whole device, and so does each part where the memory is not known.
  public long millisOn(long deviceBytes) {
    long millis = (long) THOUSAND * whole;
    for (GpuPortion part : parts) {
      millis += (long) part.count * Math.max(part.millis, millis(part.bytes, deviceBytes));
    }
    for (Dearest each : dearest) {
      millis += each.of.stream().mapToLong(one -> one.millisOn(deviceBytes)).max().orElse(0);
    }
    return millis;
  }

  /// ⌈part / device⌉ in thousandths, at most the whole device.
  static int millis(long bytes, long deviceBytes) {
    if (bytes >= deviceBytes || deviceBytes > Long.MAX_VALUE / (2 * THOUSAND)) {
      return THOUSAND;
    }
    return (int) ((bytes * THOUSAND + deviceBytes - 1) / deviceBytes);
  }

  /// Counts what claims ask for.
  static final class Sum {
    private long whole;
    private final TreeMap<Long, TreeMap<Integer, Long>> parts = new TreeMap<>(); // by bytes, millis
    private final List<Dearest> dearest = new ArrayList<>(0);

    void whole(long count) {
      whole += count;
    }

    private void part(GpuPortion part) {
      parts
          .computeIfAbsent(part.bytes, _ -> new TreeMap<>())
          .merge(part.millis, (long) part.count, Long::sum);
    }

    void add(ClaimedGpus other) {
      whole(other.whole);
      other.parts.forEach(this::part);
      dearest.addAll(other.dearest);
    }

    /// The dearest of some alternatives.
    void dearest(List<ClaimedGpus> alternatives) {
      var left = new ArrayList<ClaimedGpus>(alternatives.size());
      for (ClaimedGpus each : alternatives) {
        if (left.stream().noneMatch(other -> other.isAtLeast(each))) {
          left.removeIf(each::isAtLeast);
          left.add(each);
        }
      }
      if (left.size() == 1) {
        add(left.getFirst());
      } else if (!left.isEmpty()) {
        dearest.add(new Dearest(left));
      }
    }

    ClaimedGpus sum() {
      if (whole == 0 && parts.isEmpty() && dearest.isEmpty()) {
        return NONE;
      }
      var list = new ArrayList<GpuPortion>(parts.size());
      parts.forEach((bytes, counts) ->
          counts.forEach((millis, count) ->
              list.add(new GpuPortion(bytes, millis, (int) Math.min(MOST, count)))));
      return new ClaimedGpus((int) Math.min(MOST, whole), list, dearest);
    }
  }
}
