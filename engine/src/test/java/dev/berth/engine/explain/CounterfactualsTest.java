package dev.berth.engine.explain;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.Cluster.key;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.NodeSketch.zone;
import static dev.berth.engine.PlannerSettings.DEFAULT;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pod;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.anything;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Cluster;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.Seeds;
import dev.berth.engine.Worlds;
import dev.berth.engine.action.ActionSettings.Consolidation;
import dev.berth.engine.action.ActionSettings.Reclaiming;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Numa.Policy;
import dev.berth.engine.model.Numa.Scope;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Situations of waiting, each with one true cause, and what lets the group start.
final class CounterfactualsTest {
  private static final int TRIALS = 500;

  /// @param cluster in which group `w` waits for a reason of this code
  /// @param help what is told to help, all of it in its order
  private record Situation(String name, Cluster cluster, String code, String... help) {
    @Override
    public String toString() {
      return name;
    }
  }

  /// Pool `a` with a node of eight GPUs, and pool `b` with another.
  private static Cluster pools() {
    return cluster()
        .settings(DEFAULT.withPools("pool"))
        .node("a1", gpus(8).label("pool", "a"))
        .node("b1", gpus(8).label("pool", "b"));
  }

  static Stream<Situation> situations() {
    return Stream.of(
        new Situation(
            "a queue at its limit",
            cluster()
                .node("n1", gpus(8))
                .queue("a", quota(2).limit(4))
                .running("r", "a", gang(4))
                .waiting("w", "a", gang(2)),
            "OverLimit",
            "a limit of 6 GPUs in a (now 4)",
            "a priority of 51 (now 50)",
            "4 GPUs released: default/r ends"),
        new Situation(
            "a limit of a node pool",
            pools()
                .queue("a", quota(2).limit(8).inPool("b", anything().limit(4)))
                .running("r", "a", gang(4).selects("pool", "b").on("b1"))
                .waiting("w", "a", gang(2).selects("pool", "b")),
            "OverLimit",
            "a limit of 6 GPUs in a in pool b (now 4)",
            "a priority of 51 (now 50)",
            "4 GPUs released: default/r ends"),
        new Situation(
            "a limit of the queue in a node pool that has its own quota",
            pools()
                .queue("a", quota(2).limit(4).inPool("b", quota(4)))
                .running("r", "a", gang(4).selects("pool", "b").on("b1"))
                .waiting("w", "a", gang(2).selects("pool", "b")),
            "OverLimit",
            "a limit of 6 GPUs in a (now 4)",
            "a priority of 51 (now 50)",
            "4 GPUs released: default/r ends"),
        new Situation(
            "a quota of a node pool that work is to stay within",
            pools()
                .queue("a", quota(8).inPool("b", quota(1)))
                .waiting("w", "a", gang(2).nonPreemptible().selects("pool", "b")),
            "NonPreemptibleOverQuota",
            "a quota of 2 GPUs in a in pool b (now 1)",
            "preemptible work (label berth.dev/preemptibility: preemptible)",
            "a minimum of 1 member (now 2)"),
        new Situation(
            "what its queue is owed in a node pool",
            pools()
                .queue("a", quota(8).inPool("b", quota(0).weight(0)))
                .queue("o", quota(0))
                .running("r", "o", gang(8).selects("pool", "b").on("b1"))
                .waiting("w", "a", gang(2).selects("pool", "b")),
            "FairShareReached",
            "a quota of 2 GPUs in a in pool b (now 0)",
            "8 GPUs released: default/r ends",
            "another node like b1"),
        new Situation(
            "a limit above the queue",
            cluster()
                .node("n1", gpus(8))
                .queue("top", quota(4).limit(4))
                .queue("a", quota(2).below("top"))
                .queue("b", quota(3).below("top"))
                .running("r", "b", gang(3).nonPreemptible())
                .waiting("w", "a", gang(2)),
            "OverLimit",
            "a limit of 5 GPUs in top (now 4)",
            "a minimum of 1 member (now 2)",
            "3 GPUs released: default/r ends"),
        new Situation(
            "limits on two levels",
            cluster()
                .node("n1", gpus(8))
                .queue("top", quota(4).limit(4))
                .queue("a", quota(2).limit(3).below("top"))
                .running("r", "a", gang(3))
                .waiting("w", "a", gang(2)),
            "OverLimit",
            "a limit of 5 GPUs in a (now 3), and a limit of 5 GPUs in top (now 4)",
            "a priority of 51 (now 50)",
            "3 GPUs released: default/r ends"),
        new Situation(
            "a limit smaller than the request",
            cluster().node("n1", gpus(8)).queue("a", quota(1).limit(2)).waiting("w", "a", gang(4)),
            "OverLimit",
            "a limit of 4 GPUs in a (now 2)",
            "a minimum of 2 members (now 4)"),
        new Situation(
            "non-preemptible work over quota",
            cluster()
                .node("n1", gpus(8))
                .queue("a", quota(2))
                .waiting("w", "a", gang(4).nonPreemptible()),
            "NonPreemptibleOverQuota",
            "a quota of 4 GPUs in a (now 2)",
            "preemptible work (label berth.dev/preemptibility: preemptible)",
            "a minimum of 2 members (now 4)"),
        new Situation(
            "non-preemptible work over quota that others of its queue may leave for",
            cluster()
                .node("n1", gpus(4))
                .queue("a", quota(2).limit(4))
                .running("r", "a", gang(4))
                .waiting("w", "a", pod().gpus(3).priority(150)),
            "OverLimit",
            "a quota of 3 GPUs in a (now 2)",
            "preemptible work (label berth.dev/preemptibility: preemptible)",
            "2 GPUs a pod (now 3)"),
        new Situation(
            "zones that are too small on each node like that",
            cluster()
                .node(
                    "n1",
                    gpus(8)
                        .zones(
                            Policy.SINGLE_NUMA_NODE,
                            Scope.POD,
                            zone(4, 16, 4, 16),
                            zone(4, 16, 4, 16)))
                .queue("a", anything())
                .waiting("w", "a", pod().gpus(6)),
            "NoRoom",
            "4 GPUs a pod (now 6)"),
        new Situation(
            "reclaim that is switched off",
            cluster()
                .settings(DEFAULT.with(DEFAULT.actions().with(new Reclaiming(false, 1))))
                .node("n1", gpus(4))
                .queue("a", quota(4))
                .queue("b", quota(0))
                .running("r", "b", gang(4))
                .waiting("w", "a", gang(4)),
            "NoRoom",
            "reclaim switched on (setting reclaim.enabled)",
            "4 GPUs released: default/r ends",
            "another node like n1"),
        new Situation(
            "preemption that is switched off",
            cluster()
                .settings(DEFAULT.with(DEFAULT.actions().withoutPreempt()))
                .node("n1", gpus(2))
                .queue("a", quota(2))
                .running("r", "a", gang(2))
                .waiting("w", "a", gang(2).priority(60)),
            "NoRoom",
            "preemption switched on (setting preemption.enabled)",
            "2 GPUs released: default/r ends",
            "another node like n1"),
        new Situation(
            "consolidation that is switched off",
            cluster()
                .settings(DEFAULT.with(DEFAULT.actions().with(new Consolidation(0))))
                .node("n1", gpus(2))
                .node("n2", gpus(2))
                .queue("a", anything())
                .running("r1", "a", pod().gpus(1).on("n1"))
                .running("r2", "a", pod().gpus(1).on("n2"))
                .waiting("w", "a", pod().gpus(2)),
            "NoRoom",
            "consolidation switched on (setting consolidation.maxMoves)",
            "a priority of 51 (now 50)",
            "1 GPU a pod (now 2)",
            "1 GPU released: default/r1 ends",
            "another node like n1"),
        new Situation(
            "a preemption policy that evicts nothing",
            cluster()
                .node("n1", gpus(2))
                .queue("a", anything())
                .running("r", "a", gang(2))
                .waiting("w", "a", gang(2).priority(60).takesNoVictims()),
            "NeverPreempts",
            "a priority class that preempts (now preemptionPolicy: Never)",
            "2 GPUs released: default/r ends",
            "another node like n1"),
        new Situation(
            "the fair share is reached",
            cluster()
                .node("n1", gpus(4))
                .queue("a", quota(2))
                .queue("b", quota(2))
                .running("ra", "a", gang(2))
                .running("rb", "b", gang(2))
                .waiting("w", "a", gang(1)),
            "FairShareReached",
            "a priority of 51 (now 50)",
            "2 GPUs released: default/ra ends",
            "another node like n1"),
        new Situation(
            "a queue that borrows too much by its quota",
            cluster()
                .node("n1", gpus(4))
                .queue("a", quota(1).weight(0))
                .queue("b", quota(1))
                .running("ra", "a", gang(1))
                .running("rb", "b", pods(3))
                .waiting("w", "a", gang(2)),
            "FairShareReached",
            "a quota of 3 GPUs in a (now 1)",
            "3 GPUs released: default/rb ends",
            "another node like n1"),
        new Situation(
            "no room at all",
            cluster()
                .node("n1", gpus(4))
                .queue("a", quota(8))
                .running("r1", "a", gang(1))
                .running("r3", "a", gang(3))
                .waiting("w", "a", gang(2)),
            "NoRoom",
            "a priority of 51 (now 50)",
            "3 GPUs released: default/r3 ends",
            "another node like n1"),
        new Situation(
            "fragments",
            cluster()
                .node("n1", gpus(4))
                .node("n2", gpus(4))
                .queue("a", anything())
                .running("r1", "a", pod().gpus(3).nonPreemptible().on("n1"))
                .running("r2", "a", pod().gpus(2).nonPreemptible().on("n2"))
                .waiting("w", "a", pod().gpus(3)),
            "NoRoom",
            "2 GPUs a pod (now 3)",
            "2 GPUs released: default/r2 ends",
            "another node like n1"),
        new Situation(
            "larger than any node",
            cluster()
                .node("n1", gpus(4))
                .node("n2", gpus(4))
                .queue("a", anything())
                .waiting("w", "a", pod().gpus(6)),
            "NeverFits",
            "4 GPUs a pod (now 6)"),
        new Situation(
            "a gang larger than the cluster",
            cluster()
                .node("n1", gpus(4))
                .node("n2", gpus(4))
                .queue("a", anything())
                .waiting("w", "a", gang(10)),
            "NeverFits",
            "a minimum of 8 members (now 10)",
            "another node like n1"),
        new Situation(
            "a label that no node has",
            cluster()
                .node("n1", gpus(4).label("zone", "b"))
                .queue("a", anything())
                .waiting("w", "a", pod().selects("zone", "a")),
            "NoRoom",
            "no node selector zone=a"),
        new Situation(
            "a taint",
            cluster()
                .node("n1", gpus(4).taint("team", "vision", "NoSchedule"))
                .queue("a", anything())
                .waiting("w", "a", pod()),
            "NoRoom",
            "a toleration of team=vision:NoSchedule"),
        new Situation(
            "a cordoned node",
            cluster()
                .node("n1", gpus(4).cordoned())
                .node("n2", gpus(2))
                .queue("a", anything())
                .running("r", "a", gang(2).nonPreemptible().on("n2"))
                .waiting("w", "a", pod()),
            "NoRoom",
            "2 GPUs released: default/r ends",
            "node n1 uncordoned",
            "another node like n2"),
        new Situation(
            "a queue that does not exist",
            cluster()
                .node("n1", gpus(4))
                .queue("research", anything())
                .queue("vision", anything())
                .waiting("w", "reserch", pod()),
            "NoSuchQueue",
            "queue research"),
        new Situation(
            "a queue that is no leaf",
            cluster()
                .node("n1", gpus(4))
                .queue("top", anything())
                .queue("leaf", anything().below("top"))
                .waiting("w", "top", pod()),
            "NotALeaf",
            "queue leaf"),
        new Situation(
            "a gang that is not complete",
            cluster()
                .node("n1", gpus(4))
                .queue("a", anything())
                .waiting("w", "a", gang(2).atLeast(3)),
            "TooFewMembers",
            "a minimum of 2 members (now 3)"),
        new Situation(
            "a rack that is too small now",
            cluster()
                .node("n1", gpus(2).label("rack", "r1"))
                .node("n2", gpus(2).label("rack", "r2"))
                .topology("t", "rack")
                .queue("a", anything())
                .running("r", "a", pod().nonPreemptible().on("n1"))
                .running("s", "a", pod().nonPreemptible().on("n2"))
                .waiting("w", "a", gang(2).together("t", "rack", "")),
            "NoRoom",
            "rack of topology t preferred instead of required",
            "a minimum of 1 member (now 2)",
            "1 GPU released: default/r ends",
            "another node like n1"),
        new Situation(
            "a rack that is too small for ever",
            cluster()
                .node("n1", gpus(2).label("rack", "r1"))
                .node("n2", gpus(2).label("rack", "r2"))
                .topology("t", "rack")
                .queue("a", anything())
                .waiting("w", "a", gang(4).together("t", "rack", "")),
            "NeverFits",
            "rack of topology t preferred instead of required",
            "a minimum of 2 members (now 4)",
            "another node like n1"),
        new Situation(
            "a share larger than what is free",
            cluster()
                .node("n1", gpus(1))
                .queue("a", anything())
                .running("r", "a", pod().share(600).nonPreemptible())
                .waiting("w", "a", pod().share(500)),
            "NoRoom",
            "a share of 0.4 of a GPU (now 0.5)",
            "0.6 GPUs released: default/r ends",
            "another node like n1"),
        new Situation(
            "more memory than any GPU has",
            cluster()
                .node("n1", gpus(1).deviceMemory(81_559))
                .queue("a", anything())
                .waiting("w", "a", pod().memory(102_400)),
            "NeverFits",
            "gpu-memory: 79Gi (now 100Gi)"),
        new Situation(
            "more memory than is free of a shared GPU",
            cluster()
                .node("n1", gpus(1).deviceMemory(40_000))
                .queue("a", anything())
                .running("r", "a", pod().memory(30_000).nonPreemptible())
                .waiting("w", "a", pod().memory(10_500)),
            "NoRoom",
            "gpu-memory: 9Gi (now 10500Mi)",
            "0.75 GPUs released: default/r ends",
            "another node like n1"),
        new Situation(
            "two labels that no node has together",
            cluster()
                .node("n1", gpus(1).label("zone", "b").label("disk", "hdd").label("rack", "r1"))
                .queue("a", anything())
                .waiting(
                    "w",
                    "a",
                    pod().selects("zone", "a").selects("disk", "nvme").selects("rack", "r1")),
            "NoRoom",
            "no node selector disk=nvme, and no node selector zone=a"),
        new Situation(
            "a share of a GPU that is taken whole",
            cluster()
                .node("n1", gpus(1))
                .queue("a", anything())
                .running("r", "a", pod().nonPreemptible())
                .waiting("w", "a", pod().share(500)),
            "NoRoom",
            "1 GPU released: default/r ends",
            "another node like n1"),
        new Situation(
            "victims that are protected",
            cluster()
                .node("n1", gpus(4))
                .queue("a", quota(4).reclaimMinRuntime(Duration.ofHours(1)))
                .queue("b", quota(0).reclaimMinRuntime(Duration.ofHours(1)))
                .running("r", "b", gang(4).runningFor(Duration.ofMinutes(50)))
                .waiting("w", "a", gang(2)),
            "VictimsProtected",
            "waiting until 2026-01-01T12:10:00Z",
            "4 GPUs released: default/r ends",
            "another node like n1"),
        new Situation(
            "a preemption delay",
            cluster()
                .node("n1", gpus(4))
                .queue("a", quota(4))
                .queue("b", quota(0))
                .running("r", "b", gang(4))
                .waiting("w", "a", gang(2).takesVictimsAfter(Duration.ofMinutes(5)).minutesOld(1)),
            "PreemptionDelayed",
            "waiting until 2026-01-01T12:04:00Z",
            "4 GPUs released: default/r ends",
            "another node like n1"),
        new Situation(
            "a disruption budget",
            cluster()
                .node("n1", gpus(4))
                .queue("a", quota(4))
                .queue("b", quota(0))
                .honouringBudgets()
                .running("r", "b", gang(4).label("app", "db"))
                .budget("db", 0)
                .waiting("w", "a", gang(2)),
            "BudgetsForbid",
            "4 GPUs released: default/r ends",
            "another node like n1"),
        new Situation(
            "lower priority than what runs",
            cluster()
                .node("n1", gpus(2))
                .queue("a", quota(2))
                .running("r", "a", gang(2).priority(60))
                .waiting("w", "a", gang(2).priority(50)),
            "NoRoom",
            "a priority of 61 (now 50)",
            "2 GPUs released: default/r ends",
            "another node like n1"),
        new Situation(
            "a limit, and no room behind it",
            cluster()
                .node("n1", gpus(4))
                .queue("a", quota(2).limit(4))
                .queue("b", quota(2))
                .running("ra", "a", gang(2).nonPreemptible())
                .running("rb", "b", gang(2).nonPreemptible())
                .waiting("w", "a", gang(3)),
            "OverLimit",
            "4 GPUs released: default/ra, default/rb end"),
        new Situation(
            "a limit, and a node that is too small",
            cluster()
                .node("n1", gpus(4))
                .node("n2", gpus(2))
                .queue("a", quota(2).limit(2))
                .waiting("w", "a", pod().gpus(4).selects("zone", "a")),
            "OverLimit",
            "a limit of 4 GPUs in a (now 2), and no node selector zone=a"),
        new Situation(
            "cores of the node",
            cluster()
                .node("n1", gpus(4).with(Resource.CPU, 8000))
                .queue("a", anything())
                .running("r", "a", pod().asks(Resource.CPU, 6000).nonPreemptible())
                .waiting("w", "a", pod().asks(Resource.CPU, 4000)),
            "NoRoom",
            "1 GPU released: default/r ends",
            "another node like n1"));
  }

