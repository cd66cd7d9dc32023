package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.START;
import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.uid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.ledger.view.BindCommit;
import dev.berth.engine.model.Backoffs.Backoff;
import dev.berth.engine.model.Backoffs.OverdueVolumes;
import dev.berth.engine.model.ChargedTo;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PersistentVolume;
import dev.berth.engine.model.PersistentVolumeClaim;
import dev.berth.engine.model.PersistentVolumeClaim.State;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.StorageClass;
import dev.berth.engine.model.WrittenPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// While kube-scheduler waits for a volume of a pod it keeps the node's room for it, whatever Berth
/// has decided since: no other pod may be planned there, and its queue is charged.
final class HeldRoomTest {
  private static final Instant UNTIL = START.plusSeconds(30);
  private static final Instant LATE = UNTIL.plusSeconds(1);

  private static final Duration BIND_TIMEOUT = Duration.ofMinutes(7);
  private static final Instant GIVEN_UP = UNTIL.plus(BIND_TIMEOUT).plusSeconds(5);

  private final Told told =
      new Told(
          new LedgerSettings(
              LedgerSettings.DEFAULT.schedulers(),
              LedgerSettings.DEFAULT.defaultQueue(),
              LedgerSettings.DEFAULT.holdersNamespace(),
              LedgerSettings.DEFAULT.placeHold(),
              BIND_TIMEOUT));
  private long version = 1;

  @BeforeEach
  void aClassThatWaitsForPods() {
    told.nodes(4, "a", "b");
    told.ledger.record(new Fact.StorageClassSeen(new StorageClass("slow", 1, true, List.of())));
    claim(NodeName.NONE);
  }

  /// The claim as it is now, not bound.
  private void claim(NodeName selected) {
    claim(State.NOT_BOUND, "", selected);
  }

  private void claim(State state, String volume, NodeName selected) {
    told.ledger.record(
        new Fact.VolumeClaimSeen(
            new PersistentVolumeClaim(
                new PersistentVolumeClaim.Key("default", "data"),
                version++,
                state,
                volume,
                "slow",
                selected,
                false)));
  }

  private void planned(String pod) {
    told.sees(pod(pod).gpus(4).volumes("data"));
    told.assumed(pod, Placement.on(at("a")));
    told.sees(pod(pod).gpus(4).volumes("data").ungated().version(2));
  }

  /// `x`, which has the volume, on node a, and `y` on node b, are to start together.
  private void gang() {
    told.ledger.record(new Fact.GroupSeen(Sketch.group("g", 2)));
    told.sees(pod("x").gpus(4).group("g").volumes("data"));
    told.sees(pod("y").gpus(1).group("g"));
    assume(List.of("x", "y"), List.of("a", "b"), UNTIL);
    told.sees(pod("x").gpus(4).group("g").volumes("data").ungated().version(2));
    told.sees(pod("y").gpus(1).group("g").ungated().version(2));
  }

  private List<Assumed> assume(List<String> pods, List<String> nodes, Instant until) {
    var block =
        IntStream.range(0, pods.size())
            .mapToObj(i -> Told.place(pods.get(i), Placement.on(at(nodes.get(i)))))
            .toList();
    var decision = new Decision.Reserve(Sketch.group("g", 2).key(), block, List.of(), List.of());
    return told.ledger.assume(decision, until).orElseThrow();
  }

  private boolean isPlanned(String pod) {
    return told.standing(pod) instanceof Standing.Planned;
  }

  private boolean takesRoom() {
    return !told.room("a").used().isNone();
  }

  @Test
  void aPlanLapsesWhereNoNodeWasSelected() {
    planned("x");
    told.ledger.expire(LATE);
    assertThat(isPlanned("x")).as("x is planned").isFalse();
    assertThat(takesRoom()).as("room of the node is taken").isFalse();
  }

