package dev.berth.engine.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Cluster;
import dev.berth.engine.model.Backoffs.Backoff;
import dev.berth.engine.model.ClaimKey;
import dev.berth.engine.model.Decision.Ahead;
import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.LabelSelector;
import dev.berth.engine.model.LabelSelector.Operator;
import dev.berth.engine.model.LabelSelector.Requirement;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.BudgetsKeep;
import dev.berth.engine.model.Reason.Free;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What people read.
class SentencesTest {
  @Test
  void aLimitTellsWhatIsUsedAskedAndMissingAndWhichGroupsAreAhead() {
    var over = new Reason.OverLimit(new QueueName("research"), Resource.GPU, 16_000, 4_000, 16_000);
    assertThat(Sentences.of(over.in("h100")))
        .isEqualTo(
            "Waits: queue research in pool h100 has 16 of its limit of 16 GPUs in use and this"
                + " group asks for 4. Helps: 4 GPUs released in research in pool h100, or a limit"
                + " of 20 GPUs.");
    assertThat(Sentences.of(over.in("")))
        .startsWith("Waits: queue research on nodes without a pool has 16 of its limit");
    assertThat(
            Sentences.of(over, new Ahead(List.of(Cluster.key("llm-7"), Cluster.key("eval-3")), 2)))
        .isEqualTo(
            "Waits: queue research has 16 of its limit of 16 GPUs in use and this group asks for 4."
                + " Helps: 4 GPUs released in research, or a limit of 20 GPUs. Ahead: llm-7,"
                + " eval-3.");
  }

  /// It never starts, even if all others end; the message does not advise to release what is not in
  /// use.
  @Test
  void groupThatAsksForMoreThanALimitOrAQuotaEverGivesIsToldSo() {
    var queue = new QueueName("research");
    assertThat(Sentences.of(new Reason.OverLimit(queue, Resource.GPU, 0, 20_000, 16_000)))
        .isEqualTo(
            "Waits: this group asks for 20 and queue research never has more than its limit of 16"
                + " GPUs. Helps: a limit of 20 GPUs or more in research, or pods that ask for"
                + " less.");
    assertThat(Sentences.of(new Reason.NonPreemptibleOverQuota(queue, Resource.GPU, 0, 4_000, 0)))
        .isEqualTo(
            "Waits: this group is not preemptible and asks for 4, more than the quota of queue"
                + " research, which is 0 GPUs. Helps: a quota of 4 GPUs in research, or preemptible"
                + " work (the label berth.dev/preemptibility: preemptible).");
  }

  @Test
  void ofManyGroupsAheadTheFirstAreNamedAndTheOthersCounted() {
    var tooFew = new Reason.TooFewMembers("", 2, 4);
    var first = List.of(Cluster.key("a"), Cluster.key("b"), Cluster.key("c"));
    assertThat(Sentences.of(tooFew, new Ahead(first, 41)))
        .isEqualTo(
            "Waits: the group has 2 of the 4 members that start together. Helps: 2 more pods, or"
                + " a minimum of 2. Ahead: a, b, c and 38 more.");
  }

  private static final NoRoom NO_ROOM =
      new NoRoom(4, 0, 3, List.of(new Shortfall(Obstacle.DEVICES, "nvidia.com/gpu", 3)));
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00.250Z");

  @Test
  void aQueueThatHasItsFairShareIsToldWhatItHasAndWhatItIsNotOwed() {
    assertThat(
            Sentences.of(
                new Reason.FairShareReached(
                    NO_ROOM, new QueueName("vision"), Resource.GPU, 6_000, 4_000, 8_000)))
        .isEqualTo(
            "Waits: 0 of 4 pods fit together; of 3 nodes 3 without enough free GPUs"
                + " (nvidia.com/gpu); queue vision has 6 of its fair share of 8 GPUs and is not"
                + " owed the 4 that this group asks for. Helps: GPUs released, or more nodes, or a"
                + " quota of 10 GPUs in vision.");
  }

  /// A queue that has too much of one thing takes back nothing of another.
  @Test
  void aGroupThatAsksForNoneOfWhatItsQueueHasTooMuchOf() {
    var full = new NoRoom(1, 0, 2, List.of(new Shortfall(Obstacle.PODS, "", 2)));
    assertThat(
            Sentences.of(
                new Reason.FairShareReached(
                    full, new QueueName("vision"), Resource.GPU, 16_000, 0, 6_000)))
        .isEqualTo(
            "Waits: no node fits the pod; of 2 nodes 2 full of pods; queue vision has 16 of its"
                + " fair share of 6 GPUs, so it takes nothing back, though this group asks for none"
                + " of them. Helps: pods that end, or more nodes, or a quota of 16 GPUs in"
                + " vision.");
  }

  @Test
  void whatSeveralWaysHaveInCommonIsSaidOnce() {
    var room =
        new NoRoom(
            1,
            0,
            3,
            List.of(
                new Shortfall(Obstacle.DEVICES, "nvidia.com/gpu", 2),
                new Shortfall(Obstacle.PODS, "", 1)));
    assertThat(Sentences.of(room))
        .endsWith("Helps: GPUs released, or pods that end, or more nodes.");
  }

