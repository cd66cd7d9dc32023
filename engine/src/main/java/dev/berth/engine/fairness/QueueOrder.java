package dev.berth.engine.fairness;

import dev.berth.engine.fairness.Tournament.Entrant;
import dev.berth.engine.session.Charge;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.QueueTree;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntConsumer;

/// Whose turn it is: a [Tournament] of queues, in which the sibling that comes first ([Rank]) is
/// chosen at every level of the tree, each with its best waiting workload ([WorkloadOrder]).
public final class QueueOrder {
  private final QueueTree queues;
  private final Shares shares;
  private final Tournament<LeafQueue> tournament;
  private int left; // of those that count
  private int looks;

  private record ToPlace(
      QueueTree queues, Shares shares, Function<Group, Optional<PlacementStep>> steps)
      implements Tournament.Rules<LeafQueue> {
    @Override
    public LeafQueue emptyLeaf() {
      return new LeafQueue.All(queues.nothing(), steps);
    }

    @Override
    public Optional<Charge> step(LeafQueue leaf) {
      return leaf.first().map(_ -> leaf.step());
    }

    @Override
    public Rank rank(Entrant<LeafQueue> entrant, Charge step) {
      return Rank.toPlace(queues, shares, entrant.queue(), step);
    }

    @Override
    public boolean isBefore(Rank rank, Rank other) {
      return Rank.compare(queues, shares, rank, other) < 0;
    }

    @Override
    public long version() {
      return queues.version();
    }

    @Override
    public boolean tellChanged(long since, IntConsumer leaf) {
      return queues.tellChanged(since, leaf);
    }
  }

  private QueueOrder(
      Session session, Shares shares, Function<Group, Optional<PlacementStep>> steps) {
    this.queues = session.queues();
    this.shares = shares;
    this.tournament = new Tournament<>(queues, new ToPlace(queues, shares, steps));
  }

  /// Some groups that wait, as if there were no others.
  public static QueueOrder of(Session session, Shares shares, List<Group> groups) {
    var order = new QueueOrder(session, shares, Group::next);
    for (Group group : groups) {
      order.add(group);
    }
    return order;
  }

  /// A few groups in the order that they have among all waiting groups: as long as others of a
  /// queue come before them, it is by those that the queue is judged.
  ///
  /// @param few the groups that are asked for
  /// @param all all waiting groups; those of `few` need not be among them
  /// @param steps what each of `few` tries next
  public static QueueOrder among(
      Session session,
      Shares shares,
      List<Group> few,
      PendingGroups all,
      Function<Group, Optional<PlacementStep>> steps) {
    var order = new QueueOrder(session, shares, steps);
    var counting = new LinkedHashSet<>(few); // by identity
    var roots = new TreeSet<Integer>(); // what is below others says nothing about the few
    for (Group group : few) {
      roots.add(order.root(group.queue()));
    }
    for (int queue : all.queues()) {
      if (roots.contains(order.root(queue))) {
        var stand = new LeafQueue.Few(all.in(queue), counting, order.queues.nothing(), steps);
        var _ = order.tournament.enter(queue, stand);
        order.looks++;
      }
    }
    for (Group group : few) {
      order.add(group);
    }
    return order;
  }

  private int root(int queue) {
    int[] chain = queues.chain(queue);
    return chain[chain.length - 1];
  }

  private void add(Group group) {
    if (group.isWaiting()) {
      tournament.entrant(group.queue()).own().add(group);
      left++;
      tournament.disturb(group.queue());
    }
  }

  /// Takes the next group out of the line; empty when all have had their turn.
  public Optional<Group> next() {
    while (left > 0) {
      var leaf = tournament.choose();
      if (leaf.isEmpty()) {
        return Optional.empty();
      }
      looks++;
      var stand = leaf.get().own();
      var group = stand.first();
      boolean counts = stand.remove(!tournament.turnChanged());
      tournament.disturb(leaf.get().queue());
      if (counts) {
        left--;
        return group;
      }
    }
    return Optional.empty();
  }

  /// Leaf queues that were lined up among others, and turns that were given, as a measure of its
  /// work.
  public int looks() {
    return looks;
  }

  /// The groups that have their turn before one that is lined up, in order, each with the rule by
  /// which it comes first. They have had their turn then.
  public List<Precedence> before(Group last) {
    var before = new ArrayList<Precedence>();
    for (var leaf = tournament.choose(); leaf.isPresent(); leaf = tournament.choose()) {
      var first = leaf.get().own().first().orElseThrow();
      if (first == last) {
        return before;
      }
      before.add(precedence(first, last));
      var _ = next();
    }
    throw new IllegalArgumentException(last.key() + " is not lined up");
  }

  private Precedence precedence(Group first, Group last) {
    if (first.queue() == last.queue()) {
      return new Precedence(
          first,
          OrderRule.of(WorkloadOrder.FIRST_TO_LAST.compare(first, last)),
          standpoint(first),
          standpoint(last));
    }
    var one = tournament.entrant(queues.side(first.queue(), last.queue())).rank();
    var other = tournament.entrant(queues.side(last.queue(), first.queue())).rank();
    int order = Rank.compare(queues, shares, one, other);
    return new Precedence(first, OrderRule.of(order), one.told(queues), other.told(queues));
  }

  /// How the queue of a group stands with it.
  public Precedence.Standpoint standpoint(Group group) {
    var step = group.next().map(PlacementStep::asked).orElseGet(queues::nothing);
    return Rank.toPlace(queues, shares, group.queue(), step).told(queues);
  }

  /// A group whose step succeeded is lined up again as long as a member of it waits. While it is
  /// lined up it does not change.
  public void again(Group group) {
    if (!tournament.stands(group.queue())) {
      tournament.returnsTo(group.queue());
    }
    add(group);
  }

  /// These had their turn before all groups that are lined up here, in this order. Asked first.
  void after(List<Group> groups) {
    groups.forEach(group -> tournament.hadItsTurn(group.queue()));
  }
}
