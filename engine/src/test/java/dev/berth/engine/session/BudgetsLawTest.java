package dev.berth.engine.session;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.PodSketch;
import dev.berth.engine.Seeds;
import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.DisruptionBudget.Key;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.LabelSelector;
import dev.berth.engine.model.LabelSelector.Operator;
import dev.berth.engine.model.LabelSelector.Requirement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The pods that disruption budgets protect are those found by comparing each pod with each budget,
/// at a bounded cost.
class BudgetsLawTest {
  private static final QueueName QUEUE = new QueueName("speech");
  private static final List<String> SPACES = List.of("default", "one", "two");
  private static final List<String> VALUES = List.of("a", "b", "c");

  static LongStream seeds() {
    return Seeds.worlds(300);
  }

  // Within the bounds

  @ParameterizedTest
  @MethodSource("seeds")
  void podsThatAreKeptAreThoseThatASpentBudgetCovers(long seed) {
    var random = new Random(seed);
    var all = world(24, i -> labelled(random, random.nextInt(5) == 0));
    all = with(all, inSpaces(all.groups(), i -> SPACES.get(i % 2)), budgets(random, 8));
    var session = Session.forPlanning(all, QUEUE);
    for (int step = 0; step < 12; step++) {
      var groups = new ArrayList<PodGroup>();
      for (PodGroup group : all.groups()) {
        if (random.nextInt(6) > 0) {
          groups.add(group);
        }
      }
      var next = with(all, groups, changed(random, session.snapshot().budgets()));
      next = next.with(unevictable(random, next));
      session.rewind();
      session = session.advance(next).isPresent() ? session : Session.forPlanning(next, QUEUE);
      for (MemberState seat : seats(session)) {
        assertThat(session.budgets().keeping(List.of(seat)).map(Budgets.Keeping::budgets))
            .as("seed %s, step %s, %s", seed, step, seat.pod().key())
            .isEqualTo(plainly(next, seat.pod()));
      }
    }
  }

  /// Each pod compared with each budget.
  private static Optional<TreeSet<Key>> plainly(Snapshot snapshot, Pod pod) {
    var covering = snapshot.budgets().stream().filter(each -> each.covers(pod)).toList();
    var objects = covering.stream().filter(each -> each.only().isNone()).count();
    var keeping = new TreeSet<Key>();
    boolean keeps = objects > 1 && !isAsked(snapshot, pod);
    if (keeps) {
      keeping.add(DisruptionBudget.several(pod).key());
    }
    for (DisruptionBudget budget : covering) {
      long asked = asked(snapshot).stream().filter(budget::covers).count();
      if (budget.allowed() - asked < 1) {
        keeps = true;
        if (budget.only().isNone()) {
          keeping.add(budget.key());
        }
      }
    }
    return keeps ? Optional.of(keeping) : Optional.empty();
  }

  private static List<Pod> asked(Snapshot snapshot) {
    return snapshot.groups().stream()
        .flatMap(group -> group.members().stream())
        .filter(each -> each.standing() instanceof Standing.Leaving)
        .map(PodGroup.Member::pod)
        .filter(pod -> !pod.life().leaving())
        .toList();
  }

  private static boolean isAsked(Snapshot snapshot, Pod pod) {
    return asked(snapshot).stream().anyMatch(each -> each.uid().equals(pod.uid()));
  }

  private static PodSketch labelled(Random random, boolean asked) {
    var sketch = pods(1);
    for (String label : List.of("app", "tier", "zone", asked ? "asked" : "stays")) {
      if (random.nextInt(3) > 0) {
        sketch.label(label, VALUES.get(random.nextInt(3)));
      }
    }
    return sketch;
  }

  private static List<DisruptionBudget> budgets(Random random, int count) {
    var budgets = new ArrayList<DisruptionBudget>();
    for (int i = 0; i < count; i++) {
      budgets.add(budget(random, new Key(SPACES.get(random.nextInt(3)), "b" + i)));
    }
    return sorted(budgets);
  }

