package dev.berth.engine.model;

import java.time.Duration;
import java.util.List;

/// What should happen with one group.
public sealed interface Decision {
  GroupKey group();

  /// The pods that leave by it.
  default List<Victim> victims() {
    return List.of();
  }

  /// Places for members of the group, all or none of them; victims leave first.
  ///
  /// @param block members placed as one block: they bind together or not at all. The others
  ///   (surplus) bind alone
  /// @param surplus members above the minimum
  /// @param afterOthers whether a limit admits it only once victims, of whatever plan, are
  ///   terminating: with them its queue would have more than it may, or one above
  /// @param firm whether no other group may have the room once it is being left, whatever its
  ///   order: these victims could have been evicted for no other
  /// @param awaited pods that must be gone before a limit lets it in: with them its queue would
  ///   have more than it may, or one above
  record Reserve(
      GroupKey group,
      List<Reserved> block,
      List<Reserved> surplus,
      List<Victim> victims,
      boolean afterOthers,
      boolean firm,
      List<PodUid> awaited)
      implements Decision {
    public Reserve {
      block = List.copyOf(block);
      surplus = List.copyOf(surplus);
      victims = List.copyOf(victims);
      awaited = List.copyOf(awaited);
    }

    /// A reservation of which it is not known what limits allow beside the victims.
    public Reserve(
        GroupKey group, List<Reserved> block, List<Reserved> surplus, List<Victim> victims) {
      this(group, block, surplus, victims, true, false, List.of());
    }
  }

  /// The group, or part of it, leaves for no other group's sake (stale, max-runtime, idle).
  record Evict(GroupKey group, List<Victim> victims) implements Decision {
    public Evict {
      victims = List.copyOf(victims);
    }
  }

  /// The group was to have room that is still being left, and a preceding group takes that room: it
  /// is planned anew. Or members of it that are not bound yet lose their plans with those that
  /// leave.
  record Withdraw(GroupKey group, List<Withdrawn> plans, Loss loss) implements Decision {
    public Withdraw {
      plans = List.copyOf(plans);
    }
  }

  /// How a group loses plans.
  ///
  /// @param opened whether gates may be open: only what is being bound keeps its plan. Else one
  ///   that is being lifted keeps them all
  /// @param to the group that takes their room: one that precedes it, or itself, where it is
  ///   planned anew; none = no group that precedes it is the cause
  record Loss(boolean opened, GroupKey to) {
    /// With members that leave.
    public static final Loss WITH_MEMBERS = new Loss(true, GroupKey.NONE);

    /// It cannot keep them, whatever others do.
    public static final Loss OF_ITSELF = new Loss(false, GroupKey.NONE);

    public static Loss to(GroupKey taker) {
      return new Loss(false, taker);
    }
  }

  /// One member and the plan that it loses.
  record Withdrawn(PodUid uid, PodKey pod, WrittenPlan plan) {}

  /// The group waits.
  record Wait(GroupKey group, Reason reason, Ahead ahead) implements Decision {}

  /// The waiting groups that precede a group in the ordinary order: of those that wait for the
  /// same, which is room, or a limit or quota of one queue.
  ///
  /// @param first the first of them, [#NAMED] at most
  /// @param count all of them
  record Ahead(List<GroupKey> first, int count) {
    public static final int NAMED = 3;
    public static final Ahead NONE = new Ahead(List.of(), 0);

    public Ahead {
      first = List.copyOf(first);
    }
  }

  /// One member and its place.
  record Reserved(PodUid uid, PodKey pod, Placement placement) {}

  /// Which pods must leave, why, and for which group (the group itself where there is no other
  /// beneficiary).
  ///
  /// @param grace how long it may take to be gone, once it is asked
  /// @param again where it is placed again in the same plan: it is moved; none = it is lost
  /// @param againstBudgets whether it leaves though a disruption budget forbids it: its queue owes
  ///   what it has
  /// @param most of [Cause#MAX_RUNTIME] by which rule its time is over; of other causes none
  /// @param idle of [Cause#IDLE] by which rule; of other causes none
  record Victim(
      PodUid uid,
      PodKey pod,
      Cause cause,
      GroupKey beneficiary,
      Duration grace,
      Placement again,
      boolean againstBudgets,
      MaxRuntime most,
      IdleRule idle) {
    /// As far as disruption budgets allow.
    public Victim(
        PodUid uid,
        PodKey pod,
        Cause cause,
        GroupKey beneficiary,
        Duration grace,
        Placement again) {
      this(uid, pod, cause, beneficiary, grace, again, false, MaxRuntime.NONE);
    }

    /// Not for GPUs that do nothing.
    public Victim(
        PodUid uid,
        PodKey pod,
        Cause cause,
        GroupKey beneficiary,
        Duration grace,
        Placement again,
        boolean againstBudgets,
        MaxRuntime most) {
      this(uid, pod, cause, beneficiary, grace, again, againstBudgets, most, IdleRule.NONE);
    }

    /// Lost, with the grace that Kubernetes gives a pod.
    public Victim(PodUid uid, PodKey pod, Cause cause, GroupKey beneficiary) {
      this(uid, pod, cause, beneficiary, Pod.Manners.DEFAULT.grace(), Placement.NONE);
    }

    /// The same for another, whose right to override budgets is not known.
    public Victim leavingFor(GroupKey other) {
      return other.equals(beneficiary)
          ? this
          : new Victim(uid, pod, cause, other, grace, again, false, most, idle);
    }

    /// The same without the right to override budgets.
    public Victim withinBudgets() {
      return new Victim(uid, pod, cause, beneficiary, grace, again, false, most, idle);
    }
  }

  enum Cause {
    CONSOLIDATE,
    RECLAIM,
    PREEMPT,
    STALE,
    MAX_RUNTIME,
    IDLE
  }
}
