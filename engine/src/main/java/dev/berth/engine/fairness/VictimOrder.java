package dev.berth.engine.fairness;

import dev.berth.engine.fairness.Tournament.Entrant;
import dev.berth.engine.fairness.VictimCandidates.Asked;
import dev.berth.engine.fairness.VictimCandidates.Candidate;
import dev.berth.engine.session.Charge;
import dev.berth.engine.session.EvictionUnit;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.QueueTree;
import dev.berth.engine.session.Session;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.IntConsumer;

/// The order of victims: exactly the reverse of the order in which queues and workloads are served,
/// at every level of the tree, one eviction step at a time, by a [Tournament] as that of
/// [QueueOrder]. Queues are judged by what they have allocated, and by what would remain without
/// the steps already chosen in them and the next one.
///
/// The session does not change while it is asked.
public final class VictimOrder {
  private final Session session;
  private final QueueTree queues;
  private final Shares shares;
  private final Asked asked;
  private final Tournament<Leaf> tournament;

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

  /// The candidates of one leaf: those that began to leave, and the others, taken up as their turn
  /// comes.
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

    /// The next candidate; empty when none is left.
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

  private final class ToLeave implements Tournament.Rules<Leaf> {
    @Override
    public Leaf emptyLeaf() {
      return new Leaf(Collections.emptyList(), 0);
    }

    @Override
    public Optional<Charge> step(Leaf leaf) {
      return leaf.first().map(started -> session.charges().now(started.next().seats()));
    }

    @Override
    public Rank rank(Entrant<Leaf> entrant, Charge step) {
      return Rank.toLeave(queues, shares, entrant.queue(), entrant.chosen().plus(step));
    }

    @Override
    public boolean isBefore(Rank rank, Rank other) {
      return Rank.compare(queues, shares, rank, other) > 0;
    }

    /// The session does not change meanwhile.
    @Override
    public long version() {
      return 0;
    }

    @Override
    public boolean tellChanged(long since, IntConsumer leaf) {
      return true;
    }
  }

  private VictimOrder(Session session, Shares shares, Asked asked) {
    this.session = session;
    this.queues = session.queues();
    this.shares = shares;
    this.asked = asked;
    this.tournament = new Tournament<>(queues, new ToLeave());
  }

  /// @param all all candidates, for any preemptor
  /// @param asked which of them count now
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
          var _ = order.tournament.enter(queue, leaf);
        }
        stayers.note(queue, asked, leaf.stayers());
      }
    }
    return order;
  }

  /// The next step; empty when none is left.
  public Optional<ChosenUnit> next() {
    return tournament.choose().map(this::choose);
  }

  private ChosenUnit choose(Entrant<Leaf> leaf) {
    var started = leaf.own().first().orElseThrow();
    var unit = started.next();
    var charge = leaf.step();
    leaf.own().step(started);
    tournament.disturb(leaf.queue());
    tournament.count(leaf.queue(), charge);
    return new ChosenUnit(started.group, unit);
  }
}
