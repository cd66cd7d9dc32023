package dev.berth.extender.rest.state;

import static dev.berth.extender.verbs.VerbCluster.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Pod.Phase;
import dev.berth.engine.model.PriorityClasses;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Usage;
import dev.berth.engine.model.WorkloadPhase;
import dev.berth.extender.barrier.WallClockTimer;
import dev.berth.extender.rest.state.NodeEntry.Occupant;
import dev.berth.extender.verbs.VerbCluster;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A revision that was made of changes is the one that is made anew; and changes tell all of it.
class RevisionBuilderTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final PriorityClasses CLASSES = PriorityClasses.UNKNOWN;

  private final WallClockTimer timer = new WallClockTimer(InstantSource.system());
  private final VerbCluster cluster = new VerbCluster(timer, VerbCluster.ON_A_CLOCK);
  private final RevisionBuilder builder = new RevisionBuilder();

  @AfterEach
  void close() {
    timer.close();
  }

  private RevisionBuilder.Step step() {
    return builder.next(cluster.ledger.snapshot(NOW), CLASSES, Findings.NONE);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void incrementsAreTheWhole(long seed) {
    var random = new Random(seed);
    cluster.nodes("n1", "n2", "n3", "n4");
    var followed = new TreeMap<String, String>(); // as a client keeps it
    var live = new ArrayList<String>();
    int created = 0;
    int shown = 0;
    for (int round = 0; round < 60; round++) {
      for (int i = random.nextInt(4); i >= 0; i--) {
        if (live.size() > 8 || !live.isEmpty() && random.nextInt(3) == 0) {
          cluster.gone(live.remove(random.nextInt(live.size())));
        }
        String name = "p" + created++;
        String node = "n" + (1 + random.nextInt(4));
        switch (random.nextInt(4)) {
          case 0 -> cluster.seen(pod(name).gated().devices(2));
          case 1 -> cluster.seen(pod(name).on(node).devices(1));
          case 2 -> cluster.seen(pod(name).on(node).devices(1).leaving());
          default -> cluster.nodes("n" + (1 + random.nextInt(5)));
        }
        live.add(name);
        cluster.seen(pod(live.get(random.nextInt(live.size()))).on(node).devices(1));
      }
      var step = step();
      step.changes().nodes().forEach(node -> followed.put(node.name().value(), print(node)));
      step.changes().nodesGone().forEach(name -> followed.remove(name.value()));
      step.changes()
          .workloads()
          .forEach(each -> followed.put(each.key().toString(), each.phase() + " " + each.group()));
      step.changes().workloadsGone().forEach(key -> followed.remove(key.toString()));
      var fresh =
          new RevisionBuilder()
              .next(cluster.ledger.snapshot(NOW), CLASSES, Findings.NONE)
              .revision();
      assertThat(all(step.revision())).isEqualTo(all(fresh));
      assertThat(followed).as("changes together").isEqualTo(all(fresh));
      shown += step.changes().size();
    }
    assertThat(shown).isGreaterThan(100);
  }

  private static TreeMap<String, String> all(Revision revision) {
    var all = new TreeMap<String, String>();
    revision.nodes().forEach(node -> all.put(node.name().value(), print(node)));
    revision
        .workloads()
        .forEach(each -> all.put(each.key().toString(), each.phase() + " " + each.group()));
    return all;
  }

  /// The GPU at which a whole one is shown depends on what came first, so only the pods there are
  /// compared.
  private static String print(NodeEntry node) {
    var there = new TreeSet<String>();
    node.devices().stream()
        .flatMap(List::stream)
        .map(each -> each.member().pod().key() + " " + each.member().standing())
        .forEach(there::add);
    return node.view() + " " + there;
  }

  @Test
  void whatDidNotChangeIsTheSameObjectAndNothingIsARevision() {
    cluster.nodes("n1", "n2").seen(pod("a").on("n1").devices(1)).seen(pod("b").gated());
    var one = step();
    var same = step();
    assertThat(same.changes().areNone()).as("no changes").isTrue();
    assertThat(same.revision().number()).isEqualTo(one.revision().number());
    cluster.seen(pod("c").on("n2").devices(1));
    var two = step();
    assertThat(two.revision().number()).isEqualTo(one.revision().number() + 1);
    assertThat(two.revision().nodes().getFirst()).isSameAs(one.revision().nodes().getFirst());
    assertThat(two.changes().nodes()).extracting(node -> node.name().value()).containsExactly("n2");
    assertThat(two.changes().workloads())
        .extracting(each -> each.key().name())
        .containsExactly("c");
  }

  @Test
  void aStaleWorkloadIsQueuedThoughNothingElseOfItChanged() {
    cluster.nodes("n1").seen(pod("a").on("n1").devices(1).phase(Phase.RUNNING));
    var one = step().revision().workloads().getFirst();
    assertThat(one.phase()).isEqualTo(WorkloadPhase.RUNNING);
    var stale = new TreeMap<GroupKey, Instant>();
    stale.put(one.key(), NOW);
    var findings = new Findings(new TreeMap<>(), new TreeMap<>(), stale, Accounts.NONE, Usage.NONE);
    var step = builder.next(cluster.ledger.snapshot(NOW), CLASSES, findings);
    assertThat(step.changes().workloads())
        .extracting(WorkloadEntry::phase)
        .containsExactly(WorkloadPhase.QUEUED);
    assertThat(step().changes().workloads())
        .extracting(WorkloadEntry::phase)
        .containsExactly(WorkloadPhase.RUNNING);
  }

  @Test
  void aWorkloadThatWaitsAndNamesAClassIsToldAnewOnceTheClassesAreOthers() {
    cluster.nodes("n1").seen(pod("a").gated().priorityClass("train")).seen(pod("b").gated());
    var waits = new TreeMap<GroupKey, Reason>();
    for (String name : List.of("a", "b")) {
      waits.put(new GroupKey("ml", name), new Reason.NamespaceTerminating("ml"));
    }
    var findings = new Findings(waits, new TreeMap<>(), new TreeMap<>(), Accounts.NONE, Usage.NONE);
    var snapshot = cluster.ledger.snapshot(NOW);
    builder.next(snapshot, cluster.ledger.priorityClasses(), findings);
    cluster.priorityClass("train", 50);
    var step = builder.next(snapshot, cluster.ledger.priorityClasses(), findings);
    assertThat(step.changes().workloads())
        .extracting(each -> each.key().name())
        .containsExactly("a");
    assertThat(step.revision().classes().byName()).containsOnlyKeys("train");
  }

  @Test
  void aPodStaysAtTheGpuWhereItWasShown() {
    cluster.nodes("n1").seen(pod("b").on("n1").devices(2));
    step();
    cluster.seen(pod("a").on("n1").devices(3));
    assertThat(places(step().revision())).isEqualTo("- - - a a a b b");
    cluster.gone("b");
    assertThat(places(step().revision())).isEqualTo("- - - a a a - -");
    cluster.seen(pod("c").on("n1").devices(4));
    assertThat(places(step().revision())).isEqualTo("- c c a a a c c");
    cluster.sharing("s", "n1", 0, 300);
    assertThat(places(step().revision())).isEqualTo("s c c a a a c c");
  }

  private static String places(Revision revision) {
    var places = new ArrayList<String>();
    for (List<Occupant> those : revision.nodes().getFirst().devices()) {
      places.add(those.isEmpty() ? "-" : those.getFirst().member().pod().key().name());
    }
    return String.join(" ", places);
  }
}
