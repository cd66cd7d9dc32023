package dev.berth.engine.fairness;

/// The rules of the ordinary order, as they are asked: the first that tells two apart decides. The
/// comparisons of [Rank] and [WorkloadOrder] answer with the rule, so that it is told by what
/// decides.
public enum OrderRule {
  /// A queue that is not over its fair share comes before one that is.
  QUEUE_OVER_SHARE,
  /// Within quota with this workload before beyond it.
  QUEUE_QUOTA,
  QUEUE_PRIORITY,
  /// A queue that uses nothing of which its allocatable share is 0 comes first.
  QUEUE_NO_SHARE,
  /// Smaller dominant share with the workload.
  SHARE_WITH,
  /// Smaller dominant share without it.
  SHARE_WITHOUT,
  /// Smaller allocatable share.
  ALLOCATABLE,
  QUEUE_AGE,
  QUEUE_NAME,
  /// Of one queue: higher priority.
  PRIORITY,
  /// Below its minimum before at it before above it.
  PROGRESS,
  /// Older.
  AGE,
  NAME;

  /// What a comparison answers where this rule decides: negative, positive or 0 as `order`, and
  /// from which [#of] tells the rule.
  int answer(int order) {
    return order == 0 ? 0 : order < 0 ? -1 - ordinal() : 1 + ordinal();
  }

  /// The rule that decided a comparison.
  ///
  /// @param answer not 0
  static OrderRule of(int answer) {
    return values()[Math.abs(answer) - 1];
  }
}
