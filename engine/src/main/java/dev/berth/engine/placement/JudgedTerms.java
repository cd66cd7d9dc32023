package dev.berth.engine.placement;

import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.Constraints.Peers;
import dev.berth.engine.model.Constraints.PodTerm;
import dev.berth.engine.model.Constraints.Spread;
import dev.berth.engine.model.Pod;
import dev.berth.engine.placement.DomainCounts.Question;
import dev.berth.engine.placement.DomainMap.Where;
import dev.berth.engine.placement.PodMatches.Kind;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.PodClass;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/// The affinity, anti-affinity and spread terms that pods of a session ask for, and which of them
/// one plan judges.
///
/// Each distinct question (which pods, in which domains) has one [DomainCounts]; in a cluster
/// without such terms there is none.
///
/// One plan looks at a bounded number of terms and makes a bounded number of comparisons, which
/// namespaces share: what the pods of one ask beyond that is not judged.
final class JudgedTerms {
  /// Terms that different pods ask for, in one plan; one of many expressions counts as several.
  private static final long MOST_TERMS = 20_000;

  /// Pods that they are compared with, one by one, each as often as the term is heavy.
  private static final long MOST = 5_000_000;

  /// Comparisons that a look at a node for its domain costs, beside what is honored.
  private static final int LOOK = 8;

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
  private PodMatches matches = new PodMatches(tallies);

  /// What pods of one shape ask of others.
  ///
  /// @param areJudged whether their namespace has no more terms than one plan judges
  record Rules(
      List<DomainCounts> near, List<DomainCounts> apart, List<Even> spread, boolean areJudged) {
    static final Rules NONE = new Rules(List.of(), List.of(), List.of(), true);
    static final Rules NOT_JUDGED = new Rules(List.of(), List.of(), List.of(), false);
  }

  record Even(DomainCounts tally, Spread spread) {}

  /// What some constraints ask.
  private static final class Asked {
    private final Constraints by;
    private List<DomainCounts> tallies = Collections.emptyList();
    private List<DomainCounts> fresh = Collections.emptyList(); // terms that are new

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

  JudgedTerms(Session session, IncludedNodes honoredNodes) {
    this.session = session;
    this.honoredNodes = honoredNodes;
    this.room = session.room();
    this.otherRooms = session.others().stream().map(Session::room).toList();
    if (hasAskers()) {
      collect();
      share(MOST_TERMS, Asked::terms, Asked::terms, this::learn);
      matches = new PodMatches(tallies);
      judge();
    }
  }

  /// By number; those that are not judged count no pod. Not to be changed.
  List<DomainCounts> tallies() {
    return tallies;
  }

  /// What pods with such constraints ask.
  Rules rules(Constraints constraints) {
    return rules.getOrDefault(constraints, Rules.NONE);
  }

  /// Says which of the tallies count a pod.
  Kind kindOf(Pod pod) {
    return matches.kindOf(pod);
  }

  /// Whether pods in the rest of the cluster matter here.
  boolean lookOut() {
    return looksOut;
  }

  // ---- what is asked

  private boolean hasAskers() {
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

  /// Pods that are there precede pods that wait. A pod that waits with a request that is refused
  /// gets no place.
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

  /// Whether a seat had a node when the session began, or a plan for one.
  static boolean isThere(MemberState seat) {
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
    var mine = rules(one.by);
    for (DomainCounts tally : one.tallies) {
      tally.judge();
      honored.add(tally.map().honored());
      looksOut |= tally.map().spans();
    }
    mine.apart.forEach(DomainCounts::becomeBan);
    looksOut |= !mine.near.isEmpty() || !mine.spread.isEmpty();
  }
}
