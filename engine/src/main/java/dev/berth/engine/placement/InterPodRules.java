package dev.berth.engine.placement;

import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.Constraints.Peers;
import dev.berth.engine.model.Constraints.PodTerm;
import dev.berth.engine.model.Constraints.Spread;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Standing;
import dev.berth.engine.placement.DomainCounts.Question;
import dev.berth.engine.placement.DomainMap.Where;
import dev.berth.engine.placement.NodeRules.Objection;
import dev.berth.engine.placement.PodMatches.Kind;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.MoveListener;
import dev.berth.engine.session.PodClass;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;

/// What pods mean to each other, as kube-scheduler judges it: required pod affinity and
/// anti-affinity, the anti-affinity of those who are there already, and spread constraints.
///
/// Each distinct question (which pods, in which domains) has one [DomainCounts], whose counts
/// follow every move in the session, undone ones included. In a cluster where nobody asks there is
/// none, and nothing is followed.
///
/// Pods on their way out still count, but for those who were promised a place in this picture
/// (their plan counts on others to leave), and not in spread, where kube-scheduler leaves them out.
///
/// Where the session is over one pool of several, pods of the others count in the domains that they
/// share, such as zones.
///
/// One plan looks at a bounded number of terms and makes a bounded number of comparisons, which
/// namespaces share: what the pods of one ask beyond that is not judged. Those of them that wait
/// get no place; what the others ask is left to kube-scheduler.
final class InterPodRules implements MoveListener {
  /// Terms that different pods ask for, in one plan; one of many expressions counts as several.
  private static final long MOST_TERMS = 20_000;

  /// Pods that they are compared with, one by one, each as often as the term is heavy.
  private static final long MOST = 5_000_000;

  /// Comparisons that a look at a node for its domain costs, beside what is honored.
  private static final int LOOK = 8;

  private static final int MANY = 16; // bans, above which banned nodes are listed
  private static final int[] NOBODYS = {};
  private static final SortedMap<String, String> NOTHING = Collections.emptySortedMap();

  private final Session session;
  private final FreeCapacity room;
  private final List<FreeCapacity> otherRooms;
  private boolean looksOut; // others in other rooms matter
  private final List<DomainCounts> tallies = new ArrayList<>();
  private final HashMap<Question, DomainCounts> byQuestion = new HashMap<>(); // looked up only
  private final HashMap<Where, DomainMap> maps = new HashMap<>(); // looked up, or summed up
  private final HashSet<NodeInclusion> honored =
      new HashSet<>(); // of what is judged; looked up only
  private final IncludedNodes honoredNodes;
  private final IdentityHashMap<Constraints, Rules> rules = new IdentityHashMap<>(); // looked up
  private final LinkedHashMap<String, List<Asked>> asked = new LinkedHashMap<>(); // by namespace
  private final IdentityHashMap<MemberState, Part> parts =
      new IdentityHashMap<>(); // looked up only
  private final LinkedHashSet<MemberState> followers =
      new LinkedHashSet<>(); // got a place near others
  private final IdentityHashMap<Kind, Banned> banned = new IdentityHashMap<>(); // looked up only
  private final HashMap<Integer, String> askers = new HashMap<>(); // by ban; looked up only
  private PodMatches matches = new PodMatches(tallies);
  private long moves; // of pods that ask for bans
  private long counts; // that changed
  private Part regarded = Part.NONE;
  private long regardedAt;
  private List<DomainCounts> inTheWay = List.of(); // of those that `regarded` keeps apart from

  /// What pods of one shape ask.
  private record Rules(
      List<DomainCounts> near, List<DomainCounts> apart, List<Even> spread, boolean areJudged) {
    static final Rules NONE = new Rules(List.of(), List.of(), List.of(), true);
    static final Rules NOT_JUDGED = new Rules(List.of(), List.of(), List.of(), false);
  }

  private record Even(DomainCounts tally, Spread spread) {}

  /// What some constraints ask.
  private static final class Asked {
    private final Constraints by;
    private List<DomainCounts> tallies = Collections.emptyList();
    private List<DomainCounts> fresh =
        Collections.emptyList(); // those that nobody asked for before

    Asked(Constraints by) {
      this.by = by;
    }

