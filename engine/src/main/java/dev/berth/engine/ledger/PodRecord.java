package dev.berth.engine.ledger;

import dev.berth.engine.ledger.pods.PodState;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.ChargedTo;
import dev.berth.engine.model.Constraints.InterPod;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Membership;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView.Holder;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// One pod in the ledger: its object as last seen, the state of its plan, and what follows from
/// both. Guarded by the ledger's lock, like everything in this package.
final class PodRecord {
  /// The pod as last seen.
  Pod pod;

  /// The pod's own labels and annotations about its group; `pod` has them completed by its owners.
  Pod.Belonging own;

  /// What its owners say.
  Membership membership = Membership.UNTOLD;

  /// Of a scheduler of Berth, and no holder.
  boolean ours;

  // Known to Berth alone.

  /// The state of its plan; changed by [PodRecords#apply] alone.
  PodState state = PodState.NEW;

  /// Whether a limit admitted the plan only because victims are expected to leave; true if unknown.
  boolean afterOthers = true;

  /// The version of the ledger that its plan was made of.
  long planned = PlannedClaims.AS_THEY_ARE;

  /// Why the API server rejects the writes of its plan; empty = it does not.
  List<Problem> refused = List.of();

  /// Nodes that kube-scheduler refused for it.
  final TreeMap<NodeName, Veto> vetoes = new TreeMap<>();

  /// Victims of its plan.
  final List<PodRecord> victims = new ArrayList<>(0);

  /// What must be gone before a limit admits its plan: bound pods (`NONE`), plans yet to withdraw.
  Map<PodRecord, WrittenPlan> awaited = Collections.emptyMap();

  /// For what it evicts; empty = no victims were chosen.
  Optional<EvictingClaim> claimsFor = Optional.empty();

  /// How its plan ended, if it was not bound.
  PlanEnd end = PlanEnd.UNSAID;

  /// Plans that count on this pod to leave.
  final List<VictimOf> victimOf = new ArrayList<>(0);

  /// Where it is to start again, if it is evicted.
  final Relocation relocation = new Relocation();

  /// The previous leader requested evictions for its group; see [ResumedPreemptors].
  boolean resumed;

  /// When the API server last refused to evict it; `MIN` = it has not.
  Instant refusedAt = Instant.MIN;

  final PlanPatience patience = new PlanPatience();

  // Derived from the above.

  Standing standing = new Standing.Waiting();
  Charge charge = Charge.NONE;

  /// Its placement with slots: that of its charge, or the slots found for it.
  Placement seat = Placement.NONE;

  /// The device that it holds, if it is a holder.
  Pod.Holding holding = Pod.Holding.NONE;

  GroupState group = GroupState.NONE;

  /// Whether its owners say that it belongs to that group.
  boolean broughtByOwner;

  /// A group of this pod alone, if it was charged differently when its group was sorted out last.
  GroupState alone = GroupState.NONE;

  /// What its group has counted it as; see [#chargedTo()].
  ChargedTo settled = ChargedTo.NONE;

  /// Whether its group has counted it as planned in a block.
  boolean inBlock;

  /// Whether its group has counted it as held.
  boolean countsAsHeld;

  /// When its plan lapses; `MAX` = never.
  Instant deadline = Instant.MAX;

  /// Whether its object is gone.
  boolean isGone;

  private Member member;

  PodRecord(Pod pod) {
    this.pod = pod;
    this.own = pod.belonging();
    this.member = new Member(pod, standing, new TreeMap<>());
  }

  record Veto(String words, Instant until) {}

  /// Plans of one decision that expect this pod to leave. Each counts until it ends: a later plan
  /// of the same preemptor expects its own victims only, even in the same place.
  static final class VictimOf {
    private final LinkedHashSet<PodRecord> preemptors;
    private final boolean firm;