  @Test
  void whereNoQueueHasTooMuchThereIsNothingToTakeBack() {
    assertThat(Sentences.of(new Reason.NothingToTakeBack(NO_ROOM, new QueueName("vision"))))
        .isEqualTo(
            "Waits: 0 of 4 pods fit together; of 3 nodes 3 without enough free GPUs"
                + " (nvidia.com/gpu); no other queue has more than it is owed. Helps: GPUs"
                + " released, or more nodes.");
  }

  @Test
  void protectedVictimsAreCounted() {
    assertThat(Sentences.of(new Reason.VictimsProtected(NO_ROOM, 2, NOON)))
        .isEqualTo(
            "Waits: 0 of 4 pods fit together; of 3 nodes 3 without enough free GPUs"
                + " (nvidia.com/gpu); 2 groups could make room, but min-runtimes protect them, the"
                + " first until 2026-01-01T12:00:00Z. Helps: time, or GPUs released, or more"
                + " nodes.");
    assertThat(Sentences.of(new Reason.VictimsProtected(NO_ROOM, 1, Instant.MAX)))
        .isEqualTo(
            "Waits: 0 of 4 pods fit together; of 3 nodes 3 without enough free GPUs"
                + " (nvidia.com/gpu); 1 group could make room, but its min-runtime protects it."
                + " Helps: time, or GPUs released, or more nodes.");
  }

  @Test
  void aPreemptionDelayTellsItsEndToTheSecond() {
    assertThat(Sentences.of(new Reason.PreemptionDelayed(NO_ROOM, NOON)))
        .isEqualTo(
            "Waits: 0 of 4 pods fit together; of 3 nodes 3 without enough free GPUs"
                + " (nvidia.com/gpu); by its preemption delay no pod is evicted for it before"
                + " 2026-01-01T12:00:00Z. Helps: time or a shorter berth.dev/preemption-delay, if"
                + " pods may be evicted for it then, or GPUs released, or more nodes.");
  }

  @Test
  void aPreemptionPolicyOfNeverIsNamed() {
    assertThat(Sentences.of(new Reason.NeverPreempts(NO_ROOM)))
        .isEqualTo(
            "Waits: 0 of 4 pods fit together; of 3 nodes 3 without enough free GPUs"
                + " (nvidia.com/gpu); no pod is evicted for it, since its preemptionPolicy is"
                + " Never. Helps: a priority class that preempts, if pods may be evicted for it"
                + " then, or GPUs released, or more nodes.");
  }

  @Test
  void groupThatBorrowsNothingIsToldWhyAndUntilWhen() {
    var queue = new QueueName("vision");
    String has =
        "Waits: queue vision has 6 of its fair share of 8 GPUs, and this group gets nothing beyond"
            + " that before 2026-01-01T12:00:00Z, since kube-scheduler kept room for volumes that"
            + " did not come, for ";
    String helps = ". Helps: the volumes of these pods, time, or a quota of 10 GPUs in vision.";
    var own = new Backoff("", 1, "", NOON);
    assertThat(
            Sentences.of(
                new Reason.BorrowingBackoff(queue, Resource.GPU, 6_000, 4_000, 8_000, own)))
        .isEqualTo(has + "1 plan of it" + helps);
    var shared = new Backoff("team", 5, "", NOON);
    assertThat(
            Sentences.of(
                new Reason.BorrowingBackoff(queue, Resource.GPU, 6_000, 4_000, 8_000, shared)))
        .isEqualTo(has + "plans of 5 workloads of namespace team" + helps);
    var taken = new Backoff("", 1, "others took the room", NOON);
    assertThat(
            Sentences.of(
                new Reason.BorrowingBackoff(queue, Resource.GPU, 6_000, 4_000, 8_000, taken)))
        .isEqualTo(
            "Waits: queue vision has 6 of its fair share of 8 GPUs, and this group gets nothing"
                + " beyond that before 2026-01-01T12:00:00Z, since others took the room. Helps:"
                + " time, or a quota of 10 GPUs in vision.");
  }

  @Test
  void whatOtherSchedulersTookIsNothingToCorrect() {
    var taken = new Backoff("", 2, Backoff.ROOM_TAKEN, NOON);
    assertThat(Sentences.of(new Reason.EvictionBackoff(NO_ROOM, taken)))
        .contains("pods of other schedulers took its room")
        .endsWith(" Helps: time, or GPUs released, or more nodes.");
  }

  @Test
  void beyondTheShareAVolumeToComeWaitsForOverdueOnes() {
    var queue = new QueueName("vision");
    String has =
        "Waits: queue vision has 6 of its fair share of 8 GPUs, and this group, whose"
            + " volumes are still to come, gets nothing beyond that while kube-scheduler waits for"
            + " overdue volumes of pods of ";
    String helps = ". Helps: those volumes, time, or a quota of 10 GPUs in vision.";
    assertThat(
            Sentences.of(
                new Reason.VolumesOverdue(queue, Resource.GPU, 6_000, 4_000, 8_000, "team")))
        .isEqualTo(has + "namespace team" + helps);
    assertThat(
            Sentences.of(new Reason.VolumesOverdue(queue, Resource.GPU, 6_000, 4_000, 8_000, "")))
        .isEqualTo(has + "the same queue" + helps);
  }

