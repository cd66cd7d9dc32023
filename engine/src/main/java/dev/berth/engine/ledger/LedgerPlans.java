package dev.berth.engine.ledger;

import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.WrittenPlan;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What reserves room: the cycle, gates and evictions.
public interface LedgerPlans extends LedgerReader {
  /// Keeps the places of a decision, all or none: every pod must still wait and every place still
  /// be free. Members of its block get one gang name.
  ///
  /// @param until the deadline written into the plans
  /// @return the plans by pod, or empty when the world has moved on
  default Optional<List<Assumed>> assume(Decision.Reserve decision, Instant until) {
    return assume(List.of(), List.of(decision), until).getFirst();
  }

  /// As below, for decisions that no claim of devices can have changed under.
  default List<Optional<List<Assumed>>> assume(
      List<Decision.Withdraw> withdrawn, List<Decision.Reserve> decisions, Instant until) {
    return assume(withdrawn, decisions, until, PlannedClaims.AS_THEY_ARE);
  }

  /// As above, for decisions that were made together: each may count on the victims of all of them,
  /// and on those of a plan that is given back here.
  ///
  /// @param withdrawn plans that were to wait for room and lost it to a group that precedes them,
  ///   or whose members leave; one stands where a gate is being lifted (or a Binding is being
  ///   written, if gates may be open), or where the plan is another by now
  /// @param until the deadline of the first; each that follows stands behind it in line for room,
  ///   by a millisecond
  /// @param planned the version of the snapshot that the decisions are of: a pod one of whose
  ///   claims of devices asks for something else since then gets no plan
  /// @return for each of the decisions its plans
  List<Optional<List<Assumed>>> assume(
      List<Decision.Withdraw> withdrawn,
      List<Decision.Reserve> decisions,
      Instant until,
      long planned);

  /// Moves the deadline of a block of plans that are about to be written.
  ///
  /// @return the plans as they stand now, or empty when one of them does not stand any more
  Optional<List<Assumed>> renew(List<Assumed> block, Instant until);

  /// Gives back what was assumed or written for a pod that is not bound, nor being bound, if it is
  /// still this plan: it cannot be written, and no reason is given.
  boolean forget(PodUid uid, WrittenPlan plan);

  /// @param words the message of the component that refused to write it
  boolean forget(PodUid uid, WrittenPlan plan, String words);

  /// Gives back in the same way all that are beyond what their queues may have now. Those that are
  /// left may be charged for what the others had: it is to be asked again until nothing is given
  /// back.
  ///
  /// @param charged the version of the snapshot that shows it: where nothing is given back, pods
  ///   whose claims of devices were allocated by then may be bound
  /// @return what was given back, with the blocks of each
  List<Assumed> giveBack(List<Decision.Withdrawn> withdrawn, long charged);

  /// Gives back every plan whose deadline has passed and that is neither bound nor being bound, and
  /// reserves no room any more for relocated pods that are not back in time. (The outcome of a
  /// Binding may never be known: see [#doubt].)
  ///
  /// A plan behind its gate stays while the eviction of one of its victims is retried after a
  /// refusal ([#evictionRefused]); [#keep] ends that.
  List<Assumed> expire(Instant now);

  /// Gives back every plan whose room others have taken for good, or whose node is gone, and that
  /// is not being bound. Costs nothing where no node is over-full.
  List<Assumed> collapse();

  /// Gives back every block of which only some members bear their plan: the process that lifted
  /// their gates was stopped in the middle, and the others would wait in bind for members that have
  /// no plan. So every plan of a member alone in a group that does not run and would start below
  /// its minimum: the process that wrote it gave it back, which is stored nowhere. To be called
  /// once, when all pods have been seen and before anything is planned.
  List<Assumed> giveBackIncomplete();

  /// Remembers that kube-scheduler refused a node for a pod; the pod's plan there is given back.
  /// The veto ends at `until`, or when the node's object changes, or when the pod is gone.
  void veto(PodUid uid, NodeName node, String words, Instant until);

  /// The API server refuses what would be written for the plan of a pod, and would refuse it again:
  /// the plan, and those of its block, are given back unless it is being bound, and the pod waits
  /// with this until [#relent]. So where kube-scheduler rejects the pod, whatever the node.
  void refused(PodUid uid, Problem problem);

  /// It may be planned again.
  void relent(PodUid uid);

  /// kube-scheduler asks for a pod anew, or has tried it anew: it keeps no room for it any more.
  /// Nothing happens to a plan that is in time.
  ///
  /// @return whether a plan ended that was kept because kube-scheduler waited for a volume of the
  ///   pod
  boolean asksAnew(PodUid uid, Instant now);

  /// A pod is asked to leave, from now on. If it is to start again elsewhere, its group is not
  /// stale until it has, for a while, whatever becomes of the plan for which it leaves.
  void evictionAsked(PodUid uid);

  /// The API server refused that: it stays.
  void evictionRefused(PodUid uid, Instant now);

  /// The eviction of a pod is not allowed: plans that count on it are given back, unless they are
  /// being bound, and until then no plan counts on its room. It ends before when a disruption
  /// budget that covers the pod goes or allows more.
  List<Assumed> keep(PodUid uid, Instant until);

  /// Groups for which the previous leader requested evictions, and which have no plan, are planned
  /// first ([PodGroup#resumed]). To be called once, when all pods have been seen and before
  /// anything is planned.
  ///
  /// @param until when they are planned in the ordinary order again
  void resumePreemptors(Instant until);
}
