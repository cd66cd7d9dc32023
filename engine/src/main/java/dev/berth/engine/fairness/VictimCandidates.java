package dev.berth.engine.fairness;

import dev.berth.engine.model.BinarySearch;
import dev.berth.engine.session.EvictionUnit;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/// All groups that may be evicted, leaf by leaf, last to first: the reverse of [WorkloadOrder].
/// Candidates run and are preemptible. Made once for many orders over it, and for many rounds; told
/// when a group changes.
public final class VictimCandidates {
  private static final int[] NOWHERE = {};
  private static final Comparator<Candidate> LAST_TO_FIRST = Comparator.comparing(Candidate::turn);

  private final TreeMap<Integer, ArrayList<Candidate>> leaves = new TreeMap<>();

  /// The candidates with pods on a node, by its number, last to first. Made when first asked for.
  private final ArrayList<ArrayList<Here>> onNodes = new ArrayList<>();

  /// As each group stands in its leaf. Looked up only.
  private final IdentityHashMap<Group, Candidate> standing = new IdentityHashMap<>();

  private final Session session;
  private long shares;
  private long varyingShares;
  private int varyingCharges; // groups
  private int steps;
  private boolean linedUp;
  private boolean areOnNodes;

  /// Which of the candidates count for one preemptor.
  ///
  /// @param queues the leaves with candidates
  /// @param below only groups of a priority below this
  /// @param coreStays groups of which only the surplus may go
  /// @param stays groups that may not be evicted
  /// @param againstBudgets whether they are asked though disruption budgets keep them
  /// @param shortened whether pods are candidates, too, that are deleted already and run on for
  ///   long: their grace is made shorter
  public record Asked(
      Group preemptor,
      IntPredicate queues,
      long below,
      Predicate<Group> coreStays,
      Predicate<Group> stays,
      boolean againstBudgets,
      boolean shortened) {
    /// No group as a whole stays but for its budgets.
    public Asked(Group preemptor, IntPredicate queues, long below, Predicate<Group> coreStays) {
      this(preemptor, queues, below, coreStays, _ -> false, false, false);
    }

    /// Those of them that are in such queues.
    public Asked in(IntPredicate some) {
      return new Asked(
          preemptor, queues.and(some), below, coreStays, stays, againstBudgets, shortened);
    }

    public Asked againstBudgets(boolean against) {
      return new Asked(preemptor, queues, below, coreStays, stays, against, shortened);
    }

    /// Also those that a min-runtime protects.
    public Asked sparedToo() {
      return new Asked(preemptor, queues, below, _ -> false, _ -> false, againstBudgets, shortened);
    }

    public Asked shortened(boolean may) {
      return new Asked(preemptor, queues, below, coreStays, stays, againstBudgets, may);
    }
  }

  /// A group and the steps in which it would leave.
  ///
  /// @param turn before its first step
  /// @param prompt those of its steps that an eviction makes
  /// @param nodes where its pods are
  @SuppressWarnings("ArrayRecordComponent") // private to this class
  record Candidate(
      Group group,
      List<EvictionUnit> units,
      List<EvictionUnit> prompt,
      VictimRank turn,
      int shares,
      int varying,
      boolean chargeVaries,
      int[] nodes) {
    int priority() {
      return turn.priority();
    }

    /// Its steps, without its core where that stays; none where the group stays.
    List<EvictionUnit> steps(Asked asked) {
      if (asked.stays.test(group)) {
        return List.of();
      }
      var steps = asked.shortened ? units : prompt;
      boolean without = !steps.isEmpty() && steps.getLast().core() && asked.coreStays.test(group);
      return without ? steps.subList(0, steps.size() - 1) : steps;
    }

    boolean isAsked(EvictionUnit unit, Asked asked) {
      return asked.shortened || prompt == units || prompt.contains(unit);
    }
  }

  /// A step with a pod on a node.
  private record Here(Candidate candidate, ChosenUnit step) {}

  private static final Comparator<Here> HERE_LAST_TO_FIRST =
      Comparator.comparing(here -> here.candidate.turn);

  /// No group is lined up before it is asked for.
  public VictimCandidates(Session session) {
    this.session = session;
  }

