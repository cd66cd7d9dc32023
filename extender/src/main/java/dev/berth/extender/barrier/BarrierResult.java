package dev.berth.extender.barrier;

/// How waiting at a barrier ended.
public sealed interface BarrierResult {
  /// All have come: bind.
  record Open() implements BarrierResult {}

  /// Not all have come, or not any more: none of those that waited binds.
  record Closed(Why why) implements BarrierResult {}

  enum Why {
    /// Others of the gang did not come in time.
    TIMED_OUT,
    /// The plan of a member was given up.
    CANCELLED,
    /// This member left, or came again and waits anew.
    LEFT
  }
}