  @Test
  void plansThatDoNotSufficeAreTold() {
    var cluster =
        cluster()
            .node("n1", gpus(8))
            .queue("a", quota(2).limit(4))
            .running("r", "a", gang(4))
            .waiting("w", "a", gang(2));
    var few =
        Counterfactuals.of(
            cluster.planner(), cluster.snapshot(), Collections.emptySortedMap(), key("w"), 3);
    assertThat(few.isCutShort()).as("the search is cut short").isTrue();
    var all =
        Counterfactuals.of(
            cluster.planner(), cluster.snapshot(), Collections.emptySortedMap(), key("w"), TRIALS);
    assertThat(all.isCutShort()).as("the search is cut short").isFalse();
    assertThat(few.all()).hasSizeLessThan(all.all().size());
  }

  private static List<Counterfactual> of(Planner planner, Snapshot snapshot, GroupKey group) {
    return Counterfactuals.of(planner, snapshot, Collections.emptySortedMap(), group, TRIALS).all();
  }

  @ParameterizedTest
  @MethodSource("situations")
  void whatIsToldToHelpDoes(Situation it) {
    var snapshot = it.cluster().snapshot();
    var group = key("w");
    var planner = it.cluster().planner();
    var whatIf = new WhatIf(planner, snapshot, Collections.emptySortedMap());
    assertThat(decision(whatIf, group, List.of()))
        .get()
        .isInstanceOfSatisfying(
            Decision.Wait.class, wait -> assertThat(wait.reason().code()).isEqualTo(it.code()));
    var found = of(planner, snapshot, group);
    assertThat(found.stream().map(Counterfactual::words)).containsExactly(it.help());
    assertThat(found).allSatisfy(each -> provenAndNeeded(whatIf, group, each));
  }

