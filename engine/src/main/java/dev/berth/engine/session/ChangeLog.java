package dev.berth.engine.session;

import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.GroupKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// The changes to a session since its snapshot: of open [Statement]s, and what was kept.
final class ChangeLog implements Statement.Changes {
  private final Occupancy occupancy;
  private final GroupIndex roll;
  private final Preemptors preemptors;
  private final List<Change> log = new ArrayList<>();
  private final List<Change> past = new ArrayList<>(); // what was kept since the snapshot
  private final ArrayDeque<Statement> open = new ArrayDeque<>();
  private long growth;
  private long growths;
  private long settled;

  /// What a seat was before a change.
  ///
  /// @param left stamp of the node that it left
  /// @param taken stamp of the node on which it came
  private record Change(
      MemberState seat,
      Assignment before,
      boolean inBlock,
      Cause cause,
      GroupKey beneficiary,
      long left,
      long taken) {}

  ChangeLog(Occupancy occupancy, GroupIndex roll, Preemptors preemptors) {
    this.occupancy = occupancy;
    this.roll = roll;
    this.preemptors = preemptors;
  }

  Statement open() {
    var statement = new Statement(this, log.size(), growth);
    open.push(statement);
    return statement;
  }

  /// Whether a statement is open, so that what is there now may be undone.
  boolean isTrial() {
    return !open.isEmpty();
  }

  /// Names the last time room grew. As long as it says the same (outside of statements), what found
  /// no room finds none: room only shrank.
  long growth() {
    return growth;
  }

  /// Names what was kept so far: outside of statements, as long as it says the same nothing
  /// changed.
  long settled() {
    return settled;
  }

  @Override
  public void change(
      MemberState seat, Assignment to, boolean inBlock, Cause cause, GroupKey beneficiary) {
    if (open.isEmpty()) {
      throw new IllegalStateException("a change without a statement: " + seat);
    }
    log.add(
        new Change(
            seat,
            seat.now(),
            seat.isInBlock(),
            seat.cause(),
            seat.beneficiary(),
            stamp(seat.now()),
            stamp(to)));
    if (seat.isPlaced()) {
      growth = ++growths;
      if (!seat.now().isSame(seat.origin())) {
        preemptors.loseNewPlace();
      }
    }
    roll.touch(seat.group());
    occupancy.move(seat, to);
    seat.mark(inBlock, cause, beneficiary);
  }

  @Override
  public void close(Statement statement, int mark, boolean kept, long growthBefore) {
    if (open.isEmpty() || !open.peek().equals(statement)) {
      throw new IllegalStateException("statements close in the reverse order of opening");
    }
    open.pop();
    if (!kept) {
      while (log.size() > mark) {
        undo(log.removeLast());
      }
      growth = growthBefore;
    } else if (open.isEmpty()) {
      settled += log.isEmpty() ? 0 : 1;
      past.addAll(log);
      log.clear();
    }
  }

  private long stamp(Assignment assignment) {
    return assignment.isOnTheMap() ? occupancy.room().changes().stamp(assignment.node()) : 0;
  }

  private void restore(Assignment assignment, long stamp) {
    if (assignment.isOnTheMap()) {
      occupancy.room().changes().restore(assignment.node(), stamp);
    }
  }

  private void undo(Change change) {
    var after = change.seat.now();
    occupancy.move(change.seat, change.before);
    restore(after, change.taken);
    restore(change.before, change.left);
    change.seat.mark(change.inBlock, change.cause, change.beneficiary);
  }

  /// Undoes everything that was kept.
  void rewind() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("a statement is open");
    }
    while (!past.isEmpty()) {
      undo(past.removeLast());
    }
    growth = ++growths;
    settled++;
  }
}
