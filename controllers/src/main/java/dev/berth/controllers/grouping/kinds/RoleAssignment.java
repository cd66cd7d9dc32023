package dev.berth.controllers.grouping.kinds;

/// The group and role of a pod among the pods of its workload.
///
/// @param alone a group of one, whatever the others are
/// @param part which of the workload's groups; empty = the only one
/// @param role its sub-group; empty = none
/// @param leads comes before all others
public record RoleAssignment(boolean alone, String part, String role, boolean leads) {
  public static final RoleAssignment ALONE = new RoleAssignment(true, "", "", false);
  public static final RoleAssignment MEMBER = new RoleAssignment(false, "", "", false);

  static RoleAssignment of(String role) {
    return new RoleAssignment(false, "", role, false);
  }

  RoleAssignment in(String group) {
    return new RoleAssignment(alone, group, role, leads);
  }

  RoleAssignment leading(boolean first) {
    return new RoleAssignment(alone, part, role, first);
  }
}