  @Test
  void aPlanOutlivesItsDeadlineWhileItsVolumeIsAwaitedThere() {
    planned("x");
    claim(at("a"));
    assertThat(told.ledger.expire(LATE)).isEmpty();
    assertThat(told.ledger.expire(LATE.plusSeconds(300))).isEmpty();
    assertThat(isPlanned("x")).as("x is planned").isTrue();
    assertThat(takesRoom()).as("room of the node is taken").isTrue();
    assertThat(told.ledger.commit(uid("x"), at("a")))
        .as("the volume came")
        .isInstanceOf(BindCommit.Ready.class);
  }

  @Test
  void aNodeSelectedElsewhereKeepsNothing() {
    planned("x");
    claim(at("b"));
    told.ledger.expire(LATE);
    assertThat(isPlanned("x")).as("x is planned").isFalse();
  }

  @Test
  void itEndsWhenTheNodeIsSelectedNoMore() {
    planned("x");
    claim(at("a"));
    told.ledger.expire(LATE);
    claim(NodeName.NONE);
    told.ledger.expire(LATE.plusSeconds(11));
    told.ledger.expire(LATE.plusSeconds(15));
    assertThat(isPlanned("x")).as("x is planned").isFalse();
    assertThat(takesRoom()).as("room of the node is taken").isFalse();
  }

  /// kube-scheduler looks at the claim once a second. The owner of the claim can write another
  /// node, and a moment later the same one again.
  @Test
  void aMomentWithoutItsNodeFreesNothing() {
    gang();
    claim(at("a"));
    claim(at("b"));
    told.farewell("y");
    assertThat(takesRoom()).as("its block has ended").isTrue();
    told.ledger.expire(START);
    claim(at("a"));
    told.ledger.expire(START.plusSeconds(4));
    assertThat(takesRoom()).as("the node is selected again").isTrue();
    claim(NodeName.NONE);
    told.ledger.expire(START.plusSeconds(15));
    claim(at("a"));
    claim(NodeName.NONE);
    told.ledger.expire(START.plusSeconds(19));
    assertThat(takesRoom()).as("it was, since the last look").isTrue();
    told.ledger.expire(START.plusSeconds(21));
    assertThat(takesRoom()).as("for two seconds").isTrue();
    told.ledger.expire(START.plusSeconds(23));
    assertThat(takesRoom()).as("long enough for kube-scheduler to see it").isFalse();
  }

  @Test
  void aMomentWithoutAClaimFreesNothing() {
    planned("x");
    claim(at("a"));
    told.ledger.record(
        new Fact.VolumeClaimGone(new PersistentVolumeClaim.Key("default", "data"), version++));
    told.ledger.expire(LATE);
    assertThat(takesRoom()).as("its deadline has passed").isTrue();
    claim(at("a"));
    told.ledger.expire(LATE.plusSeconds(4));
    assertThat(takesRoom()).as("room of the node is taken").isTrue();
    assertThat(told.ledger.asksAnew(uid("x"), LATE.plusSeconds(5)))
        .as("a plan of x that was kept ends")
        .isTrue();
    assertThat(takesRoom()).as("kube-scheduler lets go").isFalse();
  }

  /// kube-scheduler waits on there until its time is over. The owner of the claim can write that.
  @Test
  void aVolumeThatDoesNotExistIsAwaited() {
    told.ledger.record(new Fact.VolumeSeen(new PersistentVolume("disk", 1, List.of())));
    planned("x");
    var now = LATE;
    for (State state : List.of(State.NOT_BOUND, State.BOUND, State.LOST, State.DELETED)) {
      claim(state, "no-disk", at("a"));
      for (int looks = 0; looks < 4; looks++) {
        told.ledger.expire(now);
        now = now.plusSeconds(12);
      }
      assertThat(isPlanned("x")).as("%s to a volume that does not exist", state).isTrue();
    }
    claim(State.DELETED, "", at("a"));
    told.ledger.expire(now.plusSeconds(20));
    assertThat(isPlanned("x")).as("deleted before it was bound").isTrue();
    claim(State.BOUND, "disk", at("a"));
    told.ledger.expire(now.plusSeconds(40));
    told.ledger.expire(now.plusSeconds(46));
    told.ledger.expire(now.plusSeconds(50));
    assertThat(isPlanned("x")).as("bound").isFalse();
  }

