package dev.berth.engine.ledger;

import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.GroupSpec.Run;
import dev.berth.engine.model.Idleness;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Predicate;

/// What is remembered of a group from when any member runs until none does, though members are
/// created anew meanwhile and their earlier objects are gone.
final class GroupRun {
  private Instant since = Instant.MAX; // it has not had its minimum yet
  private int gone; // members that ended well
  private int goneOfWorkload; // that its workload made, ever
  private int completed; // with those that are there, as many as there ever were
  private final LinkedHashSet<PodUid> late = new LinkedHashSet<>(0); // see Moved
  private Instant warned = Instant.EPOCH; // though its object is deleted and made anew
  private Idleness idle = Idleness.NONE;
  private Idleness.Notice notice = Idleness.Notice.NONE; // as warned
  private boolean isUnknown; // whether it is idle, though it says so
  private boolean isMeasured; // what GPUs do, since this process began
  private boolean runs;

  /// It began to run while it was watched: what its status says is of a former time.
  private boolean startsAnew;

  /// One that ended well is gone.
  ///
  /// @param ofWorkload whether its owners brought it: others count in no status of the workload
  void loses(boolean ofWorkload) {
    gone++;
    goneOfWorkload += ofWorkload ? 1 : 0;
  }

  /// A relocated member is gone, and its successor is not bound yet.
  void awaits(PodUid moved) {
    late.add(moved);
  }

  void awaitsNoMore(PodUid moved) {
    late.remove(moved);
  }

  /// What a group of which completed members do not count says, as these are now.
  ///
  /// @param ofWorkload members that are there, have completed, and were brought by their owners
  GroupSpec completing(GroupSpec said, List<Member> now, int ofWorkload) {
    return said.after(goneOfWorkload + ofWorkload, count(now, GroupRun::isLive));
  }

  /// What a group says, as its members are now and with what is remembered of them.
  ///
  /// @param told with what its status said when the object was seen first
  GroupSpec remembered(GroupSpec told, List<Member> now) {
    boolean ran = runs;
    runs = now.stream().anyMatch(CoreStart::runs);
    if (!runs) {
      startsAnew |= ran || now.stream().anyMatch(GroupRun::isPlanned);
      since = Instant.MAX;
      gone = 0;
      completed = 0;
      late.clear();
      warned = Instant.EPOCH;
      idle = Idleness.NONE;
      notice = Idleness.Notice.NONE;
      return told.with(Run.NONE);
    }
    Run before = startsAnew ? Run.NONE : told.run();
    int there = count(now, member -> member.standing().endedWell());
    completed = Math.max(Math.max(completed, before.completed()), gone + there);
    since = earlier(since, CoreStart.of(told, now));
    since = before.since().equals(Instant.EPOCH) ? since : earlier(since, before.since());
    Instant began = since.equals(Instant.MAX) ? Instant.EPOCH : since;
    warned = warned(told.run().warned(), began);
    notice = notice(told.run().notice(), began);
    return told.with(new Run(began, completed, late.size(), warned, idle(now), notice));
  }

  /// What its GPUs do was measured: since when they do nothing is what was measured first.
  ///
  /// @return whether that is news
  boolean idle(Idleness measured) {
    boolean wasUnknown = isUnknown;
    isMeasured = true;
    isUnknown = false;
    var before = idle;
    idle = measured.isNone() || before.isNone() ? measured : measured.sinceAtLeast(before.since());
    return wasUnknown || !idle.equals(before);
  }

  private Idleness idle(List<Member> now) {
    if (isMeasured) {
      return notice.isGiven() ? idle.sinceAtLeast(notice.since()) : idle;
    }
    boolean isSaid = notice.isGiven() || now.stream().anyMatch(GroupRun::saysIdle);
    isUnknown = isSaid;
    return isSaid ? Idleness.UNKNOWN : Idleness.NONE;
  }

  private static boolean saysIdle(Member member) {
    return member.pod().written().words().idle().isGiven();
  }

  /// As [#warned].
  private Idleness.Notice notice(Idleness.Notice told, Instant began) {
    if (told.equals(Idleness.Notice.RECALLED)) {
      return Idleness.Notice.NONE;
    }
    return !told.isGiven() || told.since().isBefore(began) ? notice : told;
  }

  /// A status that says nothing of it is of an object that was made anew.
  ///
  /// @param told by the status
  /// @param began this run: what the status says may be of a former one
  private Instant warned(Instant told, Instant began) {
    if (told.equals(Run.RECALLED)) {
      return Instant.EPOCH;
    }
    return told.equals(Instant.EPOCH) || told.isBefore(began) ? warned : told;
  }

  private static int count(List<Member> members, Predicate<Member> which) {
    return Math.toIntExact(members.stream().filter(which).count());
  }

  /// Whether it waits, is planned or bound, and is not leaving.
  static boolean isLive(Member member) {
    return switch (member.standing()) {
      case Standing.Waiting _ -> !member.pod().life().leaving();
      case Standing.Planned _, Standing.Bound _ -> true;
      case Standing.Leaving _, Standing.Awaited _, Standing.Over _ -> false;
    };
  }

  private static boolean isPlanned(Member member) {
    return member.standing() instanceof Standing.Planned;
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
