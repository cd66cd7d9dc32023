package dev.berth.engine.session;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// GPUs that a pod is charged for by its claims (DRA).
///
/// @param whole devices
/// @param parts of devices, by memory, in ascending order
public record ClaimedGpus(int whole, List<Part> parts) {
  static final ClaimedGpus NONE = new ClaimedGpus(0, new ArrayList<>());
  private static final int MOST = Integer.MAX_VALUE / 1000;
  private static final int THOUSAND = 1000;

  /// @param bytes of memory of each device
  public record Part(long bytes, int count) {}

  public ClaimedGpus {
    parts = List.copyOf(parts);
  }

  boolean isNone() {
    return whole == 0 && parts.isEmpty();
  }

  /// Thousandths of a GPU, where devices have so much memory. What fits no device counts as the
  /// whole device, and so does each part where the memory is not known.
  public long millisOn(long deviceBytes) {
    long millis = (long) THOUSAND * whole;
    for (Part part : parts) {
      millis += (long) part.count * millis(part.bytes, deviceBytes);
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
    private final TreeMap<Long, Long> parts = new TreeMap<>();

    void whole(long count) {
      whole += count;
    }

    void part(long bytes, long count) {
      parts.merge(bytes, count, Long::sum);
    }

    void add(ClaimedGpus other) {
      whole(other.whole);
      other.parts.forEach(part -> part(part.bytes, part.count));
    }

    ClaimedGpus sum() {
      if (whole == 0 && parts.isEmpty()) {
        return NONE;
      }
      var list = new ArrayList<Part>(parts.size());
      parts.forEach((bytes, count) -> list.add(new Part(bytes, (int) Math.min(MOST, count))));
      return new ClaimedGpus((int) Math.min(MOST, whole), list);
    }
  }
}
