package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.SOON;
import static dev.berth.engine.ledger.Sketch.START;
import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.group;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.uid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.ChargedTo;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.Membership;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodGroup.Origin;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Which pods belong together, and what is resolved for them.
class GroupStatesTest {
  private final Told told = new Told();

  @Test
  void podsThatNameAGroupWaitForItsObject() {
    told.sees(pod("p-0").group("train"));
    told.sees(pod("p-1").group("train"));
    assertThat(told.shown("train").origin()).isEqualTo(Origin.NAME_ONLY);
    assertThat(told.shown("train").single()).as("single").isFalse();
    told.ledger.record(new Fact.GroupSeen(group("train", 2)));
    assertThat(told.shown("train").origin()).isEqualTo(Origin.OBJECT);
    assertThat(told.shown("train").spec().minMember()).isEqualTo(2);
    assertThat(told.shown("train").members()).hasSize(2);
    told.ledger.record(new Fact.GroupGone(new GroupKey("default", "train"), 2));
    assertThat(told.shown("train").origin()).isEqualTo(Origin.NAME_ONLY);
  }

  @Test
  void podsThatSayTheSizeOfTheirGroupMakeIt() {
    told.sees(pod("p-0").group("train").minMember(3));
    assertThat(told.shown("train").origin()).isEqualTo(Origin.MEMBERS);
    assertThat(told.shown("train").spec().minMember()).isEqualTo(3);
    assertThat(told.shown("train").spec().uid()).isEmpty();
  }

  @Test
  void aPodOfAnOwnerWaitsUntilItsOwnersWereRead() {
    told.sees(pod("p-0").ofJob("job"));
    assertThat(told.shown("p-0").origin()).isEqualTo(Origin.POD_OF_UNKNOWN_OWNER);
    grouped("p-0", said("job-1", 2, "research"), "");
    assertThat(told.snapshot().groups()).hasSize(1);
    assertThat(told.shown("job-1").origin()).isEqualTo(Origin.OWNERS);
    assertThat(told.shown("job-1").spec().minMember()).isEqualTo(2);
    assertThat(told.shown("job-1").queue()).isEqualTo(new QueueName("research"));
    grouped("p-0", said("", 0, ""), "");
    assertThat(told.shown("p-0").origin()).isEqualTo(Origin.POD);
  }

  @Test
  void whatOwnersSaidGoesWithTheLastOfTheirPodsThoughOthersNameTheGroup() {
    told.sees(pod("p-0").ofJob("job"));
    grouped("p-0", said("job-1", 2, "research"), "");
    told.sees(pod("q").group("job-1"));
    assertThat(told.shown("job-1").spec().minMember()).isEqualTo(2);
    told.farewell("p-0");
    assertThat(told.shown("job-1").spec().minMember()).isZero();
    assertThat(told.shown("job-1").origin()).isEqualTo(Origin.NAME_ONLY);
  }

  @Test
  void aPodWhoseOwnersSayNothingAnyMoreBelongsWhereItSaysItself() {
    told.sees(pod("p-0").ofJob("job"));
    grouped("p-0", said("job-1", 2, "research"), "");
    told.sees(pod("p-0").ofJob("job").group("mine").version(2));
    grouped("p-0", Membership.UNTOLD);
    assertThat(told.snapshot().groups()).hasSize(1);
    assertThat(told.shown("mine").members()).hasSize(1);
  }

  /// Otherwise it would count as its new group does, and be bound as what it was planned as.
  @Test
  void aPlanBehindItsGateEndsWhenItsPodJoinsAnotherGroup() {
    told.nodes(2, "a");
    told.sees(pod("p-0").queue("q"));
    told.assumed("p-0", Placement.on(at("a")));
    told.sees(pod("p-0").queue("q").group("other").version(2));
    assertThat(told.standing("p-0")).isInstanceOf(Standing.Waiting.class);
  }