  /// kube-scheduler waits for the claim to be bound, not for it to name a volume.
  @Test
  void aDeletedClaimThatNamesAVolumeIsAwaitedAsLongAsItIsNotBound() {
    told.ledger.record(new Fact.VolumeSeen(new PersistentVolume("of-another", 1, List.of())));
    gang();
    claim(at("a"));
    claim(State.DELETED_UNBOUND, "of-another", at("a"));
    told.farewell("y");
    assertThat(takesRoom()).as("room of the node is taken").isTrue();
  }

  @Test
  void itEndsWithTheLongestTimeThatKubeSchedulerWaits() {
    planned("x");
    claim(at("a"));
    told.ledger.expire(LATE);
    told.ledger.expire(GIVEN_UP.minusMillis(1));
    assertThat(isPlanned("x")).as("x is planned").isTrue();
    told.ledger.expire(GIVEN_UP.plusSeconds(10)); // it is looked at again after so long
    assertThat(isPlanned("x")).as("x is planned").isFalse();
    assertThat(takesRoom()).as("room of the node is taken").isFalse();
  }

  @Test
  void itEndsWhenKubeSchedulerAsksAnewAfterTheDeadline() {
    planned("x");
    claim(at("a"));
    assertThat(told.ledger.asksAnew(uid("x"), START)).as("before the deadline").isFalse();
    told.ledger.expire(LATE);
    assertThat(told.ledger.asksAnew(uid("x"), LATE)).as("a plan of x that was kept ends").isTrue();
    assertThat(isPlanned("x")).as("x is planned").isFalse();
    assertThat(takesRoom()).as("room of the node is taken").isFalse();
  }

  /// A tenant takes the node off the claim, kube-scheduler gives up, asks, and would wait anew.
  @Test
  void itEndsWhenKubeSchedulerAsksAnewSinceTheNodeIsSelectedNoMore() {
    planned("x");
    claim(at("a"));
    told.ledger.expire(LATE);
    claim(NodeName.NONE);
    assertThat(told.ledger.asksAnew(uid("x"), LATE.plusSeconds(2)))
        .as("a plan of x that was kept ends")
        .isTrue();
    assertThat(told.standing("x")).isEqualTo(new Standing.Waiting());
    assertThat(takesRoom()).as("room of the node is taken").isFalse();
    claim(at("a"));
    assertThat(takesRoom()).as("kube-scheduler has let go of it").isFalse();
  }

  @Test
  void thatEndsItBeforeItsDeadlineToo() {
    planned("x");
    claim(at("a"));
    claim(NodeName.NONE);
    claim(at("a"));
    assertThat(told.ledger.asksAnew(uid("x"), START)).as("a plan of x that was kept ends").isTrue();
    assertThat(takesRoom()).as("room of the node is taken").isFalse();
  }

  /// Its Binding was refused, such as by the barrier of its gang.
  @Test
  void aPlanWhoseVolumeCameStaysWhenKubeSchedulerAsksAnew() {
    planned("x");
    claim(at("a"));
    told.ledger.expire(LATE);
    claim(State.BOUND, "disk", at("a"));
    assertThat(told.ledger.asksAnew(uid("x"), LATE.plusSeconds(2)))
        .as("a plan of x that was kept ends")
        .isFalse();
    assertThat(isPlanned("x")).as("x is planned").isTrue();
  }

  @Test
  void oneVolumeThatCameIsNotAllOfThem() {
    told.sees(pod("x").gpus(4).volumes("data", "more"));
    told.assumed("x", Placement.on(at("a")));
    told.sees(pod("x").gpus(4).volumes("data", "more").ungated().version(2));
    claim(at("a"));
    claim(State.BOUND, "disk", at("a"));
    assertThat(told.ledger.asksAnew(uid("x"), LATE)).as("a plan of x that was kept ends").isTrue();
  }

