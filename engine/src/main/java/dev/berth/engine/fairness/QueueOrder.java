package dev.berth.engine.fairness;

import dev.berth.engine.session.Charge;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.QueueTree;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/// Whose turn it is: at every level of the tree the sibling that comes first ([Rank]), each with
/// its best waiting workload ([WorkloadOrder], found the same way below it), looked up anew before
/// every choice.
///
/// Among its siblings an inner queue stands with the child that had its turn last, as long as
/// anybody waits there; its children are compared anew when it comes to have its turn itself. So a
/// large step that waits in one child does not hold up the others.
///
/// A choice costs O(siblings) on the levels whose queues changed since the last one.
public final class QueueOrder {
  private static final int TOP = -1;

  private final QueueTree queues;
  private final Shares shares;
  private final HashMap<Integer, Line> lines = new HashMap<>(); // looked up only
  private final Line top;
  private final Function<Group, Optional<PlacementStep>> steps;
  private int left; // of those who count
  private boolean turnChanged; // in the last choice: a queue came by the rank of another child

  /// A queue in which somebody stands, and how it compares: by the child that had its turn last.
  private final class Line {
    private final int queue;
    private final LeafQueue stand;
    private final List<Line> below = new ArrayList<>();
    private Optional<Line> turn = Optional.empty(); // of those below
    private Optional<Line> leaf = Optional.empty();
    private Charge step = queues.nothing();
    private Rank rank = Rank.NONE;
    private long seen = -1;
    private boolean dirty = true;

    Line(int queue, LeafQueue stand) {
      this.queue = queue;
      this.stand = stand;
    }

    /// The leaf below it, or itself, by whose first group it is judged.
    Optional<Line> best() {
      long version = queue == TOP ? queues.version() : queues.version(queue);
      if (!dirty && version == seen) {
        return leaf;
      }
      leaf = below.isEmpty() ? own() : ofWhoseTurnItIs();
      if (leaf.isPresent() && queue != TOP) {
        step = leaf.get().step;
        rank = Rank.toPlace(queues, shares, queue, step);
      }
      dirty = false;
      seen = version;
      return leaf;
    }

    private Optional<Line> own() {
      if (stand.first().isEmpty()) {
        return Optional.empty();
      }
      step = stand.step();
      return Optional.of(this);
    }

    private Optional<Line> ofWhoseTurnItIs() {
      var same = turn.flatMap(Line::best);
      return same.isPresent() ? same : first().flatMap(Line::best);
    }

    /// Whose turn it is of those below, compared anew.
    private Optional<Line> first() {
      turn = Optional.empty();
      for (Line child : below) {
        boolean stands = child.best().isPresent();
        if (stands
            && (turn.isEmpty() || Rank.compare(queues, shares, child.rank, turn.get().rank) < 0)) {
          turn = Optional.of(child);
        }
      }
      return turn;
    }

    /// The leaf whose turn it is, compared anew on every level.
    Optional<Line> choose() {
      if (below.isEmpty()) {
        return best();
      }
      var last = turn;
      var next = first();
      turnChanged |= queue != TOP && !next.equals(last);
      return next.flatMap(Line::choose);
    }
  }

  private QueueOrder(
      Session session, Shares shares, Function<Group, Optional<PlacementStep>> steps) {
    this.queues = session.queues();
    this.shares = shares;
    this.steps = steps;
    this.top = new Line(TOP, nobody());
  }

  private LeafQueue nobody() {
    return new LeafQueue.All(queues.nothing(), steps);
  }

  /// Some groups that wait, as if there were no others.
  public static QueueOrder of(Session session, Shares shares, List<Group> groups) {
    var order = new QueueOrder(session, shares, Group::next);
    for (Group group : groups) {
      order.add(order.line(group.queue()), group);
    }
    return order;
  }

  /// A few groups in the order that they have among all who wait: as long as others of a queue come
  /// before them, it is by those that the queue is judged.
  ///
  /// @param few those who are asked for
  /// @param all everybody who waits; those of `few` need not be among them
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
        var _ = order.line(queue, stand);
      }
    }
    for (Group group : few) {
      order.add(order.line(group.queue()), group);
    }
    return order;
  }

  private int root(int queue) {
    int[] chain = queues.chain(queue);
    return chain[chain.length - 1];
  }

  private Line line(int queue) {
    var known = lines.get(queue);
    return known != null ? known : line(queue, nobody());
  }

  private Line line(int queue, LeafQueue stand) {
    var known = lines.get(queue);
    if (known != null) {
      return known;
    }
    var line = new Line(queue, stand);
    lines.put(queue, line);
    int[] chain = queues.chain(queue);
    (chain.length > 1 ? line(chain[1]) : top).below.add(line);
    return line;
  }

  private void add(Line line, Group group) {
    if (group.isWaiting()) {
      line.stand.add(group);
      left++;
      disturb(line.queue);
    }
  }

  /// Somebody will stand again in a leaf: up to the first queue in which others stood meanwhile,
  /// children are compared anew.
  private void returnsTo(int queue) {
    boolean stood = false;
    for (int q : queues.chain(queue)) {
      var line = line(q);
      if (!stood) {
        stood = line.best().isPresent();
        line.turn = Optional.empty();
      }
    }
    top.turn = stood ? top.turn : Optional.empty();
  }

  private void disturb(int queue) {
    top.dirty = true;
    for (int q : queues.chain(queue)) {
      line(q).dirty = true;
    }
  }

  /// Takes the next group out of the line; empty when all have had their turn.
  public Optional<Group> next() {
    while (left > 0) {
      turnChanged = false;
      var leaf = top.choose();
      if (leaf.isEmpty()) {
        return Optional.empty();
      }
      var group = leaf.get().stand.first();
      boolean counts = leaf.get().stand.remove(!turnChanged);
      disturb(leaf.get().queue);
      if (counts) {
        left--;
        return group;
      }
    }
    return Optional.empty();
  }

  /// A group whose step succeeded stands in line again as long as somebody in it waits. While it
  /// stands there it does not change.
  public void again(Group group) {
    var line = line(group.queue());
    if (line.best().isEmpty()) {
      returnsTo(line.queue);
    }
    add(line, group);
  }

  /// These had their turn before anybody of those who stand here, in this order. Asked first.
  void after(List<Group> groups) {
    for (Group group : groups) {
      Optional<Line> child = Optional.empty();
      for (int q : queues.chain(group.queue())) {
        var line = line(q);
        line.turn = child;
        child = Optional.of(line);
      }
      top.turn = child;
    }
  }
}
