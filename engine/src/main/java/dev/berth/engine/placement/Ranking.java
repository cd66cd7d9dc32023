package dev.berth.engine.placement;

import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.NodeChanges;
import dev.berth.engine.session.PodClass;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntPredicate;

/// The nodes for one shape of pod, best first, kept true by looking again only at nodes that
/// changed.
///
/// Layout: `scores[n]`, and over them a tournament: `winner[1]` is the best node of all,
/// `winner[i]` the better one of `winner[2 i]` and `winner[2 i + 1]`. One placement changes one
/// node: O(log nodes). Both are there only once a node has room: of what waits on a full cluster
/// little is kept.
final class Ranking {
  private static final int NO_NODE = -1;

  /// Changes that are looked at one by one.
  private static final int FEW = 32;

  private final FreeCapacity room;
  private final NodeChanges changes;
  private final PodClass podClass;
  private final Strategy strategy;
  private Optional<PackingCost> packing;
  private final boolean[] allowed; // nothing forbids the node that has to do with no other pod
  private final long[] stamps; // of the nodes when their scores were made
  private final int leaves;
  private long[] scores = {}; // empty = NEVER for all
  private int[] winner = {};
  private long seen;
  private long described = -1;

  Ranking(FreeCapacity room, PodClass podClass, Strategy strategy, Optional<PackingCost> packing) {
    this.room = room;
    this.changes = room.changes();
    this.podClass = podClass;
    this.strategy = strategy;
    this.packing = packing;
    allowed = new boolean[room.nodes()];
    stamps = new long[room.nodes()];
    leaves = Math.max(1, Integer.highestOneBit(Math.max(1, room.nodes() * 2 - 1)));
    rebuild();
  }

  /// Scores all nodes anew where it is another one.
  void use(Optional<PackingCost> other) {
    boolean same = packing.equals(other); // of the same object
    packing = other;
    if (!same) {
      rebuild();
    }
  }

  private void rebuild() {
    describe();
    scores = new long[0];
    winner = new int[0];
    for (int n = 0; n < allowed.length; n++) {
      stamps[n] = changes.stamp(n);
      long score = score(n);
      if (score != Score.NEVER) {
        open();
        scores[n] = score;
        winner[leaves + n] = n;
      }
    }
    if (hasRoom()) {
      for (int i = leaves - 1; i > 0; i--) {
        winner[i] = better(winner[2 * i], winner[2 * i + 1]);
      }
    }
    seen = changes.version();
  }

  private void describe() {
    if (described == changes.described()) {
      return;
    }
    for (int n = 0; n < allowed.length; n++) {
      if (changes.describedAt(n) > described) {
        allowed[n] =
            NodeRules.objection(podClass.constraints(), room.node(n).node()).isEmpty()
                && SingleNodeFit.objection(room, podClass, n).isEmpty();
      }
    }
    described = changes.described();
  }

  /// Whether any node had room since the scores were made.
  private boolean hasRoom() {
    return scores.length > 0;
  }

  private void open() {
    if (!hasRoom()) {
      scores = new long[allowed.length];
      Arrays.fill(scores, Score.NEVER);
      winner = new int[leaves * 2];
      Arrays.fill(winner, NO_NODE);
    }
  }

  private long score(int n) {
    return allowed[n] ? Score.of(room, podClass, strategy, packing, n) : Score.NEVER;
  }

  /// The left one where both are equal: nodes are in name order.
  private int better(int left, int right) {
    if (left == NO_NODE || right == NO_NODE) {
      return left == NO_NODE ? right : left;
    }
    return scores[right] > scores[left] ? right : left;
  }

  private void refresh() {
    if (seen == changes.version()) {
      return;
    }
    describe(); // those nodes have changed
    if (changes.version() - seen <= FEW && changes.remembers(seen)) {
      for (; seen < changes.version(); seen++) {
        int n = changes.changed(seen);
        if (stamps[n] != changes.stamp(n)) {
          update(n);
        }
      }
    } else {
      for (int n = changes.nextChanged(stamps, 0); n >= 0; n = changes.nextChanged(stamps, n + 1)) {
        update(n);
      }
      seen = changes.version();
    }
  }

  private void update(int n) {
    stamps[n] = changes.stamp(n);
    long score = score(n);
    if (score == (hasRoom() ? scores[n] : Score.NEVER)) {
      return;
    }
    open();
    scores[n] = score;
    int i = leaves + n;
    winner[i] = score == Score.NEVER ? NO_NODE : n;
    for (i >>= 1; i > 0; i >>= 1) {
      winner[i] = better(winner[2 * i], winner[2 * i + 1]);
    }
  }

  /// The best node of all; -1 where none has room.
  int best() {
    refresh();
    return hasRoom() ? winner[1] : NO_NODE;
  }

  /// The best node of those that `may`; -1 where none has room.
  int best(IntPredicate may) {
    int best = best();
    if (best == NO_NODE || may.test(best)) {
      return best;
    }
    best = NO_NODE;
    for (int n = 0; n < scores.length; n++) {
      if (scores[n] > (best == NO_NODE ? Score.NEVER : scores[best]) && may.test(n)) {
        best = n;
      }
    }
    return best;
  }

  /// The best node of those that `may` in the first turn in which one has room; -1 where none has.
  int best(IntPredicate may, Domain turns) {
    refresh();
    int best = NO_NODE;
    for (int n = 0; n < scores.length; n++) {
      if (scores[n] == Score.NEVER || !may.test(n)) {
        continue;
      }
      int order = best == NO_NODE ? -1 : Integer.compare(turns.turn(n), turns.turn(best));
      if (order < 0 || order == 0 && scores[n] > scores[best]) {
        best = n;
      }
    }
    return best;
  }

  /// Whether nothing forbids the node that never changes.
  boolean allows(int n) {
    describe();
    return allowed[n];
  }

  /// Whether any node but this one has room.
  boolean hasRoomBeside(int n) {
    int best = best();
    if (best != n || best == NO_NODE) {
      return best != NO_NODE;
    }
    for (int i = leaves + n; i > 1; i >>= 1) {
      if (winner[i ^ 1] != NO_NODE) {
        return true;
      }
    }
    return false;
  }

  /// The score of a node; [Score#NEVER] where it has no room.
  long scoreOf(int n) {
    refresh();
    return hasRoom() ? scores[n] : Score.NEVER;
  }
}