    /// Terms of pod affinity are asked together: each of their keys is a question of all.
    long terms() {
      var wanted = by.interPod();
      var together = wanted.near().stream().map(PodTerm::peers).toList();
      long terms = wanted.near().size() * DomainCounts.weight(together);
      for (PodTerm term : wanted.apart()) {
        terms += DomainCounts.weight(List.of(term.peers()));
      }
      for (Spread each : wanted.spread()) {
        terms += DomainCounts.weight(List.of(each.peers()));
      }
      return terms;
    }
  }

  /// By node the number of a ban that keeps pods of one kind away, after so many moves.
  @SuppressWarnings("ArrayRecordComponent") // a table, private to this class
  private record Banned(long moves, int[] promised, int[] others) {
    static final Banned NONE = new Banned(-1, NOBODYS, NOBODYS);
  }

  /// What a seat is to others.
  ///
  /// @param kind says which tallies count it
  private record Part(Kind kind, Rules rules) {
    static final Part NONE = new Part(Kind.NONE, Rules.NONE);

    int[] counted() {
      return kind.counted();
    }

    boolean isCountedBy(DomainCounts tally) {
      return Arrays.binarySearch(counted(), tally.number()) >= 0;
    }

    /// Whether it goes only where others are, and may not be the first.
    boolean follows() {
      return !rules.near.isEmpty() && !isCountedBy(rules.near.getFirst());
    }
  }

  InterPodRules(Session session, IncludedNodes honoredNodes) {
    this.session = session;
    this.honoredNodes = honoredNodes;
    this.room = session.room();
    this.otherRooms = session.others().stream().map(Session::room).toList();
    if (!doesAnybodyAsk()) {
      return;
    }
    collect();
    share(MOST_TERMS, Asked::terms, Asked::terms, this::learn);
    matches = new PodMatches(tallies);
    judge();
    if (!tallies.isEmpty()) {
      for (Group group : session.groups()) {
        for (MemberState seat : group.seats()) {
          begin(seat);
        }
      }
      session.snapshot().strangers().forEach(this::begin);
      if (looksOut) {
        session.others().forEach(this::lookInto);
      }
      session.follow(this);
    }
  }

  // ---- what is asked

