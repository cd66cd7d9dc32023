package dev.berth.engine.action;

import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.Session;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// When those that run are expected to end, the first one first.
///
/// A pod without an expected runtime runs for ever. One that overruns it is not believed any more.
final class ExpectedEnds {
  /// A group and when all of it is over.
  record End(Group group, Instant when) {}

  private ExpectedEnds() {}

  static List<End> of(Session session) {
    var ends = new ArrayList<End>();
    for (Group group : session.index().timed()) {
      if (group.root().isAnyPlaced()) {
        end(group, session.now()).ifPresent(when -> ends.add(new End(group, when)));
      }
    }
    ends.sort(Comparator.comparing(End::when).thenComparing(end -> end.group().key()));
    return ends;
  }

  /// When a group is over if nothing of it starts later than now; empty where that is unknown.
  static Optional<Instant> end(Group group, Instant now) {
    var runtime = group.group().spec().patience().expectedRuntime();
    if (runtime.isZero()) {
      return Optional.empty();
    }
    Instant started = Instant.MIN;
    for (MemberState seat : group.seats()) {
      if (seat.isPlaced()) {
        var since = seat.was() == MemberState.Was.BOUND ? seat.pod().life().started() : now;
        since = since.isAfter(now) ? now : since;
        started = since.isAfter(started) ? since : started;
      }
    }
    Instant end = (started.equals(Instant.MIN) ? now : started).plus(runtime);
    return end.isAfter(now) ? Optional.of(end) : Optional.empty();
  }
}