  private static DisruptionBudget budget(Random random, Key key) {
    var requirements = new ArrayList<Requirement>();
    for (int left = random.nextInt(4); left > 0; left--) {
      var label = List.of("app", "tier", "zone", "none").get(random.nextInt(4));
      var operator = Operator.values()[random.nextInt(4)];
      boolean hasValues = operator == Operator.IN || operator == Operator.NOT_IN;
      var values = new ArrayList<String>();
      for (int v = hasValues ? 1 + random.nextInt(2) : 0; v > 0; v--) {
        values.add(VALUES.get(random.nextInt(3)));
      }
      if (hasValues && random.nextInt(6) == 0) {
        for (int v = 0; v < 9; v++) {
          values.add("v" + v);
        }
      }
      requirements.add(new Requirement(label, operator, values));
    }
    boolean nobody = random.nextInt(12) == 0;
    return new DisruptionBudget(key, 1, new LabelSelector(requirements), nobody, random.nextInt(4));
  }

  /// Some are as they were, some allow something else, some cover others, come or go.
  private static List<DisruptionBudget> changed(Random random, List<DisruptionBudget> before) {
    var budgets = new ArrayList<DisruptionBudget>();
    for (DisruptionBudget each : before) {
      switch (random.nextInt(8)) {
        case 0 -> budgets.add(allows(each, random.nextInt(4)));
        case 1 -> {
          if (each.only().isNone()) {
            budgets.add(budget(random, each.key()));
          }
        }
        case 2 -> {}
        default -> budgets.add(each);
      }
    }
    for (int i = 0; i < 3; i++) {
      var key = new Key(SPACES.get(random.nextInt(3)), "n" + random.nextInt(9));
      if (budgets.stream().noneMatch(each -> each.key().equals(key))) {
        budgets.add(budget(random, key));
      }
    }
    return sorted(budgets);
  }

  /// The API server refused to evict some of the pods.
  private static List<DisruptionBudget> unevictable(Random random, Snapshot snapshot) {
    var budgets = new ArrayList<>(snapshot.budgets());
    for (PodGroup group : snapshot.groups()) {
      var budget = DisruptionBudget.keeping(group.members().getFirst().pod());
      boolean isThere = budgets.stream().anyMatch(each -> each.key().equals(budget.key()));
      if (!isThere && random.nextInt(12) == 0) {
        budgets.add(budget);
      }
    }
    return sorted(budgets);
  }

  private static DisruptionBudget allows(DisruptionBudget budget, int allowed) {
    return new DisruptionBudget(
        budget.key(), 2, budget.selector(), budget.coversNoPod(), allowed, budget.only(), false);
  }

  private static List<DisruptionBudget> sorted(List<DisruptionBudget> budgets) {
    return budgets.stream().sorted(Comparator.comparing(DisruptionBudget::key)).toList();
  }

  // What it costs

  /// 64 labels that no pod has, and each pod has another label that one of them names.
  private static List<DisruptionBudget> wide(String namespace, int count) {
    var budgets = new ArrayList<DisruptionBudget>();
    for (int i = 0; i < count; i++) {
      var requirements = new ArrayList<Requirement>();
      requirements.add(new Requirement("pod", Operator.NOT_IN, List.of("none")));
      for (int r = 1; r < DisruptionBudget.MOST_REQUIREMENTS; r++) {
        requirements.add(new Requirement("k" + r, Operator.NOT_IN, List.of("v")));
      }
      var key = new Key(namespace, "wide" + (10_000 + i));
      budgets.add(new DisruptionBudget(key, 1, new LabelSelector(requirements), false, 1));
    }
    return budgets;
  }

  private static DisruptionBudget byLabel(String namespace, String name, String pod, int allowed) {
    var selector = new LabelSelector(List.of(new Requirement("pod", Operator.IN, List.of(pod))));
    return new DisruptionBudget(new Key(namespace, name), 1, selector, false, allowed);
  }

  private static Snapshot numbered(int pods) {
    return world(pods, i -> pods(1).label("pod", "p" + i));
  }

