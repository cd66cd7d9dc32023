package dev.berth.engine.model;

/// Members of a group by standing.
///
/// @param waiting without a place; those that deleted pods are expected to be replaced by included
/// @param gated behind the gate, with or without a place
/// @param planned with a place, not bound
/// @param bound those that leave included
/// @param running of the bound ones that stay, those whose containers run
/// @param leaving of the bound ones, those that are terminating
public record MemberCounts(
    int total,
    int waiting,
    int gated,
    int planned,
    int bound,
    int running,
    int leaving,
    int succeeded,
    int failed) {
  public static final MemberCounts NONE = new MemberCounts(0, 0, 0, 0, 0, 0, 0, 0, 0);

  public static MemberCounts of(PodGroup group) {
    int waiting = 0;
    int gated = 0;
    int planned = 0;
    int bound = 0;
    int running = 0;
    int leaving = 0;
    int succeeded = 0;
    int failed = 0;
    for (var member : group.members()) {
      switch (member.standing()) {
        case Standing.Waiting() -> {
          waiting++;
          gated += member.pod().isGated() ? 1 : 0;
        }
        case Standing.Awaited _ -> waiting++;
        case Standing.Planned(_, boolean released) -> {
          planned++;
          gated += released ? 0 : 1;
        }
        case Standing.Bound _ -> {
          bound++;
          running += member.pod().life().phase() == Pod.Phase.RUNNING ? 1 : 0;
        }
        case Standing.Leaving _ -> {
          bound++;
          leaving++;
        }
        case Standing.Over(boolean isWell) -> {
          succeeded += isWell ? 1 : 0;
          failed += isWell ? 0 : 1;
        }
      }
    }
    return new MemberCounts(
        group.members().size(),
        waiting,
        gated,
        planned,
        bound,
        running,
        leaving,
        succeeded,
        failed);
  }

  public int ended() {
    return succeeded + failed;
  }

  /// In the run that is under way, those that are gone included.
  public int succeededOf(PodGroup group) {
    var completions = group.spec().completions();
    int gone = completions.isNone() ? group.spec().run().completed() : completions.told();
    return Math.max(succeeded, gone);
  }
}
