package dev.berth.engine.model;

import dev.berth.engine.model.GroupSpec.Patience;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Pod.Belonging;
import java.time.Instant;
import java.util.List;

/// What the owners of a pod say of it: the gang that it belongs to and its role there, or that it
/// is a group of one.
///
/// @param isTold false: the owners have not been read yet, or need not be
/// @param said the gang; with the key [GroupKey#NONE] it is said of the pod alone
/// @param subGroup its role; empty = none, or the one that the pod names itself
/// @param leads comes before all other members
/// @param usualClass the priority class of the group where none is named; empty = none
/// @param joins it joins a group that older pods of its workload name: minimum and tree are those
///   of that group's object, and those said here only where there is none
public record Membership(
    boolean isTold,
    GroupSpec said,
    String subGroup,
    boolean leads,
    String usualClass,
    boolean joins) {
  public Membership(GroupSpec said, String subGroup, boolean leads, String usualClass) {
    this(true, said, subGroup, leads, usualClass, false);
  }

  /// The same in a group that others name.
  public Membership joining(GroupKey group) {
    return new Membership(isTold, said.in(group), subGroup, leads, usualClass, true);
  }

  /// Of most kinds, and of what has no owner.
  public static final String USUAL_CLASS = "train";

  public static final Membership UNTOLD =
      new Membership(
          false,
          new GroupSpec(
              GroupKey.NONE,
              "",
              0,
              Instant.EPOCH,
              QueueName.NONE,
              0,
              0,
              List.of(),
              TopologyAsk.NONE,
              "",
              Preemptibility.BY_PRIORITY,
              Patience.NONE,
              Instant.EPOCH,
              List.of()),
          "",
          false,
          USUAL_CLASS,
          false);

  public boolean isGang() {
    return !said.key().isNone();
  }

  /// What the pod says itself, made complete.
  public Belonging of(Belonging own) {
    if (!isTold) {
      return own;
    }
    return new Belonging(
        own.queue(),
        said.key(),
        own.minMember(),
        own.subGroup().isEmpty() ? subGroup : own.subGroup(),
        own.owner(),
        leads ? Integer.MAX_VALUE : own.taskPriority(),
        own.priorityClass(),
        own.topology(),
        own.patience());
  }
}
