package dev.berth.engine.fairness;

import dev.berth.engine.model.QueueName;
import dev.berth.engine.session.Group;

/// One waiting group that comes before another one, and why.
///
/// @param rule that decides between the two
/// @param its how the queue of the first stands where both are compared: the queue that has them
///   both, or its child that is above the first
/// @param others the same of the other one
public record Precedence(Group group, OrderRule rule, Standpoint its, Standpoint others) {
  /// A queue as it is compared.
  ///
  /// @param with dominant share with its next workload: the largest of allocated / allocatable
  ///   share; a share of zero makes the amount a thousandfold
  /// @param without dominant share as it is
  public record Standpoint(
      QueueName queue,
      boolean over,
      boolean withinQuota,
      int priority,
      boolean clean,
      double with,
      double without) {}
}
