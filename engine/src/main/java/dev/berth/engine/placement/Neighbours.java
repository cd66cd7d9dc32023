package dev.berth.engine.placement;

import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.Constraints.Peers;
import dev.berth.engine.model.Constraints.PodTerm;
import dev.berth.engine.model.Constraints.Spread;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Standing;
import dev.berth.engine.placement.NodeRules.Objection;
import dev.berth.engine.placement.Tally.Question;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.Room;
import dev.berth.engine.session.Seat;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/// What pods mean to each other, as kube-scheduler judges it: required pod affinity and
/// anti-affinity, the anti-affinity of those who are there already, and spread constraints.
///
/// Each distinct question (which pods, in which domains) has one [Tally], whose counts follow every
/// move in the session, undone ones included. In a cluster where nobody asks there is none, and
/// nothing is followed.
///
/// Pods on their way out still count, but for those who were promised a place in this picture
/// (their plan counts on others to leave), and not in spread, where kube-scheduler leaves them out.
///
/// Where the session is over one pool of several, pods of the others count in the domains that they
/// share, such as zones.
final class Neighbours implements Session.Follower {
  private static final int[] NOBODYS = {};

  private final Room room;
  private final List<Room> otherRooms;
  private boolean looksOut; // others in other rooms matter
  private final List<Tally> tallies = new ArrayList<>();
  private final HashMap<Question, Tally> byQuestion = new HashMap<>(); // looked up only
  private final List<Tally> bans = new ArrayList<>(); // anti-affinity of anybody
  private final IdentityHashMap<Constraints, Rules> rules = new IdentityHashMap<>(); // looked up
  private final IdentityHashMap<Seat, Part> parts = new IdentityHashMap<>(); // looked up only
  private final LinkedHashSet<Seat> followers = new LinkedHashSet<>(); // got a place near others

  /// What pods of one shape ask.
  private record Rules(List<Tally> near, List<Tally> apart, List<Even> spread) {
    static final Rules NONE = new Rules(List.of(), List.of(), List.of());
  }

  private record Even(Tally tally, Spread spread) {}

  /// What a seat is to others.
  ///
  /// @param counted numbers of the tallies that count it, ascending
  @SuppressWarnings("ArrayRecordComponent") // a table, private to this class
  private record Part(int[] counted, Rules rules) {
    static final Part NONE = new Part(NOBODYS, Rules.NONE);

    boolean isCountedBy(Tally tally) {
      return Arrays.binarySearch(counted, tally.number()) >= 0;
    }

    /// Whether it goes only where others are, and may not be the first.
    boolean follows() {
      return !rules.near.isEmpty() && !isCountedBy(rules.near.getFirst());
    }
  }

  Neighbours(Session session) {
    this.room = session.room();
    this.otherRooms = session.others().stream().map(Session::room).toList();
    var strangers = session.snapshot().strangers();
    session.shapes().forEach(shape -> learn(shape.constraints()));
    for (Pod stranger : strangers) {
      if (!stranger.asks().constraints().neighbours().apart().isEmpty()) {
        learn(stranger.asks().constraints());
      }
    }
    for (Session other : session.others()) {
      for (Shape shape : other.shapes()) {
        if (!shape.constraints().neighbours().apart().isEmpty()) {
          learn(shape.constraints());
        }
      }
    }
    if (!tallies.isEmpty()) {
      for (Group group : session.groups()) {
        for (Seat seat : group.seats()) {
          begin(seat);
        }
      }
      strangers.forEach(this::begin);
      if (looksOut) {
        session.others().forEach(this::lookInto);
      }
      session.follow(this);
    }
  }

  // ---- what is asked

  private void learn(Constraints constraints) {
    var asked = constraints.neighbours();
    if (asked.isNone() || rules.containsKey(constraints)) {
      return;
    }
    var near = new ArrayList<Tally>();
    var all = new ArrayList<Peers>();
    asked.near().forEach(term -> all.add(term.peers())); // one pod must be what all terms ask
    for (PodTerm term : asked.near()) {
      near.add(tally(all, term.topologyKey()));
    }
    var apart = new ArrayList<Tally>();
    for (PodTerm term : asked.apart()) {
      var tally = tally(List.of(term.peers()), term.topologyKey());
      apart.add(tally);
      if (!bans.contains(tally)) {
        bans.add(tally);
      }
    }
    rules.put(constraints, new Rules(near, apart, spread(constraints)));
    looksOut |= !near.isEmpty() || !asked.spread().isEmpty();
  }

