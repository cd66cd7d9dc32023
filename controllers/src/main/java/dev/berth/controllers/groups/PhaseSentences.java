package dev.berth.controllers.groups;

import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.engine.model.PodGroup;

/// What the event of a group says that waits for nothing that a reason names.
final class PhaseSentences {
  private PhaseSentences() {}

  static String of(PodGroup group, PodGroupStatus status) {
    var members = status.members();
    return switch (status.phase()) {
      case PENDING ->
          status.message().isEmpty() ? PendingMembers.sentence(group, status) : status.message();
      case QUEUED -> status.message().isEmpty() ? "Waits in its queue." : status.message();
      case PLANNED -> "A place is kept for its members.";
      case STARTING -> members.bound() + " members are bound, " + members.running() + " run.";
      case RUNNING -> members.running() + " members run.";
      case FINISHED ->
          (members.failed() == 0
                  ? "All members are over."
                  : "All members are over: " + members.failed() + " of them failed.")
              + BelowMinimum.ofEnd(status.conditions());
    };
  }
}
