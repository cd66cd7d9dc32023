package dev.berth.engine.fairness;

import dev.berth.engine.session.Charge;
import dev.berth.engine.session.QueueTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/// Whose turn it is among queues: at every level of the tree the sibling that comes first, looked
/// up anew before every choice.
///
/// Among its siblings an inner queue is compared by the child that had its turn last, as long as
/// any group waits there; its children are compared anew when it comes to have its turn itself. So
/// a large step that waits in one child does not hold up the others.
///
/// A choice costs O(log siblings) for each queue that changed since the last one ([Bracket]).
///
/// @param <L> what stands in a leaf
final class Tournament<L> {
  /// Of so many siblings one that changed is enough to compare all anew.
  private static final int MANY = 8;

  /// How those of a kind are compared.
  interface Rules<L> {
    /// A leaf in which no group is lined up.
    L emptyLeaf();

    /// The next step of the first group of a leaf; empty = there is none.
    Optional<Charge> step(L leaf);

    /// How a queue compares with that step.
    Rank rank(Entrant<L> entrant, Charge step);

    boolean isBefore(Rank rank, Rank other);

    /// Changes whenever what is allocated in any queue does.
    long version();

    /// Tells in which leaf queues what is allocated changed since a version.
    ///
    /// @return whether that is known
    boolean tellChanged(long since, IntConsumer leaf);
  }

  private final QueueTree queues;
  private final Rules<L> rules;
  private final HashMap<Integer, Entrant<L>> entrants = new HashMap<>(); // looked up only
  private final Siblings<L> roots = new Siblings<>(this);
  private boolean turnChanged;
  private long heard;

  Tournament(QueueTree queues, Rules<L> rules) {
    this.queues = queues;
    this.rules = rules;
    this.heard = rules.version();
  }

  /// Queues below one queue.
  private static final class Siblings<L> implements Bracket.Match {
    private final Tournament<L> of;
    private final List<Entrant<L>> all = new ArrayList<>();
    private final Bracket bracket = new Bracket(this);
    private final List<Entrant<L>> changed = new ArrayList<>();
    private Optional<Entrant<L>> turn = Optional.empty();

    Siblings(Tournament<L> of) {
      this.of = of;
    }

    void add(Entrant<L> one) {
      all.add(one);
      one.number = bracket.add();
      list(one);
    }

    /// One of them is not what it was.
    void list(Entrant<L> one) {
      if (!one.isListed) {
        one.isListed = true;
        changed.add(one);
      }
    }

    @Override
    public boolean stands(int one) {
      return all.get(one).stands();
    }

    @Override
    public boolean isBefore(int one, int other) {
      return of.rules.isBefore(all.get(one).rank, all.get(other).rank);
    }

    Optional<Entrant<L>> ofNextTurn() {
      var same = turn.flatMap(Entrant::best);
      return same.isPresent() ? same : compare().flatMap(Entrant::best);
    }

    /// Whose turn it is, compared anew.
    Optional<Entrant<L>> compare() {
      if (MANY * changed.size() > all.size()) {
        bracket.changed();
      }
      for (Entrant<L> one : changed) {
        one.isListed = false;
        bracket.changed(one.number);
      }
      changed.clear();
      int winner = bracket.winner();
      turn = winner == Bracket.NONE ? Optional.empty() : Optional.of(all.get(winner));
      return turn;
    }

    /// The leaf whose turn it is, compared anew on every level.
    private Optional<Entrant<L>> choose() {
      var last = turn;
      var next = compare();
      of.turnChanged |= this != of.roots && !next.equals(last);
      return next.flatMap(Entrant::choose);
    }
  }

  /// A queue in which a group is lined up, and how it compares: by the child that had its turn
  /// last.
  static final class Entrant<L> {
    private final Tournament<L> of;
    private final int queue;
    private final L own;
    private Optional<Siblings<L>> below = Optional.empty();
    private int number; // among its siblings
    private boolean isListed; // as changed, above
    private Optional<Entrant<L>> leaf = Optional.empty();
    private Charge step;
    private Charge chosen;
    private Rank rank = Rank.NONE;
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

    private boolean stands() {
      return best().isPresent();
    }

    /// The leaf below it, or itself, by whose first step it is judged.
    private Optional<Entrant<L>> best() {
      if (!dirty) {
        return leaf;
      }
      leaf = below.isEmpty() ? itself() : below.get().ofNextTurn();
      if (leaf.isPresent()) {
        step = leaf.get().step;
        rank = of.rules.rank(this, step);
      }
      dirty = false;
      return leaf;
    }

    private Optional<Entrant<L>> itself() {
      var first = of.rules.step(own);
      first.ifPresent(next -> step = next);
      return first.map(_ -> this);
    }

    private Optional<Entrant<L>> choose() {
      return below.isEmpty() ? best() : below.get().choose();
    }

    private Siblings<L> below() {
      if (below.isEmpty()) {
        below = Optional.of(new Siblings<>(of));
      }
      return below.get();
    }

    /// @param turn the child that had its turn last
    private void turn(Optional<Entrant<L>> turn) {
      below.ifPresent(siblings -> siblings.turn = turn);
    }
  }

  /// A queue; if it is not there yet, it is added without a group.
  Entrant<L> entrant(int queue) {
    var known = entrants.get(queue);
    return known != null ? known : enter(queue, rules.emptyLeaf());
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
    siblings(chain, 0).add(entrant);
    return entrant;
  }

  /// Of one queue of a chain.
  private Siblings<L> siblings(int[] chain, int at) {
    return at + 1 < chain.length ? entrant(chain[at + 1]).below() : roots;
  }

  /// Whether a group stands in a queue.
  boolean stands(int queue) {
    hear();
    return entrant(queue).stands();
  }

  /// What is allocated changed meanwhile.
  private void hear() {
    long version = rules.version();
    if (version != heard && !rules.tellChanged(heard, this::disturb)) {
      entrants.keySet().forEach(this::disturb);
    }
    heard = version;
  }

  /// The leaf whose turn it is; empty when no group is left.
  Optional<Entrant<L>> choose() {
    hear();
    turnChanged = false;
    return roots.choose();
  }

  /// Whether in the last choice a queue came by the rank of another child.
  boolean turnChanged() {
    return turnChanged;
  }

  /// The groups of a leaf have changed, or what is allocated in it.
  void disturb(int queue) {
    int[] chain = queues.chain(queue);
    for (int at = 0; at < chain.length; at++) {
      var entrant = entrants.get(chain[at]);
      if (entrant != null) {
        entrant.dirty = true;
        siblings(chain, at).list(entrant);
      }
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
    hear();
    boolean stood = false;
    for (int q : queues.chain(queue)) {
      var entrant = entrant(q);
      if (!stood) {
        stood = entrant.stands();
        entrant.turn(Optional.empty());
      }
    }
    roots.turn = stood ? roots.turn : Optional.empty();
  }

  /// A leaf had its turn last, on every level above it.
  void hadItsTurn(int leaf) {
    Optional<Entrant<L>> child = Optional.empty();
    for (int q : queues.chain(leaf)) {
      var entrant = entrant(q);
      entrant.turn(child);
      child = Optional.of(entrant);
    }
    roots.turn = child;
  }
}
