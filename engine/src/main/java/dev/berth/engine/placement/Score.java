package dev.berth.engine.placement;

import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.PodClass;
import java.util.Optional;

/// How good a node is that has room, as one long: larger is better, equal ones go by name.
///
/// From the top: as few devices opened for shares as can be (only with binpack); room that is free
/// now before room that is being left; pods without devices away from nodes that have some; nodes
/// where a NUMA zone has enough left before those where none has ([NumaRules]); then the strategy:
/// adaptive loses the least value ([PackingCost]), binpack takes the least room left, spread the
/// largest free part. Adaptive is binpack where there is no [PackingCost].
///
/// The zones come before the strategy, for a pod whose memory is far from its devices runs slower,
/// and may be refused by the kubelet, wherever else it would be packed; and after all else, for
/// what is left in them is known late and by hearsay.
final class Score {
  static final long NEVER = -1;

  private static final int SHARING = 60;
  private static final long NOW = 1L << 59;
  private static final long AWAY = 1L << 58;
  private static final long ZONES = 1L << 57;

  /// What a place counts for a pod that has it now: it is free for that pod, and what lacks in its
  /// zones the pod has itself.
  static final long OWN = NOW | ZONES;

  private static final long STRATEGY = (1L << 57) - 1;
  private static final int PART = 30;

  private Score() {}

  static long of(
      FreeCapacity room,
      PodClass podClass,
      Strategy strategy,
      Optional<PackingCost> packing,
      int n) {
    int answer = Fit.room(room, podClass, n);
    return Fit.isRoom(answer) ? of(room, podClass, strategy, packing, n, answer == Fit.NOW) : NEVER;
  }

  private static long of(
      FreeCapacity room,
      PodClass podClass,
      Strategy strategy,
      Optional<PackingCost> packing,
      int n,
      boolean now) {
    boolean gpu = podClass.usesDevices();
    boolean spread = strategy.of(gpu) == Strategy.Spread.SPREAD;
    boolean adapts = strategy.of(gpu) == Strategy.Spread.ADAPTIVE && packing.isPresent();
    long score = now ? NOW : 0;
    if (!gpu && room.device(n) < 0) {
      score += AWAY;
    }
    if (NumaRules.hasZonesNow(podClass.request().alignment(), room.node(n).numa())) {
      score += ZONES;
    }
    if (adapts) {
      return score + packing.get().score(podClass, n);
    }
    if (podClass.isShare() && !spread) {
      score += (long) (7 - Math.min(7, opened(room, podClass, n))) << SHARING;
    }
    long left = gpu ? FreeOnNode.devicesLeft(room, n) : Math.max(0, room.freeSoon(n, room.cpu()));
    if (!spread) {
      return score + STRATEGY - Math.min(STRATEGY, left);
    }
    long whole = gpu ? devices(room, n) : room.allocatable(n, room.cpu());
    return score + (whole <= 0 ? 0 : part(left, whole));
  }

  private static long part(long left, long whole) {
    return (long) ((double) left / whole * (1L << PART));
  }

  private static int opened(FreeCapacity room, PodClass podClass, int n) {
    int millis = podClass.millisOn(room.kind(n));
    return Math.max(0, podClass.devices().count() - Fit.sharedWith(room, n, millis));
  }

  private static long devices(FreeCapacity room, int n) {
    return room.device(n) < 0 ? 0 : 1000 * room.allocatable(n, room.device(n));
  }
}
