package dev.berth.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Snapshot;
import dev.berth.simulator.scenario.Expectations.OfPod;
import dev.berth.simulator.scenario.Expectations.Phase;
import dev.berth.simulator.scenario.PodHistory.Eviction;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class JudgeTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final TreeMap<String, OfPod> pods = new TreeMap<>();
  private final TreeMap<String, Integer> running = new TreeMap<>();
  private final TreeMap<String, PodView> seen = new TreeMap<>();
  private final List<DecidedCycle> rounds = new ArrayList<>();
  private final List<Eviction> evictions = new ArrayList<>();
  private int most = Expectations.ANY;
  private String unrest = "";

  private List<String> unmet() {
    var scenario =
        new Scenario(
            "one",
            "one.yaml",
            NOW,
            Map.of(),
            List.of(),
            List.of(),
            List.of(),
            new Expectations(pods, running, most));
    return Judge.unmet(
        new Ending(
            scenario,
            unrest,
            List.of(),
            Duration.ZERO,
            rounds,
            seen,
            evictions,
            Snapshot.empty(NOW),
            Collections.emptySortedMap()));
  }

  private Map<String, Object> pod(String name, String node) {
    var spec = node.isEmpty() ? ObjectTree.of() : ObjectTree.of("nodeName", node);
    var pod =
        ObjectTree.of(
            "metadata",
            ObjectTree.of(
                "namespace",
                "default",
                "name",
                name,
                "labels",
                ObjectTree.of("berth.dev/pod-group", "run")),
            "spec",
            spec,
            "status",
            ObjectTree.of("phase", node.isEmpty() ? "Pending" : "Running"));
    seen.put("default/" + name, PodView.of(pod));
    return pod;
  }

  @Test
  void whatIsAsExpectedIsNotTold() {
    pod("a", "n1");
    pods.put("default/a", new OfPod(Phase.RUNNING, List.of("n2", "n1")));
    running.put("default/run", 1);
    most = 0;
    assertThat(unmet()).isEqualTo(List.of());
  }

  @Test
  void anotherPhaseIsToldWithTheReason() {
    pod("a", "");
    pods.put("default/a", new OfPod(Phase.RUNNING, List.of("n1", "n2")));
    assertThat(unmet())
        .isEqualTo(
            List.of(
                "default/a: expected Running on n1 or n2, but it is Pending. Berth does not know"
                    + " it."));
  }

  @Test
  void anotherNodeIsTold() {
    pod("a", "n3");
    pods.put("default/a", new OfPod(Phase.ANY, List.of("n1")));
    assertThat(unmet()).isEqualTo(List.of("default/a: expected on n1, but it is Running on n3"));
  }

  @Test
  void aPodThatLeavesDoesNotRun() {
    ObjectTree.under(pod("a", "n1"), "metadata").put("deletionTimestamp", NOW.toString());
    pods.put("default/a", new OfPod(Phase.RUNNING, List.of()));
    assertThat(unmet())
        .isEqualTo(List.of("default/a: expected Running, but it is Terminating on n1"));
  }

  @Test
  void aPodThatIsGoneIsTold() {
    pods.put("default/a", new OfPod(Phase.PENDING, List.of()));
    assertThat(unmet()).isEqualTo(List.of("default/a: expected Pending, but there is no such pod"));
  }

  @Test
  void membersThatRunAreCounted() {
    pod("a", "n1");
    pod("b", "n1");
    running.put("default/run", 1);
    running.put("default/other", 2);
    assertThat(unmet())
        .isEqualTo(
            List.of(
                "default/other: expected 2 running, but there is no such pod",
                "default/run: expected 1 running, but there are 2 (a, b)"));
  }

  @Test
  void tooManyEvictionsAreToldWithTheirCauses() {
    most = 1;
    var preemptor = new GroupKey("default", "claimant");
    var victim = new Victim(new PodUid("u1"), new PodKey("default", "a"), Cause.RECLAIM, preemptor);
    var reserve = new Decision.Reserve(preemptor, List.of(), List.of(), List.of(victim));
    rounds.add(
        new DecidedCycle(
            1,
            Snapshot.empty(NOW),
            new Plan(1, NOW, List.of(reserve)),
            Collections.emptySortedMap()));
    evictions.add(new Eviction(NOW, "default/a", "u1"));
    evictions.add(new Eviction(NOW, "team/b", "u2"));
    assertThat(unmet())
        .isEqualTo(
            List.of(
                "evictions: expected at most 1, but there were 2: a (reclaim for claimant),"
                    + " team/b"));
  }

  @Test
  void whatNeverRestsFailsWhateverItShows() {
    unrest = "never comes to rest: …";
    assertThat(unmet()).isEqualTo(List.of("never comes to rest: …"));
  }
}
