package dev.berth.simulator.scenario;

import dev.berth.engine.explain.WaitSentences;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Standing;
import dev.berth.simulator.world.PodView;

/// Why a pod has not started at the end of a run.
final class Waiting {
  private Waiting() {}

  static String why(Ending ending, PodView pod) {
    for (PodGroup group : ending.snapshot().groups()) {
      for (var member : group.members()) {
        if (member.pod().uid().value().equals(pod.uid())) {
          return why(ending, group, member);
        }
      }
    }
    return "Berth does not know it.";
  }

  private static String why(Ending ending, PodGroup group, PodGroup.Member member) {
    if (member.standing() instanceof Standing.Planned(var plan, boolean released)) {
      String refusal = member.pod().life().refusal();
      return "A place on "
          + plan.placement().node()
          + " is kept for it"
          + (!released
              ? ", but has not come free."
              : refusal.isEmpty() ? ", but it was not bound." : "; kube-scheduler: " + refusal);
    }
    var wait = ending.waits().get(group.key());
    return wait == null
        ? "The planner gave no reason."
        : WaitSentences.of(wait, ending.snapshot(), ending.scenario().priorityClasses());
  }
}