  static LongStream seeds() {
    return Seeds.worlds(40);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void inRandomWorldsTheyDoAndNoSmallerSetOfWorkloadsDoes(long seed) {
    var planner = new Planner(PlannerSettings.DEFAULT);
    var snapshot = Worlds.random(seed).snapshot();
    var whatIf = new WhatIf(planner, snapshot, Collections.emptySortedMap());
    for (GroupKey group : waiting(whatIf)) {
      for (Counterfactual each : of(planner, snapshot, group)) {
        provenAndNeeded(whatIf, group, each);
        if (each.remedies().getLast()
                instanceof Remedy.EndWorkloads(_, long most, boolean isSmallest)
            && isSmallest
            && each.remedies().size() == 1) {
          noSmallerSet(whatIf, group, most);
        }
      }
    }
  }

  private static List<GroupKey> waiting(WhatIf whatIf) {
    return whatIf.plan(List.of()).decisions().stream()
        .filter(Decision.Wait.class::isInstance)
        .map(Decision::group)
        .limit(2)
        .toList();
  }

  /// It lets the group start, and none of several remedies can be left out.
  private static void provenAndNeeded(WhatIf whatIf, GroupKey group, Counterfactual found) {
    assertThat(decision(whatIf, group, found.changes()))
        .as(found.words())
        .get()
        .isInstanceOf(Decision.Reserve.class);
    if (found.remedies().size() > 1) {
      for (Remedy left : found.remedies()) {
        var others = new ArrayList<>(found.remedies());
        others.remove(left);
        assertThat(
                decision(whatIf, group, Counterfactuals.changes(whatIf.snapshot(), group, others)))
            .as("%s without %s", found.words(), left.words())
            .get()
            .isInstanceOf(Decision.Wait.class);
      }
    }
  }

  private static void noSmallerSet(WhatIf whatIf, GroupKey group, long most) {
    var running =
        whatIf.snapshot().groups().stream()
            .filter(each -> !each.key().equals(group) && gpuMillis(each) >= 0)
            .toList();
    if (running.size() > 7) {
      return;
    }
    for (int set = 1; set < 1 << running.size(); set++) {
      long millis = 0;
      var changes = new ArrayList<Change>();
      for (int i = 0; i < running.size(); i++) {
        if ((set >> i & 1) == 1) {
          millis += gpuMillis(running.get(i));
          changes.add(new Change.RemoveGroup(running.get(i).key()));
        }
      }
      if (millis < most) {
        assertThat(decision(whatIf, group, changes))
            .as("%d of %d: %s", millis, most, changes)
            .get()
            .isInstanceOf(Decision.Wait.class);
      }
    }
  }

  /// Of its members that hold room; -1 = none does.
  private static long gpuMillis(PodGroup group) {
    long millis = 0;
    boolean any = false;
    for (PodGroup.Member member : group.members()) {
      var placement =
          switch (member.standing()) {
            case Standing.Planned(var plan, _) -> plan.placement();
            case Standing.Bound(var at) -> at;
            case Standing.Leaving(var at, _, _) -> at;
            default -> null;
          };
      if (placement != null) {
        any = true;
        millis +=
            placement.slots().isEmpty()
                ? 1000L * member.pod().asks().request().devices().count()
                : (long) placement.millis() * placement.slots().size();
      }
    }
    return any ? millis : -1;
  }

  private static Optional<Decision> decision(WhatIf whatIf, GroupKey group, List<Change> changes) {
    return whatIf.plan(changes).decisions().stream()
        .filter(each -> each.group().equals(group) && !(each instanceof Decision.Withdraw))
        .findFirst();
  }
}