    /// @param preemptors that have their plans now; [#end] is called when one of these plans ends
    /// @param firm whether the room is reserved for the preemptors once it is being left
    VictimOf(List<PodRecord> preemptors, boolean firm) {
      this.preemptors = new LinkedHashSet<>(preemptors);
      this.firm = firm;
    }

    boolean isFirm() {
      return firm;
    }

    void end(PodRecord preemptor) {
      preemptors.remove(preemptor);
    }

    boolean holds() {
      return !preemptors.isEmpty();
    }

    /// The first preemptor whose plan stands.
    Optional<PodRecord> beneficiary() {
      return preemptors.stream().findFirst();
    }
  }

  /// What a pod takes of a node.
  ///
  /// @param node [NodeUsage#NOWHERE] = takes nothing
  /// @param floating a share whose slots are not known, and are found by the node
  /// @param devices those that its Binding wrote for it, in the order of its slots
  record Charge(
      NodeUsage node,
      Placement placement,
      List<String> devices,
      boolean floating,
      Amounts amounts,
      List<String> ports,
      boolean leaving,
      boolean foreign) {
    static final Charge NONE =
        new Charge(
            NodeUsage.NOWHERE,
            Placement.NONE,
            List.of(),
            false,
            Amounts.NONE,
            List.of(),
            false,
            false);
  }

  /// The plan that counts: of the assumed and the written one the one with the later deadline.
  WrittenPlan plan() {
    WrittenPlan written = pod.written().plan();
    boolean alive =
        !written.isNone()
            && !written.until().isBefore(state.dropped().until())
            && !written.equals(state.dropped())
            && !group.hasEnded(written.gang())
            && suits(written);
    return alive && written.until().isAfter(state.kept().until()) ? written : state.kept();
  }

  /// The group that it is shown in, and charged as.
  GroupState account() {
    group.sortOut();
    return alone == GroupState.NONE ? group : alone;
  }

  /// What it is charged as since it was planned; none = it has neither plan nor node, or got its
  /// node without a plan.
  ChargedTo chargedTo() {
    if (isPlanned()) {
      return plan().chargedTo();
    }
    NodeName node = node();
    if (node.isNone() || pod.isOver()) {
      return ChargedTo.NONE;
    }
    if (!pod.isBound() && state instanceof PodState.Bound bound) {
      return bound.chargedTo();
    }
    WrittenPlan kept = state.kept();
    WrittenPlan latest = kept.placement().node().equals(node) ? kept : pod.written().plan();
    return latest.placement().node().equals(node) ? latest.chargedTo() : ChargedTo.NONE;
  }

  /// Where it is bound: the watch is right where it says something.
  NodeName node() {
    NodeName seen = pod.life().node();
    return seen.isNone() && state instanceof PodState.Bound(Placement bound, _, _)
        ? bound.node()
        : seen;
  }

  /// The slots of a bound share; none = the node finds them.
  Placement knownPlacement(NodeName node) {
    if (!pod.asks().request().devices().isShare()) {
      return Placement.on(node);
    }
    WrittenPlan written = pod.written().plan();
    if (state instanceof PodState.Bound(Placement bound, _, _)
        && bound.node().equals(node)
        && !bound.slots().isEmpty()) {
      return bound;
    }
    if (state.kept().placement().node().equals(node)) {
      return state.kept().placement();
    }
    return written.placement().node().equals(node) && suits(written)
        ? written.placement()
        : Placement.NONE;
  }

  /// Whether a plan could be one for this pod: a written one may have been tampered with.
  private boolean suits(WrittenPlan plan) {
    var devices = pod.asks().request().devices();
    int slots = devices.isShare() ? devices.count() : 0;
    return plan.placement().slots().size() == slots
        && !(devices instanceof DeviceRequest.Fraction(int millis, _, _)
            && plan.placement().millis() < millis);
  }

  /// The GPUs of its shares that no holder has reported yet, by slot.
  List<Integer> unheld() {
    var unheld = new ArrayList<Integer>(0);
    for (int index : seat.slots()) {
      if (device(index).holder() != Holder.REPORTED) {
        unheld.add(index);
      }
    }
    return unheld;
  }

