package dev.berth.engine.ledger.pods;

import static dev.berth.engine.ledger.pods.Effect.FOLLOW_BLOCK;
import static dev.berth.engine.ledger.pods.Effect.REASSESS;
import static dev.berth.engine.ledger.pods.Effect.RELEASE_VICTIMS;

import dev.berth.engine.model.ChargedTo;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.WrittenPlan;
import java.time.Instant;

/// What Berth has decided for a pod and what it has written, whatever the watch shows yet.
///
/// An event that does not apply changes nothing, and nothing follows. A pod leaves [Bound] with its
/// object. `docs/contributors/architecture.md` has the table of states, events and effects;
/// `PodStateLawTest` compares it with [#on].
public sealed interface PodState {
  PodState NEW = new Unplanned(WrittenPlan.NONE);

  /// The latest plan that ended unbound: if it is still written on the pod, it counts no more.
  WrittenPlan dropped();

  /// The assumed plan, until the pod is bound or the plan ends; none = only a written one, or none.
  WrittenPlan kept();

  /// Berth has no plan in memory. The pod may bear a written one, of an earlier leader.
  record Unplanned(WrittenPlan dropped) implements PodState {
    @Override
    public WrittenPlan kept() {
      return WrittenPlan.NONE;
    }
  }

  /// A plan is assumed; the gate is closed, as far as Berth has written.
  record Assumed(WrittenPlan kept, WrittenPlan dropped) implements PodState {}

  /// The gate is being lifted: the plan is written on the pod, or about to be.
  record Ungating(WrittenPlan kept, WrittenPlan dropped) implements PodState {}

  /// The pod has reached bind. Its plan does not lapse before the outcome is known.
  ///
  /// @param ungating whether its gate was lifted for the assumed plan, not for an earlier one
  /// @param admitted whether it has passed the barrier: its Binding may be under way, so its plan
  ///   ends with no other's
  /// @param asked whether a try is under way
  /// @param unanswered until when an earlier try without an answer may be executed; `MIN` = there
  ///   is none
  record Binding(
      WrittenPlan kept,
      WrittenPlan dropped,
      boolean ungating,
      boolean admitted,
      boolean asked,
      Instant unanswered)
      implements PodState {
    /// When the outcome no longer can be anything but *not written*; `MAX` = a try is under way.
    public Instant settledAt() {
      return asked ? Instant.MAX : unanswered;
    }

    private Binding keeping(WrittenPlan plan, boolean isUngating) {
      return new Binding(plan, dropped, isUngating, admitted, asked, unanswered);
    }

    private Binding commit(boolean isAdmitted) {
      return new Binding(kept, dropped, ungating, admitted || isAdmitted, true, unanswered);
    }

    private Binding doubt(Instant until) {
      var longest = until.isAfter(unanswered) ? until : unanswered;
      return new Binding(kept, dropped, ungating, admitted, false, longest);
    }

    /// An earlier try without an answer may still be executed: only then is the outcome known.
    private Transition release() {
      if (unanswered.isAfter(Instant.MIN)) {
        var waits = new Binding(kept, dropped, ungating, admitted, false, unanswered);
        return Transition.to(waits, REASSESS);
      }
      return Transition.to(beforeIt(), FOLLOW_BLOCK, REASSESS);
    }

    private PodState beforeIt() {
      if (kept.isNone()) {
        return new Unplanned(dropped);
      }
      return ungating ? new Ungating(kept, dropped) : new Assumed(kept, dropped);
    }
  }

  /// The plan is over: it leads to no Binding any more. kube-scheduler still keeps its room for the
  /// pod, since it waits for a volume there.
  record Held(WrittenPlan kept, WrittenPlan dropped) implements PodState {}

  /// The Binding is written.
  ///
  /// @param placement of the Binding; slots only of a share
  /// @param chargedTo counts until the watch shows the pod bound
  record Bound(Placement placement, ChargedTo chargedTo, WrittenPlan dropped) implements PodState {
    @Override
    public WrittenPlan kept() {
      return WrittenPlan.NONE;
    }
  }

  /// What an event makes of this state. A pure function, and total.
  default Transition on(PodEvent event) {
    return switch (event) {
      case PodEvent.Assume(WrittenPlan plan) -> assume(plan);
      case PodEvent.Undo _ -> undo();
      case PodEvent.Ungate(Instant until) -> ungate(until);
      case PodEvent.Commit(boolean admitted) -> commit(admitted);
      case PodEvent.Doubt(Instant until) ->
          this instanceof Binding binding
              ? Transition.to(binding.doubt(until), REASSESS)
              : Transition.to(this);
      case PodEvent.Release _ ->
          this instanceof Binding binding ? binding.release() : Transition.to(this);
      case PodEvent.GiveBack(WrittenPlan plan) ->
          this instanceof Bound
              ? Transition.to(this)
              : Transition.to(new Unplanned(plan), REASSESS);
      case PodEvent.Retain(WrittenPlan plan) ->
          this instanceof Binding binding
              ? Transition.to(binding.keeping(plan, binding.ungating))
              : Transition.to(this);
      case PodEvent.Hold(WrittenPlan plan) -> hold(plan);
      case PodEvent.Confirm(Placement placement, ChargedTo chargedTo) ->
          Transition.to(new Bound(placement, chargedTo, dropped()), REASSESS);
    };
  }

  private Transition assume(WrittenPlan plan) {
    return switch (this) {
      case Unplanned _ -> Transition.to(new Assumed(plan, dropped()), REASSESS);
      // its written plan was taken from it while it was being bound
      case Binding binding -> Transition.to(binding.keeping(plan, false), REASSESS);
      case Assumed _, Ungating _, Held _, Bound _ -> Transition.to(this);
    };
  }

  private Transition undo() {
    return switch (this) {
      case Assumed _ -> Transition.to(new Unplanned(dropped()), REASSESS);
      case Binding binding -> Transition.to(binding.keeping(WrittenPlan.NONE, false), REASSESS);
      case Unplanned _, Ungating _, Held _, Bound _ -> Transition.to(this);
    };
  }

  private Transition ungate(Instant until) {
    return switch (this) {
      case Assumed _, Ungating _ ->
          Transition.to(new Ungating(kept().until(until), dropped()), REASSESS);
      case Unplanned _, Binding _, Held _, Bound _ -> Transition.to(this);
    };
  }

  private Transition commit(boolean admitted) {
    return switch (this) {
      case Unplanned _, Assumed _ -> Transition.to(first(false, admitted), REASSESS);
      case Ungating _ -> Transition.to(first(true, admitted), REASSESS);
      case Binding binding -> Transition.to(binding.commit(admitted), REASSESS);
      case Held _, Bound _ -> Transition.to(this);
    };
  }

  private Transition hold(WrittenPlan plan) {
    return switch (this) {
      case Unplanned _, Assumed _, Ungating _ ->
          Transition.to(new Held(plan, plan), REASSESS, RELEASE_VICTIMS);
      case Binding _, Held _, Bound _ -> Transition.to(this);
    };
  }

  private Binding first(boolean ungating, boolean admitted) {
    return new Binding(kept(), dropped(), ungating, admitted, true, Instant.MIN);
  }
}