  @Test
  void aBackOffTellsWhatWentWrongHowOftenAndItsEnd() {
    String room = "Waits: 0 of 4 pods fit together; of 3 nodes 3 without enough free GPUs";
    String words = "1 node(s) had volume node affinity conflict";
    assertThat(Sentences.of(new Reason.EvictionBackoff(NO_ROOM, new Backoff("", 2, words, NOON))))
        .isEqualTo(
            room
                + " (nvidia.com/gpu); no pod is evicted for it before 2026-01-01T12:00:00Z, since 2"
                + " plans of it for which others left came to nothing (1 node(s) had volume node"
                + " affinity conflict). Helps: what kube-scheduler says of these pods corrected,"
                + " time, or GPUs released, or more nodes.");
    assertThat(
            Sentences.of(new Reason.EvictionBackoff(NO_ROOM, new Backoff("team", 5, words, NOON))))
        .isEqualTo(
            room
                + " (nvidia.com/gpu); no pod is evicted for it before 2026-01-01T12:00:00Z, since"
                + " plans of 5 workloads of namespace team for which others left came to nothing"
                + " (the last: 1 node(s) had volume node affinity conflict). Helps: what"
                + " kube-scheduler says of these pods corrected, time, or GPUs released, or more"
                + " nodes.");
  }

  @Test
  void whatNeverFitsTellsHowManyWould() {
    assertThat(Sentences.of(new Reason.NeverFits(NO_ROOM, 3)))
        .isEqualTo(
            "Waits: all nodes together fit 3 of 4 pods, even if they are empty. Helps: a minimum"
                + " smaller by 1, pods that ask for less, or more nodes.");
  }

  @Test
  void spentMovesTellWhenTheNextMayBe() {
    assertThat(Sentences.of(new Reason.MovesSpent(NO_ROOM, NOON)))
        .isEqualTo(
            "Waits: 0 of 4 pods fit together; of 3 nodes 3 without enough free GPUs"
                + " (nvidia.com/gpu); no pod is moved to make it before 2026-01-01T12:00:00Z, since"
                + " as many were moved in an hour as may be (consolidation.maxMovesPerHour). Helps:"
                + " time, or GPUs released, or more nodes.");
  }

  @Test
  void aReservationTellsForWhichGroupAndUntilWhenAndWhatWouldFit() {
    assertThat(
            Sentences.of(new Reason.WouldDelay(Cluster.key("llm-7"), NOON, Duration.ofMinutes(90))))
        .isEqualTo(
            "Waits: the room that is free is reserved for llm-7, which comes first and starts by"
                + " 2026-01-01T12:00:00Z, and this group runs for 1h30m. Helps: a shorter expected"
                + " runtime, or GPUs released.");
    assertThat(Sentences.of(new Reason.WouldDelay(Cluster.key("llm-7"), NOON, Duration.ZERO)))
        .isEqualTo(
            "Waits: the room that is free is reserved for llm-7, which comes first and starts by"
                + " 2026-01-01T12:00:00Z, and this group does not say when it ends. Helps:"
                + " berth.dev/expected-runtime, if it ends before 2026-01-01T12:00:00Z.");
  }

  @Test
  void aHoldTellsForWhichGroupAndHowManyAndUntilWhen() {
    assertThat(Sentences.of(new Reason.HeldForHead(Cluster.key("llm-7"), 8, NOON)))
        .isEqualTo(
            "Waits: the room that is free is held until 2026-01-01T12:00:00Z for llm-7, which comes"
                + " first and gathers 8 GPUs. Helps: time, or GPUs released.");
  }

  @Test
  void aPoolThatIsNotThereTellsThosePoolsThatAre() {
    var pools = List.of("a100", "h100");
    assertThat(Sentences.of(new Reason.NoSuchPool("pool", "b200", pools)))
        .isEqualTo(
            "Waits: no node is in pool b200; pools are a100, h100. Helps: a node with the label"
                + " pool=b200, or another pool.");
    assertThat(Sentences.of(new Reason.NoSuchPool("pool", "", pools)))
        .isEqualTo(
            "Waits: it names no pool; pools are a100, h100. Helps: a node selector with pool.");
    assertThat(Sentences.of(new Reason.NoSuchPool("pool", "b200", List.of())))
        .isEqualTo(
            "Waits: no node is in pool b200; no node has the label pool. Helps: a node with the"
                + " label pool=b200, or another pool.");
  }

