package dev.berth.engine.placement;

import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.placement.JudgedTerms.Even;
import dev.berth.engine.placement.JudgedTerms.Rules;
import dev.berth.engine.placement.NodeRules.Objection;
import dev.berth.engine.placement.PeerCounts.PeerRole;
import dev.berth.engine.placement.PodMatches.Kind;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.Session;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// What pods mean to each other, as kube-scheduler judges it: required pod affinity and
/// anti-affinity, the anti-affinity of pods that are there already, and spread constraints.
///
/// Terminating pods still count, as in kube-scheduler, but for pods that were promised a place in
/// this picture (their plan counts on others to leave), and not in spread, where kube-scheduler
/// leaves them out.
///
/// Pods that wait and ask more than is judged ([JudgedTerms]) get no place; what the others ask
/// beyond that is left to kube-scheduler.
final class InterPodRules {
  private static final int MANY = 16; // bans, above which banned nodes are listed
  private static final int[] NO_NUMBERS = {};

  private final Session session;
  private final FreeCapacity room;
  private final JudgedTerms terms;
  private final PeerCounts peers;
  private final List<DomainCounts> tallies;
  private final IdentityHashMap<Kind, Banned> banned = new IdentityHashMap<>(); // looked up only
  private final HashMap<Integer, String> askers = new HashMap<>(); // by ban; looked up only
  private PeerRole regarded = PeerRole.NONE;
  private long regardedAt;
  private List<DomainCounts> inTheWay = List.of(); // of those that `regarded` keeps apart from

  /// By node the number of a ban that keeps pods of one kind away, after so many moves.
  @SuppressWarnings("ArrayRecordComponent") // a table, private to this class
  private record Banned(long moves, int[] promised, int[] others) {
    static final Banned NONE = new Banned(-1, NO_NUMBERS, NO_NUMBERS);
  }

  InterPodRules(Session session, IncludedNodes honoredNodes) {
    this.session = session;
    this.room = session.room();
    this.terms = new JudgedTerms(session, honoredNodes);
    this.peers = new PeerCounts(session, terms);
    this.tallies = terms.tallies();
  }

  /// Whether other pods may matter to where a seat goes.
  boolean concern(MemberState seat) {
    if (tallies.isEmpty()) {
      return false;
    }
    var part = peers.part(seat);
    return part.rules() != Rules.NONE || part.kind().bans().length > 0;
  }

  Optional<Objection> objection(MemberState seat, int n) {
    if (tallies.isEmpty()) {
      return Optional.empty();
    }
    var part = peers.part(seat);
    if (!part.rules().areJudged()) {
      return objection(Obstacle.INTER_POD, seat.pod().key().namespace());
    }
    boolean promised = seat.isPromised();
    for (Even even : part.rules().spread()) {
      if (isUneven(even, part, n)) {
        return objection(Obstacle.SPREAD, even.spread().topologyKey());
      }
    }
    int ban = ban(part.kind(), n, promised);
    if (ban != DomainCounts.NO_BAN) {
      return objection(Obstacle.POD_ANTI_AFFINITY, tallies.get(ban).topologyKey());
    }
    for (DomainCounts tally : apart(part)) {
      if (tally.at(n, promised) > 0) {
        return objection(Obstacle.POD_ANTI_AFFINITY, tally.topologyKey());
      }
    }
    return far(part, n, promised);
  }

  /// The number of a ban that keeps pods of a kind away from a node.
  private int ban(Kind kind, int n, boolean promised) {
    int[] bans = kind.bans();
    if (bans.length > MANY) {
      var nodes = banned(kind);
      return (promised ? nodes.promised : nodes.others)[n];
    }
    for (int number : bans) {
      if (tallies.get(number).askersAt(n, promised) > 0) {
        return number;
      }
    }
    return DomainCounts.NO_BAN;
  }

  /// The tallies that it keeps apart from and that count any pod: the same for one node after the
  /// other.
  private List<DomainCounts> apart(PeerRole part) {
    if (part.rules().apart().size() <= MANY) {
      return part.rules().apart();
    }
    if (regarded != part || regardedAt != peers.changes()) {
      regarded = part;
      regardedAt = peers.changes();
      inTheWay = part.rules().apart().stream().filter(tally -> tally.isAnywhere(false)).toList();
    }
    return inTheWay;
  }

  private Banned banned(Kind kind) {
    var known = banned.getOrDefault(kind, Banned.NONE);
    if (known.moves == peers.moves()) {
      return known;
    }
    var fresh = new Banned(peers.moves(), new int[room.nodes()], new int[room.nodes()]);
    Arrays.fill(fresh.promised, DomainCounts.NO_BAN);
    Arrays.fill(fresh.others, DomainCounts.NO_BAN);
    for (int number : kind.bans()) {
      var ban = tallies.get(number);
      if (ban.isAsked()) {
        ban.mark(fresh.promised, true);
        ban.mark(fresh.others, false);
      }
    }
    banned.put(kind, fresh);
    return fresh;
  }

  /// The same, told apart where the pod keeps away from its own kind, or others from it, and where
  /// a node is in none of the domains that it spreads over.
  Optional<Objection> told(MemberState seat, int n) {
    var objection = objection(seat, n);
    return objection
        .flatMap(it ->
            switch (it.obstacle()) {
              case SPREAD -> unlabelled(seat, n);
              case POD_ANTI_AFFINITY -> ofItsKind(seat, n).or(() -> ofOthers(seat, n));
              default -> Optional.empty();
            })
        .or(() -> objection);
  }

  private Optional<Objection> ofItsKind(MemberState seat, int n) {
    return ownBan(seat)
        .filter(own -> own.at(n, true) > 0)
        .map(own -> new Objection(Obstacle.OWN_ANTI_AFFINITY, own.topologyKey()));
  }