  @Test
  void aBlockEndsWithTheMemberForWhichKubeSchedulerHasWaited() {
    gang();
    claim(at("a"));
    claim(NodeName.NONE);
    assertThat(told.ledger.asksAnew(uid("y"), START)).as("it waited for no volume").isFalse();
    assertThat(told.ledger.asksAnew(uid("x"), START)).as("a plan of x that was kept ends").isTrue();
    assertThat(isPlanned("x") || isPlanned("y")).as("x or y is planned").isFalse();
    assertThat(takesRoom()).as("room of the node is taken").isFalse();
  }

  @Test
  void aBlockEndsSoThoughAnotherMemberRuns() {
    told.ledger.record(new Fact.GroupSeen(Sketch.group("g", 3)));
    told.sees(pod("z").gpus(1).group("g").on("b"));
    gang();
    claim(at("a"));
    claim(NodeName.NONE);
    assertThat(told.ledger.asksAnew(uid("x"), START)).as("a plan of x that was kept ends").isTrue();
    assertThat(isPlanned("y")).as("y is planned").isFalse();
  }

  @Test
  void whoseRoomWasKeptInVainBorrowsNothingForAWhile() {
    planned("x");
    claim(at("a"));
    told.ledger.expire(LATE);
    claim(NodeName.NONE);
    assertThat(pausesOf("x")).isEmpty();
    told.ledger.asksAnew(uid("x"), LATE.plusSeconds(2));
    assertThat(pausesOf("x")).contains(new Backoff("", 1, "", LATE.plusSeconds(10)));
  }

  /// Pods are cheap to create anew.
  @Test
  void podDeletedWhileItsRoomIsKeptCountsTooAndAfterTheFourthItsNamespace() {
    told.sees(pod("other").gpus(1));
    claim(at("a"));
    for (int i = 0; i < 5; i++) {
      assertThat(pausesOf("other")).as("%s kept room", i).isEmpty();
      planned("x" + i);
      told.farewell("x" + i);
    }
    assertThat(pausesOf("other"))
        .map(pause -> pause.namespace() + " " + pause.failures())
        .contains("default 5");
  }

  @Test
  void aPlanWhoseVolumeCameKeptNothingInVain() {
    planned("x");
    claim(at("a"));
    told.ledger.expire(LATE);
    claim(State.BOUND, "disk", at("a"));
    told.ledger.expire(LATE.plusSeconds(11));
    told.ledger.expire(LATE.plusSeconds(17));
    told.ledger.expire(LATE.plusSeconds(21));
    assertThat(isPlanned("x")).as("x is planned").isFalse();
    assertThat(pausesOf("x")).isEmpty();
  }

  /// Its claim may be seen bound later.
  @Test
  void podThatReachesBindHasItsVolume() {
    gang();
    claim(at("a"));
    told.farewell("y");
    assertThat(told.ledger.commit(uid("x"), at("a")))
        .isEqualTo(new BindCommit.Refused(BindCommit.Why.NO_PLAN, NodeName.NONE));
    assertThat(isPlanned("x")).as("x is planned").isFalse();
    assertThat(told.snapshot().backoffs().borrowing().isEmpty()).as("no pause").isTrue();
  }

  private Optional<Backoff> pausesOf(String pod) {
    return told.snapshot().backoffs().borrowing().of(told.shown(pod));
  }

  /// So many seconds after the first look.
  private OverdueVolumes overdue(int seconds) {
    return told.ledger.snapshot(START.plusSeconds(seconds)).backoffs().overdue();
  }

