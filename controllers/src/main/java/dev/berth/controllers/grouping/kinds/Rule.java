package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.model.Membership;
import dev.berth.engine.model.Problem;
import dev.berth.engine.request.Problems;
import java.util.List;

/// How the pods of one kind of workload belong together.
///
/// How to choose, with the smallest rule of each to copy:
///
/// * Pods do not depend on each other: [RoleAssignment#ALONE] (`SinglePods`).
/// * Any pods make up one number: [RoleAssignment#MEMBER] and a [GangShape] of it (`PluginGroups`).
/// * Each role has a minimum or a topology of its own: a role is a sub-group, made by
///   [GangShape.Roles] (`ConfiguredKind`). A pod without the role's label is surplus then, and does
///   not count; with one number it counts as any other.
///
/// A suspended workload needs no word in a rule: it has no pods.
public interface Rule {
  /// The group and role of a pod. Invalid values are added to `problems`; the pod then waits with
  /// `BadRequest`.
  ///
  /// @param subject the object that the rule is about: the top of the pod's owners, or what stands
  ///   below those that are skipped
  RoleAssignment seat(KubeObject subject, WorkloadPod pod, Problems problems);

  /// What starts together of one group; asked only where a pod sits in one.
  GangShape shape(GangMembers family, Problems problems);

  /// What [#shape] reads of one member besides the subject. Members with equal traits are
  /// interchangeable to it, so it is handed the first of each trait only.
  default Object trait(KubeObject subject, WorkloadPod pod) {
    return SAME;
  }

  /// The trait of members of which nothing is read.
  Object SAME = "";

  /// The class of a group that names none.
  default String priorityClass() {
    return Membership.USUAL_CLASS;
  }

  /// Objects whose labels and annotations come before those of all owners.
  default List<KubeObject> speakers(WorkloadPod pod) {
    return List.of();
  }

  /// What its object asks for and its kind cannot do, in a list of none or more; told by an event.
  default List<Problem> advice(KubeObject subject) {
    return List.of();
  }

  /// Whether it reads more of its object than metadata.
  default boolean readsSpec() {
    return true;
  }

  /// Objects beside the chain of owners without which nothing can be said.
  default List<OwnerReference> wants(KubeObject subject, WorkloadPod pod) {
    return List.of();
  }
}
