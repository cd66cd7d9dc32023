package dev.berth.engine.fairness;

import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.session.Charge;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.QueueLimits;
import dev.berth.engine.session.QueueTree;
import dev.berth.engine.session.Session;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntToLongFunction;

/// What a group of one queue may take back from other queues.
///
/// Compared are always the children of the lowest common ancestor: the preemptor's *side* and the
/// victim's *side*. Allocated is that before the trial, minus what is lost; moved victims count as
/// not lost.
public final class ReclaimRight {
  private final Session session;
  private final QueueTree queues;
  private final Shares shares;
  private final Group preemptor;
  private final Charge request;
  private final double multiplier;
  private long[][] before;

  /// Made before the trial begins.
  ///
  /// @param request of the preemptor's next step
  /// @param multiplier how much less saturated than a sibling that loses the preemptor's side must
  ///   be once it is above its share; 1 = less, larger = by this factor
  public ReclaimRight(
      Session session, Shares shares, Group preemptor, Charge request, double multiplier) {
    this(session, shares, preemptor, request, multiplier, new long[0][]);
  }

  private ReclaimRight(
      Session session,
      Shares shares,
      Group preemptor,
      Charge request,
      double multiplier,
      long[][] before) {
    this.session = session;
    this.queues = session.queues();
    this.shares = shares;
    this.preemptor = preemptor;
    this.request = request;
    this.multiplier = multiplier;
    this.before = before;
  }

  /// The same for a part of what is requested, as of when this one was asked first.
  public ReclaimRight on(Charge part) {
    return new ReclaimRight(session, shares, preemptor, part, multiplier, before);
  }

  /// Asked first, before the trial begins.
  ///
  /// In the preemptor's leaf queue (only there) allocated + request stays within the fair share in
  /// every resource; what is not preemptible also non-preemptible allocated + request within quota
  /// on every level.
  public boolean isDue() {
    boolean due =
        beyondShare().isEmpty()
            && (preemptor.mayBorrow()
                || QueueLimits.keepNonPreemptibleQuota(queues, preemptor.queue(), request));
    before = due ? queues.allocated() : before;
    return due;
  }

  /// Of what the preemptor's leaf queue would have more than its fair share.
  public record Beyond(QueueName queue, Resource resource, long used, long asked, long share) {}

  /// The first resource, if any, in which allocated + request is more than the fair share.
  public Optional<Beyond> beyondShare() {
    int leaf = preemptor.queue();
    for (int r = 0; r < queues.width(); r++) {
      boolean counts = queues.isBasic(r) || request.of(r) > 0;
      if (counts && Charge.sum(queues.allocated(leaf, r), request.of(r)) > shares.share(leaf, r)) {
        return Optional.of(
            new Beyond(
                queues.queue(leaf).name(),
                queues.resource(r),
                queues.allocated(leaf, r),
                request.of(r),
                shares.share(leaf, r)));
      }
    }
    return Optional.empty();
  }

  /// Whether a queue may be asked at all. If the preemptor's side + request stays within quota in
  /// all resources: the victim's side is above its quota in a requested resource, or below it in
  /// none. Else: the victim's side is above its allocatable share in any resource.
  public boolean mayAsk(int queue) {
    int theirs = queues.side(queue, preemptor.queue());
    if (theirs == QueueTree.NONE) {
      return false;
    }
    int ours = queues.side(preemptor.queue(), queue);
    if (!isWithinQuota(ours, r -> before[ours][r])) {
      return isAboveShare(theirs, r -> before[theirs][r]);
    }
    boolean below = false;
    for (int r = 0; r < queues.width(); r++) {
      long quota = queues.quota(theirs, r);
      if (quota != dev.berth.engine.model.Queue.UNLIMITED && counts(theirs, r)) {
        if (request.of(r) > 0 && before[theirs][r] > quota) {
          return true;
        }
        below |= before[theirs][r] < quota;
      }
    }
    return !below;
  }