  @Test
  void aVolumeIsOverdueOnceItWasAwaitedForFifteenSeconds() {
    planned("x");
    assertThat(overdue(0)).as("no node is selected").isEqualTo(OverdueVolumes.NONE);
    claim(at("a"));
    assertThat(overdue(5)).isEqualTo(OverdueVolumes.NONE);
    assertThat(overdue(19)).as("after 14 s").isEqualTo(OverdueVolumes.NONE);
    var wait = overdue(20).waits().getFirst();
    assertThat(wait.namespace() + " " + wait.queue()).isEqualTo("default default");
    assertThat(wait.resources()).contains(Resource.GPU);
    claim(State.BOUND, "disk", at("a"));
    assertThat(overdue(21)).as("it has come").isEqualTo(OverdueVolumes.NONE);
  }

  /// kube-scheduler may not have seen it.
  @Test
  void itIsThoughItsClaimCeasesToNameTheNode() {
    planned("x");
    claim(at("a"));
    overdue(0);
    claim(NodeName.NONE);
    assertThat(overdue(15).waits()).hasSize(1);
    told.ledger.asksAnew(uid("x"), LATE);
    assertThat(overdue(16)).as("kube-scheduler lets go").isEqualTo(OverdueVolumes.NONE);
  }

  @Test
  void itIsThoughItsClaimIsDeleted() {
    planned("x");
    claim(State.DELETED_UNBOUND, "", at("a"));
    overdue(0);
    assertThat(overdue(15).waits()).hasSize(1);
  }

  private void volume(long at, String claim) {
    var key = new PersistentVolumeClaim.Key("default", claim);
    told.ledger.record(
        new Fact.VolumeSeen(
            new PersistentVolume("local", at, List.of(), "", Optional.of(key), true)));
  }

  /// Of a class without a provisioner kube-scheduler chooses a volume, and writes that on the
  /// volume alone. The claim is bound by kube-controller-manager, which may fail to.
  @Test
  void aClaimThatAVolumeIsMeantForIsAwaitedThoughNoNodeIsSelected() {
    planned("x");
    claim(NodeName.NONE);
    assertThat(overdue(0)).isEqualTo(OverdueVolumes.NONE);
    volume(1, "data");
    assertThat(overdue(1)).isEqualTo(OverdueVolumes.NONE);
    assertThat(overdue(16).waits()).hasSize(1);
    told.ledger.expire(LATE);
    assertThat(isPlanned("x")).as("its room is kept").isTrue();
    told.ledger.asksAnew(uid("x"), LATE.plusSeconds(1));
    assertThat(isPlanned("x")).as("kube-scheduler waited in vain").isFalse();
    assertThat(pausesOf("x")).map(Backoff::failures).contains(1);
    assertThat(overdue(40)).isEqualTo(OverdueVolumes.NONE);
  }

  @Test
  void aVolumeThatIsFreedOrMeantForAnotherClaimIsNotAwaited() {
    planned("x");
    claim(NodeName.NONE);
    volume(1, "other");
    overdue(0);
    assertThat(overdue(15)).as("for another").isEqualTo(OverdueVolumes.NONE);
    volume(2, "data");
    overdue(16);
    told.ledger.record(new Fact.VolumeSeen(new PersistentVolume("local", 3, List.of())));
    assertThat(overdue(40)).as("free").isEqualTo(OverdueVolumes.NONE);
    volume(4, "data");
    overdue(41);
    told.ledger.record(new Fact.VolumeGone("local", 5));
    assertThat(overdue(60)).as("gone").isEqualTo(OverdueVolumes.NONE);
    volume(6, "data");
    overdue(61);
    claim(State.BOUND, "local", NodeName.NONE);
    assertThat(overdue(80)).as("bound").isEqualTo(OverdueVolumes.NONE);
  }

  @Test
  void anotherPlanHasItsOwnTime() {
    planned("x");
    claim(at("a"));
    overdue(0);
    told.ledger.asksAnew(uid("x"), LATE);
    told.sees(pod("x").gpus(4).volumes("data").ungated().version(3));
    told.ledger.assume(Told.alone("x", Placement.on(at("a"))), GIVEN_UP).orElseThrow();
    assertThat(overdue(15)).isEqualTo(OverdueVolumes.NONE);
    assertThat(overdue(30).waits()).hasSize(1);
  }