  @Test
  void namesThatLeadNowhereTellTheNameAndTheWayOut() {
    assertThat(
            Sentences.of(new Reason.NoSuchQueue(new QueueName("Vision"), new QueueName("vision"))))
        .endsWith(
            "Helps: name queue vision, since no Queue can be called Vision (lower case letters,"
                + " digits, - and .).");
    assertThat(Sentences.of(new Reason.NoSuchQueue(new QueueName("team_a"))))
        .endsWith(
            "Helps: another name, since no Queue can be called team_a (lower case letters, digits,"
                + " - and .).");
    assertThat(Sentences.of(new Reason.NoSuchQueue(new QueueName("vison"))))
        .isEqualTo("Waits: there is no queue vison. Helps: a Queue vison, or another name.");
    assertThat(
            Sentences.of(new Reason.NoSuchQueue(new QueueName("vison"), new QueueName("vision"))))
        .isEqualTo(
            "Waits: there is no queue vison (did you mean vision?). Helps: name queue vision, or"
                + " create a Queue vison.");
    assertThat(Sentences.of(new Reason.NotALeaf(new QueueName("ml"), new QueueName("vision"))))
        .isEqualTo(
            "Waits: queue ml has queues below it, like vision, and takes no workloads. Helps: name"
                + " a queue below it, like vision.");
    assertThat(
            Sentences.of(
                new Reason.BrokenQueue(new QueueName("vision"), new QueueName("ml"), false)))
        .isEqualTo(
            "Waits: queue vision lies below ml, which does not exist. Helps: a Queue ml, or another"
                + " parent.");
    assertThat(Sentences.of(new Reason.NoSuchGroup(Cluster.key("train"))))
        .isEqualTo(
            "Waits: there is no PodGroup default/train. Helps: a PodGroup default/train, or another"
                + " name.");
    assertThat(Sentences.of(new Reason.NoSuchTopology("mesh", "")))
        .isEqualTo("Waits: there is no topology mesh. Helps: a Topology mesh, or another name.");
    assertThat(Sentences.of(new Reason.NoSuchTopology("fabrik", "fabric")))
        .isEqualTo(
            "Waits: there is no topology fabrik (did you mean fabric?). Helps: a Topology fabrik,"
                + " or another name.");
    assertThat(
            Sentences.of(
                new Reason.NoSuchTopology("fabric", "rak", List.of("zone", "rack"), "rack")))
        .isEqualTo(
            "Waits: topology fabric has no level rak (did you mean rack?); its levels are zone,"
                + " rack. Helps: one of its levels, or a level rak in Topology fabric.");
    assertThat(Sentences.of(new Reason.NoSuchTopology("fabric", "row", List.of("zone"), "")))
        .isEqualTo(
            "Waits: topology fabric has no level row; its only level is zone. Helps: one of its"
                + " levels, or a level row in Topology fabric.");
    assertThat(Sentences.of(new Reason.NoSuchTopology("fabric", "row", List.of(), "")))
        .isEqualTo(
            "Waits: topology fabric has no level row; it has none. Helps: a level row in Topology"
                + " fabric.");
  }

  @Test
  void aQueueThatTakesNoPodsOfANamespaceSaysWhoseItTakes() {
    var ofMl = new LabelSelector(List.of(new Requirement("team", Operator.IN, List.of("ml"))));
    assertThat(
            Sentences.of(
                new Reason.QueueNotAllowed(
                    new QueueName("vision"), "guests", new QueueName("ml"), ofMl)))
        .isEqualTo(
            "Waits: namespace guests may not use queue vision below ml, which takes pods of"
                + " namespaces with team=ml. Helps: another queue; or an administrator labels"
                + " namespace guests or changes spec.namespaceSelector of queue ml.");
    assertThat(
            Sentences.of(
                new Reason.QueueNotAllowed(
                    new QueueName("ml"), "guests", new QueueName("ml"), ofMl)))
        .isEqualTo(
            "Waits: namespace guests may not use queue ml, which takes pods of namespaces with"
                + " team=ml. Helps: another queue; or an administrator labels namespace guests or"
                + " changes spec.namespaceSelector of queue ml.");
  }

  @Test
  void whoseRoomIsBeingLeftIsToldThatItStarts() {
    assertThat(Sentences.of(new Reason.Starting(4, 2, 1)))
        .isEqualTo(
            "Waits: places for 4 members are found, 2 pods must leave first, 1 GPU must be held"
                + " first. Helps: nothing to do: it starts by itself.");
  }

  @Test
  void whatFailsOnTheWayToAShareIsToldWithTheWayOut() {
    assertThat(
            Sentences.of(
                new Reason.Starting(
                    1,
                    0,
                    1,
                    List.of("pod berth-system/holder-n1-0 on node n1 does not start: ErrImagePull"),
                    "Set holders.image to another one.")))
        .isEqualTo(
            "Waits: a place is found, 1 GPU must be held first: pod berth-system/holder-n1-0 on"
                + " node n1 does not start: ErrImagePull. Helps: Set holders.image to another"
                + " one.");
  }

  @Test
  void membersThatGatesOfOthersHoldAreCountedAndTheGatesNamed() {
    assertThat(
            Sentences.of(
                new Reason.TooFewMembers("", 0, 32, 30, List.of("kueue.x-k8s.io/topology"))))
        .isEqualTo(
            "Waits: the group has 0 of the 32 members that start together, and 30 more that"
                + " scheduling gates of others hold (kueue.x-k8s.io/topology). Helps: remove this"
                + " gate and create 2 more pods.");
  }

