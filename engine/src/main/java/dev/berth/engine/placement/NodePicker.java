package dev.berth.engine.placement;

import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.placement.NodeRules.Objection;
import dev.berth.engine.session.Assignment;
import dev.berth.engine.session.Charge;
import dev.berth.engine.session.ClaimAllocation;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.PodClass;
import dev.berth.engine.session.QueueLimits;
import dev.berth.engine.session.Session;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/// The best place for one seat, as the session is now. Feasible first, then [Score].
final class NodePicker {
  private final Session session;
  private final FreeCapacity room;
  private final Strategy strategy;
  private final InterPodRules interPod;
  private final Rankings rankings;

  NodePicker(Session session, Rankings rankings) {
    this.session = session;
    this.room = session.room();
    this.strategy = rankings.strategy();
    this.rankings = rankings;
    this.interPod = new InterPodRules(session, rankings.honoredNodes());
  }

  Optional<Assignment> best(MemberState seat, Domain within) {
    var ranking = ranking(seat.podClass());
    var may = may(seat, within);
    int best = best(ranking, may, within);
    if (best < 0) {
      return Optional.empty();
    }
    if (seat.origin().isSomewhere()) {
      var home = home(seat, best, ranking, may.orElse(_ -> true));
      if (home.isPresent()) {
        return home;
      }
    }
    return Optional.of(Sharing.assignment(room, seat.podClass(), best));
  }

  /// Whether a seat may have this very place, now or soon.
  boolean isFree(MemberState seat, Assignment assignment) {
    return assignment.isSomewhere()
        && isOpen(seat, assignment.node())
        && !isVetoed(seat, assignment.node())
        && Sharing.isFree(room, assignment);
  }

  /// Whether a victim may have its own place back.
  boolean mayStay(MemberState seat) {
    return isOpen(seat, seat.origin().node()) && Sharing.canReturn(room, seat.origin());
  }

  /// Whether a node has room for it, beside the pods that are there and within the limits of its
  /// queue.
  private boolean isOpen(MemberState seat, int n) {
    return n >= 0
        && beside(seat, n).isEmpty()
        && ranking(seat.podClass()).scoreOf(n) != Score.NEVER
        && refusal(seat, room.kind(n)).isEmpty();
  }

  private static int best(Ranking ranking, Optional<IntPredicate> may, Domain within) {
    if (within.hasTurns()) {
      return ranking.best(may.orElse(_ -> true), within);
    }
    return may.isPresent() ? ranking.best(may.get()) : ranking.best();
  }

  /// A victim goes back to its own place unless there is a better one: its room there is being left
  /// by itself, so for itself it is free now, and so are its zones.
  private Optional<Assignment> home(MemberState seat, int best, Ranking ranking, IntPredicate may) {
    int n = seat.origin().node();
    if (n < 0 || !may.test(n) || ranking.scoreOf(n) == Score.NEVER) {
      return Optional.empty();
    }
    boolean better = (ranking.scoreOf(n) | Score.OWN) >= ranking.scoreOf(best);
    return better
            && Sharing.canReturn(room, seat.origin())
            && (strategy.gpu() == Strategy.Spread.SPREAD || Sharing.isPacked(room, seat))
        ? Optional.of(seat.origin())
        : Optional.empty();
  }

  /// Which nodes come into question for this seat only; empty = all that do for its shape.
  private Optional<IntPredicate> may(MemberState seat, Domain within) {
    boolean vetoed = !seat.member().vetoes().isEmpty();
    boolean charged = seat.podClass().chargeVaries();
    boolean choosy = isChoosy(seat);
    if (within.isWhole() && !vetoed && !charged && !choosy) {
      return Optional.empty();
    }
    var affordable = affordable(seat);
    return Optional.of(n ->
        within.contains(n)
            && !isVetoed(seat, n)
            && affordable[room.kind(n)]
            && (!choosy || beside(seat, n).isEmpty()));
  }

  /// Whether it matters to the seat which other pods are where, or which devices they have claimed:
  /// then room for one as large is not room for it.
  boolean isChoosy(MemberState seat) {
    return ClaimAllocation.concern(seat) || interPod.concern(seat);
  }

  boolean keepsPeersTogether() {
    return interPod.keepsPeersTogether();
  }

  Optional<DomainCounts> wouldFound(MemberState seat) {
    return interPod.wouldFound(seat);
  }

  /// What others mean to this seat on a node, if that stands in the way.
  Optional<Objection> beside(MemberState seat, int n) {
    return session.claims().fits(seat, n)
        ? interPod.objection(seat, n)
        : Optional.of(new Objection(Obstacle.CLAIMS, ""));
  }

  /// The same, with numbers.
  Optional<Objection> toldBeside(MemberState seat, int n) {
    return session.claims().fits(seat, n)
        ? interPod.told(seat, n)
        : Optional.of(new Objection(Obstacle.CLAIMS, session.claims().lack(seat, n)));
  }

