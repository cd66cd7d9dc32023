package dev.berth.engine.fairness;

import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.Session;
import java.util.TreeMap;

/// What a [ReclaimRight] would agree to at most: on each side that loses, all that is above what it
/// must keep, and the last piece whole, since a side may fall below its share with that one.
///
/// Only devices are counted. A side that has too much of something else may lose devices with that:
/// then it is not bounded.
public final class ReclaimBound implements LossBound {
  private final Session session;
  private final ReclaimRight claim;
  private final TreeMap<Integer, Side> sides = new TreeMap<>();

  /// What one side loses if all added units lose everything, in thousandths of devices.
  private static final class Side {
    final long above;
    long chosen;
    long largestPiece;

    /// @param above how much it has above what it must keep; [Long#MAX_VALUE] = not bounded
    Side(long above) {
      this.above = above;
    }

    long most() {
      if (above <= 0 || above == Long.MAX_VALUE) {
        return above <= 0 ? 0 : chosen;
      }
      return Math.min(chosen, above - 1 + largestPiece);
    }
  }

  public ReclaimBound(Session session, ReclaimRight claim) {
    this.session = session;
    this.claim = claim;
  }

  @Override
  public void add(ChosenUnit chosen) {
    long devices = devices(chosen);
    var side = side(chosen);
    side.largestPiece = Math.max(side.largestPiece, devices);
    side.chosen += devices;
  }

  @Override
  public void remove(ChosenUnit chosen) {
    side(chosen).chosen -= devices(chosen);
  }

  private Side side(ChosenUnit chosen) {
    int queue = chosen.group().queue();
    return sides.computeIfAbsent(claim.sideOf(queue), _ -> new Side(claim.aboveWhatItKeeps(queue)));
  }

  private long devices(ChosenUnit chosen) {
    int gpu = session.queues().gpu();
    long devices = 0;
    for (MemberState seat : chosen.unit().seats()) {
      devices += session.charges().atOrigin(seat).of(gpu);
    }
    return devices;
  }

  @Override
  public long devices() {
    long most = 0;
    for (Side side : sides.values()) {
      most += side.most();
    }
    return most;
  }

  @Override
  public long ceiling() {
    return Long.MAX_VALUE;
  }
}