  @Test
  void thatOfAHeldMemberIsOverdueToo() {
    gang();
    claim(at("a"));
    overdue(0);
    told.farewell("y");
    assertThat(overdue(15).waits()).hasSize(1);
    told.farewell("x");
    assertThat(overdue(16)).isEqualTo(OverdueVolumes.NONE);
  }

  @Test
  void aPodThatIsDeletedAndStaysForAFinalizerKeepsItsRoom() {
    planned("x");
    claim(at("a"));
    told.sees(pod("x").gpus(4).volumes("data").ungated().leaving().version(3));
    assertThat(takesRoom()).as("room of the node is taken").isTrue();
    told.farewell("x");
    assertThat(takesRoom()).as("room of the node is taken").isFalse();
  }

  @Test
  void aMemberKeepsItsRoomThoughItsBlockEnds() {
    gang();
    claim(at("a"));
    told.farewell("y");
    assertThat(isPlanned("x")).as("x is planned").isTrue();
    assertThat(takesRoom()).as("room of the node is taken").isTrue();
    assertThat(told.ledger.expire(LATE)).isEmpty();
    assertThat(takesRoom()).as("after its deadline").isTrue();
    assertThat(told.ledger.commit(uid("x"), at("a")))
        .as("its plan is over")
        .isEqualTo(new BindCommit.Refused(BindCommit.Why.NO_PLAN, NodeName.NONE));
    assertThat(takesRoom()).as("kube-scheduler lets go").isFalse();
  }

  @Test
  void aBlockWaitsSomeTimeForTheVolumeOfAMember() {
    gang();
    claim(at("a"));
    assertThat(told.ledger.expire(UNTIL.plusSeconds(44))).isEmpty();
    assertThat(isPlanned("y")).as("y is planned").isTrue();
    told.ledger.expire(UNTIL.plusSeconds(60));
    assertThat(isPlanned("y")).as("y is planned").isFalse();
    assertThat(takesRoom()).as("of who waits for the volume").isTrue();
  }

  @Test
  void othersOfItsGroupStartNotBesideIt() {
    gang();
    claim(at("a"));
    told.ledger.expire(UNTIL.plusSeconds(60));
    told.sees(pod("z").gpus(1).group("g"));
    var until = UNTIL.plusSeconds(90);
    assume(List.of("y", "z"), List.of("b", "b"), until);
    assertThat(told.ledger.isClear(uid("z"))).as("z is clear").isFalse();
    assertThat(told.ledger.commit(uid("y"), at("b"))).isInstanceOf(BindCommit.AwaitsBlock.class);
    assertThat(told.ledger.asksAnew(uid("x"), UNTIL.plusSeconds(61)))
        .as("a plan of x that was kept ends")
        .isTrue();
    assertThat(isPlanned("y") || isPlanned("z")).as("they counted on it").isFalse();
  }

  @Test
  void othersOfItsGroupStartOnceItIsGone() {
    gang();
    claim(at("a"));
    told.ledger.expire(UNTIL.plusSeconds(60));
    told.farewell("x");
    told.sees(pod("z").gpus(1).group("g"));
    assume(List.of("y", "z"), List.of("b", "b"), UNTIL.plusSeconds(90));
    assertThat(told.ledger.isClear(uid("y"))).as("y is clear").isTrue();
    assertThat(told.ledger.isClear(uid("z"))).as("z is clear").isTrue();
  }

