package dev.berth.extender.rest.state;

import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Standing;
import java.util.Locale;

/// Where a workload stands, in the words of a PodGroup's status.
public enum WorkloadPhase {
  /// Nothing is decided.
  PENDING,
  /// It waits, and a reason says why.
  QUEUED,
  /// Members have places.
  PLANNED,
  /// Its minimum is bound.
  STARTING,
  /// Its minimum runs.
  RUNNING,
  /// All members have ended.
  FINISHED;

  /// `Queued`.
  public String word() {
    return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
  }

  /// @param waits whether the planner has a reason why it waits
  static WorkloadPhase of(PodGroup group, boolean waits) {
    if (group.members().isEmpty()) {
      return PENDING;
    }
    var pods = MemberCounts.of(group);
    if (pods.ended() == pods.total()) {
      return FINISHED;
    }
    int needed = Math.max(1, group.spec().required());
    if (pods.running() + pods.succeeded() >= needed) {
      return RUNNING;
    }
    if (pods.bound() + pods.succeeded() >= needed) {
      return STARTING;
    }
    if (pods.planned() > 0) {
      return PLANNED;
    }
    return waits || pods.bound() > 0 ? QUEUED : PENDING;
  }

  /// Members of a group by standing.
  ///
  /// @param waiting behind the gate, without a place
  /// @param planned with a place, not bound
  /// @param bound those that leave included
  /// @param running of the bound ones, those whose containers run
  /// @param leaving of the bound ones, those that are terminating
  /// @param succeeded of the ended ones
  public record MemberCounts(
      int total,
      int waiting,
      int planned,
      int bound,
      int running,
      int leaving,
      int succeeded,
      int ended) {
    public static MemberCounts of(PodGroup group) {
      int waiting = 0;
      int planned = 0;
      int bound = 0;
      int running = 0;
      int leaving = 0;
      int succeeded = 0;
      int ended = 0;
      for (Member member : group.members()) {
        switch (member.standing()) {
          case Standing.Waiting _, Standing.Awaited _ -> waiting++;
          case Standing.Planned _ -> planned++;
          case Standing.Bound _ -> {
            bound++;
            running += runs(member) ? 1 : 0;
          }
          case Standing.Leaving _ -> {
            bound++;
            leaving++;
            running += runs(member) ? 1 : 0;
          }
          case Standing.Over(boolean well) -> {
            ended++;
            succeeded += well ? 1 : 0;
          }
        }
      }
      return new MemberCounts(
          group.members().size(), waiting, planned, bound, running, leaving, succeeded, ended);
    }

    private static boolean runs(Member member) {
      return member.pod().life().phase() == Pod.Phase.RUNNING;
    }
  }
}
