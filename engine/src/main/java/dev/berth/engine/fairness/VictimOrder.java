package dev.berth.engine.fairness;

import dev.berth.engine.fairness.VictimCandidates.Asked;
import dev.berth.engine.fairness.VictimCandidates.Candidate;
import dev.berth.engine.session.Charge;
import dev.berth.engine.session.EvictionUnit;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.QueueTree;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;

/// Who leaves first: exactly the reverse of the order in which queues and workloads are served, at
/// every level of the tree, one eviction step at a time. Queues are judged by what they have
/// allocated, and by what would remain without the steps already chosen in them and the next one;
/// an inner queue by the child that gave the last step, as [QueueOrder] by the one served last.
///
/// The session does not change while it is asked.
public final class VictimOrder {
  private static final int TOP = -1;

  private final Session session;
  private final QueueTree queues;
  private final Shares shares;
  private final Asked asked;
  private final TreeMap<Integer, Line> lines = new TreeMap<>();
  private final Line top;

  /// A group in line, and how many of its steps were chosen already.
  private static final class Started {
    private final Group group;
    private final List<EvictionUnit> units;
    private VictimRank turn;
    private int chosen;

    Started(Candidate candidate, Asked asked) {
      this.group = candidate.group();
      this.units = candidate.steps(asked);
      this.turn = candidate.turn();
    }

    VictimRank turn() {
      return turn;
    }

    EvictionUnit next() {
      return units.get(chosen);
    }

    /// Its next step is chosen.
    ///
    /// @return whether it has another one
    boolean step() {
      chosen++;
      turn = VictimRank.of(group, units, chosen);
      return chosen < units.size();
    }
  }

  /// Those of one leaf: who began to leave, and the others, taken up as their turn comes.
  private final class Leaf {
    private final List<Candidate> candidates;
    private final PriorityQueue<Started> started =
        new PriorityQueue<>(1, Comparator.comparing(Started::turn));
    private int at;
    private int himself = Integer.MAX_VALUE; // where the preemptor stands, once that is seen
    private Optional<Started> fresh = Optional.empty();

    /// @param at how many at the beginning have nothing to give
    Leaf(List<Candidate> candidates, int at) {
      this.candidates = candidates;
      this.at = at;
    }

    /// How many at the beginning have nothing to give to any preemptor of that queue, as far as was
    /// looked. Before the first step.
    int stayers() {
      return Math.min(fresh.isPresent() ? at - 1 : at, himself);
    }

    /// Who is next; empty when nobody is left.
    Optional<Started> first() {
      takeUp();
      var began = Optional.ofNullable(started.peek());
      boolean isFresh =
          fresh.isPresent()
              && (began.isEmpty() || fresh.get().turn.compareTo(began.get().turn) < 0);
      return isFresh ? fresh : began;
    }

    private void takeUp() {
      while (fresh.isEmpty() && at < candidates.size()) {
        var candidate = candidates.get(at++);
        if (candidate.priority() >= asked.below()) {
          at = candidates.size(); // they are in the order of priority
        } else if (candidate.group().equals(asked.preemptor())) {
          himself = at - 1;
        } else {
          var started = new Started(candidate, asked);
          fresh = started.units.isEmpty() ? fresh : Optional.of(started);
        }
      }
    }

    /// Takes the next step of the first one.
    void step(Started first) {
      if (fresh.isPresent() && fresh.get() == first) {
        fresh = Optional.empty();
      } else {
        started.remove();
      }
      if (first.step()) {
        started.add(first);
      }
    }
  }

  private final class Line {
    private final int queue;
    private final List<Line> below = new ArrayList<>();
    private final Leaf own;
    private Charge chosen = queues.nothing();
    private Optional<Line> turn = Optional.empty(); // of those below
    private Optional<Line> leaf = Optional.empty();
    private Charge step = queues.nothing();
    private Rank rank = Rank.NONE;
    private boolean dirty = true;

    Line(int queue, Leaf own) {
      this.queue = queue;
      this.own = own;
    }

    /// The leaf below it, or itself, by whose next step it is judged.
    Optional<Line> best() {
      if (!dirty) {
        return leaf;
      }
      dirty = false;
      leaf = below.isEmpty() ? own() : ofWhoseTurnItIs();
      if (leaf.isPresent() && queue != TOP) {
        step = leaf.get().step;
        rank = Rank.toLeave(queues, shares, queue, chosen.plus(step));
      }
      return leaf;
    }

    private Optional<Line> own() {
      var first = own.first();
      first.ifPresent(started -> step = session.charge(started.next().seats()));
      return first.map(_ -> this);
    }

    private Optional<Line> ofWhoseTurnItIs() {
      var same = turn.flatMap(Line::best);
      return same.isPresent() ? same : last().flatMap(Line::best);
    }

    /// Whose turn it is of those below, compared anew.
    private Optional<Line> last() {
      turn = Optional.empty();
      for (Line child : below) {
        boolean stands = child.best().isPresent();
        if (stands
            && (turn.isEmpty() || Rank.compare(queues, shares, child.rank, turn.get().rank) > 0)) {
          turn = Optional.of(child);
        }
      }
      return turn;
    }

    /// The leaf whose turn it is, compared anew on every level.
    Optional<Line> choose() {
      return below.isEmpty() ? best() : last().flatMap(Line::choose);
    }
  }

  private VictimOrder(Session session, Shares shares, Asked asked) {
    this.session = session;
    this.queues = session.queues();
    this.shares = shares;
    this.asked = asked;
    this.top = new Line(TOP, nobody());
  }

  private Leaf nobody() {
    return new Leaf(Collections.emptyList(), 0);
  }

  /// @param all everybody who may be asked for anyone
  /// @param asked who of them is asked now
  public static VictimOrder among(
      Session session, Shares shares, VictimCandidates all, Asked asked) {
    return among(session, shares, all, asked, new ExhaustedPrefixes(session));
  }

  /// @param stayers told of more
  public static VictimOrder among(
      Session session,
      Shares shares,
      VictimCandidates all,
      Asked asked,
      ExhaustedPrefixes stayers) {
    var order = new VictimOrder(session, shares, asked);
    for (int queue : all.queues()) {
      if (asked.queues().test(queue)) {
        int known = stayers.of(queue, asked);
        var leaf = order.new Leaf(all.in(queue), known);
        if (leaf.first().isPresent()) {
          var _ = order.line(queue, leaf);
        }
        stayers.note(queue, asked, leaf.stayers());
      }
    }
    return order;
  }

  private Line line(int queue, Leaf own) {
    var known = lines.get(queue);
    if (known != null) {
      return known;
    }
    var line = new Line(queue, own);
    lines.put(queue, line);
    int[] chain = queues.chain(queue);
    (chain.length > 1 ? line(chain[1], nobody()) : top).below.add(line);
    return line;
  }

  /// The next step; empty when nobody is left.
  public Optional<ChosenUnit> next() {
    return top.choose().map(this::choose);
  }

  private ChosenUnit choose(Line leaf) {
    var started = leaf.own.first().orElseThrow();
    var unit = started.next();
    var charge = leaf.step;
    leaf.own.step(started);
    top.dirty = true;
    for (int q : queues.chain(leaf.queue)) {
      var line = line(q, nobody());
      line.dirty = true;
      line.chosen = line.chosen.plus(charge);
    }
    return new ChosenUnit(started.group, unit);
  }
}