  /// Makes sure that all stand in line, those that were touched as they are now.
  public void lineUp() {
    if (!linedUp) {
      for (Group group : session.groups()) {
        stand(group);
      }
      leaves.values().forEach(leaf -> leaf.sort(LAST_TO_FIRST));
      linedUp = true;
    } else {
      session.index().touched().forEach(this::standAgain);
    }
  }

  /// The session went on to the next snapshot.
  ///
  /// @param touched groups that were changed before, and stand as they did at first
  public void turn(List<Group> touched, Session.News news) {
    if (linedUp) {
      touched.forEach(this::standAgain);
      news.gone().forEach(this::leave);
      news.come().forEach(this::standAgain);
    }
  }

  private void stand(Group group) {
    var units = EvictableUnits.of(group);
    if (units.isEmpty()) {
      return;
    }
    var turn = VictimRank.of(group, units, 0);
    var candidate =
        new Candidate(
            group,
            units,
            EvictableUnits.prompt(units),
            turn,
            shares(units, false),
            shares(units, true),
            chargeVaries(units),
            nodes(units));
    standing.put(group, candidate);
    shares += candidate.shares;
    varyingShares += candidate.varying;
    varyingCharges += candidate.chargeVaries ? 1 : 0;
    steps += units.size();
    leaves.computeIfAbsent(group.queue(), _ -> new ArrayList<>()).add(candidate);
    if (areOnNodes) {
      standOnNodes(candidate);
    }
  }

  private void standOnNodes() {
    for (Group group : session.groups()) {
      var candidate = standing.get(group);
      if (candidate != null) {
        standOnNodes(candidate);
      }
    }
    onNodes.forEach(here -> here.sort(HERE_LAST_TO_FIRST)); // stable: steps in their order
    areOnNodes = true;
  }

  private void standOnNodes(Candidate candidate) {
    for (EvictionUnit unit : candidate.units) {
      standOnNodes(candidate, new ChosenUnit(candidate.group, unit));
    }
  }

  private void standOnNodes(Candidate candidate, ChosenUnit step) {
    int last = -1;
    for (MemberState seat : step.unit().seats()) {
      int node = seat.now().node();
      if (node >= 0 && node != last) {
        while (onNodes.size() <= node) {
          onNodes.add(new ArrayList<>());
        }
        var here = onNodes.get(node);
        if (here.isEmpty() || here.getLast().step != step) {
          here.add(new Here(candidate, step));
        }
        last = node;
      }
    }
  }

  /// @param varying only those that take more or less by the kind of node
  private static int shares(List<EvictionUnit> units, boolean varying) {
    int devices = 0;
    for (EvictionUnit unit : units) {
      for (MemberState seat : unit.seats()) {
        var podClass = seat.podClass();
        boolean counts = podClass.isShare() && (!varying || podClass.chargeVaries());
        devices += counts ? podClass.devices().count() : 0;
      }
    }
    return devices;
  }

  private static boolean chargeVaries(List<EvictionUnit> units) {
    return units.stream()
        .flatMap(unit -> unit.seats().stream())
        .anyMatch(seat -> seat.podClass().chargeVaries());
  }

  private static int[] nodes(List<EvictionUnit> units) {
    int count = 0;
    for (EvictionUnit unit : units) {
      count += unit.seats().size();
    }
    var nodes = new int[count];
    int size = 0;
    for (EvictionUnit unit : units) {
      for (MemberState seat : unit.seats()) {
        int node = seat.now().node();
        if (node >= 0 && (size == 0 || nodes[size - 1] != node)) {
          nodes[size++] = node; // mostly one after the other on the same
        }
      }
    }
    return size < 2
        ? Arrays.copyOf(nodes, size)
        : Arrays.stream(nodes, 0, size).distinct().toArray();
  }

  /// A group lost a place, or got one: it stands where it belongs now, if it stood there before.
  public void changed(Group group) {
    if (standing.containsKey(group)) {
      standAgain(group);
    }
  }

  private void standAgain(Group group) {
    leave(group);
    stand(group);
    var now = standing.get(group);
    if (now != null) {
      var leaf = leaf(group);
      leaf.removeLast();
      leaf.add(-1 - Collections.binarySearch(leaf, now, LAST_TO_FIRST), now);
      for (int node : areOnNodes ? now.nodes : NOWHERE) {
        onNodes.get(node).sort(HERE_LAST_TO_FIRST); // nearly in order
      }
    }
  }

