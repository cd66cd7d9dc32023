package dev.berth.engine.ledger;

import dev.berth.engine.ledger.pods.PodState;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.ChargedTo;
import dev.berth.engine.model.Constraints.InterPod;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Membership;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.Workload;
import dev.berth.engine.model.WrittenPlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// What we hold of one pod: the object as last seen, what only we know of it, and what follows from
/// both. Guarded by the ledger's lock, like everything in this package.
final class PodRecord {
  /// The pod as last seen.
  Pod pod;

  /// What it says itself of where it belongs; `pod` has it made complete by its owners.
  Pod.Belonging own;

  /// What its owners say.
  Membership membership = Membership.UNTOLD;

  /// Of a scheduler of ours, and no holder.
  boolean ours;

  // What only we know.

  /// The state of its plan; changed by [PodRecords#apply] alone.
  PodState state = PodState.NEW;

  /// Whether a limit let its plan in only for those who are to leave, or nobody knows.
  boolean afterOthers = true;

  /// Why the API server refuses what would be written for its plan; empty = it does not.
  List<Problem> refused = List.of();

  /// Nodes that kube-scheduler refused for it.
  final TreeMap<NodeName, Veto> vetoes = new TreeMap<>();

  /// Those who are asked to leave for its plan.
  final List<PodRecord> victims = new ArrayList<>(0);

  /// Those who must be gone before a limit lets its plan in.
  List<PodRecord> awaited = List.of();

  /// What it belonged to when they were chosen; empty = nobody was yet.
  Optional<Workload> claimsFor = Optional.empty();

  /// How its plan ends, if it is not bound: said by whoever gives it back.
  PlanEnd end = PlanEnd.UNSAID;

  /// Plans that count on this pod to leave.
  final List<VictimOf> victimOf = new ArrayList<>(0);

  /// Where it was placed again by the plan for which it leaves; see [Relocations].
  Placement again = Placement.NONE;

  /// It leaves for others, and who comes in its stead has not been seen yet; see [Relocations].
  boolean comesBack;

  /// It was asked to leave, to start again elsewhere, whatever has become of the plan for which it
  /// was; see [Relocations].
  boolean moves;

  /// When the API server last refused to evict it; `MIN` = it has not.
  Instant refusedAt = Instant.MIN;

  /// Its plan stays until then though its deadline passes: somebody is being asked to leave for it.
  Instant patient = Instant.MIN;

  // What follows.

  Standing standing = new Standing.Waiting();
  Charge charge = Charge.NONE;

  /// Where it sits, with slots: its charge's placement, or the slots found for it.
  Placement seat = Placement.NONE;

  /// The device that it holds, if it is a holder.
  Pod.Holding holding = Pod.Holding.NONE;

  GroupState group = GroupState.NONE;

  /// Whether its owners say that it belongs to that group.
  boolean broughtByOwner;

  /// It alone, where it is charged otherwise than the group it belongs to; as of when that group
  /// was sorted out last.
  GroupState alone = GroupState.NONE;

  /// What its group has counted it as; see [#chargedTo()].
  ChargedTo settled = ChargedTo.NONE;

  /// Whether its group has counted it as planned in a block.
  boolean inBlock;

  /// When its plan lapses; `MAX` = never.
  Instant deadline = Instant.MAX;

  private Member member;

  PodRecord(Pod pod) {
    this.pod = pod;
    this.own = pod.belonging();
    this.member = new Member(pod, standing, new TreeMap<>());
  }

  record Veto(String words, Instant until) {}

  /// Plans, made together, that count on this pod to leave. Each of them counts until it ends: a
  /// later plan of the same preemptor counts on its own victims alone, even in the same place.
  static final class VictimOf {
    private final LinkedHashSet<PodRecord> preemptors;
    private final boolean firm;

    /// @param preemptors that have their plans now; [#end] is called when one of these plans ends
    /// @param firm whether nobody else may have the room, once it is being left
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

    /// The first whose plan stands.
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
    NodeName node = PodRecords.nodeOf(this);
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

  /// Slots that are known for a bound share; none = to be found.
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

  /// The device that it was given for a slot; empty = not told.
  String deviceOn(int slot) {
    int place = seat.slots().indexOf(slot);
    return place >= 0 && place < charge.devices().size() ? charge.devices().get(place) : "";
  }

  /// The GPUs that it was given and may use: of a pod that is bound and not over; empty of any
  /// other.
  List<String> runsOn() {
    return isPlanned() || charge.node() == NodeUsage.NOWHERE ? List.of() : charge.devices();
  }

  /// One of those for whom it is to leave.
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

  /// Whether its room will be there for somebody else soon.
  boolean isGoing() {
    return charge.leaving() || isVictim();
  }

  /// Whether it minds that its victims are there still, though there is room beside them: it, or
  /// one of them, must be apart from others, or it claims devices.
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
      case PodState.Unplanned _, PodState.Assumed _, PodState.Bound _ -> false;
    };
  }

  boolean isPlanned() {
    return standing instanceof Standing.Planned;
  }

  /// Whether it waits for its gate, as far as anybody knows: what is being bound waits no more,
  /// whatever the watch says yet.
  boolean isBehindItsGate() {
    return isPlanned() && !isReleased() && !isBinding();
  }

  private boolean isReleased() {
    return standing instanceof Standing.Planned(_, var released) && released;
  }

  /// Whether this plan stands behind another one in line for room: what is being bound does not,
  /// and whose gate is open stands before those behind theirs, though its deadline was moved.
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
