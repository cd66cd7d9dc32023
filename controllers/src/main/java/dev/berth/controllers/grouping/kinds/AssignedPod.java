package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Problem;
import java.util.List;

/// A pod and what was found out about where it belongs.
///
/// @param subject the object that the rule is about
/// @param group [GroupKey#NONE] = a group of one
/// @param trait all that the spec of its group depends on, besides the subject
/// @param problems what is invalid; it is a group of one then
public record AssignedPod(
    WorkloadPod member,
    KubeObject subject,
    RoleAssignment seat,
    GroupKey group,
    Trait trait,
    List<Problem> problems) {
  public AssignedPod {
    problems = List.copyOf(problems);
  }

  public boolean isAlone() {
    return group.isNone();
  }
}