  private boolean doesAnybodyAsk() {
    for (PodClass podClass : session.podClasses()) {
      if (!podClass.constraints().interPod().isNone()) {
        return true;
      }
    }
    for (Pod stranger : session.snapshot().strangers()) {
      if (asksApart(stranger.asks().constraints())) {
        return true;
      }
    }
    for (Session other : session.others()) {
      for (PodClass podClass : other.podClasses()) {
        if (asksApart(podClass.constraints())) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean asksApart(Constraints constraints) {
    return !constraints.interPod().apart().isEmpty();
  }

  /// Who is there comes before who waits. Who waits with a request that is refused gets no place.
  private void collect() {
    for (Pod stranger : session.snapshot().strangers()) {
      if (asksApart(stranger.asks().constraints())) {
        collect(stranger, stranger.asks().constraints());
      }
    }
    for (Session other : session.others()) {
      for (Group group : other.groups()) {
        for (MemberState seat : group.seats()) {
          if (asksApart(seat.podClass().constraints()) && isThere(seat)) {
            collect(seat.pod(), seat.podClass().constraints());
          }
        }
      }
    }
    for (boolean waits : List.of(false, true)) {
      for (Group group : session.groups()) {
        for (MemberState seat : group.seats()) {
          if (waits ? mayCome(seat) : isThere(seat)) {
            collect(seat.pod(), seat.podClass().constraints());
          }
        }
      }
    }
  }

  private static boolean isThere(MemberState seat) {
    return switch (seat.was()) {
      case PLANNED, TENTATIVE, BOUND, LEAVING, MOVED -> true;
      case WAITING, UNPLANNABLE, SUCCEEDED, FAILED -> false;
    };
  }

  private static boolean mayCome(MemberState seat) {
    return switch (seat.was()) {
      case WAITING, UNPLANNABLE -> seat.pod().problems().isEmpty();
      case PLANNED, TENTATIVE, BOUND, LEAVING, MOVED, SUCCEEDED, FAILED -> false;
    };
  }

  private void collect(Pod pod, Constraints constraints) {
    if (!constraints.interPod().isNone() && !rules.containsKey(constraints)) {
      rules.put(constraints, Rules.NOT_JUDGED);
      asked
          .computeIfAbsent(pod.key().namespace(), _ -> new ArrayList<>())
          .add(new Asked(constraints));
    }
  }

  private void learn(Asked one) {
    var constraints = one.by;
    var wanted = constraints.interPod();
    int known = tallies.size();
    var near = new ArrayList<DomainCounts>();
    var all = new ArrayList<Peers>();
    wanted.near().forEach(term -> all.add(term.peers())); // one pod must be what all terms ask
    for (PodTerm term : wanted.near()) {
      near.add(tally(all, term.topologyKey()));
    }
    var apart = new LinkedHashSet<DomainCounts>();
    for (PodTerm term : wanted.apart()) {
      apart.add(tally(List.of(term.peers()), term.topologyKey()));
    }
    var mine = new Rules(near, List.copyOf(apart), spread(constraints), true);
    rules.put(constraints, mine);
    var used = new LinkedHashSet<DomainCounts>(near);
    used.addAll(apart);
    mine.spread.forEach(each -> used.add(each.tally));
    one.tallies = List.copyOf(used);
    one.fresh = List.copyOf(tallies.subList(known, tallies.size()));
  }

  private List<Even> spread(Constraints constraints) {
    var keys = new ArrayList<String>();
    constraints.interPod().spread().forEach(each -> keys.add(each.topologyKey()));
    var honored = new HashMap<List<Boolean>, NodeInclusion>(); // looked up only
    var evens = new ArrayList<Even>();
    for (Spread each : constraints.interPod().spread()) {
      var policies = List.of(each.honorsChoice(), each.honorsTaints());
      var mine = honored.computeIfAbsent(policies, _ -> honored(constraints, each));
      var where = new Where(each.topologyKey(), keys, mine);
      evens.add(new Even(tally(new Question(List.of(each.peers()), where)), each));
    }
    return evens;
  }

  private static NodeInclusion honored(Constraints constraints, Spread spread) {
    boolean choice = spread.honorsChoice();
    boolean taints = spread.honorsTaints();
    return new NodeInclusion(
        new Constraints(
            choice ? constraints.nodeSelector() : NOTHING,
            choice ? constraints.required() : List.of(),
            taints ? constraints.tolerations() : List.of()),
        taints);
  }

  private DomainCounts tally(List<Peers> peers, String key) {
    return tally(new Question(peers, new Where(key, List.of(key), NodeInclusion.NOTHING)));
  }

  private DomainCounts tally(Question question) {
    return byQuestion.computeIfAbsent(
        question,
        it -> {
          var map =
              maps.computeIfAbsent(
                  it.where(), w -> new DomainMap(w, room, otherRooms, honoredNodes));
          var tally = new DomainCounts(tallies.size(), it, map);
          tallies.add(tally);
          return tally;
        });
  }

  // ---- what is judged

  /// Each namespace may ask for its part of what one plan does, and for what others leave of
  /// theirs; what was asked first comes first.
  private void share(
      long most, ToLongFunction<Asked> needs, ToLongFunction<Asked> costs, Consumer<Asked> admits) {
    var line = new ArrayList<>(asked.values());
    line.sort(Comparator.comparingLong(all -> all.stream().mapToLong(needs).sum())); // stable
    long left = most;
    for (int i = 0; i < line.size(); i++) {
      long part = left / (line.size() - i);
      long used = 0;
      for (Asked each : line.get(i)) {
        long cost = costs.applyAsLong(each);
        if (used + cost <= part) {
          used += cost;
          admits.accept(each);
        } else {
          rules.put(each.by, Rules.NOT_JUDGED);
        }
      }
      left -= used;
    }
  }

  private void judge() {
    long pods = session.snapshot().strangers().size();
    pods += session.groups().stream().mapToLong(group -> group.seats().size()).sum();
    for (Session other : session.others()) {
      pods += other.groups().stream().mapToLong(group -> group.seats().size()).sum();
    }
    long weight = tallies.stream().mapToLong(DomainCounts::weight).sum();
    var choices = new HashSet<NodeInclusion>();
    maps.values().forEach(map -> choices.add(map.honored()));
    long chosen = nodes() * choices.stream().mapToLong(NodeInclusion::weight).sum();
    if (weight * (pods + 1) + maps.size() * look() + chosen <= MOST) {
      asked.values().forEach(all -> all.forEach(this::admit));
      return;
    }
    see();
    share(MOST, each -> cost(each.fresh), each -> cost(each.tallies), this::admit);
    matches.judged();
  }

  private void see() {
    session.snapshot().strangers().forEach(matches::see);
    session.groups().forEach(group -> group.seats().forEach(seat -> matches.see(seat.pod())));
    for (Session other : session.others()) {
      other.groups().forEach(group -> group.seats().forEach(seat -> matches.see(seat.pod())));
    }
    matches.weigh();
  }

  private long cost(List<DomainCounts> of) {
    long cost = 0;
    var fresh = new HashSet<NodeInclusion>(); // looked up only
    for (DomainCounts tally : of) {
      if (!tally.isJudged()) {
        var map = tally.map();
        cost += tally.weight() * (1 + matches.pods(tally)) + (map.isMade() ? 0 : look());
        if (!honored.contains(map.honored()) && fresh.add(map.honored())) {
          cost += nodes() * map.honored().weight();
        }
      }
    }
    return cost;
  }

  private long look() {
    return LOOK * nodes();
  }

  private long nodes() {
    long nodes = room.nodes();
    for (FreeCapacity other : otherRooms) {
      nodes += other.nodes();
    }
    return nodes;
  }

  private void admit(Asked one) {
    var mine = rules.getOrDefault(one.by, Rules.NONE);
    for (DomainCounts tally : one.tallies) {
      tally.judge();
      honored.add(tally.map().honored());
      looksOut |= tally.map().spans();
    }
    mine.apart.forEach(DomainCounts::becomeBan);
    looksOut |= !mine.near.isEmpty() || !mine.spread.isEmpty();
  }

  // ---- who is where

  private Part part(Pod pod, Constraints constraints) {
    var kind = matches.kindOf(pod);
    var asks = rules.getOrDefault(constraints, Rules.NONE);
    return asks == Rules.NONE && kind.counted().length == 0 ? Part.NONE : new Part(kind, asks);
  }

  private void begin(MemberState seat) {
    var part = part(seat.pod(), seat.podClass().constraints());
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
      for (MemberState seat : group.seats()) {
        var part = part(seat.pod(), seat.podClass().constraints());
        if (part != Part.NONE && seat.now().isOnTheMap()) {
          countIn(other.room(), part, seat.now().node(), false);
        }
        beginElsewhere(seat, part);
      }
    }
  }

  /// It is, or is there still, where its session does not have it.
  private void beginElsewhere(MemberState seat, Part part) {
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
      for (FreeCapacity other : otherRooms) {
        int there = other.indexOf(node);
        if (there >= 0) {
          countIn(other, part, there, leaves);
        }
      }
    }
  }

  private void countIn(FreeCapacity other, Part part, int n, boolean leaves) {
    counts++;
    for (int number : part.counted()) {
      tallies.get(number).addIn(other, n, leaves);
    }
    for (DomainCounts ban : part.rules.apart) {
      ban.addAskerIn(other, n, leaves);
      moves++;
    }
  }

  private void count(Part part, int n, int by, boolean leaves) {
    counts++;
    for (int number : part.counted()) {
      tallies.get(number).add(n, by, leaves);
    }
    for (DomainCounts ban : part.rules.apart) {
      ban.addAsker(n, by, leaves);
      moves++;
    }
  }

  @Override
  public void moved(MemberState seat, int node, int by) {
    var part = parts.getOrDefault(seat, Part.NONE);
    count(part, node, by, false);
    if (seat.isAtHome()) {
      for (int number : part.counted()) {
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
  boolean concern(MemberState seat) {
    if (tallies.isEmpty()) {
      return false;
    }
    var part = parts.getOrDefault(seat, Part.NONE);
    return part.rules != Rules.NONE || part.kind.bans().length > 0;
  }

  Optional<Objection> objection(MemberState seat, int n) {
    if (tallies.isEmpty()) {
      return Optional.empty();
    }
    var part = parts.getOrDefault(seat, Part.NONE);
    if (!part.rules.areJudged) {
      return objection(Obstacle.INTER_POD, seat.pod().key().namespace());
    }
    boolean promised = seat.isPromised();
    for (Even even : part.rules.spread) {
      if (isUneven(even, part, n)) {
        return objection(Obstacle.SPREAD, even.spread.topologyKey());
      }
    }
    int ban = ban(part.kind, n, promised);
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

  /// The tallies that it keeps apart from and that count anybody: the same for one node after the
  /// other.
  private List<DomainCounts> apart(Part part) {
    if (part.rules.apart.size() <= MANY) {
      return part.rules.apart;
    }
    if (regarded != part || regardedAt != counts) {
      regarded = part;
      regardedAt = counts;
      inTheWay = part.rules.apart.stream().filter(tally -> tally.isAnywhere(false)).toList();
    }
    return inTheWay;
  }

  private Banned banned(Kind kind) {
    var known = banned.getOrDefault(kind, Banned.NONE);
    if (known.moves == moves) {
      return known;
    }
    var fresh = new Banned(moves, new int[room.nodes()], new int[room.nodes()]);
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
    return parts.getOrDefault(seat, Part.NONE).rules.spread.stream()
        .map(even -> even.spread.topologyKey())
        .filter(key -> !labels.containsKey(key))
        .findFirst()
        .flatMap(key -> objection(Obstacle.SPREAD_LABEL, key));
  }

  private Optional<Objection> ofOthers(MemberState seat, int n) {
    var part = parts.getOrDefault(seat, Part.NONE);
    boolean promised = seat.isPromised();
    int ban = ban(part.kind, n, promised);
    if (ban == DomainCounts.NO_BAN
        || apart(part).stream().anyMatch(tally -> tally.at(n, promised) > 0)) {
      return Optional.empty(); // its own stands in the way, too, and that its owner can change
    }
    var tally = tallies.get(ban);
    String who = askers.computeIfAbsent(ban, _ -> asker(tally));
    return objection(Obstacle.OTHERS_ANTI_AFFINITY, tally.topologyKey() + who);
  }

  /// One of those who are there and keep pods away; empty if all of them come by this plan, or are
  /// in other pools.
  private String asker(DomainCounts ban) {
    for (Group group : session.groups()) {
      for (MemberState seat : group.seats()) {
        if (isThere(seat) && asks(seat.podClass().constraints(), ban)) {
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
    return rules.getOrDefault(constraints, Rules.NONE).apart.contains(ban);
  }

  /// The anti-affinity of a pod that counts the pod itself.
  private Optional<DomainCounts> ownBan(MemberState seat) {
    var part = parts.getOrDefault(seat, Part.NONE);
    return part.rules.apart.stream().filter(part::isCountedBy).findFirst();
  }

  /// How many domains the own anti-affinity of a pod needs, and how many there are.
  ///
  /// @param lacking pods of its kind that have no place
  /// @param isAllowed nodes that the pod may be on
  String ownDomains(MemberState seat, int lacking, IntPredicate isAllowed) {
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
  Optional<DomainCounts> wouldFound(MemberState seat) {
    var part = parts.getOrDefault(seat, Part.NONE);
    return part.rules.near.isEmpty() || !isFirst(part, seat.isPromised())
        ? Optional.empty()
        : Optional.of(part.rules.near.getFirst());
  }

  /// Whether all who got a place in this session still have somebody near whom they must be near:
  /// places that were given beside them may be taken again. Who runs and is asked to leave is there
  /// when they come.
  boolean leavesNobodyAlone() {
    for (MemberState seat : followers) {
      for (DomainCounts tally : parts.getOrDefault(seat, Part.NONE).rules.near) {
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
    for (DomainCounts tally : part.rules.near) {
      first &= !tally.isAnywhere(promised) && part.isCountedBy(tally);
    }
    return first;
  }

  private static Optional<Objection> far(Part part, int n, boolean promised) {
    boolean first = isFirst(part, promised);
    for (DomainCounts tally : part.rules.near) {
      if (!tally.hasDomain(n) || !first && tally.at(n, promised) == 0) {
        return objection(Obstacle.POD_AFFINITY, tally.topologyKey());
      }
    }
    return Optional.empty();
  }
}