  private void leave(Group group) {
    var before = standing.remove(group);
    if (before != null) {
      shares -= before.shares;
      varyingShares -= before.varying;
      varyingCharges -= before.chargeVaries ? 1 : 0;
      steps -= before.units.size();
      var leaf = leaf(group);
      leaf.remove(Collections.binarySearch(leaf, before, LAST_TO_FIRST));
      for (int node : areOnNodes ? before.nodes : NOWHERE) {
        onNodes.get(node).removeIf(here -> here.candidate == before);
      }
    }
  }

  private ArrayList<Candidate> leaf(Group group) {
    return leaves.getOrDefault(group.queue(), NO_CANDIDATES);
  }

  public boolean isEmpty() {
    return standing.isEmpty();
  }

  /// True if any candidate exists, even one without evictable pods.
  public boolean isAny(Asked asked) {
    for (var leaf : leaves.entrySet()) {
      if (asked.queues.test(leaf.getKey()) && !askedOf(leaf.getValue(), asked).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /// Those of a leaf whose priority is low enough: they stand first. The preemptor may be among
  /// them.
  private static List<Candidate> askedOf(List<Candidate> leaf, Asked asked) {
    int asks = BinarySearch.first(0, leaf.size(), i -> leaf.get(i).priority() >= asked.below);
    boolean onlyHimself = asks == 1 && leaf.getFirst().group.equals(asked.preemptor);
    return onlyHimself ? NO_CANDIDATES : leaf.subList(0, asks);
  }

  /// Whether any candidate of a leaf is of lower priority than this.
  public boolean isAnyBelow(int queue, long priority) {
    var leaf = leaves.getOrDefault(queue, NO_CANDIDATES);
    return !leaf.isEmpty() && leaf.getFirst().priority() < priority; // they stand first
  }

  /// Whether any candidate is in another queue.
  public boolean isAnyOutside(int queue) {
    for (var leaf : leaves.entrySet()) {
      if (leaf.getKey() != queue && !leaf.getValue().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /// In how many steps the candidates would leave.
  public int steps(Asked asked) {
    int steps = 0;
    for (var leaf : leaves.entrySet()) {
      if (asked.queues.test(leaf.getKey())) {
        for (Candidate candidate : askedOf(leaf.getValue(), asked)) {
          steps += candidate.group.equals(asked.preemptor) ? 0 : candidate.steps(asked).size();
        }
      }
    }
    return steps;
  }

  /// In how many steps all of them would leave.
  public int steps() {
    return steps;
  }

  /// The steps of candidates with a pod on a node, last to first.
  public List<ChosenUnit> on(int node, Asked asked) {
    if (!areOnNodes) {
      standOnNodes();
    }
    if (node >= onNodes.size()) {
      return List.of();
    }
    var here = onNodes.get(node);
    var steps = new ArrayList<ChosenUnit>(here.size());
    for (Here each : here) {
      var group = each.candidate.group;
      if (each.candidate.priority() < asked.below
          && asked.queues.test(group.queue())
          && !group.equals(asked.preemptor)
          && !(each.step.unit().core() && asked.coreStays.test(group))
          && each.candidate.isAsked(each.step.unit(), asked)
          && !asked.stays.test(group)) {
        steps.add(each.step);
      }
    }
    return steps;
  }

  /// The devices that are shared by any of them, one for each share.
  public long shares() {
    return shares;
  }

  /// Of these such as take less of other devices.
  public long varyingShares() {
    return varyingShares;
  }

  /// Whether what queues are charged for any of them depends on the node.
  public boolean chargesVary() {
    return varyingCharges > 0;
  }

  /// The leaves with candidates, by number.
  Iterable<Integer> queues() {
    return Collections.unmodifiableSet(leaves.keySet());
  }

  /// Those of a leaf, last to first.
  List<Candidate> in(int queue) {
    return Collections.unmodifiableList(leaves.getOrDefault(queue, NO_CANDIDATES));
  }

  private static final ArrayList<Candidate> NO_CANDIDATES = new ArrayList<>(0);
}
