package dev.berth.engine.placement;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Cluster;
import dev.berth.engine.NodeSketch;
import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.Operator;
import dev.berth.engine.model.Constraints.Peers;
import dev.berth.engine.model.Constraints.PodTerm;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.Obstacle;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Pods that must be near others, apart from others, or evenly spread, as kube-scheduler judges.
class InterPodRulesTest {
  private static final String HOST = "kubernetes.io/hostname";
  private static final String ZONE = "topology.kubernetes.io/zone";

  /// Four nodes, two a zone.
  private static Cluster zones() {
    return cluster()
        .queue("a", quota(32))
        .node("n1", node("n1", "east"))
        .node("n2", node("n2", "east"))
        .node("n3", node("n3", "west"))
        .node("n4", node("n4", "west"));
  }

  private static NodeSketch node(String name, String zone) {
    return gpus(8).label(HOST, name).label(ZONE, zone);
  }

  private static void refuses(Cluster world, String group, Obstacle obstacle) {
    world.plan().waitsFor(group, obstacle).andNothingElse();
  }

  @Test
  void membersThatKeepApartGetANodeEach() {
    zones()
        .waiting("db", "a", gang(4).label("app", "db").apart(HOST, "app", "db"))
        .plan()
        .reserves("db", "n1", "n2", "n3", "n4")
        .andNothingElse();
  }

  @Test
  void moreMembersThanDomainsDoNotStart() {
    refuses(
        zones().waiting("db", "a", gang(3).label("app", "db").apart(ZONE, "app", "db")),
        "db",
        Obstacle.OWN_ANTI_AFFINITY);
  }

  /// The message does not advise to delete the pods of the gang itself.
  @Test
  void membersThatKeepApartAreToldHowManyDomainsTheyNeed() {
    var gang = gang(3).label("app", "db").apart(ZONE, "app", "db");
    assertThat(zones().waiting("db", "a", gang).plan().tells("db"))
        .isEqualTo(
            "Waits: 2 of 3 pods fit together; of 4 nodes 4 with a pod of its own kind (its own"
                + " anti-affinity needs 3 domains of topology.kubernetes.io/zone, and there are 2);"
                + " all nodes together fit 2 of 3 pods, even if they are empty. Helps: a minimum"
                + " smaller by 1, more domains, or new pods whose anti-affinity is preferred and"
                + " not required.");
    var perNode = gang(5).noGpu().label("app", "db").apart(HOST, "app", "db");
    assertThat(zones().waiting("db", "a", perNode).plan().tells("db"))
        .contains("its own anti-affinity needs 5 nodes, and there are 4")
        .contains("Helps: a minimum smaller by 1, more nodes, or");
  }

  /// That other pods stand in the way now is not what it waits for.
  @Test
  void theyAreToldSoWhereNoNodeHasRoomEither() {
    var gang = gang(5).label("app", "db").apart(HOST, "app", "db");
    var full = zones();
    for (String node : List.of("n1", "n2", "n3", "n4")) {
      full.running("full-" + node, "a", pods(8).on(node));
    }
    assertThat(full.waiting("db", "a", gang).plan().tells("db"))
        .endsWith(
            "of 4 nodes 4 without enough free GPUs (nvidia.com/gpu); all nodes together fit 4 of 5"
                + " pods, even if they are empty (its own anti-affinity needs 5 nodes, and there"
                + " are 4). Helps: a minimum smaller by 1 (and then 4 GPUs released, 1 on each of 4"
                + " nodes), more nodes, or new pods whose anti-affinity is preferred and not"
                + " required.");
  }

  @Test
  void aNodeInNoDomainTakesAnyNumberOfThem() {
    var gang = gang(3).label("app", "db").apart(ZONE, "app", "db");
    zones().node("n5", gpus(8)).waiting("db", "a", gang).plan().reserves("db", 3).andNothingElse();
  }

  /// Those that it does not count may stand side by side.
  @Test
  void membersThatItDoesNotCountNeedNoDomainsOfTheirOwn() {
    var db = gang(3).label("app", "db").apart(ZONE, "app", "web");
    var web = gang(3).label("app", "web").apart(ZONE, "app", "web");
    zones()
        .waiting("web", "a", web)
        .waiting("db", "a", db)
        .plan()
        .waits("web", Reason.NeverFits.class)
        .reserves("db", 3)
        .andNothingElse();
  }

  @Test
  void podThatIsThereAlreadyKeepsOthersAway() {
    zones()
        .running("quiet", "a", gang(1).on("n1").apart(ZONE, "app", "loud"))
        .waiting("loud", "a", gang(2).label("app", "loud"))
        .plan()
        .reserves("loud", "n3", "n3")
        .andNothingElse();
  }