  private Optional<Objection> unlabelled(MemberState seat, int n) {
    var labels = room.node(n).node().labels();
    return peers.part(seat).rules().spread().stream()
        .map(even -> even.spread().topologyKey())
        .filter(key -> !labels.containsKey(key))
        .findFirst()
        .flatMap(key -> objection(Obstacle.SPREAD_LABEL, key));
  }

  private Optional<Objection> ofOthers(MemberState seat, int n) {
    var part = peers.part(seat);
    boolean promised = seat.isPromised();
    int ban = ban(part.kind(), n, promised);
    if (ban == DomainCounts.NO_BAN
        || apart(part).stream().anyMatch(tally -> tally.at(n, promised) > 0)) {
      return Optional.empty(); // its own stands in the way, too, and that its owner can change
    }
    var tally = tallies.get(ban);
    String asker = askers.computeIfAbsent(ban, _ -> asker(tally));
    return objection(Obstacle.OTHERS_ANTI_AFFINITY, tally.topologyKey() + asker);
  }

  /// A pod that is there and keeps others away; empty if all such pods come by this plan, or are in
  /// other pools.
  private String asker(DomainCounts ban) {
    for (Group group : session.groups()) {
      for (MemberState seat : group.seats()) {
        if (JudgedTerms.isThere(seat) && asks(seat.podClass().constraints(), ban)) {
          return ", as of pod " + seat.pod().key();
        }
      }
    }
    for (Pod stranger : session.snapshot().strangers()) {
      if (asks(stranger.asks().constraints(), ban)) {
        return ", as of pod " + stranger.key();
      }
    }
    return "";
  }

  private boolean asks(Constraints constraints, DomainCounts ban) {
    return terms.rules(constraints).apart().contains(ban);
  }

  /// The anti-affinity of a pod that counts the pod itself.
  private Optional<DomainCounts> ownBan(MemberState seat) {
    var part = peers.part(seat);
    return part.rules().apart().stream().filter(part::isCountedBy).findFirst();
  }

  /// Of a pod that its own anti-affinity counts.
  ///
  /// @param isAllowed nodes that it may be on
  OwnDomains ownDomains(MemberState seat, IntPredicate isAllowed) {
    return domains(ownBan(seat).orElseThrow(), isAllowed);
  }

  /// Of pods that ask for the same, all of which their own anti-affinity counts; the fewest, where
  /// they ask for several.
  ///
  /// @param isAllowed nodes that they may be on
  /// @return empty also where one of these is in no domain: any number of them may be there
  Optional<OwnDomains> ownDomains(List<MemberState> alike, IntPredicate isAllowed) {
    if (tallies.isEmpty()) {
      return Optional.empty();
    }
    return peers.part(alike.getFirst()).rules().apart().stream()
        .filter(ban -> alike.stream().allMatch(seat -> peers.part(seat).isCountedBy(ban)))
        .filter(ban -> isInDomains(ban, isAllowed))
        .map(ban -> domains(ban, isAllowed).whenEmpty())
        .min(Comparator.comparingInt(OwnDomains::there));
  }

  private boolean isInDomains(DomainCounts ban, IntPredicate isAllowed) {
    return IntStream.range(0, room.nodes()).filter(isAllowed).allMatch(ban::hasDomain);
  }

  private static OwnDomains domains(DomainCounts own, IntPredicate isAllowed) {
    var there = new TreeSet<Integer>();
    var taken = new TreeSet<Integer>();
    int[] domains = own.domainOf();
    for (int n = 0; n < domains.length; n++) {
      if (own.hasDomain(n) && isAllowed.test(n)) {
        there.add(domains[n]);
        if (own.at(n, true) > 0) {
          taken.add(domains[n]);
        }
      }
    }
    return new OwnDomains(own.topologyKey(), there.size(), taken.size());
  }

  private static Optional<Objection> objection(Obstacle obstacle, String detail) {
    return Optional.of(new Objection(obstacle, detail));
  }

  /// The domains that a seat would bind its like to: it must be near them, and would be the first.
  Optional<DomainCounts> wouldFound(MemberState seat) {
    var part = peers.part(seat);
    return part.rules().near().isEmpty() || !isFirst(part, seat.isPromised())
        ? Optional.empty()
        : Optional.of(part.rules().near().getFirst());
  }

  /// Whether all pods that got a place in this session still have a pod near that they must be
  /// near: places that were given beside them may be taken again. A running victim is there when
  /// they come.
  boolean keepsPeersTogether() {
    for (MemberState seat : peers.followers()) {
      for (DomainCounts tally : peers.part(seat).rules().near()) {
        if (!tally.isAnyStillAt(seat.now().node())) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isUneven(Even even, PeerRole part, int n) {
    if (!even.tally().hasDomain(n)) {
      return true;
    }
    int self = part.isCountedBy(even.tally()) ? 1 : 0;
    int there = even.tally().at(n, true) + self;
    return there - even.tally().least(even.spread().minDomains()) > even.spread().maxSkew();
  }

  /// The first of several pods that want to be near each other may go anywhere.
  private static boolean isFirst(PeerRole part, boolean promised) {
    boolean first = true;
    for (DomainCounts tally : part.rules().near()) {
      first &= !tally.isAnywhere(promised) && part.isCountedBy(tally);
    }
    return first;
  }

  private static Optional<Objection> far(PeerRole part, int n, boolean promised) {
    boolean first = isFirst(part, promised);
    for (DomainCounts tally : part.rules().near()) {
      if (!tally.hasDomain(n) || !first && tally.at(n, promised) == 0) {
        return objection(Obstacle.POD_AFFINITY, tally.topologyKey());
      }
    }
    return Optional.empty();
  }
}
