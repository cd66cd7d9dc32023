package dev.berth.engine.fairness;

import dev.berth.engine.session.Charge;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.Piece;
import dev.berth.engine.session.Queues;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;

/// Who leaves first: exactly the reverse of the order in which queues and workloads are served, at
/// every level of the tree, one eviction step at a time. Queues are judged by what they have
/// allocated, and by what would remain without the steps already chosen in them and the next one.
///
/// The session does not change while it is asked.
public final class VictimOrder {
  private static final int TOP = -1;

  private final Session session;
  private final Queues queues;
  private final Shares shares;
  private final TreeMap<Integer, Line> lines = new TreeMap<>();
  private final Line top;

  /// A step that was chosen.
  public record Chosen(Group group, Piece piece) {}

  /// A group that may be asked to leave.
  ///
  /// @param coreStays whether only its surplus may go
  public record Debtor(Group group, boolean coreStays) {}

  /// A group in line, and how many of its steps were chosen already.
  private static final class Candidate {
    static final Comparator<Candidate> LAST_TO_FIRST =
        Comparator.<Candidate>comparingInt(each -> each.group.group().priority())
            .thenComparing(Comparator.comparingInt(Candidate::progress).reversed())
            .thenComparing(
                Comparator.<Candidate, java.time.Instant>comparing(
                        each -> each.group.group().created())
                    .thenComparing(each -> each.group.key())
                    .reversed());

    private final Group group;
    private final List<Piece> pieces;
    private int chosen;

    Candidate(Debtor debtor) {
      this.group = debtor.group;
      this.pieces = debtor.coreStays ? group.surplus() : group.pieces();
    }

    Piece next() {
      return pieces.get(chosen);
    }

    int progress() {
      return !next().core() ? 2 : group.isBelowMinimum() ? 0 : 1;
    }
  }

  private final class Line {
    private final int queue;
    private final List<Line> below = new ArrayList<>();
    private final PriorityQueue<Candidate> candidates =
        new PriorityQueue<>(Candidate.LAST_TO_FIRST);
    private Charge chosen = queues.nothing();
    private Optional<Line> leaf = Optional.empty();
    private Charge step = queues.nothing();
    private Rank rank = Rank.NONE;
    private boolean dirty = true;

    Line(int queue) {
      this.queue = queue;
    }

    Optional<Line> best() {
      if (!dirty) {
        return leaf;
      }
      dirty = false;
      leaf = below.isEmpty() ? own() : last();
      if (leaf.isPresent() && queue != TOP) {
        step = leaf.get().step;
        rank = Rank.toLeave(queues, shares, queue, chosen.plus(step));
      }
      return leaf;
    }

    private Optional<Line> own() {
      if (candidates.isEmpty()) {
        return Optional.empty();
      }
      step = session.charge(candidates.peek().next().seats());
      return Optional.of(this);
    }

    private Optional<Line> last() {
      Optional<Line> last = Optional.empty();
      for (Line child : below) {
        boolean stands = child.best().isPresent();
        if (stands
            && (last.isEmpty() || Rank.compare(queues, shares, child.rank, last.get().rank) > 0)) {
          last = Optional.of(child);
        }
      }
      return last.flatMap(Line::best);
    }
  }

  private VictimOrder(Session session, Shares shares) {
    this.session = session;
    this.queues = session.queues();
    this.shares = shares;
    this.top = new Line(TOP);
  }

  /// @param debtors who may be asked, each with its steps
  public static VictimOrder among(Session session, Shares shares, List<Debtor> debtors) {
    var order = new VictimOrder(session, shares);
    for (Debtor debtor : debtors) {
      var candidate = new Candidate(debtor);
      if (!candidate.pieces.isEmpty()) {
        order.line(debtor.group().queue()).candidates.add(candidate);
      }
    }
    return order;
  }

  private Line line(int queue) {
    var known = lines.get(queue);
    if (known != null) {
      return known;
    }
    var line = new Line(queue);
    lines.put(queue, line);
    int[] chain = queues.chain(queue);
    (chain.length > 1 ? line(chain[1]) : top).below.add(line);
    return line;
  }

  /// The next step; empty when nobody is left.
  public Optional<Chosen> next() {
    return top.best().map(this::choose);
  }

  private Chosen choose(Line leaf) {
    var candidate = leaf.candidates.remove();
    var piece = candidate.next();
    var charge = leaf.step;
    candidate.chosen++;
    if (candidate.chosen < candidate.pieces.size()) {
      leaf.candidates.add(candidate);
    }
    top.dirty = true;
    for (int q : queues.chain(leaf.queue)) {
      var line = line(q);
      line.dirty = true;
      line.chosen = line.chosen.plus(charge);
    }
    return new Chosen(candidate.group, piece);
  }
}