  @Test
  void whatOwnersSayOutlivesALaterSightingOfThePod() {
    told.sees(pod("p-0").ofJob("job"));
    grouped("p-0", said("job-1", 2, ""), "leader");
    told.sees(pod("p-0").ofJob("job").taskPriority(3).version(2));
    var member = told.shown("job-1").members().getFirst().pod().belonging();
    assertThat(member.subGroup()).isEqualTo("leader");
    assertThat(member.taskPriority())
        .as("its owner says that it leads")
        .isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void whatMustStartTogetherFollowsTheOwnersNotTheObject() {
    told.sees(pod("p-0").ofJob("job"));
    told.ledger.record(new Fact.GroupSeen(group("job-1", 7)));
    grouped("p-0", said("job-1", 4, "research"), "");
    assertThat(told.shown("job-1").origin()).isEqualTo(Origin.OBJECT);
    assertThat(told.shown("job-1").spec().minMember()).isEqualTo(4);
    grouped("p-0", said("job-1", 2, "research"), "");
    assertThat(told.shown("job-1").spec().minMember()).as("the last word").isEqualTo(2);
  }

  @Test
  void whatIsSaidLastOfAGangCountsThoughItWasSaidBefore() {
    told.sees(pod("p-0").ofJob("job"));
    told.sees(pod("p-1").ofJob("job"));
    grouped("p-0", said("job-1", 2, ""), "");
    grouped("p-1", said("job-1", 3, ""), "");
    grouped("p-0", said("job-1", 2, ""), "");
    assertThat(told.shown("job-1").spec().minMember()).isEqualTo(2);
  }

  @Test
  void whatOwnersSaidGoesWithTheLastOfTheirPods() {
    told.sees(pod("p-0").ofJob("job"));
    told.sees(pod("p-1").ofJob("job"));
    grouped("p-0", said("job-1", 2, ""), "");
    grouped("p-1", said("job-1", 2, ""), "");
    told.ledger.record(new Fact.GroupSeen(group("job-1", 7)));
    told.farewell("p-0");
    assertThat(told.shown("job-1").spec().minMember()).as("one is left").isEqualTo(2);
    told.farewell("p-1");
    assertThat(told.shown("job-1").spec().minMember()).as("nobody is left").isEqualTo(7);
  }

  @Test
  void aPlanEndsWithTheBlockOfTheGangThatItsPodTurnsOutToBelongTo() {
    told.nodes(2, "a");
    var plan = new WrittenPlan(Placement.on(at("a")), "block", 2, SOON);
    told.sees(pod("p-0").ofJob("job").ungated().gpus(1).written(plan));
    told.sees(pod("p-1").ofJob("job").ungated().gpus(1).written(plan));
    grouped("p-0", said("job-1", 2, ""), "");
    told.ledger.veto(uid("p-0"), at("a"), "no", SOON);
    assertThat(told.ledger.standing(uid("p-1"))).get().isInstanceOf(Standing.Planned.class);
    grouped("p-1", said("job-1", 2, ""), "");
    assertThat(told.ledger.standing(uid("p-1"))).contains(new Standing.Waiting());
    assertThat(told.ledger.expire(SOON.plusSeconds(60))).isEmpty();
  }

  @Test
  void aMemberThatIsAloneYetAndChangesStaysWhereItsOwnersSay() {
    told.sees(pod("p-0").ofJob("job"));
    grouped("p-0", said("job-1", 2, "research"), "");
    told.sees(pod("p-0").ofJob("job").taskPriority(3).version(2));
    assertThat(told.shown("job-1").origin()).isEqualTo(Origin.OWNERS);
    assertThat(told.shown("job-1").spec().minMember()).isEqualTo(2);
    assertThat(told.shown("job-1").queue()).isEqualTo(new QueueName("research"));
  }

  @Test
  void theQueueComesFromGroupPodOwnerNamespaceOrSettingsInThisOrder() {
    told.sees(pod("p").ofJob("job"));
    assertThat(told.shown("p").queue()).isEqualTo(new QueueName("default"));
    told.ledger.record(new Fact.NamespaceSeen("default", 1, new QueueName("of-namespace")));
    assertThat(told.shown("p").queue()).isEqualTo(new QueueName("of-namespace"));
    grouped("p", said("", 0, "of-owner"), "");
    assertThat(told.shown("p").queue()).isEqualTo(new QueueName("of-owner"));
    told.sees(pod("p").ofJob("job").queue("of-pod").version(2));
    assertThat(told.shown("p").queue()).isEqualTo(new QueueName("of-pod"));
  }

  @Test
  void aGroupHearsWhenItsNamespaceIsDeleted() {
    var none = new TreeMap<String, String>();
    told.sees(pod("p").ofJob("job"));
    assertThat(told.shown("p").namespaceTerminates()).as("it is being deleted").isFalse();
    told.ledger.record(new Fact.NamespaceSeen("default", 1, QueueName.NONE, none, true));
    assertThat(told.shown("p").namespaceTerminates()).as("it is being deleted").isTrue();
    told.ledger.record(new Fact.NamespaceSeen("default", 2, QueueName.NONE, none, false));
    assertThat(told.shown("p").namespaceTerminates()).as("it is being deleted").isFalse();
  }

  @Test
  void aGroupKnowsTheLabelsOfItsNamespaceAndHearsWhenTheyChange() {
    var ml = new TreeMap<>(Map.of("team", "ml"));
    told.sees(pod("p").ofJob("job"));
    assertThat(told.shown("p").namespaceLabels()).isEmpty();
    told.ledger.record(new Fact.NamespaceSeen("default", 1, QueueName.NONE, ml));
    assertThat(told.shown("p").namespaceLabels()).isEqualTo(ml);
    told.ledger.record(new Fact.NamespaceSeen("default", 2, QueueName.NONE));
    assertThat(told.shown("p").namespaceLabels()).isEmpty();
    told.ledger.record(new Fact.NamespaceSeen("default", 3, QueueName.NONE, ml));
    told.ledger.record(new Fact.NamespaceGone("default", 4));
    assertThat(told.shown("p").namespaceLabels()).isEmpty();
  }

  /// Labels, owners, objects and namespaces are tenants' to edit.
  @Test
  void whatAPodIsChargedAsIsSettledByItsPlan() {
    told.nodes(8, "a");
    told.ledger.record(new Fact.PriorityClassSeen("high", 1, 200, false));
    told.sees(pod("p").gpus(1).queue("own").group("g"));
    told.ledger.record(new Fact.GroupSeen(group("g", 1)));
    var plan = told.assumedOf("g", "p", Placement.on(at("a")));
    var asPlanned = new ChargedTo(new QueueName("own"), 0, Preemptibility.PREEMPTIBLE);
    assertThat(plan.chargedTo()).isEqualTo(asPlanned);
    assertThat(WrittenPlan.parse(plan.text())).contains(plan);

    told.sees(pod("p").gpus(1).queue("other").priorityClass("high").group("g").version(2));
    assertThat(charged("g")).as("planned, and relabelled").isEqualTo(asPlanned);

    var again = new Told(); // a process that starts then
    again.ledger.record(new Fact.PriorityClassSeen("high", 1, 200, false));
    again.sees(
        pod("p").gpus(1).queue("other").priorityClass("high").group("g").on("a").written(plan));
    var shown = again.shown("g");
    assertThat(new ChargedTo(shown.queue(), shown.priority(), shown.preemptibility()))
        .as("bound, and relabelled")
        .isEqualTo(asPlanned);

    told.sees(pod("p").gpus(1).queue("other").group("g").on("a").over(true).version(3));
    assertThat(told.shown("g").queue()).as("it is over").isEqualTo(new QueueName("other"));
  }

  /// Owners of running pods are tenants' to edit: no policy refuses it.
  @Test
  void aRunningPodThatIsGivenTheOwnerOfAGangOfAnotherQueueIsChargedByItsOwnPlan() {
    var own = new ChargedTo(new QueueName("own"), 50, Preemptibility.PREEMPTIBLE);
    var other = new ChargedTo(new QueueName("other"), 200, Preemptibility.NON_PREEMPTIBLE);
    runs("a-0", "job-a", own);
    runs("b-0", "job-b", other);
    runs("b-1", "job-b", other);
    told.sees(pod("b-2").gpus(1).ofJob("job-b").priority(200));
    grouped("b-2", said("job-b", 2, "other"), "");
    var before = told.snapshot().groups();
    assertThat(charged("job-a")).isEqualTo(own);
    grouped("a-0", said("job-b", 2, "other"), "");
    assertThat(charged("a-0")).as("alone").isEqualTo(own);
    assertThat(told.shown("a-0").single()).as("alone").isTrue();
    assertThat(charged("job-b")).as("though it comes first there").isEqualTo(other);
    assertThat(podsOf("job-b")).containsExactly("b-0", "b-1", "b-2");
    assertThat(told.ledger.groupOf(uid("a-0"))).contains(told.shown("a-0"));
    assertThat(told.ledger.groupOf(uid("b-2"))).contains(told.shown("job-b"));
    told.sees(running("a-0", "job-b", own).version(3).over(true));
    assertThat(podsOf("job-b")).as("it is over").containsExactly("a-0", "b-0", "b-1", "b-2");
    assertThat(charged("job-b")).isEqualTo(other);
    told.farewell("a-0");
    told.farewell("b-0");
    told.farewell("b-1");
    told.farewell("b-2");
    assertThat(before).as("job-a and job-b").hasSize(2);
    assertThat(told.snapshot().groups()).isEmpty();
  }

  @Test
  void podThatStoodAloneIsOfItsGroupAgainOnceOthersThereAreChargedAsItIs() {
    var own = new ChargedTo(new QueueName("own"), 50, Preemptibility.PREEMPTIBLE);
    var other = new ChargedTo(new QueueName("other"), 50, Preemptibility.PREEMPTIBLE);
    runs("a-0", "job", own);
    runs("b-0", "job", other);
    assertThat(podsOf("job")).as("of equally many the first").containsExactly("a-0");
    assertThat(charged("b-0")).isEqualTo(other);
    runs("b-1", "job", other);
    assertThat(podsOf("job")).as("most").containsExactly("b-0", "b-1");
    assertThat(charged("a-0")).isEqualTo(own);
    told.farewell("b-0");
    told.farewell("b-1");
    assertThat(podsOf("job")).containsExactly("a-0");
    assertThat(charged("job")).isEqualTo(own);
    assertThat(told.snapshot().groups()).hasSize(1);
  }

  /// What may be reclaimed stays so.
  @Test
  void thePodOfASemiPreemptibleGangThatIsTakenOutOfItHasNoMinimumOfItsOwn() {
    var semi = new ChargedTo(new QueueName("own"), 50, Preemptibility.SEMI_PREEMPTIBLE);
    runs("a-0", "job-a", semi);
    runs("a-1", "job-a", semi);
    assertThat(charged("job-a")).isEqualTo(semi);
    grouped("a-1", said("", 0, ""), "");
    assertThat(charged("job-a")).isEqualTo(semi);
    assertThat(charged("a-1"))
        .isEqualTo(new ChargedTo(new QueueName("own"), 50, Preemptibility.PREEMPTIBLE));
  }

  @Test
  void aPodAloneThatIsItsOwnMinimumIsChargedAsNonPreemptible() {
    told.nodes(8, "a");
    told.sees(pod("p").gpus(1).ofJob("job"));
    grouped("p", semiPreemptible(), "");
    assertThat(told.shown("p").preemptibility()).isEqualTo(Preemptibility.SEMI_PREEMPTIBLE);
    var plan = told.assumedOf("p", "p", Placement.on(at("a")));
    assertThat(plan.chargedTo().preemptibility()).isEqualTo(Preemptibility.NON_PREEMPTIBLE);
    assertThat(told.shown("p").preemptibility()).isEqualTo(Preemptibility.NON_PREEMPTIBLE);
  }

  private static Membership semiPreemptible() {
    var spec = group("any", 1);
    var said =
        new GroupSpec(
            GroupKey.NONE,
            "",
            0,
            START,
            spec.queue(),
            1,
            0,
            List.of(),
            spec.topology(),
            "",
            Preemptibility.SEMI_PREEMPTIBLE,
            spec.patience(),
            spec.staleSince(),
            List.of());
    return new Membership(said, "", false, "");
  }

  /// The watch may tell seconds later what stands on it.
  @Test
  void whatAPodIsChargedAsStaysWhileItsBindingIsToBeSeen() {
    told.nodes(8, "a");
    told.sees(pod("p").gpus(1).queue("own"));
    told.assumedOf("p", "p", Placement.on(at("a")));
    told.ledger.commit(uid("p"), at("a"), true);
    told.ledger.confirm(uid("p"), Placement.on(at("a")));
    told.sees(pod("p").gpus(1).queue("other").version(2));
    assertThat(told.shown("p").queue()).isEqualTo(new QueueName("own"));
  }

  private void runs(String pod, String job, ChargedTo as) {
    told.sees(running(pod, job, as));
    grouped(pod, said(job, 2, as.queue().value()), "");
  }

  private static Sketch.PodSketch running(String pod, String job, ChargedTo as) {
    var plan = new WrittenPlan(Placement.on(at("a")), "", 1, SOON, as);
    return pod(pod).gpus(1).ofJob(job).on("a").written(plan);
  }

  private List<String> podsOf(String group) {
    return told.shown(group).members().stream().map(one -> one.pod().key().name()).toList();
  }

  private ChargedTo charged(String group) {
    var shown = told.shown(group);
    return new ChargedTo(shown.queue(), shown.priority(), shown.preemptibility());
  }

  @Test
  void whereNoClassIsNamedThePriorityIsTheUsualOneOfTheKind() {
    told.ledger.record(new Fact.PriorityClassSeen("inference", 1, 125, false));
    told.sees(pod("p").ofJob("job"));
    told.sees(pod("q").ofJob("job").priority(60));
    for (String name : List.of("p", "q")) {
      grouped(name, new Membership(said("", 0, "").said(), "", false, "inference"));
    }
    assertThat(told.shown("p").priority()).isEqualTo(125);
    assertThat(told.shown("q").priority()).isEqualTo(60);
    told.ledger.record(new Fact.PriorityClassSeen("inference", 2, 110, false));
    assertThat(told.shown("p").priority()).isEqualTo(110);
  }

  @Test
  void aPodAloneHasThePriorityClassThatItsLabelNames() {
    told.sees(pod("p").priority(200).priorityClass("inference"));
    assertThat(told.shown("p").priority()).as("a class that does not exist").isEqualTo(200);
    told.ledger.record(new Fact.PriorityClassSeen("inference", 1, 125, false, false));
    assertThat(told.shown("p").priority()).isEqualTo(125);
    assertThat(told.shown("p").preemptibility()).isEqualTo(Preemptibility.NON_PREEMPTIBLE);
    assertThat(told.shown("p").takesVictims()).as("the group takes victims").isFalse();
    told.ledger.record(new Fact.PriorityClassSeen("inference", 2, 90, false));
    assertThat(told.shown("p").priority()).isEqualTo(90);
    told.sees(pod("p").priority(200).version(3));
    assertThat(told.shown("p").priority()).isEqualTo(200);
  }

  /// Whose pods may have a class is what resource quotas and admission judge: by `spec.priority`.
  @Test
  void aClassThatALabelOrAnObjectNamesRaisesNoPod() {
    told.ledger.record(new Fact.PriorityClassSeen("train", 1, 50, false));
    told.ledger.record(new Fact.PriorityClassSeen("system-node-critical", 1, 2_000_001_000, false));
    told.sees(pod("p").priority(7).priorityClass("system-node-critical"));
    assertThat(told.shown("p").priority()).isEqualTo(7);
    assertThat(told.shown("p").preemptibility()).isEqualTo(Preemptibility.PREEMPTIBLE);
    told.sees(pod("q").priorityClass("system-node-critical"));
    assertThat(told.shown("q").priority()).as("the usual one").isEqualTo(50);
    told.sees(pod("m").group("g"));
    told.ledger.record(new Fact.GroupSeen(ofClass("g", "system-node-critical")));
    assertThat(told.shown("g").priority()).as("by its object").isEqualTo(50);
  }

  @Test
  void aGangWithoutObjectHasThePriorityClassThatAMemberNames() {
    told.ledger.record(new Fact.PriorityClassSeen("high", 1, 125, false));
    told.sees(pod("a").group("train").minMember(2).priority(200));
    told.sees(pod("b").group("train").minMember(2).priorityClass("high").priority(200));
    assertThat(told.shown("train").priority()).isEqualTo(125);
  }

  @Test
  void whatHasNoOwnerIsOfTheUsualClassToo() {
    told.sees(pod("p"));
    told.sees(pod("a").group("train").minMember(2));
    assertThat(told.shown("p").priority()).as("a class that does not exist").isZero();
    told.ledger.record(new Fact.PriorityClassSeen("train", 1, 50, false));
    assertThat(told.shown("p").priority()).isEqualTo(50);
    assertThat(told.shown("train").priority()).isEqualTo(50);
    told.sees(pod("q").priority(60));
    assertThat(told.shown("q").priority()).isEqualTo(60);
  }

  private void grouped(String pod, Membership membership, String role) {
    grouped(pod, new Membership(membership.said(), role, !role.isEmpty(), ""));
  }

  private void grouped(String pod, Membership membership) {
    told.ledger.record(new Fact.PodGrouped(uid(pod), membership));
  }

  private static Membership said(String group, int minMember, String queue) {
    var some = group("any", minMember);
    var key = group.isEmpty() ? GroupKey.NONE : new GroupKey("default", group);
    var spec =
        new GroupSpec(
            key,
            "",
            0,
            START,
            queue.isEmpty() ? QueueName.NONE : new QueueName(queue),
            minMember,
            0,
            List.of(),
            some.topology(),
            "",
            some.preemptibility(),
            some.patience(),
            some.staleSince(),
            List.of());
    return new Membership(spec, "", false, "");
  }

  @Test
  void thePriorityIsThatOfTheClassElseTheLowestOfThePods() {
    told.sees(pod("p-0").group("train").priority(50));
    told.sees(pod("p-1").group("train").priority(75));
    assertThat(told.shown("train").priority()).isEqualTo(50);
    told.ledger.record(new Fact.GroupSeen(ofClass("train", "low")));
    assertThat(told.shown("train").priority()).isEqualTo(50);
    told.ledger.record(new Fact.PriorityClassSeen("low", 1, 25, false));
    assertThat(told.shown("train").priority()).isEqualTo(25);
  }

  /// A quota on the high class would be gone around by one pod of it.
  @Test
  void onePodOfAHighClassLiftsNoOther() {
    told.sees(pod("a").group("g").priority(90));
    assertThat(told.shown("g").priority()).isEqualTo(90);
    told.sees(pod("b").group("g").priority(10));
    assertThat(told.shown("g").priority()).isEqualTo(10);
    told.sees(pod("c").group("g").priority(-5));
    assertThat(told.shown("g").priority()).isEqualTo(-5);
    told.sees(pod("c").group("g").priority(-5).on("a").over(false).version(2));
    assertThat(told.shown("g").priority()).as("one is over").isEqualTo(10);
    told.sees(pod("b").group("g").priority(10).on("a").over(true).version(2));
    assertThat(told.shown("g").priority()).as("two are").isEqualTo(90);
    told.sees(pod("a").group("g").priority(90).on("a").over(true).version(2));
    told.ledger.record(new Fact.GroupSeen(ofClass("g", "")));
    assertThat(told.shown("g").priority()).as("all are").isEqualTo(-5);
  }

  @Test
  void aPodWithoutAClassHasTheUsualOneBesideOthers() {
    told.ledger.record(new Fact.PriorityClassSeen("train", 1, 50, false));
    told.sees(pod("launcher").group("g"));
    told.sees(pod("worker").group("g").priority(90));
    assertThat(told.shown("g").priority()).isEqualTo(50);
    told.sees(pod("worker-2").group("g").priority(20));
    assertThat(told.shown("g").priority()).isEqualTo(20);
    told.sees(pod("worker-3").group("g").priority(-20));
    assertThat(told.shown("g").priority()).isEqualTo(-20);
  }

  /// A settled priority holds for the members of that time.
  @Test
  void podThatJoinsLaterWithALowerClassHasNoMoreThanThat() {
    var high = new ChargedTo(new QueueName("own"), 90, Preemptibility.NON_PREEMPTIBLE);
    var low = new ChargedTo(new QueueName("own"), 10, Preemptibility.NON_PREEMPTIBLE);
    told.sees(placed("a-0", 90, high));
    told.sees(placed("a-1", 90, high));
    assertThat(charged("g")).isEqualTo(high);
    told.sees(pod("b").gpus(1).queue("other").group("g").priority(10));
    assertThat(charged("g")).as("queue and preemptibility stay").isEqualTo(low);
    told.sees(placed("b", 10, low).version(2));
    assertThat(charged("g")).as("it runs").isEqualTo(low);
    assertThat(podsOf("g")).as("nobody stands alone").containsExactly("a-0", "a-1", "b");
    told.farewell("b");
    assertThat(charged("g")).as("it is gone").isEqualTo(high);
    told.sees(pod("c").gpus(1).group("g").priority(200));
    assertThat(charged("g")).as("a higher one").isEqualTo(high);
  }

  /// By an older version, which took the highest of all.
  @Test
  void whatWasSettledAboveWhatAPodWasAdmittedWithDoesNotCount() {
    var high = new ChargedTo(new QueueName("own"), 90, Preemptibility.PREEMPTIBLE);
    told.sees(placed("a", 10, high));
    assertThat(told.shown("g").priority()).isEqualTo(10);
  }

  @Test
  void aPodWithoutAClassKeepsWhatWasSettled() {
    var usual = new ChargedTo(new QueueName("own"), 50, Preemptibility.PREEMPTIBLE);
    told.sees(placed("a", 0, usual));
    assertThat(told.shown("g").priority()).as("its kind is not known yet").isEqualTo(50);
  }

  private static Sketch.PodSketch placed(String pod, int priority, ChargedTo as) {
    var plan = new WrittenPlan(Placement.on(at("a")), "", 1, SOON, as);
    return pod(pod).gpus(1).group("g").priority(priority).on("a").written(plan);
  }

  private static GroupSpec ofClass(String name, String priorityClass) {
    var spec = group(name, 1);
    return new GroupSpec(
        spec.key(),
        spec.uid(),
        2,
        START,
        spec.queue(),
        1,
        0,
        List.of(),
        spec.topology(),
        priorityClass,
        spec.preemptibility(),
        spec.patience(),
        spec.staleSince(),
        List.of());
  }

  @Test
  void membersComeInTheOrderOfTaskPriorityThenName() {
    told.sees(pod("b").group("train"));
    told.sees(pod("a").group("train"));
    told.sees(pod("c").group("train").taskPriority(1));
    assertThat(told.shown("train").members())
        .extracting(member -> member.pod().key().name())
        .containsExactly("c", "a", "b");
  }

  @Test
  void aPodAndAGroupOfOneNameAreTwoGroups() {
    told.sees(pod("train"));
    assertThat(told.shown("train").single()).as("single").isTrue();
    told.sees(pod("other").group("train"));
    assertThat(told.snapshot().groups())
        .extracting(group -> group.key().name())
        .containsExactly("train", "train/pod");
    assertThat(told.shown("train").single()).as("single").isFalse();
    assertThat(told.shown("train/pod").members().getFirst().pod().key().name()).isEqualTo("train");
    told.sees(pod("train").on("a").version(2));
    assertThat(told.shown("train/pod").members().getFirst().standing())
        .isEqualTo(new Standing.Bound(Placement.on(at("a"))));
    told.farewell("other");
    assertThat(told.snapshot().groups())
        .extracting(group -> group.key().name())
        .containsExactly("train");
  }

  @Test
  void aGroupWhoseMembersAreAllOverIsShownWhileItsObjectIsThere() {
    told.sees(pod("p").group("train").over(true));
    told.sees(pod("q").over(false));
    assertThat(told.snapshot().groups()).isEmpty();
    told.ledger.record(new Fact.GroupSeen(group("train", 1)));
    assertThat(told.snapshot().groups()).hasSize(1);
  }

  @Test
  void aPodThatIsDeletedBeforeItIsBoundIsOver() {
    told.nodes(8, "a");
    told.sees(pod("p").gpus(1));
    told.assumed("p", Placement.on(at("a")));
    told.sees(pod("p").gpus(1).leaving().version(2));
    assertThat(told.standing("p")).isEqualTo(new Standing.Over(false));
    assertThat(told.room("a").used().isNone()).as("its plan has ended").isTrue();
  }
}