  /// Nothing came of it in time. That it is looked at again and again would never end.
  @Test
  void aBindingInDoubtDoesNotWaitForTheVolumeOfAnother() {
    gang();
    claim(at("a"));
    assertThat(told.ledger.commit(uid("y"), at("b"))).isInstanceOf(BindCommit.Ready.class);
    told.ledger.doubt(uid("y"), UNTIL.plusSeconds(5));
    assertTimeoutPreemptively(
        Duration.ofSeconds(20), () -> told.ledger.expire(UNTIL.plusSeconds(10)));
    assertThat(isPlanned("y")).as("y is planned").isFalse();
    assertThat(takesRoom()).as("of who waits for the volume").isTrue();
  }

  /// kube-scheduler looks for it once a second, and then calls bind.
  @Test
  void aPlanStaysForSomeSecondsOnceItsVolumeCame() {
    planned("x");
    claim(at("a"));
    told.ledger.expire(LATE);
    claim(State.BOUND, "disk", at("a"));
    assertThat(told.ledger.expire(LATE.plusSeconds(11))).isEmpty();
    assertThat(told.ledger.expire(LATE.plusSeconds(15))).isEmpty();
    assertThat(isPlanned("x")).as("x is planned").isTrue();
    told.ledger.expire(LATE.plusSeconds(17));
    told.ledger.expire(LATE.plusSeconds(21));
    assertThat(isPlanned("x")).as("nothing came of it").isFalse();
  }

  @Test
  void aBlockStaysForSomeSecondsOnceTheVolumeOfAMemberCame() {
    gang();
    claim(at("a"));
    told.ledger.expire(LATE);
    claim(State.BOUND, "disk", at("a"));
    assertThat(told.ledger.expire(LATE.plusSeconds(11))).isEmpty();
    assertThat(told.ledger.expire(LATE.plusSeconds(15))).isEmpty();
    assertThat(isPlanned("x") && isPlanned("y")).as("x and y are planned").isTrue();
    told.ledger.expire(LATE.plusSeconds(17));
    told.ledger.expire(LATE.plusSeconds(21));
    assertThat(isPlanned("x") || isPlanned("y")).as("nothing came of it").isFalse();
  }

  /// A lost claim has no volume, even if volumes are not read.
  @Test
  void aLostClaimIsAwaitedThoughNoVolumeIsKnown() {
    planned("x");
    claim(State.LOST, "disk", at("a"));
    told.ledger.expire(LATE);
    assertThat(isPlanned("x")).as("x is planned").isTrue();
  }

  /// A new leader sees a pod that was deleted before, and stays for a finalizer.
  @Test
  void aPodThatWasDeletedBeforeItWasSeenKeepsItsRoom() {
    claim(at("a"));
    told.sees(deletedBefore());
    assertThat(takesRoom()).as("room of the node is taken").isTrue();
    told.ledger.expire(GIVEN_UP.plusMillis(1));
    assertThat(takesRoom()).as("room of the node is taken").isFalse();
  }

  @Test
  void aPodThatWasDeletedBeforeKeepsItsRoomOnceItsClaimIsSeen() {
    told.sees(deletedBefore());
    assertThat(takesRoom()).as("room of the node is taken").isFalse();
    claim(at("a"));
    assertThat(takesRoom()).as("room of the node is taken").isTrue();
  }

  /// A new leader gives back a block that was written in part before it has read the claims.
  @Test
  void aPodThatWasDeletedBeforeKeepsItsRoomThoughItsBlockHasEnded() {
    deletedBeforeItsBlockEnded();
    claim(at("a"));
    assertThat(takesRoom()).as("kube-scheduler waits for its volume").isTrue();
    assertThat(told.ledger.asksAnew(uid("x"), LATE)).as("a plan of x that was kept ends").isTrue();
    assertThat(takesRoom()).as("room of the node is taken").isFalse();
  }

  /// As a new leader finds it whose first look at the claims is late.
  @Test
  void aPodForWhichKubeSchedulerHasGivenUpIsNotHeld() {
    deletedBeforeItsBlockEnded();
    told.ledger.expire(GIVEN_UP);
    claim(at("a"));
    var seen = told.ledger.snapshot(GIVEN_UP.plusMillis(1));
    assertThat(seen.node(at("a")).orElseThrow().used().isNone()).as("node a is empty").isTrue();
  }

