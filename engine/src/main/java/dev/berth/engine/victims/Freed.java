package dev.berth.engine.victims;

import dev.berth.engine.fairness.Allowance;
import dev.berth.engine.fairness.VictimOrder.Chosen;
import dev.berth.engine.session.Seat;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Shape;
import dev.berth.engine.session.Step;

/// A bound that spares trials which cannot hold, as too few devices would be free. Counts whole
/// devices, of claimants that ask for whole ones, step by step as victims are added.
///
/// *In all*: what is free or being left, what shares would leave (at most a device for each), and
/// what whole devices would be left by those who may lose them: the others take them again. Of
/// thousandths there are those that are free, shared devices included, and what may be lost.
///
/// *By node*: members that all ask for as many devices find at most ⌊devices / that⌋ places on a
/// node. A single member that found no room at all finds it on a node of a victim.
final class Freed {
  private final Free free;
  private final Allowance allowance;
  private final long need;
  private final int members;
  private final int size; // devices of each member; 0 = not all alike
  private final long needThousandths;
  private long[] there = {}; // by node: whole devices that are free, being left, or would be
  private int[] touched = {}; // by node: members of victims
  private final boolean onlyTouched;
  private long whole;
  private long shares;
  private long varying; // of the shares: such as take less of other devices
  private long places;

  /// @param findsNone whether the step is known to find no room anywhere as things are
  Freed(Session session, Free free, Step step, Allowance allowance, boolean findsNone) {
    this.free = free;
    this.allowance = allowance;
    var seats = step.all();
    long wanted = 0;
    long thousandths = 0;
    boolean alike = true;
    int first = seats.getFirst().shape().devices().count();
    for (Seat seat : seats) {
      var shape = seat.shape();
      int devices = shape.isShare() ? 0 : shape.devices().count();
      wanted += devices;
      thousandths += 1000L * devices + (shape.isShare() ? shareOf(session, shape) : 0);
      alike &= devices == first && devices > 0;
    }
    need = wanted;
    needThousandths = thousandths;
    members = seats.size();
    size = alike ? first : 0;
    onlyTouched = findsNone && members == 1;
  }

  /// Of a share, on the nodes that are best for it.
  private static long shareOf(Session session, Shape shape) {
    int smallest = 1000;
    for (int kind = 0; kind < session.room().kinds().size(); kind++) {
      smallest = Math.min(smallest, shape.millisOn(kind));
    }
    return (long) smallest * shape.devices().count();
  }

  /// Looks at the nodes: before the first victim is added.
  void begin() {
    there = need > 0 ? free.devices() : new long[0];
    touched = new int[there.length];
    for (int n = 0; n < there.length; n++) {
      places += places(n);
    }
  }

  private long places(int n) {
    return size == 0 || onlyTouched && touched[n] == 0 ? 0 : there[n] / size;
  }

  void add(Chosen victim) {
    count(victim, 1);
    allowance.add(victim);
  }

  void remove(Chosen victim) {
    count(victim, -1);
    allowance.remove(victim);
  }

  private void count(Chosen victim, int sign) {
    for (Seat seat : victim.piece().seats()) {
      int devices = sign * seat.shape().devices().count();
      if (seat.shape().isShare()) {
        shares += devices;
        varying += seat.shape().chargeVaries() ? devices : 0;
      } else {
        whole += devices;
      }
      int n = seat.now().node();
      if (n >= 0 && n < there.length) {
        places -= places(n);
        there[n] += devices;
        touched[n] += sign;
        places += places(n);
      }
    }
  }

  /// Whether a trial with those who were added may hold.
  boolean mayDo() {
    long lost = allowance.devices();
    return (need == 0
            || hasPlaces() && free.whole() + shares + Math.min(whole, lost / 1000) >= need)
        && free.thousandths() + 1000 * varying >= needThousandths - lost;
  }

  private boolean hasPlaces() {
    return size == 0 || places >= members;
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
