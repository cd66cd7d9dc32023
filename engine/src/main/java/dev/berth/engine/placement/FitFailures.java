package dev.berth.engine.placement;

import dev.berth.engine.model.Reason.Free;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.model.Reason.Wanted;
import dev.berth.engine.placement.NodeRules.Objection;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.NodeChanges;
import dev.berth.engine.session.PodClass;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Why nodes do not take pods of one shape that mind nothing else, counted, with what is free of
/// devices, and kept true by looking again only at nodes that changed.
///
/// What stands in the way besides is told of nodes where nothing is mended by the first thing
/// alone: else users would hear of the next only once that is mended.
final class FitFailures {
  /// Closed nodes that say one thing, of which it is looked at what room there would be.
  private static final int LOOKED_AT = 64;

  /// Things said, of which most are said no more.
  private static final int MANY = 1_024;

  /// What a node says.
  ///
  /// @param besides what else it says, in its order
  private record Said(Objection first, List<Objection> besides) {
    boolean is(Objection one, List<Objection> others) {
      return first.equals(one) && besides.equals(others);
    }
  }

  /// It has room, and is not in the domain.
  private static final Objection OUTSIDE = new Objection(Obstacle.TOPOLOGY, "");

  private final FreeCapacity room;
  private final NodeChanges changes;
  private final PodClass podClass;
  private final Ranking ranking;
  private final long[] stamps; // of the nodes when they were asked
  private final char[] byNode; // the number of what it said
  private final BitSet lasting; // nodes on which that stays, whatever leaves
  private final BitSet closed; // of these, nodes that an administrator or the pod may open
  private final FreeDevices free;
  private final ArrayList<Said> said = new ArrayList<>(4);
  private int[] nodes = new int[4]; // that said it, by its number
  private boolean looksBesides; // at closed nodes
  private long seen = -1;
  private long described = -1;
  private long[] capacities = {}; // by node
  private long capacity;
  private final TreeMap<Objection, Wanted> wanted = new TreeMap<>(Shortfalls.ORDER);
  private long wantedAt = -1; // for nodes as they were described then
  private long counted = -1; // for nodes as they were described then; -1 = not yet
  private List<Shortfall> listed = List.of();
  private long listedAt = -1; // for nodes as they were then

  FitFailures(FreeCapacity room, PodClass podClass, Ranking ranking) {
    this.room = room;
    this.changes = room.changes();
    this.podClass = podClass;
    this.ranking = ranking;
    stamps = new long[room.nodes()];
    byNode = new char[room.nodes()];
    lasting = new BitSet(room.nodes());
    closed = new BitSet(0);
    free = new FreeDevices(room, podClass);
  }

  /// Most frequent first.
  List<Shortfall> list() {
    refresh();
    if (listedAt != seen) {
      listed = byFrequency();
      listedAt = seen;
    }
    return listed;
  }

  private List<Shortfall> byFrequency() {
    var counts = new TreeMap<Objection, Integer>(Shortfalls.ORDER);
    for (int i = 0; i < said.size(); i++) {
      if (nodes[i] > 0) {
        counts.merge(said.get(i).first(), nodes[i], Integer::sum);
      }
    }
    var list =
        Shortfalls.list(counts).stream().map(each -> withBesides(each).ready(ready(each))).toList();
    return amounts(counts).told(list);
  }

  /// Looks at nodes where a resource lacks, of many at some.
  private ShortAmounts amounts(TreeMap<Objection, Integer> counts) {
    var amounts = new ShortAmounts(room, podClass);
    for (Objection objection : counts.keySet()) {
      boolean goesOn = ShortAmounts.isTold(objection);
      for (int n = 0; n < byNode.length && goesOn; n++) {
        goesOn = !said.get(byNode[n]).first().equals(objection) || amounts.see(n, objection);
      }
    }
    return amounts;
  }

  /// How many pods of the shape would have room now on nodes that say this, but for this.
  private int ready(Shortfall shortfall) {
    var first = new Objection(shortfall.obstacle(), shortfall.detail());
    long sum = 0;
    int left = mayBeOpened(first) ? LOOKED_AT : 0;
    for (int n = closed.nextSetBit(0); n >= 0 && left > 0; n = closed.nextSetBit(n + 1)) {
      if (said.get(byNode[n]).first().equals(first)) {
        left--;
        boolean isAll = FurtherObstacles.lasting(room, podClass, n, first).isEmpty();
        sum += isAll ? Fit.now(room, podClass, n) : 0;
      }
    }
    return (int) Math.min(sum, Integer.MAX_VALUE);
  }

  private static boolean mayBeOpened(Objection objection) {
    return switch (objection.obstacle()) {
      case UNSCHEDULABLE, TAINT -> true;
      default -> false;
    };
  }

