package dev.berth.engine.fairness;

import dev.berth.engine.session.Charge;
import dev.berth.engine.session.QueueTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/// Whose turn it is among queues: at every level of the tree the sibling that comes first, looked
/// up anew before every choice.
///
/// Among its siblings an inner queue is compared by the child that had its turn last, as long as
/// any group waits there; its children are compared anew when it comes to have its turn itself. So
/// a large step that waits in one child does not hold up the others.
///
/// A choice costs O(siblings) on the levels whose queues changed since the last one.
///
/// @param <L> what stands in a leaf
final class Tournament<L> {
  private static final int TOP = -1;

  /// How those of a kind are compared.
  interface Rules<L> {
    /// A leaf in which no group is lined up.
    L nobody();

    /// The next step of the first group of a leaf; empty = there is none.
    Optional<Charge> step(L leaf);

    /// How a queue compares with that step.
    Rank rank(Entrant<L> entrant, Charge step);

    boolean isBefore(Rank rank, Rank other);

    /// Changes whenever what is allocated in a queue does.
    long version(int queue);

    /// Changes whenever what is allocated in any queue does.
    long version();
  }

  private final QueueTree queues;
  private final Rules<L> rules;
  private final HashMap<Integer, Entrant<L>> entrants = new HashMap<>(); // looked up only
  private final Entrant<L> top;
  private boolean turnChanged;

  Tournament(QueueTree queues, Rules<L> rules) {
    this.queues = queues;
    this.rules = rules;
    this.top = new Entrant<>(this, TOP, rules.nobody());
  }

  /// A queue in which a group is lined up, and how it compares: by the child that had its turn
  /// last.
  static final class Entrant<L> {
    private final Tournament<L> of;
    private final int queue;
    private final L own;
    private final List<Entrant<L>> below = new ArrayList<>();
    private Optional<Entrant<L>> turn = Optional.empty(); // of those below
    private Optional<Entrant<L>> leaf = Optional.empty();
    private Charge step;
    private Charge chosen;
    private Rank rank = Rank.NONE;
    private long seen = -1;
    private boolean dirty = true;

    private Entrant(Tournament<L> of, int queue, L own) {
      this.of = of;
      this.queue = queue;
      this.own = own;
      this.step = of.queues.nothing();
      this.chosen = of.queues.nothing();
    }

    int queue() {
      return queue;
    }

    /// What stands in it itself.
    L own() {
      return own;
    }

    /// The step by which it compares.
    Charge step() {
      return step;
    }

    /// The sum of the steps that were [counted][#count].
    Charge chosen() {
      return chosen;
    }

    /// How it compares with its siblings, as of the last choice.
    Rank rank() {
      return rank;
    }

    boolean stands() {
      return best().isPresent();
    }

    /// The leaf below it, or itself, by whose first step it is judged.
    private Optional<Entrant<L>> best() {
      long version = queue == TOP ? of.rules.version() : of.rules.version(queue);
      if (!dirty && version == seen) {
        return leaf;
      }
      leaf = below.isEmpty() ? itself() : ofWhoseTurnItIs();
      if (leaf.isPresent() && queue != TOP) {
        step = leaf.get().step;
        rank = of.rules.rank(this, step);
      }
      dirty = false;
      seen = version;
      return leaf;
    }

    private Optional<Entrant<L>> itself() {
      var first = of.rules.step(own);
      first.ifPresent(next -> step = next);
      return first.map(_ -> this);
    }

    private Optional<Entrant<L>> ofWhoseTurnItIs() {
      var same = turn.flatMap(Entrant::best);
      return same.isPresent() ? same : compare().flatMap(Entrant::best);
    }

    /// Whose turn it is of those below, compared anew.
    private Optional<Entrant<L>> compare() {
      turn = Optional.empty();
      for (Entrant<L> child : below) {
        boolean stands = child.stands();
        if (stands && (turn.isEmpty() || of.rules.isBefore(child.rank, turn.get().rank))) {
          turn = Optional.of(child);
        }
      }
      return turn;
    }

    /// The leaf whose turn it is, compared anew on every level.
    private Optional<Entrant<L>> choose() {
      if (below.isEmpty()) {
        return best();
      }
      var last = turn;
      var next = compare();
      of.turnChanged |= queue != TOP && !next.equals(last);
      return next.flatMap(Entrant::choose);
    }
  }

  /// A queue; if it is not there yet, it is added without a group.
  Entrant<L> entrant(int queue) {
    var known = entrants.get(queue);
    return known != null ? known : enter(queue, rules.nobody());
  }

  /// A queue comes, with those above it; one that is there stays as it is.
  Entrant<L> enter(int queue, L own) {
    var known = entrants.get(queue);
    if (known != null) {
      return known;
    }
    var entrant = new Entrant<>(this, queue, own);
    entrants.put(queue, entrant);
    int[] chain = queues.chain(queue);
    (chain.length > 1 ? entrant(chain[1]) : top).below.add(entrant);
    return entrant;
  }

  /// The leaf whose turn it is; empty when no group is left.
  Optional<Entrant<L>> choose() {
    turnChanged = false;
    return top.choose();
  }

  /// Whether in the last choice a queue came by the rank of another child.
  boolean turnChanged() {
    return turnChanged;
  }

  /// The groups of a leaf have changed.
  void disturb(int queue) {
    top.dirty = true;
    for (int q : queues.chain(queue)) {
      entrant(q).dirty = true;
    }
  }

  /// A step of a leaf is chosen: it counts in all queues above it.
  void count(int queue, Charge step) {
    for (int q : queues.chain(queue)) {
      var entrant = entrant(q);
      entrant.chosen = entrant.chosen.plus(step);
    }
  }

  /// A group will be lined up again in a leaf: up to the first queue in which others were lined up
  /// meanwhile, children are compared anew.
  void returnsTo(int queue) {
    boolean stood = false;
    for (int q : queues.chain(queue)) {
      var entrant = entrant(q);
      if (!stood) {
        stood = entrant.stands();
        entrant.turn = Optional.empty();
      }
    }
    top.turn = stood ? top.turn : Optional.empty();
  }

  /// A leaf had its turn last, on every level above it.
  void hadItsTurn(int leaf) {
    Optional<Entrant<L>> child = Optional.empty();
    for (int q : queues.chain(leaf)) {
      var entrant = entrant(q);
      entrant.turn = child;
      child = Optional.of(entrant);
    }
    top.turn = child;
  }
}