  @Test
  void aSearchThatGoesOnSaysSoAndHowFarItIs() {
    assertThat(Sentences.of(new Reason.NotProven(Reason.Sought.VICTIM_SETS, 1500, 300)))
        .isEqualTo(
            "Waits: Berth still searches for pods that could make room: 1500 sets tried so far"
                + " among 300 candidates. Helps: nothing to do: the search goes on from there.");
    assertThat(Sentences.of(new Reason.NotProven(Reason.Sought.VICTIMS, 4, 9)))
        .isEqualTo(
            "Waits: the search for victims ended after 4 of 9 steps of others, so they"
                + " may be able to. Helps: a larger search.trials.");
  }

  @Test
  void whatHelpsIsAboutTheNodesThatAreNearest() {
    assertThat(
            helps(
                new Shortfall(Obstacle.NODE_SELECTOR, "", 40),
                new Shortfall(Obstacle.TAINT, "control-plane", 3),
                new Shortfall(Obstacle.SHARED_DEVICES, "", 1)))
        .isEqualTo("GPUs released where it may be, or more such nodes");
    assertThat(
            helps(
                new Shortfall(Obstacle.NO_DEVICES, "", 40),
                new Shortfall(Obstacle.INJECTION, "no", 2),
                new Shortfall(Obstacle.SHARED_DEVICES, "", 1)))
        .isEqualTo(
            "what the words in brackets ask for (docs/operators/devices.md, berth doctor), or GPUs"
                + " released, or more nodes");
    assertThat(
            helps(
                new Shortfall(Obstacle.NODE_SELECTOR, "", 4),
                new Shortfall(Obstacle.NOT_READY, "", 1)))
        .isEqualTo("nodes that become ready again");
    assertThat(
            helps(
                new Shortfall(Obstacle.NO_DEVICES, "", 9),
                new Shortfall(Obstacle.NODE_SELECTOR, "zone=a", 4)))
        .isEqualTo("nodes with the label zone=a, or a new pod with another nodeSelector");
    assertThat(helps(new Shortfall(Obstacle.TAINT, "team=ml:NoSchedule", 4)))
        .isEqualTo("a toleration of team=ml:NoSchedule, or nodes without that taint");
    assertThat(
            helps(
                new Shortfall(Obstacle.NODE_SELECTOR, "kubernetes.io/hostname=n1", 9),
                new Shortfall(Obstacle.TAINT, "team=ml:NoSchedule", 1)))
        .isEqualTo("a toleration of team=ml:NoSchedule, or nodes without that taint");
    assertThat(helps(new Shortfall(Obstacle.NO_DEVICES, "", 9))).isEqualTo("nodes with GPUs");
  }

  @Test
  void wordsOfManyNodesLeaveRoomForWhatHelps() {
    var shortfalls = new ArrayList<Shortfall>();
    for (int i = 0; i < 12; i++) {
      shortfalls.add(new Shortfall(Obstacle.HOLDERS, "pod " + i + " " + "x".repeat(200), 1));
    }
    String sentence = Sentences.of(new NoRoom(1, 0, 12, shortfalls));
    assertThat(sentence.length() < 1000).as(sentence).isTrue();
    assertThat(sentence.contains("10 otherwise")).as(sentence).isTrue();
    assertThat(sentence.endsWith("or room on GPUs that are held.")).as(sentence).isTrue();
  }

  private static String helps(Shortfall... shortfalls) {
    String sentence = Sentences.of(new NoRoom(1, 0, 50, List.of(shortfalls)));
    return sentence.substring(sentence.indexOf("Helps: ") + 7, sentence.length() - 1);
  }

  @Test
  void amountsAreInUnitsThatPeopleUse() {
    var queue = new QueueName("q");
    assertThat(Sentences.of(new Reason.OverLimit(queue, Resource.CPU, 3_500, 1_250, 4_000)))
        .isEqualTo(
            "Waits: queue q has 3.5 of its limit of 4 cores (cpu) in use and this group asks for"
                + " 1.25. Helps: 0.75 cores (cpu) released in q, or a limit of 4.75 cores (cpu).");
    assertThat(
            Sentences.of(
                new Reason.NonPreemptibleOverQuota(
                    queue, Resource.MEMORY, 1L << 30, 3L << 29, 2L << 30)))
        .isEqualTo(
            "Waits: non-preemptible work of queue q has 1 GiB of its quota of 2 GiB of memory and"
                + " this group asks for 1.5 GiB. Helps: a quota of 2.5 GiB of memory in q, or"
                + " preemptible work (the label berth.dev/preemptibility: preemptible).");
  }

  @Test
  void allResourcesThatAreOverAreTold() {
    var queue = new QueueName("q");
    var memory = new Reason.ExceededResource(Resource.MEMORY, 1L << 30, 3L << 29, 2L << 30);
    var gpus = new Reason.ExceededResource(Resource.GPU, 1_000, 4_000, 2_000);
    assertThat(
            Sentences.of(
                new Reason.NonPreemptibleOverQuota(
                    queue, Resource.CPU, 3_000, 2_000, 4_000, List.of(memory))))
        .isEqualTo(
            "Waits: non-preemptible work of queue q has 3 of its quota of 4 cores (cpu) and this"
                + " group asks for 2, and has 1 GiB of its quota of 2 GiB of memory and this group"
                + " asks for 1.5 GiB. Helps: a quota of 5 cores (cpu) and 2.5 GiB of memory in q,"
                + " or preemptible work (the label berth.dev/preemptibility: preemptible).");
    assertThat(
            Sentences.of(
                new Reason.OverLimit(
                    queue, Resource.MEMORY, 1L << 30, 3L << 29, 2L << 30, List.of(gpus))))
        .isEqualTo(
            "Waits: this group asks for 4 and queue q never has more than its limit of 2 GPUs, and"
                + " has 1 GiB of its limit of 2 GiB of memory in use and this group asks for 1.5"
                + " GiB. Helps: a limit of 2.5 GiB of memory and 4 GPUs or more in q, or pods"
                + " that ask for less.");
  }

