package dev.berth.extender.rest.state;

import static dev.berth.extender.verbs.VerbCluster.key;
import static dev.berth.extender.verbs.VerbCluster.pod;
import static dev.berth.extender.verbs.VerbCluster.uid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSummary;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Pod.Phase;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Snapshot;
import dev.berth.extender.barrier.WallClockTimer;
import dev.berth.extender.rest.state.EvictionEntry.Progress;
import dev.berth.extender.verbs.VerbCluster;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Which evictions are kept, with what is known of their plans.
class EvictionHistoryTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final QueueName DEFAULT = new QueueName("default");

  private final WallClockTimer timer = new WallClockTimer(InstantSource.system());
  private final VerbCluster cluster = new VerbCluster(timer, VerbCluster.ON_A_CLOCK).nodes("n1");
  private final EvictionHistory history =
      new EvictionHistory(new Planner(PlannerSettings.DEFAULT), NOW);

  @BeforeEach
  void pods() {
    for (String name : List.of("a", "b", "c")) {
      cluster.seen(pod(name).devices(1).on("n1").phase(Phase.RUNNING));
    }
    cluster.seen(pod("gains").devices(8).gated()).seen(pod("other").devices(8).gated());
  }

  @AfterEach
  void close() {
    timer.close();
  }

  private Snapshot snapshot() {
    return cluster.ledger.snapshot(NOW);
  }

  private static GroupKey group(String name) {
    return new GroupKey("ml", name);
  }

  private static Victim victim(String name, String gainer) {
    return new Victim(uid(name), key(name), Cause.PREEMPT, group(gainer));
  }

  private static Plan plan(String gainer, String... victims) {
    var those = Stream.of(victims).map(name -> victim(name, gainer)).toList();
    var reserve = new Decision.Reserve(group(gainer), List.of(), List.of(), those);
    return new Plan(1, NOW, List.of(reserve));
  }

  private void asked(String name, String gainer) {
    history.asked(
        NOW,
        victim(name, gainer),
        new GroupSummary(group(name), DEFAULT, 0),
        new GroupSummary(group(gainer), DEFAULT, 0));
  }

  private EvictionEntry newest() {
    return history.newestFirst().getFirst();
  }

  @Test
  void whatThePlanSaidIsKeptWithoutItsSnapshot() {
    history.planned(snapshot(), plan("gains", "a", "b"));
    asked("a", "gains");
    assertThat(history.look(snapshot())).as("looks again").isFalse();
    assertThat(newest().plan().victims()).isEqualTo(2);
    assertThat(newest().plan().named())
        .extracting(each -> each.pod().name())
        .containsExactly("a", "b");
    assertThat(newest().plan().queues()).isNotEmpty();
    assertThat(newest().start().progress()).isEqualTo(Progress.WAITS);
  }

  @Test
  void aPlanMayBeToldAfterItsFirstVictimWasAsked() {
    asked("a", "gains");
    assertThat(history.look(snapshot())).as("looks again").isTrue();
    assertThat(history.newestFirst()).isEmpty();
    history.planned(snapshot(), plan("gains", "a"));
    assertThat(history.look(snapshot())).as("looks again").isFalse();
    assertThat(newest().plan().victims()).isEqualTo(1);
  }

  @Test
  void ofAPlanThatIsNotKnownTheEvictionAloneIsTold() {
    asked("a", "gains");
    assertThat(history.look(snapshot())).as("looks again").isTrue();
    assertThat(history.look(snapshot())).as("looks again").isFalse();
    assertThat(newest().plan().isNone()).as("without a plan").isTrue();
    assertThat(newest().gainer().key()).isEqualTo(group("gains"));
  }

  @Test
  void aVictimThatWasHandedOnHasNoPlanOfTheFirst() {
    history.planned(snapshot(), plan("gains", "a"));
    asked("a", "other");
    history.look(snapshot());
    history.look(snapshot());
    assertThat(newest().plan().isNone()).as("without the plan for the first").isTrue();
  }

  @Test
  void onlyTheLatestPlansAreWorkedOut() {
    history.planned(snapshot(), plan("gains", "a"));
    for (int i = 0; i < EvictionHistory.MOST_PLANS; i++) {
      history.planned(snapshot(), plan("gains", "b"));
    }
    asked("a", "gains");
    asked("b", "gains");
    history.look(snapshot());
    history.look(snapshot());
    assertThat(history.newestFirst())
        .extracting(each -> each.victim().pod().name() + " " + each.plan().victims())
        .containsExactly("a 0", "b 1");
  }

  @Test
  void theStartOfTheBeneficiaryIsThatAfterTheEviction() {
    history.planned(snapshot(), plan("gains", "a"));
    asked("a", "gains");
    history.look(snapshot());
    cluster.gone("a").seen(pod("gains").devices(1).on("n1"));
    history.look(cluster.ledger.snapshot(NOW.plusSeconds(5)));
    assertThat(newest().start())
        .isEqualTo(new EvictionEntry.Start(Progress.STARTED, NOW.plusSeconds(5)));
    history.planned(snapshot(), plan("gains", "b"));
    asked("b", "gains");
    history.look(snapshot());
    assertThat(history.newestFirst())
        .extracting(each -> each.start().progress())
        .as("its next eviction is for a further start")
        .containsExactly(Progress.WAITS, Progress.STARTED);
    cluster.gone("gains");
    history.look(snapshot());
    assertThat(history.newestFirst())
        .extracting(each -> each.start().progress())
        .containsExactly(Progress.GONE, Progress.STARTED);
  }

  @Test
  void allAreKeptSinceTheFirstPlanOfThisProcess() {
    assertThat(history.since().of(_ -> true)).isEqualTo(NOW);
    for (int second = 7; second < 9; second++) {
      history.planned(snapshot(), new Plan(1, NOW.plusSeconds(second), List.of()));
    }
    assertThat(history.since().of(_ -> true)).isEqualTo(NOW.plusSeconds(7));
  }

  @Test
  void theyAreBoundedByNumber() {
    for (int i = 0; i < EvictionHistory.MOST + 5; i++) {
      asked(i);
      if (i % 1000 == 0) {
        history.look(snapshot());
      }
    }
    history.look(snapshot());
    history.look(snapshot());
    var kept = history.newestFirst();
    assertThat(kept).hasSize(EvictionHistory.MOST);
    assertThat(kept.getLast().at()).isEqualTo(NOW.plusSeconds(5));
    assertThat(history.since().of(_ -> true)).isEqualTo(NOW.plusSeconds(5));
  }

  private void asked(int second) {
    asked("ml", second);
  }

  private void asked(String namespace, int second) {
    var key = new PodKey(namespace, "p" + second);
    history.asked(
        NOW.plusSeconds(second),
        new Victim(new PodUid("u" + second), key, Cause.STALE, group("p" + second)),
        new GroupSummary(group("p" + second), DEFAULT, 0),
        GroupSummary.NONE);
  }

  @Test
  void theyAreBoundedByMemory() {
    var names = new ArrayList<String>();
    String longest = "x".repeat(240);
    for (int i = 0; i < EvictionPlan.MOST_NAMED; i++) {
      names.add(longest + i);
    }
    int plans = 2000;
    for (int i = 0; i < plans; i++) {
      history.planned(snapshot(), plan("gains", names.toArray(String[]::new)));
      asked(names.getFirst(), "gains");
      history.look(snapshot());
    }
    long most = EvictionHistory.MOST_BYTES / newest().plan().bytes();
    assertThat(history.newestFirst()).hasSizeBetween((int) (most * 9 / 10), (int) most);
    assertThat(most).isLessThan(plans);
  }

  private List<String> namespaces() {
    return history.newestFirst().stream()
        .map(each -> each.victim().pod().namespace())
        .distinct()
        .sorted()
        .toList();
  }

  @Test
  void aNamespaceWithManyEvictionsDropsItsOwn() {
    asked("quiet", 0);
    for (int i = 1; i < EvictionHistory.MOST + 5; i++) {
      asked("loud", i);
      if (i % 1000 == 0) {
        history.look(snapshot());
      }
    }
    history.look(snapshot());
    history.look(snapshot());
    assertThat(history.newestFirst()).hasSize(EvictionHistory.MOST);
    assertThat(namespaces()).containsExactly("loud", "quiet");
    assertThat(history.since().of("quiet"::equals))
        .as("nothing of what is dropped elsewhere is told")
        .isEqualTo(NOW);
    assertThat(history.since().of("loud"::equals)).isEqualTo(NOW.plusSeconds(6));
  }

  /// Two plans of which pods leave by turns: counted again with each turn, they would fill the
  /// memory of all.
  @Test
  void aPlanCountsOnceHoweverManyReceiptsHoldIt() {
    var first = longNames(0);
    var second = longNames(1000);
    history.planned(snapshot(), plan("gains", first.toArray(String[]::new)));
    history.planned(snapshot(), plan("other", second.toArray(String[]::new)));
    int pairs = 900;
    for (int i = 0; i < pairs; i++) {
      asked(first.get(i), "gains");
      asked(second.get(i), "other");
    }
    history.look(snapshot());
    assertThat(history.newestFirst()).hasSize(2 * pairs);
    assertThat(newest().plan().victims()).isEqualTo(1000);
  }

  private static List<String> longNames(int from) {
    return IntStream.range(from, from + 1000).mapToObj(i -> "x".repeat(240) + i).toList();
  }
}
