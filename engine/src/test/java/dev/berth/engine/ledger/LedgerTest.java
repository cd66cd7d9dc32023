package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.SOON;
import static dev.berth.engine.ledger.Sketch.START;
import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.group;
import static dev.berth.engine.ledger.Sketch.holder;
import static dev.berth.engine.ledger.Sketch.node;
import static dev.berth.engine.ledger.Sketch.plan;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.share;
import static dev.berth.engine.ledger.Sketch.slots;
import static dev.berth.engine.ledger.Sketch.uid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.engine.ledger.Ledger.Assumed;
import dev.berth.engine.ledger.Ledger.SlotKey;
import dev.berth.engine.ledger.Sketch.PodSketch;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeRoom;
import dev.berth.engine.model.NodeRoom.Holder;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Origin;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.Workload;
import dev.berth.engine.model.WrittenPlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LedgerTest {
  private final AtomicInteger wakes = new AtomicInteger();
  private final Ledger ledger = new Ledger(LedgerSettings.DEFAULT, wakes::incrementAndGet);

  private boolean sees(PodSketch pod) {
    return ledger.record(new Fact.PodSeen(pod.made()));
  }

  private boolean farewell(String pod) {
    return ledger.record(new Fact.PodGone(new PodKey("default", pod), uid(pod)));
  }

  private void holds(String node, int slot, String uuid) {
    ledger.record(new Fact.PodSeen(holder(node, slot, uuid, uuid.isEmpty() ? 1 : 2)));
  }

  private void nodes(int gpus, String... names) {
    for (String name : names) {
      ledger.record(new Fact.NodeSeen(node(name, gpus)));
    }
  }

  private static Reserved place(String pod, Placement placement) {
    return new Reserved(uid(pod), new PodKey("default", pod), placement);
  }

  private static Decision.Reserve alone(String pod, Placement placement, String... victims) {
    return new Decision.Reserve(
        new GroupKey("default", pod),
        List.of(place(pod, placement)),
        List.of(),
        victims(pod, victims));
  }

  private static List<Victim> victims(String claimant, String... pods) {
    var victims = new ArrayList<Victim>();
    for (String pod : pods) {
      victims.add(
          new Victim(
              uid(pod),
              new PodKey("default", pod),
              Cause.RECLAIM,
              new GroupKey("default", claimant)));
    }
    return victims;
  }

  private WrittenPlan assumed(String pod, Placement placement) {
    return ledger.assume(alone(pod, placement), SOON).orElseThrow().getFirst().plan();
  }

  private Standing standing(String pod) {
    return ledger.standing(uid(pod)).orElseThrow();
  }

  private Snapshot snapshot() {
    return ledger.snapshot(START);
  }

  private NodeRoom room(String node) {
    return snapshot().node(at(node)).orElseThrow();
  }

  private PodGroup shown(String group) {
    return snapshot().groups().stream()
        .filter(one -> one.key().name().equals(group))
        .findFirst()
        .orElseThrow();
  }

  // Room

  @Test
  void aBoundPodTakesRoomUntilItIsOver() {
    nodes(8, "a");
    sees(pod("p").gpus(2).on("a"));
    assertThat(room("a").used().of(Resource.NVIDIA)).isEqualTo(2);
    sees(pod("p").gpus(2).on("a").over(true).version(2));
    assertThat(room("a").used().isNone()).as("nothing is used").isTrue();
    assertThat(standing("p")).isEqualTo(new Standing.Over(true));
  }

  @Test
  void aLeavingPodStillTakesItsRoom() {
    nodes(8, "a");
    sees(pod("p").gpus(2).on("a").leaving());
    assertThat(room("a").used().of(Resource.NVIDIA)).isEqualTo(2);
    assertThat(room("a").leaving()).isEqualTo(room("a").used());
    farewell("p");
    assertThat(room("a").used().isNone()).as("nothing is used").isTrue();
    assertThat(room("a").leaving().isNone()).as("nothing is leaving").isTrue();
  }

  @Test
  void podsOfOtherSchedulersAreForeignAndInNoGroup() {
    nodes(8, "a");
    sees(pod("p").scheduler("default-scheduler").gpus(1).on("a"));
    assertThat(room("a").foreign()).isEqualTo(room("a").used());
    assertThat(snapshot().groups()).isEmpty();
    assertThat(ledger.groupOf(uid("p"))).isEmpty();
  }

  @Test
  void podsOnANodeThatComesLaterCountThen() {
    sees(pod("p").gpus(2).on("a"));
    assertThat(snapshot().nodes()).isEmpty();
    nodes(8, "a");
    assertThat(room("a").used().of(Resource.NVIDIA)).isEqualTo(2);
  }

  @Test
  void aNodeThatComesBackHasItsPods() {
    nodes(8, "a");
    sees(pod("p").gpus(2).on("a"));
    ledger.record(new Fact.NodeGone(at("a"), 2));
    assertThat(snapshot().nodes()).isEmpty();
    assertThat(ledger.record(new Fact.NodeSeen(node("a", 8, 1)))).as("late").isFalse();
    assertThat(ledger.record(new Fact.NodeSeen(node("a", 8, 3)))).as("back").isTrue();
    assertThat(room("a").used().of(Resource.NVIDIA)).isEqualTo(2);
  }

  @Test
  void aSharedDeviceCountsOneDeviceBeforeItsHolderExistsAndAfter() {
    nodes(4, "a");
    sees(pod("p").share(share(400)).on("a").written(plan(slots("a", 400, 1), SOON)));
    assertThat(room("a").used().of(Resource.NVIDIA)).isEqualTo(1);
    assertThat(room("a").used().of(Resource.PODS)).isEqualTo(2);
    assertThat(room("a").slots()).containsExactly(new NodeRoom.Slot(1, Holder.ABSENT, "", 400, 0));
    holds("a", 1, "");
    assertThat(room("a").used().of(Resource.NVIDIA)).isEqualTo(1);
    assertThat(room("a").slots().getFirst().holder()).isEqualTo(Holder.STARTING);
    holds("a", 1, "GPU-1");
    assertThat(room("a").used().of(Resource.NVIDIA)).isEqualTo(1);
    assertThat(room("a").slots())
        .containsExactly(new NodeRoom.Slot(1, Holder.REPORTED, "GPU-1", 400, 0));
  }

  @Test
  void aRunningShareWithoutAWrittenPlanSitsOnTheFirstDeviceWhereItFits() {
    nodes(4, "a");
    sees(pod("planned").share(share(700)).on("a").written(plan(slots("a", 700, 0), SOON)));
    sees(pod("q").share(share(400)).on("a"));
    sees(pod("r").share(share(300)).on("a"));
    assertThat(standing("q")).isEqualTo(new Standing.Bound(slots("a", 400, 1)));
    assertThat(standing("r")).isEqualTo(new Standing.Bound(slots("a", 300, 0)));
  }

  @Test
  void aRunningShareSitsOnTheDeviceThatItsBindingNames() {
    nodes(4, "a");
    sees(pod("p").share(share(400)).on("a").written(WrittenPlan.NONE, "GPU-3"));
    assertThat(standing("p")).isEqualTo(new Standing.Bound(slots("a", 400, 0)));
    holds("a", 3, "GPU-3");
    assertThat(standing("p")).isEqualTo(new Standing.Bound(slots("a", 400, 3)));
    sees(pod("q").share(share(400)).on("a").written(WrittenPlan.NONE, "2"));
    assertThat(standing("q")).isEqualTo(new Standing.Bound(slots("a", 400, 2)));
  }

  @Test
  void aMemoryShareIsCountedByTheDevicesOfItsNode() {
    sees(pod("p").share(new DeviceRequest.Memory(20_000, 20_000, 1)).on("a"));
    assertThat(standing("p"))
        .as("nobody knows yet, so all of a device")
        .isEqualTo(new Standing.Bound(slots("a", 1000, 0)));
    nodes(4, "a");
    assertThat(standing("p")).isEqualTo(new Standing.Bound(slots("a", 250, 0)));
  }

  @Test
  void aDeadHolderWithoutUsersTakesNothingAndIsToBeDeleted() {
    nodes(4, "a");
    var dead = holder("a", 0, "", 1);
    ledger.record(new Fact.PodSeen(dead));
    var failed =
        new dev.berth.engine.model.Pod(
            dead.uid(),
            dead.key(),
            2,
            dead.created(),
            dead.scheduler(),
            new dev.berth.engine.model.Pod.Life(
                dev.berth.engine.model.Pod.Phase.FAILED, at("a"), List.of(), false, ""),
            dead.asks(),
            dead.belonging(),
            dead.written(),
            dead.holding(),
            List.of());
    ledger.record(new Fact.PodSeen(failed));
    assertThat(room("a").used().isNone()).as("nothing is used").isTrue();
    assertThat(room("a").slots()).isEmpty();
    assertThat(ledger.idleHolders()).extracting(Ledger.IdleHolder::holder).containsExactly(failed);
    assertThat(ledger.retire(new SlotKey(at("a"), 0))).as("may be deleted").isTrue();
  }

  // Facts that come late, twice, out of order

  @Test
  void whatIsRepeatedOrLateChangesNothing() {
    nodes(8, "a");
    assertThat(sees(pod("p").gpus(1).on("a").version(5))).as("news").isTrue();
    long version = ledger.version();
    int woken = wakes.get();
    assertThat(sees(pod("p").gpus(1).on("a").version(5))).as("repeated").isFalse();
    assertThat(sees(pod("p").gpus(1).version(4))).as("late").isFalse();
    assertThat(sees(pod("p").gpus(1).on("a").version(6))).as("a heartbeat").isFalse();
    assertThat(ledger.version()).isEqualTo(version);
    assertThat(wakes.get()).isEqualTo(woken);
    assertThat(ledger.pod(uid("p")).orElseThrow().version()).isEqualTo(6);
  }

  @Test
  void aSightingOfAPodThatIsGoneChangesNothing() {
    nodes(8, "a");
    farewell("p");
    assertThat(sees(pod("p").on("a"))).as("news").isFalse();
    assertThat(ledger.standing(uid("p"))).isEmpty();
  }

  @Test
  void aLateFarewellToANamesakeChangesNothing() {
    nodes(8, "a");
    sees(pod("p").version(7).uid("second"));
    assertThat(farewell("p")).as("news").isFalse();
    assertThat(sees(pod("p").version(3))).as("the first, late").isFalse();
    assertThat(snapshot().groups()).hasSize(1);
  }

  @Test
  void aNewIncarnationTakesThePlaceOfTheOld() {
    nodes(8, "a");
    sees(pod("p").gpus(1).on("a"));
    sees(pod("p").gpus(1).version(9).uid("second"));
    assertThat(room("a").used().isNone()).as("the old one has left").isTrue();
    assertThat(ledger.standing(uid("p"))).isEmpty();
    assertThat(shown("p").members()).hasSize(1);
  }

  // Groups

  @Test
  void podsThatNameAGroupWaitForItsObject() {
    sees(pod("p-0").group("train"));
    sees(pod("p-1").group("train"));
    assertThat(shown("train").origin()).isEqualTo(Origin.NAME_ONLY);
    assertThat(shown("train").single()).as("single").isFalse();
    ledger.record(new Fact.GroupSeen(group("train", 2)));
    assertThat(shown("train").origin()).isEqualTo(Origin.OBJECT);
    assertThat(shown("train").spec().minMember()).isEqualTo(2);
    assertThat(shown("train").members()).hasSize(2);
    ledger.record(new Fact.GroupGone(new GroupKey("default", "train"), 2));
    assertThat(shown("train").origin()).isEqualTo(Origin.NAME_ONLY);
  }

  @Test
  void podsThatSayTheSizeOfTheirGroupMakeIt() {
    sees(pod("p-0").group("train").minMember(3));
    assertThat(shown("train").origin()).isEqualTo(Origin.MEMBERS);
    assertThat(shown("train").spec().minMember()).isEqualTo(3);
    assertThat(shown("train").spec().uid()).isEmpty();
  }

  @Test
  void aPodOfAJobWaitsUntilTheJobIsKnown() {
    sees(pod("p-0").ofJob("job"));
    assertThat(shown("p-0").origin()).isEqualTo(Origin.POD_OF_UNKNOWN_OWNER);
    var group = new GroupKey("default", "job-1");
    ledger.record(
        new Fact.WorkloadSeen(
            new Workload(new OwnerUid("job"), 1, group, 2, new QueueName("research"))));
    assertThat(snapshot().groups()).hasSize(1);
    assertThat(shown("job-1").origin()).isEqualTo(Origin.MEMBERS);
    assertThat(shown("job-1").spec().minMember()).isEqualTo(2);
    assertThat(shown("job-1").queue()).isEqualTo(new QueueName("research"));
    ledger.record(
        new Fact.WorkloadSeen(
            new Workload(new OwnerUid("job"), 2, GroupKey.NONE, 0, QueueName.NONE)));
    assertThat(shown("p-0").origin()).isEqualTo(Origin.POD);
  }

  @Test
  void theQueueComesFromGroupPodOwnerNamespaceOrSettingsInThisOrder() {
    sees(pod("p").ofJob("job"));
    assertThat(shown("p").queue()).isEqualTo(new QueueName("default"));
    ledger.record(new Fact.NamespaceSeen("default", 1, new QueueName("of-namespace")));
    assertThat(shown("p").queue()).isEqualTo(new QueueName("of-namespace"));
    ledger.record(
        new Fact.WorkloadSeen(
            new Workload(new OwnerUid("job"), 1, GroupKey.NONE, 0, new QueueName("of-owner"))));
    assertThat(shown("p").queue()).isEqualTo(new QueueName("of-owner"));
    sees(pod("p").ofJob("job").queue("of-pod").version(2));
    assertThat(shown("p").queue()).isEqualTo(new QueueName("of-pod"));
  }

  @Test
  void thePriorityIsThatOfTheClassElseTheHighestOfThePods() {
    sees(pod("p-0").group("train").priority(50));
    sees(pod("p-1").group("train").priority(75));
    assertThat(shown("train").priority()).isEqualTo(75);
    var spec = group("train", 1);
    ledger.record(
        new Fact.GroupSeen(
            new dev.berth.engine.model.GroupSpec(
                spec.key(),
                spec.uid(),
                2,
                START,
                spec.queue(),
                1,
                0,
                List.of(),
                spec.topology(),
                "high",
                spec.preemptibility(),
                spec.patience(),
                List.of())));
    assertThat(shown("train").priority()).isEqualTo(75);
    ledger.record(new Fact.PriorityClassSeen("high", 1, 125, false));
    assertThat(shown("train").priority()).isEqualTo(125);
  }

  @Test
  void membersComeInTheOrderOfTaskPriorityThenName() {
    sees(pod("b").group("train"));
    sees(pod("a").group("train"));
    sees(pod("c").group("train").taskPriority(1));
    assertThat(shown("train").members())
        .extracting(member -> member.pod().key().name())
        .containsExactly("c", "a", "b");
  }

  @Test
  void aPodAndAGroupOfOneNameAreTwoGroups() {
    sees(pod("train"));
    assertThat(shown("train").single()).as("single").isTrue();
    sees(pod("other").group("train"));
    assertThat(snapshot().groups())
        .extracting(group -> group.key().name())
        .containsExactly("train", "train/pod");
    assertThat(shown("train").single()).as("single").isFalse();
    assertThat(shown("train/pod").members().getFirst().pod().key().name()).isEqualTo("train");
    farewell("other");
    assertThat(snapshot().groups())
        .extracting(group -> group.key().name())
        .containsExactly("train");
  }

  @Test
  void aGroupWhoseMembersAreAllOverIsShownWhileItsObjectIsThere() {
    sees(pod("p").group("train").over(true));
    sees(pod("q").over(false));
    assertThat(snapshot().groups()).isEmpty();
    ledger.record(new Fact.GroupSeen(group("train", 1)));
    assertThat(snapshot().groups()).hasSize(1);
  }

  @Test
  void aPodThatIsDeletedBeforeItIsBoundIsOver() {
    nodes(8, "a");
    sees(pod("p").gpus(1));
    assumed("p", Placement.on(at("a")));
    sees(pod("p").gpus(1).leaving().version(2));
    assertThat(standing("p")).isEqualTo(new Standing.Over(false));
    assertThat(room("a").used().isNone()).as("its plan has ended").isTrue();
  }

  // Plans

  @Test
  void aPlanTakesRoomUntilItIsForgotten() {
    nodes(8, "a");
    sees(pod("p").gpus(8));
    sees(pod("q").gpus(1));
    var plan = assumed("p", Placement.on(at("a")));
    assertThat(standing("p")).isEqualTo(new Standing.Planned(plan, false));
    assertThat(ledger.assume(alone("q", Placement.on(at("a"))), SOON)).isEmpty();
    assertThat(ledger.forget(uid("p"), plan(Placement.on(at("b")), SOON)))
        .as("another plan is forgotten")
        .isFalse();
    assertThat(ledger.forget(uid("p"), plan)).as("forgotten").isTrue();
    assertThat(standing("p")).isEqualTo(new Standing.Waiting());
    assertThat(ledger.assume(alone("q", Placement.on(at("a"))), SOON)).isPresent();
  }

  @Test
  void aBlockIsAssumedWholeOrNotAtAll() {
    nodes(4, "a");
    sees(pod("p").gpus(3));
    sees(pod("q").gpus(2));
    var tooMuch =
        new Decision.Reserve(
            new GroupKey("default", "g"),
            List.of(place("p", Placement.on(at("a"))), place("q", Placement.on(at("a")))),
            List.of(),
            List.of());
    long version = ledger.version();
    var before = snapshot();
    assertThat(ledger.assume(tooMuch, SOON)).isEmpty();
    assertThat(ledger.version()).isEqualTo(version);
    assertThat(snapshot().nodes()).isSameAs(before.nodes());
    assertThat(snapshot().groups()).isSameAs(before.groups());
    assertThat(standing("p")).isEqualTo(new Standing.Waiting());
  }

  @Test
  void membersOfABlockBearOneNameAndTheSurplusNone() {
    nodes(4, "a");
    for (String name : List.of("p", "q", "r")) {
      sees(pod(name).gpus(1));
    }
    var assumed =
        ledger
            .assume(
                new Decision.Reserve(
                    new GroupKey("default", "g"),
                    List.of(place("p", Placement.on(at("a"))), place("q", Placement.on(at("a")))),
                    List.of(place("r", Placement.on(at("a")))),
                    List.of()),
                SOON)
            .orElseThrow();
    assertThat(assumed).extracting(one -> one.plan().size()).containsExactly(2, 2, 1);
    assertThat(assumed.get(0).plan().gang()).isNotEmpty().isEqualTo(assumed.get(1).plan().gang());
    assertThat(assumed.get(2).plan().gang()).isEmpty();
    assertThat(WrittenPlan.parse(assumed.get(0).plan().text())).contains(assumed.get(0).plan());
  }

  @Test
  void aDeviceIsNeverSharedBeyondItself() {
    nodes(1, "a");
    sees(pod("p").share(share(600)));
    sees(pod("q").share(share(500)));
    sees(pod("r").share(share(400)));
    assumed("p", slots("a", 600, 0));
    assertThat(ledger.assume(alone("q", slots("a", 500, 0)), SOON)).isEmpty();
    assertThat(ledger.assume(alone("q", slots("a", 500, 1)), SOON)).as("no such device").isEmpty();
    assertThat(ledger.assume(alone("r", slots("a", 400, 0)), SOON)).isPresent();
    assertThat(room("a").slots()).containsExactly(new NodeRoom.Slot(0, Holder.ABSENT, "", 1000, 0));
  }

  @Test
  void hostPortsAreTakenOnce() {
    nodes(1, "a");
    sees(pod("p").ports("TCP:0.0.0.0:80"));
    sees(pod("q").ports("TCP:10.0.0.1:80"));
    sees(pod("r").ports("UDP:10.0.0.1:80"));
    assumed("p", Placement.on(at("a")));
    assertThat(ledger.assume(alone("q", Placement.on(at("a"))), SOON)).isEmpty();
    assertThat(ledger.assume(alone("r", Placement.on(at("a"))), SOON)).isPresent();
  }

  @Test
  void aPlanOntoRoomThatIsBeingLeftIsClearWhenItIsLeft() {
    nodes(4, "a");
    sees(pod("old").gpus(4).on("a").leaving());
    sees(pod("new").gpus(4));
    assumed("new", Placement.on(at("a")));
    assertThat(ledger.isClear(uid("new"))).as("clear").isFalse();
    assertThat(ledger.commit(uid("new"), at("a")))
        .isEqualTo(new Commit.Refused(Commit.Why.NO_ROOM, at("a")));
    farewell("old");
    assertThat(ledger.isClear(uid("new"))).as("clear").isTrue();
  }

  @Test
  void aPlanCountsOnItsVictimsAndOnThoseOfEarlierPlans() {
    nodes(8, "a");
    sees(pod("victim").gpus(8).on("a"));
    sees(pod("first").gpus(4));
    sees(pod("second").gpus(4));
    assertThat(ledger.assume(alone("second", Placement.on(at("a"))), SOON)).isEmpty();
    var first = ledger.assume(alone("first", Placement.on(at("a")), "victim"), SOON);
    assertThat(first).isPresent();
    assertThat(ledger.assume(alone("second", Placement.on(at("a"))), SOON)).isPresent();
    ledger.forget(uid("second"), plan(Placement.on(at("a")), SOON));
    ledger.forget(uid("first"), plan(Placement.on(at("a")), SOON));
    assertThat(ledger.assume(alone("second", Placement.on(at("a"))), SOON))
        .as("nobody asks the victim to leave any more")
        .isEmpty();
  }

  @Test
  void aLaterPlanDoesNotKeepAnEarlierOneFromBeingClear() {
    nodes(8, "a");
    sees(pod("old").gpus(4).on("a").leaving());
    sees(pod("first").gpus(4));
    sees(pod("second").gpus(4));
    assumed("first", Placement.on(at("a")));
    ledger.assume(alone("second", Placement.on(at("a"))), SOON.plusSeconds(1)).orElseThrow();
    assertThat(ledger.isClear(uid("first"))).as("first is clear").isTrue();
    assertThat(ledger.isClear(uid("second"))).as("second is clear").isFalse();
    assertThat(ledger.commit(uid("first"), at("a"))).isInstanceOf(Commit.Ready.class);
    farewell("old");
    assertThat(ledger.isClear(uid("second"))).as("second is clear").isTrue();
  }

  @Test
  void aWholeDeviceIsPlannedOntoASharedOneThatItsSharersLeave() {
    nodes(1, "a");
    holds("a", 0, "GPU-0");
    sees(pod("old").share(share(500)).on("a").written(plan(slots("a", 500, 0), SOON)).leaving());
    sees(pod("new").gpus(1));
    assumed("new", Placement.on(at("a")));
    farewell("old");
    assertThat(ledger.isClear(uid("new"))).as("the holder is still there").isFalse();
    assertThat(ledger.idleHolders()).hasSize(1);
    assertThat(ledger.retire(new SlotKey(at("a"), 0))).as("retired").isTrue();
    assertThat(room("a").leaving().of(Resource.NVIDIA)).isEqualTo(1);
    farewell("holder-a-0");
    assertThat(ledger.isClear(uid("new"))).as("clear").isTrue();
  }

  @Test
  void aPlanThatLapsesIsGivenBackOnce() {
    nodes(8, "a");
    sees(pod("p").gpus(1));
    var plan = assumed("p", Placement.on(at("a")));
    assertThat(ledger.expire(SOON.minusMillis(1))).isEmpty();
    assertThat(ledger.expire(SOON)).extracting(Assumed::plan).containsExactly(plan);
    assertThat(ledger.expire(SOON)).isEmpty();
    sees(pod("p").gpus(1).written(plan).version(2));
    assertThat(standing("p")).as("what is written is lapsed too").isEqualTo(new Standing.Waiting());
  }

  @Test
  void aWrittenPlanIsReadBackAfterARestart() {
    nodes(8, "a");
    var plan = plan(slots("a", 400, 2), SOON);
    sees(pod("p").share(share(400)).written(plan).ungated());
    assertThat(standing("p")).isEqualTo(new Standing.Planned(plan, true));
    assertThat(room("a").slots()).extracting(NodeRoom.Slot::index).containsExactly(2);
    assertThat(ledger.expire(SOON.plusSeconds(1))).hasSize(1);
    assertThat(room("a").slots()).isEmpty();
  }

  @Test
  void aWrittenPlanThatCannotBeThePodsIsNone() {
    sees(pod("p").share(share(400)).written(plan(slots("a", 1, 2), SOON)));
    sees(pod("q").gpus(1).written(plan(slots("a", 1, 2), SOON)));
    assertThat(standing("p")).isEqualTo(new Standing.Waiting());
    assertThat(standing("q")).isEqualTo(new Standing.Waiting());
  }

  @Test
  void theApiIsRightWhereItSaysAnotherNode() {
    nodes(8, "a", "b");
    sees(pod("p").gpus(1));
    assumed("p", Placement.on(at("a")));
    sees(pod("p").gpus(1).on("b").version(2));
    assertThat(standing("p")).isEqualTo(new Standing.Bound(Placement.on(at("b"))));
    assertThat(room("a").used().isNone()).as("nothing is used").isTrue();
    assertThat(ledger.commit(uid("p"), at("a")))
        .isEqualTo(new Commit.Refused(Commit.Why.BOUND_ELSEWHERE, at("b")));
  }

  @Test
  void aPlaceThatIsNoneForThePodIsAMistakeOfOurs() {
    nodes(8, "a");
    sees(pod("p").share(share(500)));
    assertThatThrownBy(() -> assumed("p", Placement.on(at("a"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("default/p");
    assertThat(standing("p")).isEqualTo(new Standing.Waiting());
  }

  // Bind

  @Test
  void commitTellsTheDevicesAndConfirmBindsForGood() {
    nodes(4, "a");
    sees(pod("p").share(new DeviceRequest.Fraction(500, 500, 2)));
    var plan = assumed("p", slots("a", 500, 1, 3));
    assertThat(ledger.missingHolders())
        .containsExactly(new SlotKey(at("a"), 1), new SlotKey(at("a"), 3));
    holds("a", 1, "GPU-b");
    assertThat(ledger.commit(uid("p"), at("a")))
        .isEqualTo(new Commit.AwaitsHolders(plan, List.of(3)));
    holds("a", 3, "GPU-a");
    assertThat(ledger.missingHolders()).isEmpty();
    assertThat(ledger.isClear(uid("p"))).as("clear").isTrue();
    var ready = new Commit.Ready(plan, List.of("GPU-b", "GPU-a"));
    assertThat(ledger.commit(uid("p"), at("a"))).isEqualTo(ready);
    assertThat(ledger.commit(uid("p"), at("a"))).as("repeated").isEqualTo(ready);
    assertThat(ledger.expire(SOON.plusSeconds(9))).as("not while it is bound").isEmpty();
    ledger.confirm(uid("p"), plan.placement());
    assertThat(standing("p")).isEqualTo(new Standing.Bound(plan.placement()));
    sees(pod("p").share(new DeviceRequest.Fraction(500, 500, 2)).written(plan).version(2));
    assertThat(standing("p"))
        .as("the watch is late")
        .isEqualTo(new Standing.Bound(plan.placement()));
    assertThat(ledger.commit(uid("p"), at("a"))).isEqualTo(new Commit.AlreadyBound());
  }

  @Test
  void aBindingThatWasNotWrittenLeavesThePlanAsItWas() {
    nodes(4, "a");
    sees(pod("p").gpus(1));
    assumed("p", Placement.on(at("a")));
    ledger.commit(uid("p"), at("a"));
    ledger.release(uid("p"));
    assertThat(ledger.expire(SOON)).hasSize(1);
    assertThat(ledger.commit(uid("p"), at("a")))
        .isEqualTo(new Commit.Refused(Commit.Why.NO_PLAN, dev.berth.engine.model.NodeName.NONE));
  }

  @Test
  void commitIsRefusedForAnotherNodeAndForUnknownPods() {
    nodes(4, "a", "b");
    sees(pod("p").gpus(1));
    assumed("p", Placement.on(at("a")));
    assertThat(ledger.commit(uid("p"), at("b")))
        .isEqualTo(new Commit.Refused(Commit.Why.OTHER_NODE, at("a")));
    assertThat(ledger.commit(uid("q"), at("b")))
        .isEqualTo(
            new Commit.Refused(Commit.Why.UNKNOWN_POD, dev.berth.engine.model.NodeName.NONE));
  }

  // Holders

  @Test
  void anIdleHolderIsRetiredUnlessSomebodyJoins() {
    nodes(4, "a");
    holds("a", 0, "GPU-0");
    var slot = new SlotKey(at("a"), 0);
    assertThat(ledger.idleHolders()).extracting(Ledger.IdleHolder::slot).containsExactly(slot);
    sees(pod("p").share(share(500)));
    var plan = assumed("p", slots("a", 500, 0));
    assertThat(ledger.idleHolders()).isEmpty();
    assertThat(ledger.retire(slot)).as("retired").isFalse();
    ledger.forget(uid("p"), plan);
    assertThat(ledger.retire(slot)).as("retired").isTrue();
    assertThat(ledger.assume(alone("p", slots("a", 500, 0)), SOON)).as("closed").isEmpty();
    ledger.reopen(slot);
    assertThat(ledger.assume(alone("p", slots("a", 500, 0)), SOON)).as("open").isPresent();
  }

  // Vetoes

  @Test
  void aVetoGivesThePlanBackAndEndsWithItsTime() {
    nodes(4, "a");
    sees(pod("p").gpus(1));
    assumed("p", Placement.on(at("a")));
    ledger.veto(uid("p"), at("a"), "no volume", SOON);
    assertThat(standing("p")).isEqualTo(new Standing.Waiting());
    assertThat(shown("p").members().getFirst().vetoes()).containsEntry(at("a"), "no volume");
    assertThat(ledger.snapshot(SOON).groups().getFirst().members().getFirst().vetoes()).isEmpty();
  }

  @Test
  void aVetoEndsWhenTheNodeIsAnotherOne() {
    nodes(4, "a");
    sees(pod("p").gpus(1));
    ledger.veto(uid("p"), at("a"), "no volume", SOON);
    ledger.record(new Fact.NodeSeen(node("a", 4, 2)));
    assertThat(shown("p").members().getFirst().vetoes()).as("a heartbeat").isNotEmpty();
    ledger.record(new Fact.NodeSeen(node("a", 5, 3)));
    assertThat(shown("p").members().getFirst().vetoes()).isEmpty();
  }

  // Snapshots

  @Test
  void whatDoesNotChangeIsSharedByReference() {
    nodes(4, "a", "b");
    sees(pod("p").gpus(1));
    sees(pod("q").gpus(1));
    var first = snapshot();
    var second = ledger.snapshot(START.plusSeconds(1));
    assertThat(second.nodes()).isSameAs(first.nodes());
    assertThat(second.groups()).isSameAs(first.groups());
    assertThat(second.queues()).isSameAs(first.queues());
    assertThat(second.now()).isEqualTo(START.plusSeconds(1));
    assumed("p", Placement.on(at("a")));
    var third = snapshot();
    assertThat(third.nodes()).isNotSameAs(first.nodes());
    assertThat(third.nodes().get(1)).isSameAs(first.nodes().get(1));
    assertThat(third.groups().get(1)).isSameAs(first.groups().get(1));
    assertThat(first.nodes().getFirst().used().isNone()).as("the past stays as it was").isTrue();
  }

  @Test
  void theListenerMayAskTheLedger() {
    var asked = new ArrayList<Long>();
    var reference = new java.util.concurrent.atomic.AtomicReference<Ledger>();
    var own =
        new Ledger(
            LedgerSettings.DEFAULT,
            () -> asked.add(reference.get().snapshot(Instant.MIN).version()));
    reference.set(own);
    own.record(new Fact.NodeSeen(node("a", 1)));
    assertThat(asked).containsExactly(1L);
  }
}