  @Test
  void missingRoomTellsWhatIsAskedAndWhatIsFreeAndWhatToRelease() {
    assertThat(lacks(1, 1, whole(3, 5, 2, 2, 1)))
        .isEqualTo(
            "Waits: no node fits the pod, which asks for 3 GPUs (5 are free, at most 2 on one"
                + " node); of 4 nodes 4 without enough free GPUs (nvidia.com/gpu). Helps: 1 GPU"
                + " released on a node with 2 free, or more nodes.");
    assertThat(lacks(1, 1, whole(1, 0, 0, 4)))
        .isEqualTo(
            "Waits: no node fits the pod, which asks for 1 GPU (none is free); of 4 nodes 4 without"
                + " enough free GPUs (nvidia.com/gpu). Helps: 1 GPU released, or more nodes.");
    assertThat(release(lacks(3, 1, whole(8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4))))
        .isEqualTo("8 GPUs released on one node, a smaller minimum");
  }

  @Test
  void aGangTellsWhatAllItsMembersLack() {
    assertThat(release(lacks(4, 4, whole(2, 0, 0, 0, 4))))
        .isEqualTo("8 GPUs released, 2 on each of 4 nodes");
    assertThat(release(lacks(3, 3, whole(1, 0, 0, 2)))).isEqualTo("3 GPUs released");
    assertThat(release(lacks(3, 3, whole(2, 1, 1, 1, 4))))
        .isEqualTo("5 GPUs released, so that each of 3 pods finds 2 on one node");
    assertThat(release(lacks(3, 3, whole(4, 0, 0, 0, 0, 0, 2))))
        .isEqualTo("12 GPUs released, so that each of 3 pods finds 4 on one node");
    assertThat(release(lacks(3, 1, 0, whole(2, 0, 0, 0, 1))))
        .isEqualTo("at least 2 GPUs released on one node");
  }

  @Test
  void partsOfGpusAreToldWithNumbers() {
    assertThat(lacks(1, 1, new Free(1, 500, 4, 0, 400)))
        .isEqualTo(
            "Waits: no node fits the pod, which asks for 0.5 of a GPU (at most 0.4 of one is free);"
                + " of 4 nodes 4 without enough free GPUs (nvidia.com/gpu). Helps: 0.1 of a GPU"
                + " released on a GPU with 0.4 free, or more nodes.");
    assertThat(lacks(1, 1, new Free(1, 0, 8192, 4, 0, 4096, List.of())))
        .isEqualTo(
            "Waits: no node fits the pod, which asks for 8192 MiB of a GPU (at most 4096 MiB of one"
                + " is free); of 4 nodes 4 without enough free GPUs (nvidia.com/gpu). Helps: 4096"
                + " MiB released on a GPU with 4096 MiB free, or more nodes.");
    assertThat(release(lacks(1, 1, new Free(1, 500, 4, 0, 0))))
        .isEqualTo("0.5 of a GPU released on one GPU");
    assertThat(lacks(1, 1, new Free(1, 500, 4, 0, 0))).contains("of a GPU (none is free);");
    assertThat(release(lacks(3, 3, new Free(1, 0, 4096, 4, 0, 0, List.of()))))
        .isEqualTo("room for 4096 MiB of a GPU for each of 3 pods");
  }

  /// What is free of one GPU says nothing where several are asked for.
  @Test
  void partsOfSeveralGpusAreToldOfTheNearestNode() {
    assertThat(lacks(1, 1, Free.ofParts(2, 300, 0, 4, List.of(400, 200))))
        .isEqualTo(
            "Waits: no node fits the pod, which asks for 0.3 of each of 2 GPUs of one node (on the"
                + " nearest node 0.4 and 0.2 are free); of 4 nodes 4 without enough free GPUs"
                + " (nvidia.com/gpu). Helps: 0.1 of a GPU released on a GPU of that node with 0.2"
                + " free, or more nodes.");
    assertThat(lacks(1, 1, Free.ofParts(2, 500, 0, 4, List.of(0, 0))))
        .contains("(on the nearest node none is free)");
    assertThat(release(lacks(1, 1, Free.ofParts(2, 500, 0, 4, List.of(0, 0)))))
        .isEqualTo("0.5 of a GPU released on each of 2 GPUs of that node");
    assertThat(lacks(1, 1, Free.ofParts(2, 0, 8192, 4, List.of(4096, 4096))))
        .contains("8192 MiB of each of 2 GPUs of one node (on the nearest node 4096 MiB of each is")
        .contains("4096 MiB released on each of 2 GPUs of that node");
    assertThat(release(lacks(1, 1, Free.ofParts(3, 500, 0, 4, List.of(600, 400, 100)))))
        .isEqualTo("0.1 and 0.4 of a GPU released on 2 GPUs of that node");
    assertThat(release(lacks(3, 3, Free.ofParts(2, 500, 0, 4, List.of(400, 0)))))
        .isEqualTo("room for 0.5 of each of 2 GPUs of one node for each of 3 pods");
  }

