package dev.berth.engine.session;

import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.GroupKey;

/// A change to a session, undone unless it is kept. Statements nest: what an inner one kept goes
/// with the outer one.
public final class Statement implements AutoCloseable {
  private final Changes changes;
  private final int mark;
  private final long growth;
  private boolean kept;

  /// Where a statement is written.
  interface Changes {
    void change(
        MemberState seat, Assignment to, boolean inBlock, Cause cause, GroupKey beneficiary);

    /// @param mark how many changes there were when it was opened
    /// @param growth as it was then
    void close(Statement statement, int mark, boolean kept, long growth);
  }

  Statement(Changes changes, int mark, long growth) {
    this.changes = changes;
    this.mark = mark;
    this.growth = growth;
  }

  /// Gives a seat that waits a place. A victim that gets its own place back never was one.
  ///
  /// @param inBlock it starts together with the rest of its block
  public void place(MemberState seat, Assignment assignment, boolean inBlock) {
    if (seat.isPlaced() || !assignment.isSomewhere()) {
      throw new IllegalStateException("cannot place " + seat + " on " + assignment);
    }
    changes.change(seat, assignment, inBlock, seat.cause(), seat.beneficiary());
  }

  /// Takes a seat's place away: of a bound pod the room is free soon, of a planned one at once.
  public void evict(MemberState seat, Cause cause, GroupKey beneficiary) {
    if (!seat.isPlaced()) {
      throw new IllegalStateException("cannot evict " + seat);
    }
    changes.change(seat, Assignment.NOWHERE, seat.isInBlock(), cause, beneficiary);
  }

  public void keep() {
    kept = true;
  }

  @Override
  public void close() {
    changes.close(this, mark, kept, growth);
  }
}
