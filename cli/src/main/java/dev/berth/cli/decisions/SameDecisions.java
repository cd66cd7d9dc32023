package dev.berth.cli.decisions;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Plan;
import dev.berth.engine.replay.LogEntry;
import java.util.HashMap;
import java.util.Optional;

/// Puts decisions of the last plan in the place of equal ones, so that they are not written again:
/// a plan tells all groups that wait, and most of them waited for the same before.
///
/// Of one thread at a time.
final class SameDecisions {
  private HashMap<Decision, Decision> last = new HashMap<>(); // looked up only

  /// An equal entry.
  LogEntry in(LogEntry entry) {
    return entry instanceof LogEntry.Planned planned
            && planned.outcome() instanceof LogEntry.Outcome.Made(Plan plan)
        ? planned.with(new LogEntry.Outcome.Made(in(plan)))
        : entry;
  }

  private Plan in(Plan plan) {
    var next = HashMap.<Decision, Decision>newHashMap(plan.decisions().size());
    var decisions =
        plan.decisions().stream()
            .map(decision -> {
              var same = Optional.ofNullable(last.get(decision)).orElse(decision);
              next.put(same, same);
              return same;
            })
            .toList();
    last = next;
    return new Plan(
        plan.snapshot(),
        plan.at(),
        decisions,
        plan.nextLook(),
        plan.searches(),
        plan.trials(),
        plan.minRuntimeWaits());
  }
}