  private static Free whole(int asked, long total, int most, Integer... lacking) {
    return new Free(asked, 1000, 0, 4, total, most, List.of(lacking));
  }

  private static String release(String sentence) {
    return sentence.substring(
        sentence.indexOf("Helps: ") + 7, sentence.indexOf(", or more nodes."));
  }

  private static String lacks(int members, int alike, Free free) {
    return lacks(members, alike, members - alike, free);
  }

  private static String lacks(int members, int alike, int placed, Free free) {
    var shortfalls = List.of(new Shortfall(Obstacle.DEVICES, "nvidia.com/gpu", 4));
    return Sentences.of(
        new NoRoom(members, placed, alike, 4, shortfalls, free, Reason.Largest.NONE));
  }

  @Test
  void budgetsThatKeepPossibleVictimsAreNamed() {
    var keys =
        List.of(
            new DisruptionBudget.Key("default", "a"),
            new DisruptionBudget.Key("default", "b"),
            new DisruptionBudget.Key("team", "c"),
            new DisruptionBudget.Key("team", "d"));
    assertThat(
            Sentences.of(
                new Reason.BudgetsForbid(NO_ROOM, 2, keys, List.of(), BudgetsKeep.until(NOON))))
        .isEqualTo(
            "Waits: 0 of 4 pods fit together; of 3 nodes 3 without enough free GPUs"
                + " (nvidia.com/gpu); 2 groups could make room, but disruption budgets keep their"
                + " pods (default/a, default/b, team/c and 1 more). Helps: time (from"
                + " 2026-01-01T12:00:00Z on, what a queue has beyond its quota is evicted in spite"
                + " of budgets), a budget that allows a disruption, or GPUs released, or more"
                + " nodes.");
    assertThat(
            Sentences.of(
                new Reason.BudgetsForbid(NO_ROOM, 1, List.of(), List.of(), BudgetsKeep.ALL)))
        .isEqualTo(
            "Waits: 0 of 4 pods fit together; of 3 nodes 3 without enough free GPUs"
                + " (nvidia.com/gpu); 1 group could make room, but the API server refused to evict"
                + " its pods. Helps: what the events EvictionGivenUp of these pods name, time, or"
                + " GPUs released, or more nodes.");
  }

  /// No object is called as what they come to.
  @Test
  void severalBudgetsOfOnePodAreToldAsThat() {
    var several = new DisruptionBudget.Key("default", "web-0/budgets");
    assertThat(
            Sentences.of(
                new Reason.BudgetsForbid(NO_ROOM, 1, List.of(several), List.of(), BudgetsKeep.ALL)))
        .isEqualTo(
            "Waits: 0 of 4 pods fit together; of 3 nodes 3 without enough free GPUs"
                + " (nvidia.com/gpu); 1 group could make room, but disruption budgets keep its pods"
                + " (several select pod default/web-0, which the API server then never evicts)."
                + " Helps: one budget alone for a pod, or GPUs released, or more nodes.");
    var both = List.of(new DisruptionBudget.Key("default", "a"), several);
    assertThat(
            Sentences.of(
                new Reason.BudgetsForbid(NO_ROOM, 2, both, List.of(), BudgetsKeep.until(NOON))))
        .contains("(default/a, several select pod default/web-0, which")
        .contains(
            "evicted in spite of budgets), a budget that allows a disruption, one budget alone");
  }

  @Test
  void timeHelpsOnlyWhereBudgetsKeepForNow() {
    var keys = List.of(new DisruptionBudget.Key("default", "a"));
    var stays = new Reason.BudgetsForbid(NO_ROOM, 1, keys, List.of(), BudgetsKeep.ALL);
    assertThat(Sentences.of(stays))
        .isEqualTo(
            "Waits: 0 of 4 pods fit together; of 3 nodes 3 without enough free GPUs"
                + " (nvidia.com/gpu); 1 group could make room, but disruption budgets keep its pods"
                + " (default/a). Helps: a budget that allows a disruption, or GPUs released, or"
                + " more nodes.");
    var within = BudgetsKeep.quota(new QueueName("speech"), 0, 2000);
    assertThat(Sentences.of(new Reason.BudgetsForbid(NO_ROOM, 1, keys, List.of(), within)))
        .isEqualTo(
            "Waits: 0 of 4 pods fit together; of 3 nodes 3 without enough free GPUs"
                + " (nvidia.com/gpu); 1 group could make room, but disruption budgets keep its pods"
                + " (default/a), and without the victims of queue speech would have 0 of its"
                + " quota of 2 GPUs. Helps: a budget that allows a disruption, a quota of 0 in"
                + " speech, a smaller minMember there, or GPUs released, or more nodes.");
  }

