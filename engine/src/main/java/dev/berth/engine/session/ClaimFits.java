package dev.berth.engine.session;

import dev.berth.engine.model.DeviceClaim;
import dev.berth.engine.session.ClaimedDevices.DevicePortion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;

/// Which nodes have free devices for claims that have none yet, found out once for claims that ask
/// alike.
final class ClaimFits {
  private static final long MOST_ANSWERS = 4_000_000;

  private final ClaimedDevices devices;
  private final DeviceAllocator allocator;
  private final HashMap<Kind, Integer> kinds = new HashMap<>(); // looked up only
  private final HashMap<Question, Answers> answers = new HashMap<>(); // looked up only
  private final int nodes;
  private long tables; // of answers

  /// Claims of one kind ask alike.
  private record Kind(List<DeviceClaim.Ask> asks, boolean distinct) {
    Kind(DeviceClaim claim) {
      this(claim.asks(), claim.distinct());
    }
  }

  /// Whether claims of these kinds fit a node together.
  private record Question(List<Integer> kinds, boolean promised) {}

  /// By node; beyond a bound of memory the last one alone.
  private static final class Answers {
    private int[] changes = {};
    private final BitSet fits = new BitSet();
    private boolean last;

    boolean isMade() {
      return changes.length > 0;
    }

    void make(int nodes) {
      changes = new int[nodes];
      Arrays.fill(changes, -1);
    }

    boolean has(int n, int now) {
      return isMade() && changes[n] == now;
    }

    void put(int n, int now, boolean answer) {
      last = answer;
      if (isMade()) {
        changes[n] = now;
        fits.set(n, answer);
      }
    }

    boolean fits(int n) {
      return isMade() ? fits.get(n) : last;
    }
  }

  ClaimFits(ClaimedDevices devices, DeviceAllocator allocator, int nodes) {
    this.devices = devices;
    this.allocator = allocator;
    this.nodes = nodes;
  }

  /// Whether claims have free devices on a node together. What fits a node does so until something
  /// is taken of its devices, or given back.
  boolean fit(List<ClaimUse> free, int n, boolean promised) {
    var numbers = new ArrayList<Integer>(free.size());
    free.forEach(use -> numbers.add(kind(use)));
    var known = answers.computeIfAbsent(new Question(numbers, promised), _ -> new Answers());
    if (!known.has(n, devices.changes(n))) {
      if (!known.isMade() && tables * nodes < MOST_ANSWERS) {
        known.make(nodes);
        tables++;
      }
      known.put(n, devices.changes(n), choose(free, n, promised));
    }
    return known.fits(n);
  }

  /// The same for claims that ask alike.
  int kind(ClaimUse use) {
    if (use.kind < 0) {
      use.kind = kinds.computeIfAbsent(new Kind(use.claim), _ -> kinds.size());
    }
    return use.kind;
  }

  private boolean choose(List<ClaimUse> free, int n, boolean promised) {
    var chosen = new ArrayList<DevicePortion>();
    boolean fit = true;
    for (int i = 0; fit && i < free.size(); i++) {
      fit = allocator.choose(free.get(i).claim, n, promised, chosen);
    }
    devices.putBack(chosen);
    return fit;
  }
}