  @Test
  void strangersKeepOthersAwayToo() {
    zones()
        .stranger("quiet", "n1", gang(1).noGpu().apart(ZONE, "app", "loud"))
        .waiting("loud", "a", gang(2).label("app", "loud"))
        .plan()
        .reserves("loud", "n3", "n3")
        .andNothingElse();
  }

  /// Whose anti-affinity it is, is told: the pod that waits may have none.
  @Test
  void theAntiAffinityOfOthersIsToldAsTheirs() {
    var world =
        zones()
            .stranger("quiet", "n1", gang(1).noGpu().apart(ZONE, "app", "loud"))
            .stranger("silent", "n3", gang(1).noGpu().apart(ZONE, "app", "loud"))
            .waiting("loud", "a", gang(1).label("app", "loud"));
    refuses(world, "loud", Obstacle.OTHERS_ANTI_AFFINITY);
    assertThat(world.plan().tells("loud"))
        .contains(
            "4 kept free of it by the pod anti-affinity of others (topology.kubernetes.io/zone,"
                + " as of pod default/quiet")
        .contains("Helps: those pods deleted or without it, or labels that it does not select.");
  }

  @Test
  void aPodThatIsLeavingIsStillMinded() {
    refuses(
        cluster()
            .queue("a", quota(8))
            .node("n1", node("n1", "east"))
            .leaving("old", "a", gang(1).label("app", "db"))
            .waiting("new", "a", gang(1).label("app", "db").apart(HOST, "app", "db")),
        "new",
        Obstacle.POD_ANTI_AFFINITY);
  }

  /// Beyond what one plan compares, pods wait; others have what they had.
  @Test
  void aNamespaceThatAsksTooMuchWaitsAndDoesNotStopOthers() {
    var world = zones().waiting("a-good", "a", gang(1));
    for (int i = 0; i < 700; i++) {
      var greedy = gang(1);
      for (int t = 0; t < 50; t++) {
        var others = new Expression(false, "app", Operator.NOT_IN, List.of(i + "-" + t));
        greedy.apart(new PodTerm(HOST, new Peers(List.of(), true, List.of(others))));
      }
      world.waiting("w" + (100 + i), "a", greedy.noGpu());
    }
    var plan = world.plan();
    plan.reserves("a-good", "n1").waitsFor("w799", Obstacle.INTER_POD);
    assertThat(plan.tells("w798"))
        .contains("4 not compared with its pod affinity, anti-affinity and spread (default)")
        .contains("fewer different terms on pods of namespace default");
  }

  /// Terms are as heavy as what is walked of them: few long ones are as many as many short ones.
  @Test
  void aNamespaceWithLongTermsWaitsAndDoesNotStopOthers() {
    var world = zones().waiting("a-good", "a", gang(1));
    for (int i = 0; i < 60; i++) {
      var greedy = gang(1);
      for (int t = 0; t < 5; t++) {
        var walked = new ArrayList<Expression>();
        walked.add(new Expression(false, "app", Operator.NOT_IN, List.of(i + "-" + t)));
        for (int e = 0; e < 300; e++) {
          walked.add(new Expression(false, "k" + e, Operator.DOES_NOT_EXIST, List.of()));
        }
        greedy.apart(new PodTerm(HOST, new Peers(List.of(), true, walked)));
      }
      world.waiting("w" + (100 + i), "a", greedy.noGpu());
    }
    var plan = world.plan();
    plan.reserves("a-good", "n1").waitsFor("w159", Obstacle.INTER_POD);
  }

  @Test
  void nodesWithoutTheLabelAreInNoDomain() {
    cluster()
        .queue("a", quota(8))
        .node("n1", gpus(8))
        .running("old", "a", gang(1).label("app", "db"))
        .waiting("new", "a", gang(1).label("app", "db").apart(HOST, "app", "db"))
        .plan()
        .reserves("new", "n1")
        .andNothingElse();
  }

  @Test
  void followersGoWhereThePodsAreThatTheyMustBeNear() {
    zones()
        .running("cache", "a", gang(1).on("n3").label("app", "cache"))
        .waiting("web", "a", gang(12).near(ZONE, "app", "cache"))
        .plan()
        .reserves("web", "n3", "n3", "n3", "n3", "n3", "n3", "n3", "n4", "n4", "n4", "n4", "n4")
        .andNothingElse();
  }

  @Test
  void podThatMustBeNearOneThatIsNotThereWaits() {
    refuses(
        zones().waiting("web", "a", gang(1).near(ZONE, "app", "cache")),
        "web",
        Obstacle.POD_AFFINITY);
  }

