package dev.berth.controllers.cycle;

import dev.berth.engine.PlannerSettings;
import java.time.Duration;

/// @param pause shortest time between two cycles: changes that come meanwhile are planned together.
///   A change after a longer quiet time waits half of it
/// @param longestPause plans use no more than a fifth of one core in the long run, searches another
///   fifth, but neither rests longer than this
/// @param deadline from the plan to the binding; what is not bound by then is given back
/// @param veto how long a node that kube-scheduler refused is left out for that pod
/// @param maxRuntimeWarning how long before its max-runtime is over a group is warned, where no
///   queue says it; zero = it is not
/// @param moves how often consolidation may move what runs
/// @param accounting how it is kept what queues have
public record CycleSettings(
    Duration pause,
    Duration longestPause,
    Duration deadline,
    Duration veto,
    Duration maxRuntimeWarning,
    MoveSettings moves,
    UsageSettings accounting) {
  public static final CycleSettings DEFAULT =
      new CycleSettings(
          Duration.ofMillis(5),
          Duration.ofMillis(500),
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          PlannerSettings.DEFAULT.maxRuntimeWarning(),
          MoveSettings.DEFAULT,
          UsageSettings.DEFAULT);
}