  /// What lacks, with the domains that its own anti-affinity needs, and what it asks for of nodes.
  ///
  /// @param lacking members of its kind that have no place
  List<Shortfall> told(List<Shortfall> shortfalls, MemberState seat, int lacking) {
    var refusals = keptRefusals(seat);
    return shortfalls.stream()
        .map(each ->
            each.obstacle() == Obstacle.OWN_ANTI_AFFINITY
                ? each.told(interPod.ownDomains(seat, refusals::isOpen).needs(lacking))
                : wanting(each, refusals))
        .toList();
  }

  private static Shortfall wanting(Shortfall shortfall, FitFailures refusals) {
    var besides =
        shortfall.besides().stream().map(each -> each.wanting(refusals.wanted(each))).toList();
    return shortfall.wanting(refusals.wanted(shortfall)).besides(besides);
  }

  private boolean isVetoed(MemberState seat, int n) {
    return !seat.member().vetoes().isEmpty()
        && seat.member().vetoes().containsKey(room.node(n).name());
  }

  /// By kind of node: whether the seat's queues have room for what they would be charged there.
  private boolean[] affordable(MemberState seat) {
    var affordable = new boolean[room.hardware().kinds().size()];
    for (int kind = 0; kind < affordable.length; kind++) {
      affordable[kind] = refusal(seat, kind).isEmpty();
    }
    return affordable;
  }

  private Optional<Reason> refusal(MemberState seat, int kind) {
    return seat.podClass().chargeVaries()
        ? refusal(seat, seat.podClass().chargeOn(kind))
        : Optional.empty();
  }

  private Optional<Reason> refusal(MemberState seat, Charge charge) {
    return QueueLimits.refusal(session.queues(), seat.group(), charge);
  }

  /// Why its queues may not be charged with a seat that costs the same on every node: others of its
  /// step, placed before it, may have been charged more than the least.
  Optional<Reason> refusalAnywhere(MemberState seat) {
    return seat.podClass().chargeVaries()
        ? Optional.empty()
        : refusal(seat, seat.podClass().least());
  }

  /// Why a node that has room for the seat may not be charged to its queues, if there is one.
  Optional<Reason> unaffordable(MemberState seat, Domain within) {
    if (!seat.podClass().chargeVaries()) {
      return Optional.empty();
    }
    var ranking = ranking(seat.podClass());
    for (int n = 0; n < room.nodes(); n++) {
      if (within.contains(n)
          && !isVetoed(seat, n)
          && beside(seat, n).isEmpty()
          && ranking.scoreOf(n) != Score.NEVER) {
        return refusal(seat, room.kind(n));
      }
    }
    return Optional.empty();
  }

  /// Whether nothing forbids the node that never changes.
  boolean allows(MemberState seat, int n) {
    return allows(ranking(seat.podClass()), seat, n);
  }

  /// The nodes of which nothing forbids it that never changes.
  IntPredicate allowedTo(MemberState seat) {
    var ranking = ranking(seat.podClass());
    return n -> allows(ranking, seat, n);
  }

  private boolean allows(Ranking ranking, MemberState seat, int n) {
    return ranking.allows(n) && !isVetoed(seat, n);
  }

  /// Whether any node of a domain comes into question for a seat, whatever is free there.
  boolean mayBeIn(MemberState seat, Domain within) {
    var ranking = ranking(seat.podClass());
    for (int n = 0; n < room.nodes(); n++) {
      if (within.contains(n) && allows(ranking, seat, n)) {
        return true;
      }
    }
    return false;
  }

  /// Whether there is room for its like on another node, or on another shared device beside it.
  boolean findsElsewhere(MemberState seat) {
    int n = seat.now().node();
    return ranking(seat.podClass()).hasRoomBeside(n)
        || seat.podClass().isShare() && n >= 0 && Sharing.isRoomBeside(room, seat.now());
  }

  /// What nodes say to its like, kept from plan to plan.
  FitFailures keptRefusals(MemberState seat) {
    return rankings.refusals(seat.podClass());
  }

  /// How many of its like all nodes of a domain would hold, were they empty.
  long capacity(MemberState seat, Domain within) {
    return keptRefusals(seat).capacity(within);
  }

  /// In how many domains of those nodes they are, where their own anti-affinity keeps them apart.
  ///
  /// @param alike that ask for the same
  Optional<OwnDomains> ownDomains(List<MemberState> alike, Domain within) {
    var refusals = keptRefusals(alike.getFirst());
    return interPod.ownDomains(
        alike, n -> within.contains(n) && (refusals.isOpen(n) || refusals.passes(n)));
  }

  private Ranking ranking(PodClass podClass) {
    return rankings.of(podClass);
  }
}