  @Test
  void theFirstOfPodsThatMustBeTogetherGoesAnywhere() {
    zones()
        .waiting("web", "a", gang(10).gpus(1).label("app", "web").near(ZONE, "app", "web"))
        .plan()
        .reserves("web", "n1", "n1", "n1", "n1", "n1", "n1", "n1", "n1", "n2", "n2")
        .andNothingElse();
  }

  @Test
  void aNearnessToItselfIsTriedInEveryDomain() {
    zones()
        .running("other", "a", gang(1).gpus(6).on("n1"))
        .running("more", "a", gang(1).gpus(6).on("n2"))
        .waiting("web", "a", gang(10).label("app", "web").near(ZONE, "app", "web"))
        .plan()
        .reserves("web", "n3", "n3", "n3", "n3", "n3", "n3", "n3", "n3", "n4", "n4")
        .andNothingElse();
  }

  /// `db` must be near `log`, which comes after it, and then has a claim to what `cache` got.
  @Test
  void noPodLosesAPlaceBesideWhichOthersWereJustPlaced() {
    claimedLate()
        .plan()
        .reserves("db", "n1")
        .reserves("log", "n1")
        .waitsForRoom("cache")
        .andNothingElse();
    claimedLate()
        .waiting("web", "c", gang(1).noGpu().near(ZONE, "app", "cache"))
        .plan()
        .reserves("cache", "n1")
        .reserves("log", "n1")
        .reserves("web", "n1")
        .waitsForRoom("db")
        .andNothingElse();
  }

  private static Cluster claimedLate() {
    return cluster()
        .queue("a", quota(1).priority(200))
        .queue("b", quota(0))
        .queue("c", quota(0))
        .node("n1", gpus(1).label(ZONE, "east"))
        .waiting("db", "a", gang(1).near(ZONE, "app", "log"))
        .waiting("log", "c", gang(1).noGpu().label("app", "log").minutesOld(1))
        .waiting("cache", "b", gang(1).label("app", "cache"));
  }

  @Test
  void membersAreSpreadOneAfterTheOther() {
    zones()
        .waiting("web", "a", gang(6).label("app", "web").evenly(ZONE, 1, "app", "web"))
        .plan()
        .reserves("web", "n1", "n1", "n1", "n3", "n3", "n3")
        .andNothingElse();
  }

  @Test
  void aDomainThatHasItsPartIsRefused() {
    refuses(
        cluster()
            .queue("a", quota(32))
            .node("n1", node("n1", "east"))
            .node("n2", node("n2", "east"))
            .node("n3", node("n3", "west"))
            .running("old", "a", gang(1).on("n1").label("app", "web").nonPreemptible())
            .running("full", "a", gang(1).gpus(8).on("n3"))
            .waiting("web", "a", gang(1).label("app", "web").evenly(ZONE, 1, "app", "web")),
        "web",
        Obstacle.SPREAD);
  }

  /// A larger maxSkew would not help.
  @Test
  void nodesWithoutTheLabelThatIsSpreadOverAreToldSo() {
    var world =
        zones()
            .waiting(
                "web",
                "a",
                gang(1)
                    .label("app", "web")
                    .evenly(ZONE, 1, "app", "web")
                    .evenly("example.com/rack", 1, "app", "web"));
    refuses(world, "web", Obstacle.SPREAD_LABEL);
    assertThat(world.plan().tells("web"))
        .contains(
            "4 without the label that it spreads over (example.com/rack). Helps: the label"
                + " example.com/rack on nodes, or new pods with another topologyKey.");
  }

  @Test
  void withFewerDomainsThanWantedTheEmptiestCountsAsEmpty() {
    refuses(
        zones()
            .running("old", "a", gang(1).on("n1").label("app", "web").nonPreemptible())
            .running("too", "a", gang(1).on("n3").label("app", "web").nonPreemptible())
            .waiting("web", "a", gang(1).label("app", "web").evenly(ZONE, 1, 3, "app", "web")),
        "web",
        Obstacle.SPREAD);
  }

  @Test
  void domainsWhereAPodMayNotGoDoNotCount() {
    zones()
        .running("old", "a", gang(1).on("n1").label("app", "web"))
        .waiting(
            "web",
            "a",
            gang(2).label("app", "web").evenly(ZONE, 1, "app", "web").selects(ZONE, "east"))
        .plan()
        .reserves("web", 2)
        .andNothingElse();
  }

  @Test
  void victimsAreThePodsInTheWay() {
    cluster()
        .queue("a", quota(1))
        .queue("b", quota(1))
        .node("n1", gpus(2).label(HOST, "n1"))
        .running("first", "b", pods(1).label("app", "db").minutesOld(90))
        .running("second", "b", pods(1).label("app", "web").minutesOld(30))
        .waiting("db", "a", gang(1).apart(HOST, "app", "db"))
        .plan()
        .reservesByTaking("db", "first")
        .andNothingElse();
  }
}