  /// Whether a queue could be asked at all if the preemptor's leaf queue had a quota of all that it
  /// has and requests: its side is above its quota in a requested resource, or above its
  /// allocatable share in any. Sides above the leaf queue are judged by the quotas that they have.
  public boolean mayAskWithQuota(int queue) {
    int theirs = queues.side(queue, preemptor.queue());
    if (theirs == QueueTree.NONE) {
      return false;
    }
    int ours = queues.side(preemptor.queue(), queue);
    boolean within =
        ours == preemptor.queue() || isWithinQuota(ours, r -> queues.allocated(ours, r));
    for (int r = 0; within && r < queues.width(); r++) {
      boolean isAbove = queues.allocated(theirs, r) > queues.quota(theirs, r);
      if (request.of(r) > 0 && counts(theirs, r) && isAbove) {
        return true;
      }
    }
    return isAboveShare(theirs, r -> queues.allocated(theirs, r));
  }

  /// Whether a queue that may be asked may lose anything, before it lost something.
  public boolean mayTakeOf(int queue) {
    return mayTake(queue, new TreeMap<>());
  }

  /// Whether what was lost may be taken: each lost piece in turn, and on every level at the end.
  public boolean covers(List<ChosenUnit> chosen) {
    var left = new TreeMap<Integer, long[]>();
    var lost = new boolean[queues.width()];
    for (ChosenUnit each : chosen) {
      var loss = loss(each);
      if (loss.length > 0) {
        if (!mayTake(each.group().queue(), left)) {
          return false;
        }
        take(each.group().queue(), loss, left);
        for (int r = 0; r < loss.length; r++) {
          lost[r] |= loss[r] > 0;
        }
      }
    }
    return isBalanced(left, lost);
  }

  /// Whether no side that was above its allocatable share is below it without what was lost. What
  /// is covered may do that with its last piece.
  public boolean leavesShares(List<ChosenUnit> chosen) {
    var left = new TreeMap<Integer, long[]>();
    for (ChosenUnit each : chosen) {
      var loss = loss(each);
      if (loss.length > 0) {
        take(each.group().queue(), loss, left);
      }
    }
    for (int q : left.keySet()) {
      boolean isSide = queues.side(q, preemptor.queue()) == q;
      for (int r = 0; isSide && r < queues.width(); r++) {
        long share = shares.allocatable(q, r);
        if (before[q][r] > share && left(q, left)[r] < share) {
          return false;
        }
      }
    }
    return true;
  }

  /// The side of a victim's queue, by number.
  int sideOf(int queue) {
    return queues.side(queue, preemptor.queue());
  }

  /// Thousandths of devices that the side of a victim's queue has above all that [#covers] would
  /// leave to it; [Long#MAX_VALUE] where it may lose them for what it has of something else.
  long aboveWhatItKeeps(int queue) {
    int theirs = queues.side(queue, preemptor.queue());
    int ours = queues.side(preemptor.queue(), queue);
    if (theirs == QueueTree.NONE) {
      return 0;
    }
    // a side above the preemptor's own queue may come within quota by what is lost below it
    boolean withinQuota = ours != preemptor.queue() || isWithinQuota(ours, r -> before[ours][r]);
    long above = 0;
    for (int r = 0; r < queues.width(); r++) {
      long keeps = shares.allocatable(theirs, r);
      if (withinQuota && counts(theirs, r)) {
        keeps = Math.min(keeps, queues.quota(theirs, r));
      }
      if (before[theirs][r] > keeps) {
        if (r != queues.gpu()) {
          return Long.MAX_VALUE;
        }
        above = before[theirs][r] - keeps;
      }
    }
    return above;
  }

