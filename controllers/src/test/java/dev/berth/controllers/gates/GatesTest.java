package dev.berth.controllers.gates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.UntouchedPods;
import dev.berth.controllers.World;
import dev.berth.controllers.client.ClientException;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Decision.Reserve;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class GatesTest {
  private static final String WAITING =
      "schedulingGates: [{name: 'berth.dev/queued'}], overhead: {cpu: '1'}";
  private static final NodeName N1 = new NodeName("n1");
  private static final NodeName N2 = new NodeName("n2");

  private static final String TENANT = "nodeName: 'n2', overhead: {cpu: '64'}";

  private final World world = new World().node("n1", 8).node("n2", 8);
  private final LiftingPods pods = new LiftingPods();
  private final List<String> broken = new ArrayList<>();
  private final Gates gates = gates(1000, 2, 4);

  GatesTest() {
    world.changed.add(gates::changed);
  }

  @Test
  void noMoreAreOnTheirWayThanTheWindowHolds() {
    for (String name : List.of("a", "b", "c", "d", "e", "f")) {
      planned(name);
    }
    seconds(1);
    assertThat(pods.lifted).containsExactly("a", "b", "c", "d");
    bound("a");
    seconds(1);
    assertThat(pods.lifted).containsExactly("a", "b", "c", "d", "e");
  }

  @Test
  void theGateIsLiftedOffThePodAsItWasSeen() {
    planned("a");
    seconds(1);
    long seen = world.ledger.pod(new PodUid("uid-a")).orElseThrow().version();
    assertThat(seen).isPositive();
    assertThat(pods.versions).containsExactly(seen);
  }

  @Test
  void whatATryWithoutAnAnswerHasDoneIsNotWrittenAgain() {
    pods.failures.add(ClientException.Kind.UNREACHABLE);
    pods.failures.add(ClientException.Kind.CONFLICT);
    pods.meanwhileLifted =
        () ->
            world.pod(
                "a",
                "annotations: {'berth.dev/plan': '%s'}".formatted(planOf("a").text()),
                "",
                "phase: 'Pending'");
    planned("a");
    seconds(10);
    assertThat(pods.lifted).containsExactly("a");
  }

  @Test
  void aBlockAsLargeAsTheWindowGoesWhenThoseBeforeItHaveArrived() {
    for (String name : List.of("a", "b", "c")) {
      planned(name);
    }
    seconds(1);
    for (String name : List.of("a", "b", "c")) {
      bound(name);
    }
    planned("g0", "g1", "g2", "g3");
    seconds(1);
    assertThat(pods.lifted).containsExactly("a", "b", "c", "g0", "g1", "g2", "g3");
  }

  @Test
  void aBlockLargerThanTheWindowGoesAlone() {
    planned("a");
    seconds(1);
    planned("g0", "g1", "g2", "g3", "g4");
    seconds(1);
    assertThat(pods.lifted).containsExactly("a");
    bound("a");
    seconds(1);
    assertThat(pods.lifted).containsExactly("a", "g0", "g1", "g2", "g3", "g4");
  }

  @Test
  void noBlockOvertakesOneThatWaitsForTheWindow() {
    planned("a");
    seconds(1);
    planned("g0", "g1", "g2", "g3");
    planned("b");
    seconds(1);
    assertThat(pods.lifted).containsExactly("a");
    bound("a");
    seconds(1);
    assertThat(pods.lifted).containsExactly("a", "g0", "g1", "g2", "g3");
  }

  @Test
  void blockThatWaitsForRoomIsOvertakenByOneThatDoesNot() {
    world.pod("tenant", "deletionTimestamp: '2026-01-01T00:00:00Z'", TENANT, "phase: 'Running'");
    planned(new NodeName("n2"), "a");
    planned("b");
    seconds(1);
    assertThat(pods.lifted).containsExactly("b");
    world.podGone("tenant");
    seconds(1);
    assertThat(pods.lifted).containsExactly("b", "a");
  }

  @Test
  void aGangWaitsForTheRoomOfEachMember() {
    world.pod("tenant", "deletionTimestamp: '2026-01-01T00:00:00Z'", TENANT, "phase: 'Running'");
    var block = new ArrayList<Reserved>();
    for (String name : List.of("g0", "g1")) {
      world.pod(name, "", WAITING, "phase: 'Pending'");
      var place = Placement.on(name.equals("g0") ? N1 : N2);
      block.add(new Reserved(new PodUid("uid-" + name), new PodKey("default", name), place));
    }
    var reserve = new Reserve(new GroupKey("default", "g0"), block, List.of(), List.of());
    var until = world.workers.time().instant().plusSeconds(60);
    gates.take(world.ledger.assume(reserve, until).orElseThrow());
    seconds(1);
    assertThat(pods.lifted).as("the second waits for room").isEmpty();
    world.podGone("tenant");
    seconds(1);
    assertThat(pods.lifted).containsExactly("g0", "g1");
  }

  @Test
  void aPlanThatIsGivenBackWhileItsPatchWaitsInLineIsNotWritten() {
    planned("a");
    planned("b");
    pods.meanwhileLifted = () -> world.ledger.forget(new PodUid("uid-b"), planOf("b"));
    seconds(0.1);
    assertThat(pods.lifted).containsExactly("a");
  }

  @Test
  void anUnknownOutcomeIsTriedAgainAndALastingOneGivesTheBlockBack() {
    pods.failures.add(ClientException.Kind.UNREACHABLE);
    planned("a");
    seconds(1);
    assertThat(pods.lifted).containsExactly("a", "a");
    pods.failures.add(ClientException.Kind.GONE);
    planned("g0", "g1");
    seconds(1);
    assertThat(broken).hasSize(1);
    assertThat(world.ledger.isClear(new PodUid("uid-g1"))).as("its plan is gone").isFalse();
  }

  /// A pod on which nothing can be written keeps no room, and is not tried without end.
  @Test
  void aRefusedLiftGivesTheBlockBackAtOnceAndThePodSaysWhy() {
    pods.failures.add(ClientException.Kind.REFUSED);
    planned("g0", "g1");
    seconds(1);
    assertThat(broken).hasSize(1);
    assertThat(world.ledger.isClear(new PodUid("uid-g1"))).as("its plan is gone").isFalse();
    assertThat(problems()).as("while it is not planned").hasSize(1);
    seconds(31);
    assertThat(problems()).as("after a while").isEmpty();
  }

  private List<Problem> problems() {
    var problems = new ArrayList<Problem>();
    for (var group : world.ledger.snapshot(world.workers.time().instant()).groups()) {
      group.members().forEach(member -> problems.addAll(member.pod().problems()));
    }
    return problems;
  }

  @Test
  void ofAGangThatIsRefusedTheOthersAreNotTried() {
    pods.failures.add(ClientException.Kind.REFUSED);
    pods.failures.add(ClientException.Kind.REFUSED);
    planned("g0", "g1", "g2", "g3");
    seconds(4);
    assertThat(pods.lifted).containsExactly("g0");
    seconds(10);
    assertThat(pods.lifted).containsExactly("g0");
    assertThat(broken).hasSize(1);
  }

  @Test
  void aNominationEndsWithItsPlanAndNotBefore() {
    var gates = nominating();
    pods.failures.add(ClientException.Kind.REFUSED);
    planned(gates, N1, "a");
    seconds(2);
    assertThat(pods.nominated).containsExactly("a to n1", "a to ");
  }

  /// Else it keeps room for a pod that is planned nowhere.
  @Test
  void aNominationThatCannotBeTakenOffNowIsTriedAgain() {
    var gates = nominating();
    pods.failures.add(ClientException.Kind.REFUSED);
    pods.staysNominated.add(ClientException.Kind.CONFLICT);
    pods.staysNominated.add(ClientException.Kind.UNREACHABLE);
    planned(gates, N1, "a");
    seconds(20);
    assertThat(pods.nominated).containsExactly("a to n1", "a to ", "a to ", "a to ");
  }

  @Test
  void theNominationOfAPodThatIsBoundStays() {
    var gates = nominating();
    planned(gates, N1, "a");
    seconds(1);
    bound("a");
    seconds(1);
    assertThat(pods.nominated).containsExactly("a to n1");
  }

  @Test
  void aNominationThatOneBeforeUsLeftIsTakenOff() {
    var gates = nominating();
    world.pod("a", "", WAITING, "phase: 'Pending', nominatedNodeName: 'n1'");
    gates.nominated(world.ledger.pod(new PodUid("uid-a")).orElseThrow(), N1);
    world.pod("b", "", WAITING, "phase: 'Pending'");
    seconds(1);
    assertThat(pods.nominated).containsExactly("a to ");
  }

  /// The gate of another client is closed again where etcd goes back; ours was lifted before.
  @Test
  void aNominationBehindTheGateOfAnotherIsTakenOffAndThatOfKubeSchedulerIsNot() {
    var gates = nominating();
    String nominated = "phase: 'Pending', nominatedNodeName: 'n1'";
    world.pod("a", "", "schedulingGates: [{name: 'example.com/hold'}]", nominated);
    gates.nominated(world.ledger.pod(new PodUid("uid-a")).orElseThrow(), N1);
    world.pod("b", "", "", nominated);
    gates.nominated(world.ledger.pod(new PodUid("uid-b")).orElseThrow(), N1);
    world.pod("c", "", WAITING, "phase: 'Pending'");
    seconds(1);
    assertThat(pods.nominated).containsExactly("a to ");
  }

  @Test
  void aNominationThatIsBeingWrittenIsTakenOffAfterwards() {
    var gates = nominating();
    pods.meanwhile =
        () -> {
          world.ledger.forget(new PodUid("uid-a"), planOf("a"));
          world.workers.turn(Duration.ofSeconds(1));
        };
    planned(gates, N1, "a");
    seconds(3);
    assertThat(pods.nominated).containsExactly("a to n1", "a to ");
    assertThat(pods.overlaps).as("two writers of one pod").isEmpty();
  }

  @Test
  void aNominationWaitsUntilThePastOneIsTakenOff() {
    var gates = nominating();
    planned(gates, N1, "a");
    seconds(1);
    pods.meanwhile =
        () -> {
          planned(gates, N2, "a");
          world.workers.turn(Duration.ofSeconds(1));
        };
    world.ledger.forget(new PodUid("uid-a"), planOf("a"));
    seconds(3);
    assertThat(pods.nominated).containsExactly("a to n1", "a to ", "a to n2");
    assertThat(pods.overlaps).as("two writers of one pod").isEmpty();
  }

  @Test
  void nominationsAreTakenOffByAFewAtATime() {
    var gates = nominating();
    for (int i = 0; i < 40; i++) {
      String name = "p" + i;
      world.pod(name, "", WAITING, "phase: 'Pending', nominatedNodeName: 'n1'");
      gates.nominated(world.ledger.pod(new PodUid("uid-" + name)).orElseThrow(), N1);
    }
    pods.eachTime = () -> world.workers.turn(Duration.ofMillis(100)); // others go on
    world.pod("last", "", WAITING, "phase: 'Pending'");
    seconds(30);
    assertThat(pods.nominated).as("each of them once").hasSize(40).doesNotHaveDuplicates();
    assertThat(pods.most).as("at once").isEqualTo(8);
  }

  /// A tenant may patch a pod in a loop; its whole gang would be on its way until its plan lapses.
  @Test
  void aPodThatChangesAllTheTimeGivesItsBlockBackSoon() {
    for (int i = 0; i < 100; i++) {
      pods.failures.add(ClientException.Kind.CONFLICT);
    }
    int[] patches = {0};
    pods.meanwhileLifted =
        () -> world.pod("g0", "annotations: {x: '%d'}".formatted(++patches[0]), WAITING, "");
    planned("g0", "g1", "g2", "g3");
    planned("next");
    seconds(6);
    assertThat(pods.lifted).filteredOn("g0"::equals).as("tries").hasSizeLessThan(24);
    assertThat(broken).hasSize(1);
    assertThat(pods.lifted).contains("next");
    assertThat(problems()).as("it says why, for a while").hasSize(1);
  }

  /// A tenant may patch a pod sooner than the watch tells of it.
  @Test
  void aPodThatHasChangedCostsAnotherTryAndNoPlan() {
    pods.versionNow = 9_999;
    planned("a");
    var plan = planOf("a");
    seconds(0.1);
    assertThat(pods.lifted).containsExactly("a", "a");
    assertThat(pods.versions).endsWith(9_999L);
    assertThat(planOf("a").placement()).isEqualTo(plan.placement());
    seconds(10);
    assertThat(pods.lifted).hasSize(2);
  }

  /// Another client may have written it after us: a past plan is not tried again.
  @Test
  void aPlanThatEndsDuringATryIsNotTriedAgain() {
    pods.versionNow = 9_999;
    pods.meanwhileLifted = () -> world.ledger.forget(new PodUid("uid-a"), planOf("a"));
    planned("a");
    seconds(10);
    assertThat(pods.lifted).containsExactly("a");
  }

  /// Otherwise a user that makes the write of a plan fail could have others evicted without end.
  @Test
  void whoseWriteFailsThoughOthersLeftForItBacksOff() {
    for (var kind : List.of(ClientException.Kind.REFUSED, ClientException.Kind.CONFLICT)) {
      String preemptor = "claimant-" + kind.name().toLowerCase(Locale.ROOT);
      String leaves = "deletionTimestamp: '2026-01-01T00:00:00Z'";
      world.pod("victim", leaves, "nodeName: 'n1'", "phase: 'Running'");
      world.pod(preemptor, "", WAITING, "phase: 'Pending'");
      for (int i = 0; i < 100; i++) {
        pods.failures.add(kind);
      }
      int[] patches = {0};
      pods.meanwhileLifted =
          () -> world.pod(preemptor, "annotations: {x: '%d'}".formatted(++patches[0]), WAITING, "");
      var key = new GroupKey("default", preemptor);
      var place =
          new Reserved(
              new PodUid("uid-" + preemptor), new PodKey("default", preemptor), Placement.on(N1));
      var victim =
          new Victim(new PodUid("uid-victim"), new PodKey("default", "victim"), Cause.PREEMPT, key);
      var reserve = new Reserve(key, List.of(place), List.of(), List.of(victim));
      var _ = world.ledger.snapshot(world.workers.time().instant()); // it knows the time then
      var until = world.workers.time().instant().plusSeconds(60);
      gates.take(world.ledger.assume(reserve, until).orElseThrow());
      seconds(8);
      var now = world.workers.time().instant();
      assertThat(world.ledger.snapshot(now).backoffs().evicting().workloads())
          .as("%s", kind)
          .containsKey(new PodKey("default", preemptor));
    }
  }

  /// Those that are told late do not come too soon: a try that names the same version again does
  /// not say that the pod changes often.
  @Test
  void aWatchThatIsLateIsNoReasonToGiveUp() {
    for (int i = 0; i < 8; i++) {
      pods.failures.add(ClientException.Kind.CONFLICT);
    }
    planned("a");
    seconds(30);
    assertThat(pods.lifted).hasSize(9);
    assertThat(broken).isEmpty();
  }

  @Test
  void smallBlocksPassAWindowThatIsFullAFewAtATime() {
    var wide = gates(1000, 100, 16);
    world.changed.add(wide::changed);
    planned(wide, N1, gang(20));
    seconds(1);
    pods.lifted.clear();
    planned(wide, N2, "p0", "p1", "p2");
    for (String name : List.of("a", "b", "c", "d")) {
      planned(wide, N2, name);
    }
    seconds(1);
    assertThat(pods.lifted)
        .as("two of a namespace, and no block that is larger than that")
        .containsExactly("a", "b");
    bound("a");
    seconds(1);
    assertThat(pods.lifted).containsExactly("a", "b", "c");
  }

  @Test
  void aLargeBlockDoesNotStandBeforeThePodsOfOthers() {
    var wide = gates(1000, 1, 16);
    planned(wide, N1, gang(5));
    world.podOf("other", "p");
    var place = new Reserved(new PodUid("uid-other-p"), new PodKey("other", "p"), Placement.on(N2));
    var reserve = new Reserve(new GroupKey("other", "p"), List.of(place), List.of(), List.of());
    var until = world.workers.time().instant().plusSeconds(60);
    wide.take(world.ledger.assume(reserve, until).orElseThrow());
    seconds(1);
    assertThat(pods.lifted).containsExactly("g0", "p", "g1", "g2", "g3", "g4");
  }

  /// Else kube-scheduler counts them in another order than the planner did, and refuses nodes.
  @Test
  void podsWithSpreadConstraintsReachKubeSchedulerInTheOrderOfTheirPlans() {
    String spread =
        ", topologySpreadConstraints: [{maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable:"
            + " 'DoNotSchedule', labelSelector: {}}]";
    assertThat(liftedAtOnce("", "a", "b", "c")).isEqualTo(3);
    assertThat(liftedAtOnce(spread, "s1", "s2", "s3")).isEqualTo(1);
    assertThat(pods.lifted).endsWith("s1", "s2", "s3");
  }

  /// Of single pods that are planned one after the other.
  private int liftedAtOnce(String spec, String... names) {
    var wide = gates(1000, 3, 8);
    for (String name : names) {
      world.pod(name, "", WAITING + spec, "phase: 'Pending'");
      plannedAsSeen(wide, N1, name);
    }
    int[] most = {0};
    pods.meanwhileLifted =
        () -> {
          int before = pods.lifted.size() - 1;
          seconds(0);
          most[0] = Math.max(most[0], pods.lifted.size() - before);
        };
    seconds(1);
    pods.meanwhileLifted = () -> {};
    return most[0];
  }

  private WrittenPlan planOf(String pod) {
    var standing = world.ledger.standing(new PodUid("uid-" + pod)).orElseThrow();
    return ((Standing.Planned) standing).plan();
  }

  private Gates gates(int nominateFrom, int inFlight, int window) {
    return new Gates(
        world.ledger,
        pods,
        world.workers,
        new GateSettings(
            nominateFrom, inFlight, window, Duration.ofSeconds(60), Duration.ofSeconds(15)),
        () -> 1,
        broken::add);
  }

  private static String[] gang(int members) {
    return IntStream.range(0, members).mapToObj(i -> "g" + i).toArray(String[]::new);
  }

  private Gates nominating() {
    var nominating = gates(0, 2, 4);
    world.changed.add(nominating::changed);
    return nominating;
  }

  /// Waiting pods of one device each, with a plan for all of them.
  private void planned(String... names) {
    planned(N1, names);
  }

  private void planned(NodeName node, String... names) {
    planned(gates, node, names);
  }

  private void planned(Gates gates, NodeName node, String... names) {
    for (String name : names) {
      world.pod(name, "", WAITING, "phase: 'Pending'");
    }
    plannedAsSeen(gates, node, names);
  }

  private void plannedAsSeen(Gates gates, NodeName node, String... names) {
    var block = new ArrayList<Reserved>();
    for (String name : names) {
      block.add(
          new Reserved(new PodUid("uid-" + name), new PodKey("default", name), Placement.on(node)));
    }
    var reserve = new Reserve(new GroupKey("default", names[0]), block, List.of(), List.of());
    var until = world.workers.time().instant().plusSeconds(60);
    gates.take(world.ledger.assume(reserve, until).orElseThrow());
  }

  private void bound(String name) {
    world.pod(name, "", "nodeName: 'n1'", "phase: 'Running'");
  }

  private void seconds(double seconds) {
    world.workers.turn(Duration.ofMillis((long) (seconds * 1000)));
  }

  private static final class LiftingPods extends UntouchedPods {
    final List<String> lifted = new ArrayList<>();
    final List<Long> versions = new ArrayList<>();
    final List<String> nominated = new ArrayList<>();
    final List<String> overlaps = new ArrayList<>();
    final Set<String> underWay = new TreeSet<>();
    Runnable meanwhile = () -> {}; // while the next nomination is written
    Runnable eachTime = () -> {};
    Runnable meanwhileLifted = () -> {}; // while a gate is lifted
    int most;
    long versionNow; // of every pod; 0 = whatever is named
    final ArrayDeque<ClientException.Kind> failures = new ArrayDeque<>();
    final ArrayDeque<ClientException.Kind> staysNominated = new ArrayDeque<>();

    @Override
    public void lift(PodKey pod, PodUid uid, long version, String plan) throws ClientException {
      lifted.add(pod.name());
      versions.add(version);
      meanwhileLifted.run();
      if (!failures.isEmpty()) {
        throw new ClientException(failures.remove(), pod.name());
      }
      if (versionNow > 0 && version != versionNow) {
        throw new ClientException(ClientException.Kind.CONFLICT, pod.name());
      }
    }

    @Override
    public long nominate(PodKey pod, PodUid uid, NodeName node) throws ClientException {
      nominated.add(pod.name() + " to " + node);
      if (node.isNone() && !staysNominated.isEmpty()) {
        throw new ClientException(staysNominated.remove(), pod.name());
      }
      if (!underWay.add(pod.name())) {
        overlaps.add(pod.name() + " to " + node);
      }
      most = Math.max(most, underWay.size());
      var happens = meanwhile;
      meanwhile = () -> {};
      happens.run();
      eachTime.run();
      underWay.remove(pod.name());
      return 0;
    }

    @Override
    public long version(PodKey pod, PodUid uid) {
      return versionNow;
    }
  }
}
