package dev.berth.controllers.groups;

import dev.berth.controllers.crd.Condition;
import dev.berth.engine.explain.EndSentences;
import dev.berth.engine.request.GroupManifest;
import dev.berth.engine.session.RuntimeEnd;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The condition that says that a group is evicted soon for its max-runtime. Its time is what the
/// planner counts the warning from, also after a restart.
final class EndsSoon {
  /// Its reason, and that of the event.
  static final String NEAR = "MaxRuntimeNear";

  /// Its reason once it has more time, or does not run any more.
  static final String FAR = "MaxRuntimeNotNear";

  private EndsSoon() {}

  /// Empty where it is not near its end, and never was.
  ///
  /// @param before the conditions of its last status
  /// @param ending of a group that is near it, else [RuntimeEnd#NONE]
  /// @param now to the second
  static Optional<Condition> condition(List<Condition> before, RuntimeEnd ending, Instant now) {
    var last =
        before.stream().filter(each -> each.type().equals(GroupManifest.ENDS_SOON)).findFirst();
    if (!ending.equals(RuntimeEnd.NONE)) {
      Instant since = since(last, ending, now);
      return Optional.of(
          new Condition(
              GroupManifest.ENDS_SOON, true, NEAR, EndSentences.warning(ending, since), since));
    }
    return last.map(_ -> Condition.of(before, GroupManifest.ENDS_SOON, false, FAR, "", now));
  }

  /// The object may have been made anew since it was warned, or its warning not come back yet.
  private static Instant since(Optional<Condition> last, RuntimeEnd ending, Instant now) {
    return ending.isWarned()
        ? ending.warned()
        : last.filter(Condition::status).map(Condition::lastTransition).orElse(now);
  }
}