  @Test
  void aPodIsComparedWithThoseAloneThatDemandALabelOfIt() {
    var all = numbered(100);
    var budgets = new ArrayList<DisruptionBudget>();
    for (int i = 0; i < 1000; i++) {
      budgets.add(byLabel("default", "b" + (1000 + i), "p" + i, 1));
    }
    var session = Session.forPlanning(all.with(budgets), QUEUE);
    assertThat(session.budgets().compared()).isEqualTo(100 * 3);
  }

  @Test
  void podsThatNoBudgetTellsApartAreComparedOnce() {
    var all = world(100, i -> pods(1).label("app", "web").label("pod-name", "p" + i));
    var selector = new LabelSelector(List.of(new Requirement("app", Operator.EXISTS, List.of())));
    var budget = new DisruptionBudget(new Key("default", "b"), 1, selector, false, 1);
    var session = Session.forPlanning(all.with(List.of(budget)), QUEUE);
    assertThat(session.budgets().compared()).isEqualTo(2);
  }

  @Test
  void whatABudgetAllowsDoesNotChangeWhichPodsItCovers() {
    var all = numbered(50).with(wide("default", 20));
    var session = Session.forPlanning(all, QUEUE);
    long compared = session.budgets().compared();
    assertThat(compared).isPositive();
    var later = new ArrayList<>(all.budgets());
    later.replaceAll(each -> allows(each, 0));
    session.rewind();
    assertThat(session.advance(all.with(later))).isPresent();
    assertThat(session.budgets().compared()).isEqualTo(compared);
  }

  @Test
  void aBudgetThatChangesCostsItsNamespaceAlone() {
    var all = numbered(50);
    var budgets = new ArrayList<>(wide("default", 20));
    budgets.add(byLabel("one", "b", "p1", 1));
    all = with(all, inSpaces(all.groups(), i -> SPACES.get(i % 2)), budgets);
    var session = Session.forPlanning(all, QUEUE);
    long compared = session.budgets().compared();
    budgets.removeLast();
    budgets.add(byLabel("one", "b", "p3", 1));
    session.rewind();
    assertThat(session.advance(all.with(List.copyOf(budgets)))).isPresent();
    assertThat(session.budgets().compared() - compared).isEqualTo(3);
  }

  /// Beyond the bound of a namespace, no pod leaves that its budgets may cover. Others have theirs.
  @Test
  void aNamespaceThatCostsTooMuchIsNotCompared() {
    var all = numbered(200);
    var budgets = new ArrayList<>(wide("default", 1000));
    budgets.add(byLabel("one", "spent", "p1", 0));
    budgets.add(byLabel("one", "free", "p3", 1));
    all = with(all, inSpaces(all.groups(), i -> SPACES.get(i % 2)), budgets);
    var session = Session.forPlanning(all, QUEUE);
    assertThat(session.budgets().compared()).isEqualTo(2 * 3);
    assertThat(keeping(session, "p100"))
        .hasValueSatisfying(keeping -> {
          assertThat(keeping.budgets()).isEmpty();
          assertThat(keeping.notRead()).containsExactly(new Key("default", ""));
        });
    assertThat(keeping(session, "p101").orElseThrow().budgets())
        .containsExactly(new Key("one", "spent"));
    assertThat(keeping(session, "p103")).isEmpty();
    assertThat(keeping(session, "p105")).isEmpty();

    session.rewind(); // and again, once it asks less
    assertThat(session.advance(all.with(budgets.subList(990, 1002)))).isPresent();
    assertThat(keeping(session, "p100").orElseThrow().budgets())
        .contains(new Key("default", "p100-100000/budgets"));
    assertThat(keeping(session, "p103")).isEmpty();
  }