  /// The GPU of its node that one of its shares is on.
  SharedDevice device(int slot) {
    return charge.node().slots.getOrDefault(slot, new SharedDevice(slot));
  }

  /// The GPU that its Binding names for a slot; empty = none.
  String deviceOn(int slot) {
    int place = seat.slots().indexOf(slot);
    return place >= 0 && place < charge.devices().size() ? charge.devices().get(place) : "";
  }

  /// The GPUs that it was given and may use: of a pod that is bound and not over; empty of any
  /// other.
  List<String> runsOn() {
    return isPlanned() || charge.node() == NodeUsage.NOWHERE ? List.of() : charge.devices();
  }

  /// The first preemptor that it is evicted for.
  Optional<PodRecord> beneficiary() {
    for (VictimOf markVictims : victimOf) {
      var beneficiary = markVictims.beneficiary();
      if (beneficiary.isPresent()) {
        return beneficiary;
      }
    }
    return Optional.empty();
  }

  boolean isVictim() {
    return beneficiary().isPresent();
  }

  /// Whether its room is about to be released.
  boolean isGoing() {
    return charge.leaving() || isVictim();
  }

  /// Whether its victims must be gone before it starts, even if there is room beside them: it or a
  /// victim has anti-affinity, or it claims devices.
  boolean minds() {
    boolean minds = !pod.traits().claims().isEmpty() || !interPod(pod).isNone();
    for (PodRecord victim : victims) {
      minds |= !interPod(victim.pod).apart().isEmpty();
    }
    return minds;
  }

  private static InterPod interPod(Pod of) {
    return of.asks().constraints().interPod();
  }

  /// Whether its plan is over, and kube-scheduler still keeps the room.
  boolean isHeld() {
    return state instanceof PodState.Held;
  }

  /// Whether it has reached bind, and the outcome is not known yet.
  boolean isBinding() {
    return state instanceof PodState.Binding;
  }

  /// Whether its Binding may be under way: it has passed the barrier, if it is one of a gang.
  boolean isAdmitted() {
    return state instanceof PodState.Binding binding && binding.admitted();
  }

  /// Whether its gate is lifted, or being lifted, for the plan that is kept.
  boolean isUngating() {
    return switch (state) {
      case PodState.Ungating _ -> true;
      case PodState.Binding binding -> binding.ungating();
      case PodState.Unplanned _, PodState.Assumed _, PodState.Held _, PodState.Bound _ -> false;
    };
  }

  boolean isPlanned() {
    return standing instanceof Standing.Planned;
  }

  /// Whether its gate is closed. A pod in state [PodState.Binding] has passed it, even if the watch
  /// still shows the gate.
  boolean isBehindItsGate() {
    return isPlanned() && !isReleased() && !isBinding();
  }

  private boolean isReleased() {
    return standing instanceof Standing.Planned(_, var released) && released;
  }

  /// Whether this plan comes after another one in the order for room: plans being bound first, then
  /// plans with open gates, then by deadline and key.
  boolean isBehind(PodRecord other) {
    if (this == other || !isPlanned() || isBinding()) {
      return false;
    }
    if (other.isPlanned() && isReleased() != other.isReleased()) {
      return other.isReleased();
    }
    int byDeadline = plan().until().compareTo(other.plan().until());
    return byDeadline != 0 ? byDeadline > 0 : pod.key().compareTo(other.pod.key()) > 0;
  }

  void memberChanged() {
    var words = new TreeMap<NodeName, String>();
    vetoes.forEach((node, veto) -> words.put(node, veto.words()));
    Pod shown = pod;
    for (Problem each : refused) {
      shown = shown.with(each);
    }
    member = new Member(shown, standing, words);
  }

  /// As a group shows it.
  Member member() {
    return member;
  }
}