  private List<Even> spread(Constraints constraints) {
    var keys = new ArrayList<String>();
    constraints.neighbours().spread().forEach(each -> keys.add(each.topologyKey()));
    var nodes =
        new Constraints(
            constraints.nodeSelector(), constraints.required(), constraints.tolerations());
    var evens = new ArrayList<Even>();
    for (Spread each : constraints.neighbours().spread()) {
      var question =
          new Question(
              List.of(each.peers()),
              each.topologyKey(),
              keys,
              each.honorsChoice() ? nodes : Constraints.NONE,
              each.honorsTaints() ? nodes : Constraints.NONE,
              each.honorsTaints());
      evens.add(new Even(tally(question), each));
    }
    return evens;
  }

  private Tally tally(List<Peers> peers, String key) {
    return tally(new Question(peers, key, List.of(key), Constraints.NONE, Constraints.NONE, false));
  }

  private Tally tally(Question question) {
    return byQuestion.computeIfAbsent(
        question,
        asked -> {
          var tally = new Tally(tallies.size(), asked, room, otherRooms);
          tallies.add(tally);
          looksOut |= tally.spans();
          return tally;
        });
  }

  // ---- who is where

  private Part part(Pod pod, Constraints constraints) {
    var counted = new int[tallies.size()];
    int size = 0;
    for (Tally tally : tallies) {
      if (tally.counts(pod)) {
        counted[size++] = tally.number();
      }
    }
    var asks = rules.getOrDefault(constraints, Rules.NONE);
    return size == 0 && asks == Rules.NONE
        ? Part.NONE
        : new Part(Arrays.copyOf(counted, size), asks);
  }

  private void begin(Seat seat) {
    var part = part(seat.pod(), seat.shape().constraints());
    if (part == Part.NONE) {
      return;
    }
    parts.put(seat, part);
    if (seat.now().isOnTheMap()) {
      count(part, seat.now().node(), 1, false);
    }
    beginElsewhere(seat, part);
  }

  private void begin(Pod stranger) {
    var part = part(stranger, stranger.asks().constraints());
    countAt(stranger.life().node(), part, stranger.life().leaving());
  }

  /// In the rest of the cluster pods stay as they are by now.
  private void lookInto(Session other) {
    for (Group group : other.groups()) {
      for (Seat seat : group.seats()) {
        var part = part(seat.pod(), seat.shape().constraints());
        if (part != Part.NONE && seat.now().isOnTheMap()) {
          countIn(other.room(), part, seat.now().node(), false);
        }
        beginElsewhere(seat, part);
      }
    }
  }

  /// It is, or is there still, where its session does not have it.
  private void beginElsewhere(Seat seat, Part part) {
    switch (seat.member().standing()) {
      case Standing.Bound(var placement) when !seat.isAtHome() || !seat.now().isOnTheMap() ->
          countAt(placement.node(), part, seat.isVictim());
      case Standing.Leaving(var placement, _, _) -> countAt(placement.node(), part, true);
      default -> {}
    }
  }

  private void countAt(NodeName node, Part part, boolean leaves) {
    int here = room.indexOf(node);
    if (here >= 0) {
      count(part, here, 1, leaves);
    } else if (looksOut) {
      for (Room other : otherRooms) {
        int there = other.indexOf(node);
        if (there >= 0) {
          countIn(other, part, there, leaves);
        }
      }
    }
  }

  private void countIn(Room other, Part part, int n, boolean leaves) {
    for (int number : part.counted) {
      tallies.get(number).addIn(other, n, leaves);
    }
    for (Tally ban : part.rules.apart) {
      ban.addAskerIn(other, n, leaves);
    }
  }

  private void count(Part part, int n, int by, boolean leaves) {
    for (int number : part.counted) {
      tallies.get(number).add(n, by, leaves);
    }
    for (Tally ban : part.rules.apart) {
      ban.addAsker(n, by, leaves);
    }
  }

  @Override
  public void moved(Seat seat, int node, int by) {
    var part = parts.getOrDefault(seat, Part.NONE);
    count(part, node, by, false);
    if (seat.isAtHome()) {
      for (int number : part.counted) {
        tallies.get(number).ask(node, -by);
      }
    } else if (part.follows() && !seat.now().isSame(seat.origin())) {
      if (by > 0) {
        followers.add(seat);
      } else {
        followers.remove(seat);
      }
    }
  }

  // ---- what kube-scheduler would say