  @Test
  void budgetsThatAreNotReadAreToldAsSuch() {
    var keep = List.of(new DisruptionBudget.Key("default", "a"));
    var notRead =
        List.of(new DisruptionBudget.Key("default", "long"), new DisruptionBudget.Key("team", ""));
    assertThat(
            Sentences.of(
                new Reason.BudgetsForbid(NO_ROOM, 1, keep, notRead, BudgetsKeep.until(NOON))))
        .isEqualTo(
            "Waits: 0 of 4 pods fit together; of 3 nodes 3 without enough free GPUs"
                + " (nvidia.com/gpu); 1 group could make room, but disruption budgets keep its pods"
                + " (default/a), and the selector of default/long is too long to be read, and the"
                + " budgets of namespace team are too many to be compared with pods. Helps: time"
                + " (from 2026-01-01T12:00:00Z on, what a queue has beyond its quota is evicted in"
                + " spite of budgets), a budget that allows a disruption, a shorter selector in"
                + " default/long (64 labels with 1024 values are read), fewer budgets in namespace"
                + " team or such that select by a label's value, or GPUs released, or more nodes.");
    assertThat(
            Sentences.of(
                new Reason.BudgetsForbid(
                    NO_ROOM, 1, List.of(), List.of(notRead.getFirst()), BudgetsKeep.ALL)))
        .isEqualTo(
            "Waits: 0 of 4 pods fit together; of 3 nodes 3 without enough free GPUs"
                + " (nvidia.com/gpu); 1 group could make room, but disruption budgets keep its"
                + " pods: the selector of default/long is too long to be read. Helps: a shorter"
                + " selector in default/long (64 labels with 1024 values are read), or GPUs"
                + " released, or more nodes.");
  }

  @Test
  void whatNoNodeIsLargeEnoughForTellsSo() {
    var small = new Shortfall(Obstacle.TOO_SMALL, "it has 4 GPUs, and 8 are asked for", 2);
    var room = new NoRoom(1, 0, 2, List.of(small));
    assertThat(Sentences.of(new Reason.NeverFits(room, 0)))
        .isEqualTo(
            "Waits: no node fits the pod; of 2 nodes 2 too small (it has 4 GPUs, and 8 are asked"
                + " for); no node is large enough, even if it is empty. Helps: a new pod that asks"
                + " for less, or larger nodes.");
  }

  @Test
  void whereGpusHaveTooLittleMemoryLargerNodesAreNoHelp() {
    var small =
        new Shortfall(
            Obstacle.DEVICE_TOO_SMALL, "a GPU there has 4096 MiB, and 8192 are asked for", 2);
    assertThat(Sentences.of(new Reason.NeverFits(new NoRoom(1, 0, 2, List.of(small)), 0)))
        .isEqualTo(
            "Waits: no node fits the pod; of 2 nodes 2 with too small GPUs (a GPU there has 4096"
                + " MiB, and 8192 are asked for); no GPU is large enough, even if it is empty."
                + " Helps: a new pod that asks for less, or GPUs with more memory.");
    var few = new Shortfall(Obstacle.TOO_SMALL, "it has 1 GPU, and 2 are asked for", 1);
    assertThat(Sentences.of(new Reason.NeverFits(new NoRoom(1, 0, 3, List.of(small, few)), 0)))
        .contains("no node is large enough")
        .endsWith("or larger nodes.");
    var elsewhere = new Shortfall(Obstacle.NODE_SELECTOR, "disk=ssd", 1);
    assertThat(
            Sentences.of(new Reason.NeverFits(new NoRoom(1, 0, 3, List.of(small, elsewhere)), 0)))
        .contains("no GPU where it may be is large enough, even if it is empty")
        .endsWith("or GPUs with more memory where it may be, or a new pod that may be on others.");
  }

  @Test
  void missingRoomTellsHowFarTheGroupCameAndWhy() {
    var none =
        new Reason.NoRoom(
            4,
            3,
            12,
            List.of(
                new Shortfall(Obstacle.DEVICES, "nvidia.com/gpu", 10),
                new Shortfall(Obstacle.TAINT, "team", 2)));
    assertThat(Sentences.of(none))
        .isEqualTo(
            "Waits: 3 of 4 pods fit together; of 12 nodes 10 without enough free GPUs"
                + " (nvidia.com/gpu), 2 tainted (team). Helps: GPUs released, a smaller minimum, or"
                + " more nodes.");
  }

  @Test
  void aClaimThatMayGetLessIsToldWithWhatItCountsAs() {
    var counted =
        new Reason.CountedClaim(new ClaimKey("default", "x"), "gpu.nvidia.com", 8, 2, false);
    assertThat(
            Sentences.of(
                new Reason.OverLimit(new QueueName("a"), Resource.GPU, 0, 8000, 2000)
                    .counting(List.of(counted))))
        .isEqualTo(
            "Waits: this group asks for 8 and queue a never has more than its limit of 2 GPUs;"
                + " claim default/x counts as 8 devices of class gpu.nvidia.com, the dearest of 2"
                + " alternatives, until kube-scheduler has allocated it. Helps: a limit of 8 GPUs"
                + " or more in a, or pods that ask for less.");
  }
}