  @Test
  void podAskedForAfterItsBlockEndedIsNotHeld() {
    deletedBeforeItsBlockEnded();
    assertThat(told.ledger.asksAnew(uid("x"), LATE)).as("there is no plan").isFalse();
    claim(at("a"));
    assertThat(takesRoom()).as("kube-scheduler has let go of it").isFalse();
  }

  private void deletedBeforeItsBlockEnded() {
    told.ledger.record(new Fact.GroupSeen(Sketch.group("g", 3)));
    var onA = new WrittenPlan(Placement.on(at("a")), "block", 3, UNTIL, ChargedTo.NONE);
    var onB = new WrittenPlan(Placement.on(at("b")), "block", 3, UNTIL, ChargedTo.NONE);
    told.sees(
        pod("x").gpus(4).group("g").volumes("data").ungated().leaving().written(onA).version(2));
    told.sees(pod("y").gpus(1).group("g").ungated().written(onB).version(2));
    assertThat(told.ledger.giveBackIncomplete()).hasSize(1);
    assertThat(takesRoom()).as("no claim is seen").isFalse();
  }

  private static Sketch.PodSketch deletedBefore() {
    var plan = new WrittenPlan(Placement.on(at("a")), "", 1, UNTIL, ChargedTo.NONE);
    return pod("x").gpus(4).volumes("data").ungated().leaving().written(plan).version(2);
  }

  /// Its plan ends while the watch still shows its gate closed: kube-scheduler may have it.
  @Test
  void whatIsSeenAfterThePlanEndedCounts() {
    told.sees(pod("x").gpus(4).volumes("data"));
    var plan = told.assumed("x", Placement.on(at("a")));
    var key = new PodKey("default", "x");
    told.ledger.giveBack(List.of(new Decision.Withdrawn(uid("x"), key, plan)), 0);
    claim(at("a"));
    assertThat(takesRoom()).as("behind its gate").isFalse();
    told.sees(pod("x").gpus(4).volumes("data").ungated().written(plan).version(2));
    assertThat(takesRoom()).as("room of the node is taken").isTrue();
    assertThat(told.ledger.asksAnew(uid("x"), LATE)).as("a plan of x that was kept ends").isTrue();
    claim(State.DELETED, "", at("a"));
    assertThat(takesRoom()).as("kube-scheduler has let go of it").isFalse();
  }

  @Test
  void aNodeThatIsSelectedAfterThePlanEndedCounts() {
    planned("x");
    told.ledger.expire(LATE);
    assertThat(takesRoom()).as("room of the node is taken").isFalse();
    claim(at("a"));
    assertThat(takesRoom()).as("room of the node is taken").isTrue();
  }

  @Test
  void podAskedForAfterThePlanEndedIsNotHeld() {
    planned("x");
    told.ledger.expire(LATE);
    assertThat(told.ledger.asksAnew(uid("x"), LATE)).as("there is no plan").isFalse();
    claim(at("a"));
    assertThat(takesRoom()).as("room of the node is taken").isFalse();
  }

  @Test
  void aRefusalOfItsNodeEndsIt() {
    planned("x");
    claim(at("a"));
    told.ledger.expire(LATE);
    told.ledger.veto(uid("x"), at("a"), "no", LATE.plusSeconds(60));
    assertThat(isPlanned("x")).as("x is planned").isFalse();
    assertThat(takesRoom()).as("room of the node is taken").isFalse();
  }

  /// A new leader may hear of a refusal before it has read the claims.
  @Test
  void aRefusalOfAnotherMemberIsNoneOfItsOwn() {
    gang();
    told.ledger.veto(uid("y"), at("b"), "no", LATE.plusSeconds(60));
    assertThat(isPlanned("x")).as("x is planned").isFalse();
    claim(at("a"));
    assertThat(takesRoom()).as("kube-scheduler waits for its volume").isTrue();
  }
}
