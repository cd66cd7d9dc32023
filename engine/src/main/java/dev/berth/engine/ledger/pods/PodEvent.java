package dev.berth.engine.ledger.pods;

import dev.berth.engine.model.ChargedTo;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.WrittenPlan;
import java.time.Instant;

/// What changes a [PodState]: decisions of the planner, steps of the verbs, answers of the API
/// server. Events of the watch are none: they change what the cluster says of the pod.
public sealed interface PodEvent {
  /// The ledger assumes a plan of the planner.
  record Assume(WrittenPlan plan) implements PodEvent {}

  /// The plan was assumed in this round, and does not fit beside the others of it.
  record Undo() implements PodEvent {}

  /// The gate is about to be lifted; the plan gets a new deadline.
  record Ungate(Instant until) implements PodEvent {}

  /// kube-scheduler binds the pod.
  ///
  /// @param admitted whether it has passed the barrier, so that its Binding is written now
  record Commit(boolean admitted) implements PodEvent {}

  /// A try of the Binding got no answer.
  ///
  /// @param until when the API server may still execute it
  record Doubt(Instant until) implements PodEvent {}

  /// A try of the Binding was refused, or none was made.
  record Release() implements PodEvent {}

  /// The plan ends unbound.
  ///
  /// @param plan the one that counted: assumed, or written alone
  record GiveBack(WrittenPlan plan) implements PodEvent {}

  /// The pod's block ends while its own Binding is being written: the plan stays in memory, since
  /// what is written on the pod counts no more.
  ///
  /// @param plan the one that counted
  record Retain(WrittenPlan plan) implements PodEvent {}

  /// The plan is over while kube-scheduler waits for a volume of the pod on the planned node: there
  /// the room is taken until kube-scheduler lets go of it.
  ///
  /// @param plan the one that counted: assumed, or written alone
  record Hold(WrittenPlan plan) implements PodEvent {}

  /// The Binding is written.
  ///
  /// @param placement where
  /// @param chargedTo what the plan charges the pod as
  record Confirm(Placement placement, ChargedTo chargedTo) implements PodEvent {}
}
