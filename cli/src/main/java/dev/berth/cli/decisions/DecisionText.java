package dev.berth.cli.decisions;

import dev.berth.engine.explain.Sentences;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Plan;
import dev.berth.engine.replay.LogEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A plan of a log, as lines for people.
public final class DecisionText {
  private DecisionText() {}

  /// @param number of the plan in its log, from 1
  public static List<String> of(long number, LogEntry.Planned planned) {
    var lines = new ArrayList<String>();
    var snapshot = planned.snapshot();
    lines.add(
        "plan "
            + number
            + " at "
            + snapshot.now()
            + ", of "
            + snapshot.nodes().size()
            + " nodes, "
            + snapshot.queues().size()
            + " queues and "
            + snapshot.groups().size()
            + " workloads");
    switch (planned.outcome()) {
      case LogEntry.Outcome.Dropped() -> lines.add("  dropped for a change that came meanwhile");
      case LogEntry.Outcome.Failed(String exception) ->
          lines.add("  failed by an internal error: " + exception);
      case LogEntry.Outcome.Made(Plan plan) -> {
        if (plan.decisions().isEmpty()) {
          lines.add("  nothing is to be done");
        }
        plan.decisions().forEach(decision -> lines.add("  " + of(decision)));
        if (plan.searches()) {
          lines.add("  a search for victims goes on");
        }
      }
    }
    return lines;
  }

  private static String of(Decision decision) {
    return decision.group()
        + ": "
        + switch (decision) {
          case Decision.Reserve reserve -> reserves(reserve);
          case Decision.Evict(_, var victims) -> "evicts " + victims(victims);
          case Decision.Withdraw(_, var plans, _) ->
              "gives up the places of "
                  + plans.stream().map(each -> each.pod().name()).collect(Collectors.joining(", "));
          case Decision.Wait(_, var reason, var ahead) -> Sentences.of(reason, ahead);
        };
  }

  private static String reserves(Decision.Reserve reserve) {
    var places =
        Stream.concat(reserve.block().stream(), reserve.surplus().stream())
            .map(each -> each.pod().name() + " on " + place(each.placement()))
            .collect(Collectors.joining(", "));
    return "starts "
        + places
        + (reserve.victims().isEmpty() ? "" : "; evicts " + victims(reserve.victims()));
  }

  private static String place(Placement placement) {
    return placement.slots().isEmpty()
        ? placement.node().toString()
        : placement.node()
            + " (devices "
            + placement.slots()
            + ", "
            + placement.millis()
            + " thousandths)";
  }

  private static String victims(List<Decision.Victim> victims) {
    return victims.stream()
        .map(victim ->
            victim.pod()
                + " ("
                + victim.cause().name().toLowerCase(Locale.ROOT)
                + (victim.again().isNone() ? "" : ", again on " + victim.again().node())
                + ")")
        .collect(Collectors.joining(", "));
  }
}