  /// What the piece lost for good; empty where nothing is lost.
  private long[] loss(ChosenUnit chosen) {
    boolean any = false;
    var loss = new long[queues.width()];
    for (MemberState seat : chosen.unit().seats()) {
      if (!seat.isPlaced()) {
        any = true;
        var charge = session.charges().atOrigin(seat);
        for (int r = 0; r < loss.length; r++) {
          loss[r] += charge.of(r);
        }
      }
    }
    return any ? loss : new long[0];
  }

  /// Before a piece is taken its side is above its allocatable share in any resource, or the
  /// preemptor's side + request is within quota in all and the victim's side above quota in any.
  private boolean mayTake(int queue, TreeMap<Integer, long[]> left) {
    int theirs = queues.side(queue, preemptor.queue());
    int ours = queues.side(preemptor.queue(), queue);
    if (theirs == QueueTree.NONE) {
      return false;
    }
    var theirLeft = left(theirs, left);
    for (int r = 0; r < queues.width(); r++) {
      if (theirLeft[r] > shares.allocatable(theirs, r)) {
        return true;
      }
    }
    var oursLeft = left(ours, left);
    if (!isWithinQuota(ours, r -> oursLeft[r])) {
      return false;
    }
    for (int r = 0; r < queues.width(); r++) {
      if (counts(theirs, r) && theirLeft[r] > queues.quota(theirs, r)) {
        return true;
      }
    }
    return false;
  }

  private void take(int queue, long[] loss, TreeMap<Integer, long[]> left) {
    for (int q : queues.chain(queue)) {
      var row = left(q, left).clone();
      for (int r = 0; r < row.length; r++) {
        row[r] -= loss[r];
      }
      left.put(q, row);
    }
  }

  /// On every level, against every sibling that lost something, in every resource requested or
  /// lost: a side above its fair share must stay less saturated than the sibling.
  private boolean isBalanced(TreeMap<Integer, long[]> left, boolean[] lost) {
    int[] chain = queues.chain(preemptor.queue());
    var own = new TreeSet<Integer>();
    for (int q : chain) {
      own.add(q);
    }
    for (int level = 0; level < chain.length; level++) {
      int parent = level + 1 < chain.length ? chain[level + 1] : QueueTree.NONE;
      for (int sibling : left.keySet()) {
        int[] path = queues.chain(sibling);
        int above = path.length > 1 ? path[1] : QueueTree.NONE;
        if (above == parent && !own.contains(sibling)) {
          for (int r = 0; r < lost.length; r++) {
            boolean counts = lost[r] || request.of(r) > 0;
            if (counts && isTooMuch(chain[level], sibling, r, left)) {
              return false;
            }
          }
        }
      }
    }
    return true;
  }

  private boolean isTooMuch(int ours, int theirs, int r, TreeMap<Integer, long[]> left) {
    double share = shares.share(ours, r);
    double have = Charge.sum(left(ours, left)[r], request.of(r));
    double theirShare = shares.share(theirs, r);
    if (have <= share || theirShare <= 0) {
      return false;
    }
    // have / share × multiplier ≥ left / their share
    return have * theirShare * multiplier >= left(theirs, left)[r] * share;
  }

  private long[] left(int queue, TreeMap<Integer, long[]> left) {
    return left.getOrDefault(queue, before[queue]);
  }

  private boolean isWithinQuota(int ours, IntToLongFunction allocated) {
    for (int r = 0; r < queues.width(); r++) {
      boolean counts = queues.isBasic(r) || request.of(r) > 0;
      if (counts && Charge.sum(allocated.applyAsLong(r), request.of(r)) > queues.quota(ours, r)) {
        return false;
      }
    }
    return true;
  }

  private boolean isAboveShare(int queue, IntToLongFunction allocated) {
    for (int r = 0; r < queues.width(); r++) {
      if (allocated.applyAsLong(r) > shares.allocatable(queue, r)) {
        return true;
      }
    }
    return false;
  }

  private boolean counts(int queue, int r) {
    return queues.isBasic(r) || queues.isMeasured(queue, r);
  }
}