  /// Unless the first thing is all that some node says.
  private Shortfall withBesides(Shortfall shortfall) {
    var first = new Objection(shortfall.obstacle(), shortfall.detail());
    var counts = new TreeMap<Objection, Integer>(Shortfalls.ORDER);
    for (int i = 0; i < said.size(); i++) {
      if (nodes[i] > 0 && said.get(i).first().equals(first)) {
        if (said.get(i).besides().isEmpty()) {
          return shortfall;
        }
        for (Objection each : said.get(i).besides()) {
          counts.merge(each, nodes[i], Integer::sum);
        }
      }
    }
    return shortfall.besides(Shortfalls.list(counts));
  }

  Free free() {
    refresh();
    return free.told();
  }

  /// What a node says to the shape that stays, whatever leaves.
  Optional<Objection> lasting(int n) {
    refresh();
    return lasting.get(n) ? Optional.of(said.get(byNode[n]).first()) : Optional.empty();
  }

  /// Whether nothing keeps the shape from a node but what is taken there.
  boolean isOpen(int n) {
    refresh();
    return !lasting.get(n);
  }

  /// Whether what keeps the shape from a node ends by itself, or by a repair.
  boolean passes(int n) {
    return lasting(n).filter(Shortfalls::passes).isPresent();
  }

  /// What the shape asks for of nodes that say this.
  Wanted wanted(Shortfall shortfall) {
    if (!NearNodeNames.areAsked(shortfall.obstacle())) {
      return shortfall.wanted();
    }
    if (wantedAt != changes.described()) {
      wanted.clear();
      wantedAt = changes.described();
    }
    return wanted.computeIfAbsent(
        new Objection(shortfall.obstacle(), shortfall.detail()),
        objection -> NearNodeNames.wanted(room, podClass, objection));
  }

  /// How many pods of the shape all nodes of a domain that it may be on would hold, were they
  /// empty.
  long capacity(Domain within) {
    if (counted != changes.described()) {
      capacities = counted < 0 ? new long[byNode.length] : capacities;
      for (int n = 0; n < byNode.length; n++) {
        if (changes.describedAt(n) > counted) {
          capacity -= capacities[n];
          capacities[n] = Shortfalls.most(room, podClass, n, lasting(n));
          capacity += capacities[n];
        }
      }
      counted = changes.described();
    }
    return within.isWhole() ? capacity : sum(within);
  }

  private long sum(Domain within) {
    long sum = 0;
    for (int n = 0; n < capacities.length; n++) {
      sum += within.contains(n) ? capacities[n] : 0;
    }
    return sum;
  }

  private void refresh() {
    if (described < 0 || said.size() > MANY) {
      begin();
      lookBesides();
    } else if (seen != changes.version()) {
      for (int n = changes.nextChanged(stamps, 0); n >= 0; n = changes.nextChanged(stamps, n + 1)) {
        update(n);
      }
      lookBesides();
    }
    described = changes.described();
    seen = changes.version();
  }

  /// What helps is told of open nodes, if there are any: what closed ones say besides is looked at
  /// only where there are none.
  private void lookBesides() {
    boolean areAllClosed = lasting.cardinality() == byNode.length;
    if (areAllClosed != looksBesides) {
      looksBesides = areAllClosed;
      begin();
    }
  }

  private void begin() {
    Arrays.fill(nodes, 0);
    said.clear();
    free.clear();
    for (int n = 0; n < byNode.length; n++) {
      stamps[n] = changes.stamp(n);
      byNode[n] = described(n);
      nodes[byNode[n]]++;
    }
  }

  private void update(int n) {
    stamps[n] = changes.stamp(n);
    char now = changes.describedAt(n) > described ? described(n) : asBefore(n);
    if (now != byNode[n]) {
      nodes[byNode[n]]--;
      nodes[now]++;
      byNode[n] = now;
    }
  }

  /// The node says another thing of itself than before.
  private char described(int n) {
    var stays = Shortfalls.lasting(room, podClass, n, ranking.allows(n));
    lasting.set(n, stays.isPresent());
    closed.set(n, stays.filter(FitFailures::mayBeOpened).isPresent());
    free.see(n, stays.isEmpty());
    return stays.isPresent() ? lastingly(n, stays.get()) : open(n);
  }

  /// What is used of it alone may be another.
  private char asBefore(int n) {
    if (lasting.get(n)) {
      return lastingly(n, said.get(byNode[n]).first());
    }
    free.see(n, true);
    return open(n);
  }

  private char lastingly(int n, Objection first) {
    return number(
        first, looksBesides ? FurtherObstacles.lasting(room, podClass, n, first) : List.of());
  }

  private char open(int n) {
    return Fit.answer(room, podClass, n) instanceof Fit.Lack lack
        ? number(lack.objection(), Fit.besides(room, podClass, n, lack))
        : number(OUTSIDE, List.of());
  }

  /// No more are said than there are nodes, taints and labels: few, and each is kept once.
  private char number(Objection first, List<Objection> besides) {
    int at = 0;
    while (at < said.size() && !said.get(at).is(first, besides)) {
      at++;
    }
    if (at == said.size()) {
      said.add(new Said(first, besides));
      nodes = at < nodes.length ? nodes : Arrays.copyOf(nodes, at * 2);
    }
    return (char) at;
  }
}