  @Test
  void allNamespacesTogetherCostNoMoreThanTheyMay() {
    var budgets = new ArrayList<DisruptionBudget>();
    SPACES.forEach(namespace -> budgets.addAll(wide(namespace, 100)));
    var all = numbered(200);
    all = with(all, inSpaces(all.groups(), i -> SPACES.get(i % 3)), sorted(budgets));
    var session = Session.forPlanning(all, QUEUE);
    assertThat(session.budgets().compared()).isLessThanOrEqualTo(Budgets.MOST_STEPS);
    assertThat(keeping(session, "p100").orElseThrow().notRead()).isNotEmpty();
  }

  /// However many cover a pod, a trial looks at few of them.
  @Test
  void budgetsThatAllCoverOnePodAreNotAllLookedFor() {
    var budgets = new ArrayList<DisruptionBudget>();
    for (int i = 0; i < 1000; i++) {
      budgets.add(byLabel("default", "b" + (1000 + i), "p0", 0));
    }
    var session = Session.forPlanning(numbered(2).with(budgets), QUEUE);
    assertThat(keeping(session, "p100").orElseThrow().budgets()).hasSize(17);
    assertThat(keeping(session, "p101")).isEmpty();
  }

  private static Optional<Budgets.Keeping> keeping(Session session, String pod) {
    for (MemberState seat : seats(session)) {
      if (seat.pod().key().name().startsWith(pod + "-")) {
        return session.budgets().keeping(List.of(seat));
      }
    }
    throw new IllegalArgumentException("no pod " + pod);
  }

  private static List<MemberState> seats(Session session) {
    var seats = new ArrayList<MemberState>();
    for (Group group : session.groups()) {
      seats.addAll(group.seats());
    }
    return seats;
  }

  // Worlds

  /// One pod each: `p100`, `p101` and so on.
  private static Snapshot world(int pods, Function<Integer, PodSketch> sketch) {
    var cluster = cluster().queue("speech", quota(0));
    for (int n = 0; n * 4 < pods; n++) {
      cluster.node("n" + n, gpus(4));
    }
    for (int i = 0; i < pods; i++) {
      var pod = sketch.apply(i);
      if (pod.hasLabel("asked")) {
        cluster.asked("p" + (100 + i), "speech", pod);
      } else {
        cluster.running("p" + (100 + i), "speech", pod);
      }
    }
    return cluster.snapshot();
  }

  private static Snapshot with(
      Snapshot snapshot, List<PodGroup> groups, List<DisruptionBudget> budgets) {
    return new Snapshot(
        snapshot.version(),
        snapshot.now(),
        snapshot.nodes(),
        snapshot.queues(),
        groups,
        snapshot.topologies(),
        snapshot.past(),
        snapshot.strangers(),
        snapshot.devices(),
        List.copyOf(budgets));
  }

  private static List<PodGroup> inSpaces(
      List<PodGroup> groups, Function<Integer, String> namespace) {
    var moved = new ArrayList<PodGroup>();
    for (int i = 0; i < groups.size(); i++) {
      moved.add(in(namespace.apply(i), groups.get(i)));
    }
    moved.sort(Comparator.comparing(PodGroup::key));
    return moved;
  }

  private static PodGroup in(String namespace, PodGroup group) {
    var members = new ArrayList<PodGroup.Member>();
    for (PodGroup.Member each : group.members()) {
      members.add(new PodGroup.Member(in(namespace, each.pod()), each.standing(), each.vetoes()));
    }
    return new PodGroup(
        new GroupKey(namespace, group.key().name()),
        group.spec(),
        group.queue(),
        group.priority(),
        group.preemptibility(),
        group.preemptibilitySource(),
        group.created(),
        members,
        group.single(),
        group.origin(),
        group.takesVictims(),
        group.standsFast(),
        group.resumed(),
        group.namespaceLabels(),
        group.namespaceTerminates());
  }

  private static Pod in(String namespace, Pod pod) {
    return new Pod(
        pod.uid(),
        new PodKey(namespace, pod.key().name()),
        pod.version(),
        pod.created(),
        pod.scheduler(),
        pod.life(),
        pod.asks(),
        pod.belonging(),
        pod.written(),
        pod.holding(),
        pod.traits(),
        pod.problems());
  }
}