  /// Whether other pods may matter to where a seat goes.
  boolean concern(Seat seat) {
    if (tallies.isEmpty()) {
      return false;
    }
    var part = parts.getOrDefault(seat, Part.NONE);
    boolean concerned = part.rules != Rules.NONE;
    for (Tally ban : bans) {
      concerned |= part.isCountedBy(ban);
    }
    return concerned;
  }

  Optional<Objection> objection(Seat seat, int n) {
    if (tallies.isEmpty()) {
      return Optional.empty();
    }
    var part = parts.getOrDefault(seat, Part.NONE);
    boolean promised = seat.isPromised();
    for (Even even : part.rules.spread) {
      if (isUneven(even, part, n)) {
        return objection(Obstacle.SPREAD, even.spread.topologyKey());
      }
    }
    for (Tally ban : bans) {
      if (part.isCountedBy(ban) && ban.askersAt(n, promised) > 0) {
        return objection(Obstacle.POD_ANTI_AFFINITY, ban.topologyKey());
      }
    }
    for (Tally tally : part.rules.apart) {
      if (tally.at(n, promised) > 0) {
        return objection(Obstacle.POD_ANTI_AFFINITY, tally.topologyKey());
      }
    }
    return far(part, n, promised);
  }

  /// The same, told apart where the pod keeps away from its own kind.
  Optional<Objection> told(Seat seat, int n) {
    var objection = objection(seat, n);
    if (objection.filter(it -> it.obstacle() == Obstacle.POD_ANTI_AFFINITY).isEmpty()) {
      return objection;
    }
    return ownBan(seat)
        .filter(own -> own.at(n, true) > 0)
        .map(own -> new Objection(Obstacle.OWN_ANTI_AFFINITY, own.topologyKey()))
        .or(() -> objection);
  }

  /// The anti-affinity of a pod that counts the pod itself.
  private Optional<Tally> ownBan(Seat seat) {
    var part = parts.getOrDefault(seat, Part.NONE);
    return part.rules.apart.stream().filter(part::isCountedBy).findFirst();
  }

  /// How many domains the own anti-affinity of a pod needs, and how many there are.
  ///
  /// @param lacking pods of its kind that have no place
  /// @param isAllowed nodes that the pod may be on
  String ownDomains(Seat seat, int lacking, IntPredicate isAllowed) {
    var own = ownBan(seat).orElseThrow();
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
    String noun =
        own.topologyKey().equals("kubernetes.io/hostname")
            ? "nodes"
            : "domains of " + own.topologyKey();
    return (taken.size() + lacking) + " " + noun + ", and there are " + there.size();
  }

  private static Optional<Objection> objection(Obstacle obstacle, String detail) {
    return Optional.of(new Objection(obstacle, detail));
  }

  /// The domains that a seat would bind its like to: it must be near them, and would be the first.
  Optional<Tally> wouldFound(Seat seat) {
    var part = parts.getOrDefault(seat, Part.NONE);
    return part.rules.near.isEmpty() || !isFirst(part, seat.isPromised())
        ? Optional.empty()
        : Optional.of(part.rules.near.getFirst());
  }

  /// Whether all who got a place in this session still have somebody near whom they must be near:
  /// places that were given beside them may be taken again. Who runs and is asked to leave is there
  /// when they come.
  boolean leavesNobodyAlone() {
    for (Seat seat : followers) {
      for (Tally tally : parts.getOrDefault(seat, Part.NONE).rules.near) {
        if (!tally.isAnyStillAt(seat.now().node())) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isUneven(Even even, Part part, int n) {
    if (!even.tally.hasDomain(n)) {
      return true;
    }
    int self = part.isCountedBy(even.tally) ? 1 : 0;
    int there = even.tally.at(n, true) + self;
    return there - even.tally.least(even.spread.minDomains()) > even.spread.maxSkew();
  }

  /// The first of those who want to be near each other may go anywhere.
  private static boolean isFirst(Part part, boolean promised) {
    boolean first = true;
    for (Tally tally : part.rules.near) {
      first &= !tally.isAnywhere(promised) && part.isCountedBy(tally);
    }
    return first;
  }

  private static Optional<Objection> far(Part part, int n, boolean promised) {
    boolean first = isFirst(part, promised);
    for (Tally tally : part.rules.near) {
      if (!tally.hasDomain(n) || !first && tally.at(n, promised) == 0) {
        return objection(Obstacle.POD_AFFINITY, tally.topologyKey());
      }
    }
    return Optional.empty();
  }
}
