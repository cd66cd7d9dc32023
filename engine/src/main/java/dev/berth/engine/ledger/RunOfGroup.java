package dev.berth.engine.ledger;

import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.GroupSpec.Run;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;

/// What is remembered of a group from when any member runs until none does, whoever is made anew
/// meanwhile and whose objects are gone.
final class RunOfGroup {
  private Instant since = Instant.MAX; // it has not had its minimum yet
  private int gone; // members that ended well
  private int completed; // with those that are there, as many as there ever were
  private final LinkedHashSet<PodUid> late = new LinkedHashSet<>(0); // see Moved
  private boolean runs;

  /// It began to run before our eyes: what its status says is of a former time.
  private boolean startsAnew;

  /// One that ended well is gone.
  void loses() {
    gone++;
  }

  /// One that was moved is gone, and nobody came in its stead yet.
  void awaits(PodUid moved) {
    late.add(moved);
  }

  void awaitsNoMore(PodUid moved) {
    late.remove(moved);
  }

  /// @param told with what its status said when the object was seen first
  Run as(GroupSpec told, List<Member> now) {
    boolean ran = runs;
    runs = now.stream().anyMatch(CoreStart::runs);
    if (!runs) {
      startsAnew |= ran || now.stream().anyMatch(RunOfGroup::isPlanned);
      since = Instant.MAX;
      gone = 0;
      completed = 0;
      late.clear();
      return Run.NONE;
    }
    Run before = startsAnew ? Run.NONE : told.run();
    since = earlier(since, CoreStart.of(told, now));
    since = before.since().equals(Instant.EPOCH) ? since : earlier(since, before.since());
    int there = Math.toIntExact(now.stream().filter(RunOfGroup::isCompleted).count());
    completed = Math.max(Math.max(completed, before.completed()), gone + there);
    return new Run(since.equals(Instant.MAX) ? Instant.EPOCH : since, completed, late.size());
  }

  private static boolean isPlanned(Member member) {
    return member.standing() instanceof Standing.Planned;
  }

  private static boolean isCompleted(Member member) {
    return member.standing() instanceof Standing.Over(var succeeded) && succeeded;
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
