package dev.berth.controllers.grouping;

import dev.berth.controllers.grouping.kinds.RoleAssignment;
import dev.berth.controllers.grouping.kinds.WorkloadPod;
import dev.berth.engine.model.GroupKey;
import java.time.Instant;
import java.util.TreeSet;

/// A pod while it is known.
final class GroupedPod {
  /// As last seen; its owners as far as they were read.
  WorkloadPod member;

  /// Its owners are known.
  boolean climbed;

  /// The group that the pod names itself; none = its owners are asked.
  final GroupKey named;

  /// When the pod was created.
  final Instant created;

  /// Where it belongs; none = to no other group. Where it names a group itself, where it would
  /// belong.
  GroupKey group = GroupKey.NONE;

  /// What the ledger has heard of it: its seat, and what is said of one alone.
  Object told = RoleAssignment.ALONE;

  /// Owners under which it is listed.
  final TreeSet<OwnerInNamespace> listed = new TreeSet<>();

  GroupedPod(WorkloadPod member, GroupKey named, Instant created) {
    this.member = member;
    this.named = named;
    this.created = created;
  }

  boolean isNamed() {
    return !named.isNone();
  }

  String namespace() {
    return member.pod().namespace();
  }

  String uid() {
    return member.pod().uid();
  }
}
