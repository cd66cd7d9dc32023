package dev.berth.engine.replay;

import dev.berth.engine.IncrementalPlanner;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.format.ValueFormat;
import dev.berth.engine.model.Plan;
import dev.berth.engine.replay.LogEntry.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Makes the plans of a log again, entry by entry.
///
/// Of one thread at a time.
public final class PlannerReplay {
  private static final ValueFormat<Outcome> OUTCOMES = new ValueFormat<>(Outcome.class);

  private Optional<IncrementalPlanner> planner = Optional.empty(); // empty = nothing has begun

  /// What came of it.
  public sealed interface Verdict {
    /// The entry is not of a plan.
    record NoPlan() implements Verdict {}

    /// The same outcome, byte for byte.
    record Same() implements Verdict {}

    /// @param words the first difference
    record Different(Outcome again, String words) implements Verdict {}
  }

  /// The next entry of the log.
  ///
  /// @throws IllegalArgumentException where the log does not begin with [LogEntry.Begin]
  public Verdict again(LogEntry entry) {
    return switch (entry) {
      case LogEntry.Begin(_, PlannerSettings settings) -> {
        planner = Optional.of(new Planner(settings).incremental());
        yield new Verdict.NoPlan();
      }
      case LogEntry.Accounted(var snapshot) -> {
        var _ = begun().accounts(snapshot);
        yield new Verdict.NoPlan();
      }
      case LogEntry.Planned planned -> verdict(planned.outcome(), outcome(planned));
    };
  }

  private IncrementalPlanner begun() {
    return planner.orElseThrow(
        () -> new IllegalArgumentException("the log does not say with which settings it begins"));
  }

  private Outcome outcome(LogEntry.Planned planned) {
    var planning = begun();
    try {
      return planning
          .planUnless(
              Interruption.again(planned.interrupted()),
              planned.snapshot(),
              planned.staleSince(),
              planned.effort())
          .<Outcome>map(Outcome.Made::new)
          .orElseGet(Outcome.Dropped::new);
    } catch (RuntimeException asBefore) {
      return new Outcome.Failed(asBefore.getClass().getName());
    }
  }

  private static Verdict verdict(Outcome before, Outcome again) {
    return Arrays.equals(OUTCOMES.bytes(before), OUTCOMES.bytes(again))
        ? new Verdict.Same()
        : new Verdict.Different(again, difference(before, again));
  }

  private static String difference(Outcome before, Outcome again) {
    if (before instanceof Outcome.Made(Plan was) && again instanceof Outcome.Made(Plan is)) {
      return difference(was, is);
    }
    return "it was " + words(before) + ", and now is " + words(again);
  }

  private static String words(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Made(Plan plan) -> "a plan with " + plan.decisions().size() + " decisions";
      case Outcome.Dropped() -> "dropped for a change";
      case Outcome.Failed(String exception) -> "an internal error (" + exception + ")";
    };
  }

  private static String difference(Plan was, Plan is) {
    int both = Math.min(was.decisions().size(), is.decisions().size());
    for (int i = 0; i < both; i++) {
      if (!was.decisions().get(i).equals(is.decisions().get(i))) {
        return "decision "
            + (i + 1)
            + " was "
            + was.decisions().get(i)
            + ", and now is "
            + is.decisions().get(i);
      }
    }
    var longer = was.decisions().size() > is.decisions().size() ? was : is;
    List<?> more = longer.decisions().subList(both, longer.decisions().size());
    if (!more.isEmpty()) {
      return "decision "
          + (both + 1)
          + (longer == was ? " is missing: " : " is new: ")
          + more.getFirst();
    }
    return "the decisions are the same; nextLook, searches and trials were "
        + was.nextLook()
        + ", "
        + was.searches()
        + ", "
        + was.trials()
        + ", and now are "
        + is.nextLook()
        + ", "
        + is.searches()
        + ", "
        + is.trials();
  }
}
