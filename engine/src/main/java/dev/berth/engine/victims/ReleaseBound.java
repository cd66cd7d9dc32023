package dev.berth.engine.victims;

import dev.berth.engine.fairness.ChosenUnit;
import dev.berth.engine.fairness.LossBound;
import dev.berth.engine.placement.BlockPlacement;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.PodClass;
import dev.berth.engine.session.Session;
import java.util.Arrays;
import java.util.List;

/// A bound that spares trials which cannot hold, as too little would be free. Counted step by step
/// as victims are added.
///
/// *In all*, of preemptors that ask for devices: what is free or being left, what shares would
/// leave (at most a device for each), and what whole devices would be left by victims that may lose
/// them: the others take them again. Of thousandths there are those that are free, shared devices
/// included, and what may be lost.
///
/// *By node*, of members that are all of one shape: so many of them find a place at most as its
/// resources allow, of devices the thousandths that are free or would be. A single member that
/// found no room at all finds it on a node of a victim.
final class ReleaseBound {
  private static final long[] NOTHING = {};
  private static final int NONE = -1;

  private final FreeCapacity room;
  private final BlockPlacement blocks;
  private final FreeCounts free;
  private final LossBound allowance;
  private final MemberState first;
  private final long need;
  private final int members;
  private final boolean alike;
  private final long needThousandths;
  private final boolean onlyTouched;

  /// By node: what victims leave, resource by resource, then thousandths of devices, then how many
  /// pods of them were there; empty = nothing.
  private long[][] left = {};

  private long[] placesOn = NOTHING;
  private long whole;
  private long shares;
  private long varying; // of the shares: such as take less of other devices
  private long places;
  private int stale = NONE; // the node that is to be counted again

  /// @param findsNone whether the step is known to find no room anywhere as things are
  ReleaseBound(
      Session session,
      BlockPlacement blocks,
      FreeCounts free,
      PlacementStep step,
      LossBound allowance,
      boolean findsNone) {
    this.room = session.room();
    this.blocks = blocks;
    this.free = free;
    this.allowance = allowance;
    var seats = step.all();
    first = seats.getFirst();
    long wanted = 0;
    long thousandths = 0;
    boolean same = true;
    for (MemberState seat : seats) {
      var podClass = seat.podClass();
      int devices = podClass.isShare() ? 0 : podClass.devices().count();
      wanted += devices;
      thousandths += 1000L * devices + (podClass.isShare() ? shareOf(session, podClass) : 0);
      same &= podClass.id() == first.podClass().id() && !podClass.asksTheUnknown();
    }
    need = wanted;
    needThousandths = thousandths;
    members = seats.size();
    alike = same;
    onlyTouched = findsNone && members == 1;
  }

  /// Of a share, on the nodes that are best for it.
  private static long shareOf(Session session, PodClass podClass) {
    int smallest = 1000;
    for (int kind = 0; kind < session.room().hardware().kinds().size(); kind++) {
      smallest = Math.min(smallest, podClass.millisOn(kind));
    }
    return (long) smallest * podClass.devices().count();
  }

  /// Looks at the nodes: before the first victim is added.
  void begin() {
    places = 0;
    stale = NONE;
    if (!alike) {
      return;
    }
    var _ = free.whole(); // counts
    placesOn = new long[room.nodes()];
    left = new long[placesOn.length][];
    Arrays.fill(left, NOTHING);
    Arrays.fill(placesOn, onlyTouched ? 0 : -1);
    if (!onlyTouched) {
      for (int n = 0; n < placesOn.length; n++) {
        count(n, NOTHING);
      }
    }
  }

  private void count(int n, long[] extra) {
    places -= Math.max(0, placesOn[n]);
    boolean counts = blocks.allows(first, n) && !(onlyTouched && extra[room.width() + 1] == 0);
    placesOn[n] = counts ? copies(n, extra) : 0;
    places += placesOn[n];
  }

  /// How many members a node takes at most.
  private long copies(int n, long[] extra) {
    var podClass = first.podClass();
    int device = room.device(n);
    long most = members;
    long thousandths = thousandths(n, extra);
    for (int i = 0; i < podClass.needs() && most > 0; i++) {
      int resource = podClass.resource(i);
      long wanted = podClass.need(i);
      if (wanted > 0) {
        long there = room.freeSoon(n, resource) + (extra.length == 0 ? 0 : extra[resource]);
        if (resource == device) {
          there = Math.min(there, thousandths / 1000);
        }
        most = Math.min(most, Math.max(0, there) / wanted);
      }
    }
    if (podClass.isShare()) {
      int millis = podClass.millisOn(room.kind(n));
      most =
          millis > 1000 ? 0 : Math.min(most, thousandths / (millis * podClass.devices().count()));
    }
    return most;
  }

  private long thousandths(int n, long[] extra) {
    return free.thousandths(n) + (extra.length == 0 ? 0 : extra[room.width()]);
  }

  void add(ChosenUnit victim) {
    count(victim, 1);
    allowance.add(victim);
  }

  void remove(ChosenUnit victim) {
    count(victim, -1);
    allowance.remove(victim);
  }

  private void count(ChosenUnit victim, int sign) {
    for (MemberState seat : victim.unit().seats()) {
      int devices = sign * seat.podClass().devices().count();
      if (seat.podClass().isShare()) {
        shares += devices;
        varying += seat.podClass().chargeVaries() ? devices : 0;
      } else {
        whole += devices;
      }
      int n = seat.now().node();
      if (alike && n >= 0 && n < placesOn.length) {
        leaves(n, seat, sign);
        if (stale != n) {
          settle();
          stale = n;
        }
      }
    }
  }

  /// Victims mostly come node by node, and each node is counted once for all of its own.
  private void settle() {
    if (stale != NONE) {
      count(stale, left[stale]);
      stale = NONE;
    }
  }

  /// Shares may leave their devices behind, and the places of their holders among the pods.
  private void leaves(int n, MemberState seat, int sign) {
    int width = room.width();
    if (left[n].length == 0) {
      left[n] = new long[width + 2];
    }
    var extra = left[n];
    var podClass = seat.podClass();
    for (int i = 0; i < podClass.needs(); i++) {
      extra[podClass.resource(i)] += sign * podClass.need(i);
    }
    if (podClass.isShare()) {
      int slots = seat.now().slots().length;
      extra[room.pods()] += sign * slots;
      if (room.device(n) >= 0) {
        extra[room.device(n)] += sign * slots;
      }
      extra[width] += (long) sign * slots * seat.now().millis();
    } else {
      extra[width] += 1000L * sign * podClass.devices().count();
    }
    extra[width + 1] += sign;
  }

  /// Whether a trial may hold with these victims besides, which are taken off again.
  boolean mayDoWith(List<ChosenUnit> more) {
    more.forEach(this::add);
    boolean may = mayDo();
    more.forEach(this::remove);
    return may;
  }

  /// Whether a trial with the added steps may hold.
  boolean mayDo() {
    settle();
    long lost = allowance.devices();
    return (!alike || places >= members)
        && (need == 0 || free.whole() + shares + Math.min(whole, lost / 1000) >= need)
        && free.thousandths() + 1000 * varying >= needThousandths - lost;
  }

  /// Whether any trial may, if so many shares left.
  ///
  /// @param allVarying of these such as take less of other devices
  boolean mayEverDo(long allShares, long allVarying) {
    long lost = allowance.ceiling();
    return (lost / 1000 >= need || free.whole() + allShares + lost / 1000 >= need)
        && free.thousandths() + 1000 * allVarying >= needThousandths - lost;
  }
}
