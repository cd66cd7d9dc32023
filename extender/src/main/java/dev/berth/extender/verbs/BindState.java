package dev.berth.extender.verbs;

/// How far a bind request has come. An event that does not apply changes nothing.
///
/// | state | Start | Arrive | Pass | Write | Replace | End |
/// |---|---|---|---|---|---|---|
/// | `Following` | `Checking` | – | – | – | `Over` | – |
/// | `Checking` | – | `AtBarrier` | – | `Writing` | `Over` | `Over` |
/// | `AtBarrier` | – | – | `Admitted` | – | `Over` | `Over` |
/// | `Admitted` | – | – | – | `Writing` | `Over` | `Over` |
/// | `Writing` | – | – | – | – | – | `Over` |
/// | `Over` | – | – | – | – | – | – |
///
/// `BindStateTest` compares the table with [#on].
sealed interface BindState {
  /// Waits until the Binding of an earlier request for the pod is answered.
  record Following() implements BindState {}

  /// The ledger is asked, or is to change first. The gang, if there is one, has not come together.
  record Checking() implements BindState {}

  /// Waits for the rest of its gang.
  record AtBarrier(String gang) implements BindState {}

  /// The gang has come together. The ledger is asked again: its plan no longer ends with another's.
  record Admitted() implements BindState {}

  /// Its Binding is being written, or looked up. A later request does not overtake it.
  record Writing() implements BindState {}

  /// Answered, or replaced by a later request.
  record Over() implements BindState {}

  /// What happens to a request.
  sealed interface Event {
    /// The request that it followed has ended.
    record Start() implements Event {}

    /// The ledger agrees, and the pod is one of a gang.
    record Arrive(String gang) implements Event {}

    /// The gang has come together.
    record Pass() implements Event {}

    /// The API server is about to be called.
    record Write() implements Event {}

    /// A later request for the pod has come.
    record Replace() implements Event {}

    /// It is answered.
    record End() implements Event {}
  }

  /// Whether it is the one request for its pod that is worked on.
  default boolean isAtWork() {
    return switch (this) {
      case Checking _, AtBarrier _, Admitted _, Writing _ -> true;
      case Following _, Over _ -> false;
    };
  }

  /// What an event makes of this state. A pure function, and total.
  default BindState on(Event event) {
    return switch (event) {
      case Event.Start _ -> this instanceof Following ? new Checking() : this;
      case Event.Arrive(String gang) -> this instanceof Checking ? new AtBarrier(gang) : this;
      case Event.Pass _ -> this instanceof AtBarrier ? new Admitted() : this;
      case Event.Write _ ->
          switch (this) {
            case Checking _, Admitted _ -> new Writing();
            case Following _, AtBarrier _, Writing _, Over _ -> this;
          };
      case Event.Replace _ -> this instanceof Writing ? this : new Over();
      case Event.End _ -> isAtWork() ? new Over() : this;
    };
  }
}
