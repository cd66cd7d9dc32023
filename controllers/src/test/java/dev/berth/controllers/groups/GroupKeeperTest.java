package dev.berth.controllers.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.controllers.InMemoryEvents;
import dev.berth.controllers.UntouchedPods;
import dev.berth.controllers.World;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.client.PodConditionClient;
import dev.berth.controllers.client.PodGroupClient;
import dev.berth.controllers.client.PodWarning;
import dev.berth.controllers.client.RefusedPodClient;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.crd.Condition;
import dev.berth.controllers.crd.PodGroupSpec.Edits;
import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.IdleRule;
import dev.berth.engine.model.Idleness;
import dev.berth.engine.model.MaxRuntime;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.VolumeLack;
import dev.berth.engine.session.IdleEnd;
import dev.berth.engine.session.RuntimeEnd;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class GroupKeeperTest {
  private static final String GATED = "schedulingGates: [{name: 'berth.dev/queued'}]";

  private static final Reason UNKNOWN =
      new Reason.OwnerUnknown(new PodKey("default", "a"), "Job", "lost");

  private final World world = new World().node("n1", 8);
  private final InMemoryGroups groups = new InMemoryGroups();
  private final InMemoryEvents events = new InMemoryEvents();
  private final TreeMap<GroupKey, Instant> staleSince = new TreeMap<>();
  private final TreeMap<GroupKey, RuntimeEnd> endings = new TreeMap<>();
  private final TreeMap<GroupKey, IdleEnd> idle = new TreeMap<>();
  private final TreeSet<GroupKey> kaisGroups = new TreeSet<>();
  private final List<Reason> explained = new ArrayList<>();
  private final List<Reason> unspeakable = new ArrayList<>();
  private final List<String> conditions = new ArrayList<>();
  private final List<String> annotations = new ArrayList<>();
  private final List<String> warned = new ArrayList<>();
  private final ArrayDeque<ClientException.Kind> conditionFailures = new ArrayDeque<>();
  private final GroupKeeper keeper = keeper();

  @Test
  void aGangWithoutObjectGetsOneThoughTheWatchIsSlow() {
    member("a", "berth.dev/pod-group: 'train'", "'berth.dev/min-member': '2'");
    waitsFor(UNKNOWN);
    waitsFor(UNKNOWN);
    assertThat(groups.calls).containsExactly("create train of a");
    world.group("train", 2, "");
    waitsFor(UNKNOWN);
    seconds(60);
    assertThat(groups.calls).containsExactly("create train of a", "train Queued OwnerUnknown");
  }

  @Test
  void theLastStatusWinsAndBeyondAFewNotMoreThanOneIsWrittenInAPause() {
    gang();
    for (int i = 1; i <= 5; i++) {
      waitsFor(new Reason.TooFewMembers("", 1, 100 + i));
      waitsFor(UNKNOWN);
    }
    assertThat(groups.calls)
        .containsExactly(
            "train Queued TooFewMembers",
            "train Queued OwnerUnknown",
            "train Queued TooFewMembers");
    waitsFor(new Reason.NoSuchGroup(new GroupKey("default", "train")));
    seconds(0.9);
    assertThat(groups.calls).hasSize(3);
    seconds(0.2);
    assertThat(groups.calls).hasSize(4).endsWith("train Queued NoSuchGroup");
    waitsFor(UNKNOWN);
    seconds(0.5);
    assertThat(groups.calls).as("a pause after each").hasSize(4);
    seconds(60);
    assertThat(groups.calls).hasSize(5).endsWith("train Queued OwnerUnknown");
  }

  @Test
  void otherNumbersOfTheSameReasonAreWrittenNowAndThen() {
    gang();
    waitsFor(new Reason.TooFewMembers("", 1, 2));
    for (int i = 3; i < 103; i++) {
      seconds(0.3);
      waitsFor(new Reason.TooFewMembers("", 1, i));
    }
    assertThat(groups.calls).as("at once, and every ten seconds of thirty").hasSize(4);
    seconds(10);
    assertThat(groups.calls).hasSize(5);
    assertThat(explained.getLast()).isEqualTo(new Reason.TooFewMembers("", 1, 102));
    seconds(3600);
    assertThat(groups.calls).as("nothing changed").hasSize(5);
  }

  @Test
  void allGroupsWithOtherNumbersShareABudget() {
    for (int i = 0; i < 40; i++) {
      world.group("g-" + i, 2, "");
      member("p-" + i, "berth.dev/pod-group: 'g-" + i + "'", "");
    }
    waitsFor(new Reason.TooFewMembers("", 1, 2));
    assertThat(groups.calls).hasSize(40);
    seconds(60);
    waitsFor(new Reason.TooFewMembers("", 1, 3));
    seconds(10);
    assertThat(groups.calls).as("five, and one a second").hasSizeBetween(54, 56);
    waitsFor(UNKNOWN);
    assertThat(groups.calls).as("another reason, at once").hasSizeBetween(94, 96);
  }

  @Test
  void groupThatWasQuietForAWhileIsToldAtOnceAgain() {
    gang();
    waitsFor(new Reason.TooFewMembers("", 1, 2));
    waitsFor(UNKNOWN);
    waitsFor(new Reason.TooFewMembers("", 1, 3));
    seconds(10);
    waitsFor(UNKNOWN);
    waitsFor(new Reason.NoSuchGroup(new GroupKey("default", "train")));
    assertThat(groups.calls)
        .containsExactly(
            "train Queued TooFewMembers",
            "train Queued OwnerUnknown",
            "train Queued TooFewMembers",
            "train Queued OwnerUnknown",
            "train Queued NoSuchGroup");
  }

  @Test
  void aStatusThatWasNotWrittenComesAgainAsItIsByThen() {
    groups.failures.add(ClientException.Kind.UNREACHABLE);
    gang();
    waitsFor(new Reason.TooFewMembers("", 1, 2));
    waitsFor(UNKNOWN);
    seconds(5);
    assertThat(groups.calls)
        .containsExactly("train Queued TooFewMembers", "train Queued OwnerUnknown");
  }

  /// A connection that is slow may deliver what a leader before us wrote, after all that we wrote.
  @Test
  void aStatusThatWasWrittenLateIsPutRight() {
    gang();
    waitsFor(new Reason.TooFewMembers("", 1, 2));
    show(groups.statuses.getLast());
    waitsFor(UNKNOWN);
    show(groups.statuses.getLast());
    seconds(60);
    assertThat(groups.calls).hasSize(2);
    show(groups.statuses.getFirst());
    seconds(1);
    assertThat(groups.calls).as("what is seen may be late, too").hasSize(2);
    seconds(2);
    assertThat(groups.calls).hasSize(3).endsWith("train Queued OwnerUnknown");
    show(groups.statuses.getLast());
    seconds(3600);
    assertThat(groups.calls).hasSize(3);
  }

  @Test
  void aWatchThatIsLateMakesNoWrites() {
    gang();
    waitsFor(new Reason.TooFewMembers("", 1, 2));
    waitsFor(UNKNOWN);
    seconds(1);
    groups.statuses.forEach(this::show);
    seconds(3600);
    assertThat(groups.calls).hasSize(2);
  }

  @Test
  void clientThatWritesAgainAndAgainIsAnsweredMoreAndMoreSeldom() {
    gang();
    waitsFor(UNKNOWN);
    var ours = groups.statuses.getLast();
    for (int i = 0; i < 3600; i++) {
      seconds(1);
      show(PodGroupStatus.NONE);
    }
    assertThat(groups.calls).as("2, 4, 8 s … and then every 5 min").hasSizeBetween(12, 22);
    seconds(3600);
    show(ours);
    seconds(900);
    int before = groups.calls.size();
    show(PodGroupStatus.NONE);
    seconds(3);
    assertThat(groups.calls).as("calm again").hasSize(before + 1);
  }

  @Test
  void theNextLeaderNeitherWritesNorTellsWhatStandsThereAlready() {
    gang();
    waitsFor(UNKNOWN);
    seconds(60);
    int before = events.told.size();
    var written = groups.statuses.getLast();
    var next = keeper();
    next.seen(object(written));
    var waits = new TreeMap<GroupKey, Reason>();
    waits.put(new GroupKey("default", "train"), UNKNOWN);
    next.planned(world.snapshot(), waits, staleSince, endings, idle);
    seconds(2);
    assertThat(groups.calls).hasSize(1);
    assertThat(events.told).hasSize(before);
    waits.put(new GroupKey("default", "train"), new Reason.NoSuchQueue(new QueueName("lost")));
    next.planned(world.snapshot(), waits, staleSince, endings, idle);
    seconds(2);
    assertThat(groups.calls).hasSize(2);
    assertThat(groups.statuses.getLast().conditions().getFirst().lastTransition())
        .as("it is not scheduled since then")
        .isEqualTo(written.conditions().getFirst().lastTransition());
  }

  @Test
  void anObjectThatWasMadeAnewGetsItsStatus() {
    gang();
    waitsFor(UNKNOWN);
    var written = groups.statuses.getLast();
    keeper.gone(object(written));
    show(PodGroupStatus.NONE);
    world.group("train", 3, "");
    waitsFor(UNKNOWN);
    assertThat(groups.calls).hasSize(2).endsWith("train Queued OwnerUnknown");
  }

  @Test
  void whatMembersAreChargedWithIsToldLikeOtherNumbers() {
    gang();
    waitsFor(UNKNOWN);
    charge(Resource.GPU, 2000);
    seconds(9);
    assertThat(groups.calls).as("not at once").hasSize(1);
    seconds(2);
    assertThat(groups.calls).hasSize(2);
    assertThat(groups.statuses.getLast().allocated()).containsExactly(Map.entry("gpu", "2"));
    charge(Resource.GPU, 2000);
    seconds(60);
    assertThat(groups.calls).as("nothing changed").hasSize(2);
    waitsFor(new Reason.TooFewMembers("", 1, 2));
    charge(Resource.GPU, 0);
    assertThat(groups.calls).hasSize(3);
    waitsFor(new Reason.NoSuchQueue(new QueueName("lost")));
    assertThat(groups.calls).as("with whatever else is written").hasSize(4);
    assertThat(groups.statuses.getLast().allocated()).isEmpty();
  }

  @Test
  void theNextLeaderKeepsWhatIsAllocatedUntilItHasLooked() {
    gang();
    waitsFor(UNKNOWN);
    charge(Resource.GPU, 2000);
    seconds(60);
    var next = keeper();
    next.seen(object(groups.statuses.getLast()));
    var waits = new TreeMap<GroupKey, Reason>();
    waits.put(new GroupKey("default", "train"), UNKNOWN);
    next.planned(world.snapshot(), waits, staleSince, endings, idle);
    seconds(60);
    assertThat(groups.calls).hasSize(2);
    next.told(Accounts.NONE);
    seconds(60);
    assertThat(groups.calls).hasSize(3);
    assertThat(groups.statuses.getLast().allocated()).isEmpty();
  }

  @Test
  void aStatusNamesTheGenerationThatItSpeaksOf() {
    gang();
    waitsFor(UNKNOWN);
    assertThat(groups.statuses.getLast().observedGeneration()).isZero();
    world.seen(
        Kind.POD_GROUP,
        "{metadata: {name: 'train', namespace: 'default', uid: 'uid-train', generation: 3},"
            + " spec: {minMember: 2}}");
    waitsFor(UNKNOWN);
    assertThat(groups.statuses.getLast().observedGeneration()).isEqualTo(3);
    seconds(60);
    assertThat(groups.calls).hasSize(2);
  }

  /// What never ran is not at its minimum.
  @Test
  void aGroupOfWhichNothingRunsIsNotStaleForThatReason() {
    gang();
    waitsFor(new Reason.TooFewMembers("", 1, 2));
    var stale = groups.statuses.getLast().conditions().getLast();
    assertThat(stale.type()).isEqualTo("Stale");
    assertThat(stale.reason()).isEqualTo("NotRunning");
  }

  @Test
  void aGroupIsStaleSinceTheCycleSaysSo() {
    gang();
    var since = world.workers.time().instant().minusSeconds(30);
    staleSince.put(new GroupKey("default", "train"), since);
    waitsFor(UNKNOWN);
    assertThat(groups.statuses.getLast().staleSince()).isEqualTo(since);
    assertThat(groups.statuses.getLast().conditions().getLast().message())
        .as("half of a minute is left")
        .contains("are evicted at " + since.plusSeconds(60) + ", when its staleness grace is over");
    staleSince.clear();
    waitsFor(UNKNOWN);
    seconds(2);
    assertThat(groups.statuses.getLast().staleSince()).isEqualTo(Instant.EPOCH);
  }

  /// The member that replaces one may wait for longer than the others run.
  @Test
  void aMemberOfAStaleGroupThatWaitsSaysWhenTheOthersAreEvicted() {
    world.group("train", 2, "");
    String running = "phase: 'Running', startTime: '2026-01-01T00:00:00Z'";
    world.pod("a", "labels: {'berth.dev/pod-group': 'train'}", "nodeName: 'n1'", running);
    member("b", "berth.dev/pod-group: 'train'", "");
    waitsFor(UNKNOWN);
    seconds(4);
    String first = "OwnerUnknown: OwnerUnknown (PodGroup train)";
    assertThat(conditions).as("while it is not stale").singleElement().asString().endsWith(first);
    var since = world.workers.time().instant();
    staleSince.put(new GroupKey("default", "train"), since);
    waitsFor(UNKNOWN);
    seconds(4);
    String below =
        "OwnerUnknown Besides, 1 of its members run and it needs 2: those that are left are"
            + " evicted at "
            + since.plusSeconds(60).truncatedTo(ChronoUnit.SECONDS)
            + ", when its staleness grace is over.";
    assertThat(groups.statuses.getLast().message()).isEqualTo(below);
    assertThat(conditions)
        .last()
        .asString()
        .endsWith(" OwnerUnknown: " + below + " (PodGroup train)");
    staleSince.clear();
    waitsFor(UNKNOWN);
    seconds(4);
    assertThat(conditions).last().asString().endsWith(first);
  }

  /// Nothing ends for it.
  @Test
  void aGroupThatMayStayBelowItsMinimumSaysNothingOfThat() {
    world.seen(
        Kind.POD_GROUP,
        "{metadata: {name: 'train', namespace: 'default', uid: 'uid-train'}, spec: {minMember: 2,"
            + " stalenessGracePeriod: '-1s'}}");
    String running = "phase: 'Running', startTime: '2026-01-01T00:00:00Z'";
    world.pod("a", "labels: {'berth.dev/pod-group': 'train'}", "nodeName: 'n1'", running);
    member("b", "berth.dev/pod-group: 'train'", "");
    staleSince.put(new GroupKey("default", "train"), world.workers.time().instant());
    waitsFor(UNKNOWN);
    seconds(4);
    assertThat(groups.statuses.getLast().message()).isEqualTo("OwnerUnknown");
  }

  /// As many run as the smallest tree has, but not in the sub-groups that need them.
  @Test
  void aTreeBelowItsMinimumDoesNotRunWhateverItsNumbersAre() {
    world.seen(
        Kind.POD_GROUP,
        "{metadata: {name: 'train', namespace: 'default', uid: 'uid-train'}, spec: {minSubGroup: 2,"
            + " subGroups: [{name: 'a', minMember: 1}, {name: 'b', minMember: 1},"
            + " {name: 'c', minMember: 2}]}}");
    for (String name : List.of("a", "c")) {
      world.pod(
          name,
          "labels: {'berth.dev/pod-group': 'train', 'berth.dev/subgroup': '%s'}".formatted(name),
          "nodeName: 'n1'",
          "phase: 'Running', startTime: '2026-01-01T00:00:00Z'");
    }
    var since = world.workers.time().instant();
    staleSince.put(new GroupKey("default", "train"), since);
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(5);
    assertThat(groups.calls).containsExactly("train Queued BelowMinimum");
    assertThat(groups.statuses.getLast().message())
        .isEqualTo(
            "2 of its members run and it needs 2, by sub-group: b has 0 of 1, c has 1 of 2: those"
                + " that are left are evicted at "
                + since.plusSeconds(60)
                + ", when its staleness grace is over. Helps: 1 more pod that can start.");
  }

  /// And not only that they are over: the one that was left did nothing wrong.
  @Test
  void aGroupThatEndsBelowItsMinimumSaysSo() {
    world.group("train", 2, "");
    String label = "labels: {'berth.dev/pod-group': 'train'}";
    String running = "phase: 'Running', startTime: '2026-01-01T00:00:00Z'";
    world.pod("a", label, "nodeName: 'n1'", running);
    world.pod("b", label, "nodeName: 'n1'", "phase: 'Failed'");
    staleSince.put(new GroupKey("default", "train"), world.workers.time().instant());
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(5);
    staleSince.clear();
    world.pod("a", label, "nodeName: 'n1'", "phase: 'Failed'");
    String ended =
        "It was below its minimum when the last of its pods ended: what is left of such a group is"
            + " evicted when its staleness grace is over.";
    for (int i = 0; i < 2; i++) {
      keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
      seconds(30);
      var stale = groups.statuses.getLast().conditions().getLast();
      assertThat(stale.status()).as("whether it is stale").isFalse();
      assertThat(stale.reason()).isEqualTo("EndedBelowMinimum");
      assertThat(stale.message()).isEqualTo(ended);
      world.group("train", 3, "");
    }
    assertThat(events.told)
        .last()
        .asString()
        .endsWith("Finished: All members are over: 2 of them failed. " + ended);
  }

  /// A deleted pod has not failed: nothing else tells that the others end soon.
  @Test
  void aGroupThatLostAPodSaysWhenTheOthersAreEvicted() {
    world.group("train", 2, "");
    String running = "phase: 'Running', startTime: '2026-01-01T00:00:00Z'";
    world.pod("a", "labels: {'berth.dev/pod-group': 'train'}", "nodeName: 'n1'", running);
    var since = world.workers.time().instant();
    staleSince.put(new GroupKey("default", "train"), since);
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(5);
    assertThat(groups.calls).containsExactly("train Queued BelowMinimum");
    assertThat(groups.statuses.getLast().message())
        .isEqualTo(
            "1 of its members run and it needs 2: those that are left are evicted at "
                + since.plusSeconds(60)
                + ", when its staleness grace is over. Helps: 1 more pod that can start, or a"
                + " minimum of 1.");
  }

  @Test
  void aGroupRunsSinceItsMinimumRuns() {
    world.group("train", 2, "");
    String label = "labels: {'berth.dev/pod-group': 'train'}";
    String running = "phase: 'Running', startTime: '2026-01-01T00:00:0%dZ'";
    world.pod("a", label, "nodeName: 'n1'", running.formatted(1));
    member("b", "berth.dev/pod-group: 'train'", "");
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(5);
    assertThat(groups.statuses.getLast().runsSince()).as("one of two").isEqualTo(Instant.EPOCH);
    world.podGone("b");
    world.pod("c", label, "nodeName: 'n1'", running.formatted(4));
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(5);
    var status = groups.statuses.getLast();
    assertThat(status.phase().word()).isEqualTo("Running");
    assertThat(status.runsSince()).isEqualTo("2026-01-01T00:00:04Z");
  }

  /// Bare pods do not come back by themselves.
  @Test
  void aGroupOfWhichAllPodsWereEvictedSaysThatItHasNone() {
    world.group("train", 2, "");
    String running = "phase: 'Running', startTime: '2026-01-01T00:00:00Z'";
    world.pod("a", "labels: {'berth.dev/pod-group': 'train'}", "nodeName: 'n1'", running);
    world.pod("b", "labels: {'berth.dev/pod-group': 'train'}", "nodeName: 'n1'", running);
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(5);
    world.podGone("a").podGone("b");
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(5);
    assertThat(groups.calls).containsExactly("train Running ", "train Pending NoMembers");
    var status = groups.statuses.getLast();
    assertThat(status.message())
        .isEqualTo(
            "No member exists now: pods that nothing creates anew must be created again once they"
                + " were evicted or deleted; 2 start together.");
    assertThat(status.conditions().getFirst().reason()).isEqualTo("NoMembers");
    assertThat(status.conditions().getFirst().message()).isEqualTo(status.message());
  }

  /// A group and its pods are often created one after another.
  @Test
  void aGroupOfWhichNoPodEverWasSaysSoAndTellsItOnceThatLasts() {
    world.group("train", 3, "");
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(2);
    assertThat(groups.calls).containsExactly("train Pending NoMembers");
    var status = groups.statuses.getLast();
    assertThat(status.message()).isEqualTo("No pod of it exists yet; 3 start together.");
    assertThat(events.told).as("within the first seconds").isEmpty();
    seconds(2);
    assertThat(events.told)
        .containsExactly("uid-train Pending: No pod of it exists yet; 3 start together.");
    world.group("train", 4, "");
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(60);
    assertThat(groups.statuses.getLast().message())
        .as("still none was there")
        .isEqualTo("No pod of it exists yet; 4 start together.");
    assertThat(events.told).hasSize(1);
  }

  @Test
  void aGroupWhosePodsComeAtOnceTellsNoEventThatItHasNone() {
    world.group("train", 1, "");
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(1);
    String running = "phase: 'Running', startTime: '2026-01-01T00:00:00Z'";
    world.pod("a", "labels: {'berth.dev/pod-group': 'train'}", "nodeName: 'n1'", running);
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(0);
    assertThat(events.told).containsExactly("uid-train Running: 1 members run.");
    seconds(60);
    assertThat(events.told).hasSize(1);
  }

  /// One of two was deleted, and no cycle has said yet since when the group is below its minimum,
  /// nor need it: so it is where a member was moved.
  @Test
  void aGroupThatRunsInPartSaysWhatComes() {
    world.group("train", 2, "");
    String running = "phase: 'Running', startTime: '2026-01-01T00:00:00Z'";
    world.pod("a", "labels: {'berth.dev/pod-group': 'train'}", "nodeName: 'n1'", running);
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(5);
    assertThat(groups.calls).containsExactly("train Queued BelowMinimum");
    var status = groups.statuses.getLast();
    assertThat(status.message())
        .isEqualTo(
            "1 of its members run and it needs 2: the others run on until pods that replace those"
                + " that left are there. Helps: nothing to do if it is a Job or another workload,"
                + " else the same pods once more.");
    assertThat(status.conditions().getFirst().message()).isEqualTo(status.message());
    assertThat(status.conditions().getLast().status()).as("whether it is stale").isFalse();
  }

  @Test
  void theStatusOfAGroupWithoutPodsFollowsEdits() {
    String object =
        "{metadata: {name: 'train', namespace: 'default', uid: 'uid-train', generation: %d},"
            + " spec: {minMember: 2, priorityClassName: 'p%d'}}";
    world.seen(Kind.POD_GROUP, object.formatted(1, 1));
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(5);
    assertThat(groups.statuses.getLast().observedGeneration()).isEqualTo(1);
    world.seen(Kind.POD_GROUP, object.formatted(2, 2));
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(5);
    assertThat(groups.statuses.getLast().observedGeneration()).isEqualTo(2);
    world.pod(
        "a", "labels: {'berth.dev/pod-group': 'train'}", "nodeName: 'n1'", "phase: 'Succeeded'");
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(5);
    assertThat(groups.calls.getLast()).isEqualTo("train Finished ");
    world.podGone("a");
    world.seen(Kind.POD_GROUP, object.formatted(3, 3));
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(5);
    assertThat(groups.calls.getLast()).as("it stays so").isEqualTo("train Finished ");
    assertThat(groups.statuses.getLast().observedGeneration()).isEqualTo(3);
  }

  @Test
  void whereNothingIsNewNoLookFollows() {
    gang();
    waitsFor(UNKNOWN);
    waitsFor(UNKNOWN);
    member("web", "", "");
    waitsFor(UNKNOWN);
    assertThat(explained).as("of the gang, once; the pod tells it later").hasSize(1);
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(60);
    assertThat(groups.calls).containsExactly("train Queued OwnerUnknown", "train Pending ");
  }

  @Test
  void aGangThatIsGoneGetsNoObject() {
    member("a", "berth.dev/pod-group: 'train'", "'berth.dev/min-member': '2'");
    groups.failures.add(ClientException.Kind.UNREACHABLE);
    waitsFor(UNKNOWN);
    world.podGone("a");
    waitsFor(UNKNOWN);
    seconds(60);
    assertThat(groups.calls).as("not tried again").containsExactly("create train of a");
  }

  @Test
  void afterACycleThatWasDroppedAllAreLookedAtAgain() {
    gang();
    var broken = new Reason.NoSuchQueue(new QueueName("broken"));
    unspeakable.add(broken);
    assertThatIllegalStateException().isThrownBy(() -> waitsFor(broken));
    unspeakable.clear();
    waitsFor(broken);
    assertThat(groups.calls).containsExactly("train Queued NoSuchQueue");
  }

  @Test
  void aPodAloneTellsOnceWhyItWaits() {
    member("web", "", "");
    waitsFor(UNKNOWN);
    seconds(2);
    assertThat(events.told).as("not at once").isEmpty();
    seconds(10);
    waitsFor(UNKNOWN);
    assertThat(events.told).containsExactly("uid-web OwnerUnknown: OwnerUnknown");
    waitsFor(new Reason.NoSuchQueue(new QueueName("lost")));
    seconds(10);
    assertThat(events.told)
        .containsExactly(
            "uid-web OwnerUnknown: OwnerUnknown",
            "uid-web NoSuchQueue: NoSuchQueue It names no queue and so is in the default one,"
                + " default; the label berth.dev/queue names another.");
  }

  @Test
  void aPodAloneFollowsItsReasonAndIsToldAgainBeforeItsEventExpires() {
    member("web", "", "");
    waitsFor(new Reason.NotProven(Reason.Sought.VICTIM_SETS, 1, 9));
    seconds(4);
    assertThat(events.told).hasSize(1);
    waitsFor(new Reason.NotProven(Reason.Sought.VICTIM_SETS, 2, 9));
    waitsFor(new Reason.NotProven(Reason.Sought.VICTIM_SETS, 3, 9));
    seconds(30);
    assertThat(events.told).as("other numbers, not at once").hasSize(1);
    seconds(40);
    assertThat(events.told).as("the last ones").hasSize(2);
    assertThat(explained.getLast())
        .isEqualTo(new Reason.NotProven(Reason.Sought.VICTIM_SETS, 3, 9));
    seconds(48 * 60);
    assertThat(events.told).as("nothing changed").hasSize(2);
    seconds(5 * 60);
    assertThat(events.told).as("an event lives for an hour").hasSize(3);
    waitsFor(UNKNOWN);
    seconds(4);
    assertThat(events.told).hasSize(4).last().asString().contains("OwnerUnknown");
    seconds(45 * 60);
    assertThat(events.told).hasSize(4);
  }

  private static Reason overLimit(long used, long limit) {
    return new Reason.OverLimit(new QueueName("team"), Resource.GPU, used, 1000, limit);
  }

  /// A surplus member whose group starts meanwhile, by the limit that was raised.
  @Test
  void anotherLimitIsToldAtOnceAndOtherNumbersAreNot() {
    gang();
    waitsFor(overLimit(2000, 2000));
    seconds(6);
    assertThat(explained.getLast()).isEqualTo(overLimit(2000, 2000));
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    waitsFor(overLimit(4000, 4000));
    assertThat(explained.getLast()).isEqualTo(overLimit(4000, 4000));
    assertThat(toldBy("uid-a")).as("at once").isEqualTo(2);
    waitsFor(overLimit(3500, 4000));
    seconds(4);
    assertThat(toldBy("uid-a")).as("other numbers").isEqualTo(2);
  }

  private static Reason outside(String... selectors) {
    var shortfalls =
        Stream.of(selectors)
            .map(each -> new Reason.Shortfall(Obstacle.NODE_SELECTOR, each, 2))
            .toList();
    return new Reason.NothingToTakeBack(
        new Reason.NoRoom(1, 0, 2, shortfalls), new QueueName("team"));
  }

  private static Reason volume(VolumeLack lack) {
    return new Reason.VolumeNotReady(
        new PodKey("default", "a"), new Pod.VolumeRef("data", false, "", lack));
  }

  /// The user has mended one cause and looks at the pod.
  @ParameterizedTest
  @MethodSource("causesOfOneKind")
  void theNextCauseOfTheSameKindIsToldAtOnce(Reason one, Reason next) {
    gang();
    waitsFor(one);
    seconds(6);
    assertThat(explained.getLast()).isEqualTo(one);
    waitsFor(next);
    seconds(4);
    assertThat(explained.getLast()).isEqualTo(next);
    assertThat(toldBy("uid-a")).isEqualTo(2);
  }

  private static List<Arguments> causesOfOneKind() {
    return List.of(
        Arguments.of(volume(VolumeLack.MISSING), volume(VolumeLack.NOT_BOUND)),
        Arguments.of(
            new Reason.NoSuchQueue(new QueueName("one")),
            new Reason.NoSuchQueue(new QueueName("other"))),
        Arguments.of(
            new Reason.NoSuchGroup(new GroupKey("default", "one")),
            new Reason.NoSuchGroup(new GroupKey("default", "other"))),
        Arguments.of(
            new Reason.NoSuchTopology("zones", ""), new Reason.NoSuchTopology("racks", "")),
        Arguments.of(outside("disk=ssd", "zone=a"), outside("zone=a")));
  }

  @Test
  void nodesThatComeAndGoAreNumbers() {
    gang();
    var one = new Reason.NoRoom(1, 0, 4, shortfalls(1, 3));
    waitsFor(one);
    seconds(6);
    waitsFor(new Reason.NoRoom(1, 0, 4, shortfalls(4, 0)));
    seconds(4);
    assertThat(toldBy("uid-a")).isEqualTo(1);
  }

  private static List<Reason.Shortfall> shortfalls(int full, int cordoned) {
    return Stream.of(
            new Reason.Shortfall(Obstacle.DEVICES, "nvidia.com/gpu", full),
            new Reason.Shortfall(Obstacle.UNSCHEDULABLE, "", cordoned))
        .filter(each -> each.nodes() > 0)
        .toList();
  }

  private long toldBy(String uid) {
    return events.told.stream().filter(event -> event.startsWith(uid + " ")).count();
  }

  /// Behind tight limits the kinds of reasons change as others come and go.
  @Test
  void aPodWhoseReasonTurnsAgainAndAgainKeepsWhatItWasTold() {
    member("web", "", "");
    var lost = new Reason.NoSuchQueue(new QueueName("lost"));
    for (int i = 0; i < 600; i++) {
      waitsFor(i % 2 == 0 ? UNKNOWN : lost);
      seconds(2);
    }
    assertThat(events.told).as("no kind holds for 3 s").hasSize(1);
    for (int i = 0; i < 360; i++) {
      waitsFor(i % 2 == 0 ? UNKNOWN : lost);
      seconds(10);
    }
    assertThat(events.told)
        .as("each holds: at 6, 12, 24 s … and then every 5 min")
        .hasSizeBetween(12, 22);
    assertThat(conditions).hasSizeBetween(12, 22);
    waitsFor(lost);
    seconds(900);
    waitsFor(UNKNOWN);
    seconds(4);
    assertThat(events.told).as("calm again").last().asString().contains("OwnerUnknown");
  }

  @Test
  void aGroupWhoseReasonTurnsAgainAndAgainHasEventsOfEachKindNowAndThen() {
    gang();
    var lost = new Reason.NoSuchQueue(new QueueName("lost"));
    for (int i = 0; i < 360; i++) {
      waitsFor(i % 2 == 0 ? UNKNOWN : lost);
      seconds(10);
    }
    assertThat(events.told.stream().filter(note -> note.startsWith("uid-train ")))
        .as("an hour")
        .hasSizeBetween(8, 22);
  }

  @Test
  void aPodThatWasToldWhatIsNoLongerSoIsToldWhatIs() {
    member("web", "", "");
    waitsFor(UNKNOWN);
    seconds(4);
    for (int i = 0; i < 35; i++) {
      waitsFor(
          i % 2 == 0
              ? new Reason.NoSuchQueue(new QueueName("lost"))
              : new Reason.NoSuchGroup(new GroupKey("default", "lost")));
      seconds(2);
    }
    assertThat(events.told).hasSize(2);
  }

  @Test
  void namespacesTakeTurnsWithTheirNumbers() {
    for (int i = 0; i < 50; i++) {
      world.podOf("crowd", "p-" + i);
    }
    world.podOf("few", "p");
    waitsFor(new Reason.NotProven(Reason.Sought.VICTIM_SETS, 1, 9));
    seconds(120);
    assertThat(events.told).hasSize(51);
    waitsFor(new Reason.NotProven(Reason.Sought.VICTIM_SETS, 2, 9));
    seconds(30);
    assertThat(events.told.subList(51, events.told.size()))
        .hasSizeBetween(2, 5)
        .anyMatch(note -> note.startsWith("uid-few-p "));
    waitsFor(UNKNOWN);
    seconds(60);
    assertThat(events.told.stream().filter(note -> note.contains("OwnerUnknown")))
        .as("another kind does not wait for the turn of changed numbers")
        .hasSize(51);
  }

  @Test
  void numbersThatChangeForManyTakeATenthOfTheBudget() {
    for (int i = 0; i < 20; i++) {
      member("web-" + i, "", "");
    }
    for (int i = 0; i < 600; i++) {
      waitsFor(new Reason.NotProven(Reason.Sought.VICTIM_SETS, i, 9));
      seconds(1);
    }
    assertThat(events.told).as("20, and one in 10 s").hasSizeBetween(60, 82);
  }

  @Test
  void whatIsUnderWayIsNoWarningAndWhatFailsIsOne() {
    member("web", "", "");
    waitsFor(new Reason.Starting(1, 0, 1, List.of("starts"), ""));
    seconds(4);
    waitsFor(new Reason.NoSuchQueue(new QueueName("lost")));
    seconds(4);
    waitsFor(new Reason.Starting(1, 0, 1, List.of("fails"), "another image"));
    seconds(4);
    assertThat(events.warnings).containsExactly(false, true, true);
  }

  @Test
  void aGroupThatHasFinishedStaysSoThoughItsPodsAreDeletedUntilOthersCome() {
    gang();
    for (String name : List.of("a", "b")) {
      world.pod(
          name, "labels: {'berth.dev/pod-group': 'train'}", "nodeName: 'n1'", "phase: 'Succeeded'");
    }
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(1);
    var ended = groups.statuses.getLast();
    world.podGone("a").podGone("b");
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(60);
    assertThat(groups.calls).containsExactly("train Finished ");
    var next = keeper();
    next.seen(object(ended));
    next.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(60);
    assertThat(groups.calls).as("nor does the next leader write").hasSize(1);
    member("c", "berth.dev/pod-group: 'train'", "");
    waitsFor(UNKNOWN);
    assertThat(groups.calls).hasSize(2).endsWith("train Queued OwnerUnknown");
  }

  @Test
  void membersThatExistAreCountedBeforeAnythingIsPlanned() {
    gang();
    world.pod(
        "b",
        "labels: {'berth.dev/pod-group': 'train'}",
        "schedulingGates: [{name: 'berth.dev/queued'}, {name: 'example.com/later'}]",
        "");
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(1);
    assertThat(events.told)
        .singleElement()
        .asString()
        .endsWith(
            "Pending: 2 members exist, 2 are needed to start: 1 is held by scheduling gates of"
                + " others (example.com/later); they wait to be planned.");
  }

  @Test
  void membersThatHaveEndedAreNotCountedAsOnesThatWait() {
    gang();
    world.pod("b", "labels: {'berth.dev/pod-group': 'train'}", "nodeName: 'n1'", "phase: 'Failed'");
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(1);
    assertThat(events.told)
        .singleElement()
        .asString()
        .endsWith("Pending: 1 member exists, 2 are needed to start: the others do not exist yet.");
  }

  @Test
  void aSecondPodOfTheSameNameIsToldAgain() {
    member("web", "", "");
    waitsFor(UNKNOWN);
    seconds(5);
    world.podGone("web");
    world.pod("web", "uid-of-another", "", GATED, "");
    waitsFor(UNKNOWN);
    seconds(5);
    assertThat(events.told)
        .containsExactly(
            "uid-web OwnerUnknown: OwnerUnknown", "uid-of-another OwnerUnknown: OwnerUnknown");
  }

  @Test
  void groupThatWaitsNoLongerTellsNothing() {
    member("web", "", "");
    waitsFor(UNKNOWN);
    seconds(2);
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(60);
    assertThat(events.told).isEmpty();
  }

  @Test
  void aGroupWhoseObjectIsNotOursIsNotWrittenItsPodTellsWhyItWaits() {
    gang();
    kaisGroups.add(new GroupKey("default", "train"));
    waitsFor(UNKNOWN);
    seconds(10);
    waitsFor(UNKNOWN);
    assertThat(groups.calls).isEmpty();
    assertThat(events.told).singleElement().asString().contains("OwnerUnknown");
  }

  @Test
  void manyWaitingGroupsAreToldAsTheBudgetAllows() {
    for (int i = 0; i < 20; i++) {
      member("web-" + i, "", "");
    }
    waitsFor(UNKNOWN);
    seconds(3.5);
    assertThat(events.told).as("the burst").hasSize(5);
    seconds(5);
    assertThat(events.told).hasSizeBetween(9, 11);
    seconds(60);
    assertThat(events.told).hasSize(20).doesNotHaveDuplicates();
  }

  @Test
  void eachMemberOfAGangTellsWhyItWaitsAndNamesItsGroup() {
    gang();
    member("b", "berth.dev/pod-group: 'train'", "");
    waitsFor(UNKNOWN);
    seconds(2.9);
    assertThat(conditions).as("not at once").isEmpty();
    seconds(0.2);
    assertThat(conditions)
        .containsExactly(
            "a@3 OwnerUnknown: OwnerUnknown (PodGroup train)",
            "b@4 OwnerUnknown: OwnerUnknown (PodGroup train)");
    assertThat(events.told)
        .containsExactly(
            "uid-train OwnerUnknown: OwnerUnknown",
            "uid-a OwnerUnknown: OwnerUnknown (PodGroup train)",
            "uid-b OwnerUnknown: OwnerUnknown (PodGroup train)");
  }

  @Test
  void aPriorityClassThatDoesNotExistIsTold() {
    world.ledger.record(new Fact.PriorityClassSeen("train", 1, 50, false));
    world.pod("web", "labels: {'priorityClassName': 'trian'}", GATED, "");
    waitsFor(UNKNOWN);
    seconds(4);
    assertThat(events.told)
        .singleElement()
        .asString()
        .endsWith(
            "OwnerUnknown Besides, its label priorityClassName names PriorityClass trian (did you"
                + " mean train?), which does not exist: until it names one that does, the priority"
                + " of its pods counts.");
    world.ledger.record(new Fact.PriorityClassSeen("trian", 1, 50, false));
    waitsFor(UNKNOWN);
    seconds(120);
    assertThat(events.told).last().asString().endsWith("OwnerUnknown");
  }

  /// What names the default queue itself knows where it is.
  @Test
  void aPodThatNamesNoQueueIsToldSoWhereTheDefaultOneStopsIt() {
    world.pod("web", "labels: {}", GATED, "");
    waitsFor(new Reason.NotALeaf(new QueueName("default"), new QueueName("team")));
    seconds(4);
    assertThat(events.told)
        .singleElement()
        .asString()
        .endsWith(
            "NotALeaf It names no queue and so is in the default one, default; the label"
                + " berth.dev/queue names another.");
  }

  @Test
  void aPodThatNamesTheDefaultQueueIsNotToldThatItNamesNone() {
    world.pod("web", "labels: {'berth.dev/queue': 'default'}", GATED, "");
    waitsFor(new Reason.NotALeaf(new QueueName("default"), new QueueName("team")));
    seconds(4);
    assertThat(events.told).singleElement().asString().endsWith(" NotALeaf");
  }

  @Test
  void whoseLowerPriorityCountsForAllIsTold() {
    member("a", "berth.dev/pod-group: 'train'", "'berth.dev/min-member': '2'");
    world.pod("b", "labels: {'berth.dev/pod-group': 'train'}", GATED + ", priority: 90", "");
    waitsFor(UNKNOWN);
    seconds(4);
    assertThat(events.told)
        .first()
        .asString()
        .endsWith(
            "OwnerUnknown Its pods have different priorities and the lowest counts, 0 of pod a, not"
                + " 90.");
  }

  @Test
  void aConditionLastsAndAnEventDoesNot() {
    gang();
    waitsFor(UNKNOWN);
    seconds(4);
    seconds(3 * 3600);
    assertThat(conditions).as("nothing changed").hasSize(1);
    assertThat(events.told).as("of the group, and of the pod every 50 minutes").hasSize(5);
    waitsFor(new Reason.NoSuchQueue(new QueueName("lost")));
    seconds(4);
    assertThat(conditions).hasSize(2).last().asString().contains("NoSuchQueue");
  }

  @Test
  void aPodThatChangedMeanwhileIsToldAtItsLaterVersion() {
    gang();
    conditionFailures.add(ClientException.Kind.CONFLICT);
    waitsFor(UNKNOWN);
    seconds(3);
    member("a", "berth.dev/pod-group: 'train'", "other: 'x'");
    seconds(3);
    assertThat(conditions)
        .containsExactly(
            "a@3 OwnerUnknown: OwnerUnknown (PodGroup train)",
            "a@4 OwnerUnknown: OwnerUnknown (PodGroup train)");
  }

  /// As a real one does.
  @Test
  void otherNumbersAreToldThoughTheClockGoesOnBetweenTwoLooksAtIt() {
    long[] ticks = {0};
    var ticking =
        world.workers.withClock(() -> world.workers.time().instant().plusNanos(++ticks[0]));
    var told = new ArrayList<String>();
    var queue =
        new ReasonQueue(
            new ReasonQueue.Pace(Duration.ofSeconds(3), Duration.ofMinutes(50), 20),
            ticking,
            (pod, why) -> told.add(pod.key().name() + " " + sentence(why.reason())));
    gang();
    var key = new GroupKey("default", "train");
    var pods = List.of(world.snapshot().group(key).orElseThrow().members().getFirst().pod());
    for (int i = 2; i < 5; i++) {
      var now = world.workers.time().instant();
      queue.wait(key, pods, new PendingReason(new Reason.TooFewMembers("", 1, i), "train"), now);
      queue.tellDue(now);
      seconds(70);
    }
    assertThat(told).containsExactly("a TooFewMembers 2", "a TooFewMembers 3", "a TooFewMembers 4");
  }

  @Test
  void aPodThatIsBoundOrWithoutAGateIsNotWritten() {
    gang();
    conditionFailures.add(ClientException.Kind.CONFLICT);
    waitsFor(UNKNOWN);
    seconds(3);
    world.pod("a", "labels: {'berth.dev/pod-group': 'train'}", "nodeName: 'n1'", "");
    seconds(600);
    assertThat(conditions).hasSize(1);
    world.pod("open", "", "", "");
    waitsFor(UNKNOWN);
    seconds(600);
    assertThat(conditions).as("the condition is kube-scheduler's").hasSize(1);
    assertThat(events.told).last().asString().startsWith("uid-open OwnerUnknown");
  }

  /// kube-scheduler writes nothing there while it waits for a volume.
  @Test
  void plannedPodSaysWhatItWaitsForUntilKubeSchedulerRefusesIt() {
    String plan = "annotations: {'berth.dev/plan': 'node=n1 until=2027-01-01T00:00:00Z'}";
    world.node("n1", 4).pod("x", plan, "", "");
    waitsFor(new Reason.NoSuchQueue(new QueueName("lost")));
    seconds(600);
    assertThat(conditions).as("not what others of its group wait for").isEmpty();
    waitsFor(new Reason.Starting(1, 0, 0, List.of("a volume"), ""));
    seconds(10);
    assertThat(conditions).hasSize(1).last().asString().contains("Starting");
    String refused =
        "conditions: [{type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message:"
            + " 'timed out'}]";
    world.pod("x", plan, "", refused);
    waitsFor(new Reason.Starting(1, 0, 0, List.of("another"), ""));
    seconds(600);
    assertThat(conditions).hasSize(1);
  }

  /// As it does where a volume does not come in time. Two writers of one condition would replace
  /// each other's words for ever.
  @Test
  void onceKubeSchedulerHasWrittenTheConditionAnAnnotationSaysIt() {
    String annotation = "annotations: {'berth.dev/plan': 'node=n1 until=2027-01-01T00:00:00Z'%s}";
    String plan = annotation.formatted("");
    world.node("n1", 4).pod("x", plan, "", "");
    var starting = new Reason.Starting(1, 0, 0, List.of("a volume"), "");
    waitsFor(starting);
    seconds(10);
    assertThat(conditions).hasSize(1);
    assertThat(annotations).as("the condition says it").isEmpty();
    String failed =
        "conditions: [{type: 'PodScheduled', status: 'False', reason: 'SchedulerError', message:"
            + " 'binding volumes: context deadline exceeded'}]";
    world.pod("x", plan, "", failed);
    waitsFor(starting);
    seconds(10);
    assertThat(annotations).containsExactly("x Starting: Starting");
    String told = annotation.formatted(", 'berth.dev/waiting': 'Starting: Starting'");
    for (int i = 0; i < 20; i++) {
      world.pod("x", told, "", failed.replace("exceeded", "exceeded " + i));
      waitsFor(starting);
      seconds(60);
    }
    assertThat(conditions).as("it is kube-scheduler's").hasSize(1);
    assertThat(annotations).as("nothing new").hasSize(1);
    world.pod("x", told, "nodeName: 'n1'", "");
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(10);
    assertThat(annotations).hasSize(2).last().isEqualTo("x ");
  }

  @Test
  void aConditionThatIsForbiddenIsNotTriedAgainUntilThereIsNews() {
    gang();
    conditionFailures.add(ClientException.Kind.REFUSED);
    waitsFor(UNKNOWN);
    seconds(600);
    assertThat(conditions).hasSize(1);
    waitsFor(new Reason.NoSuchQueue(new QueueName("lost")));
    seconds(600);
    assertThat(conditions).hasSize(2);
  }

  @Test
  void namespacesTakeTurns() {
    for (int i = 0; i < 50; i++) {
      world.podOf("crowd", "p-" + i);
    }
    waitsFor(UNKNOWN);
    seconds(4);
    world.podOf("few", "p");
    waitsFor(UNKNOWN);
    seconds(6);
    assertThat(conditions).hasSizeBetween(10, 13).contains("p@52 OwnerUnknown: OwnerUnknown");
    assertThat(events.told).contains("uid-few-p OwnerUnknown: OwnerUnknown");
  }

  @Test
  void podThatComesLateToAGangThatWaitsIsToldToo() {
    gang();
    waitsFor(UNKNOWN);
    seconds(10);
    member("b", "berth.dev/pod-group: 'train'", "");
    waitsFor(UNKNOWN);
    seconds(10);
    assertThat(conditions).hasSize(2).last().asString().startsWith("b@4 ");
    world.podGone("b");
    waitsFor(new Reason.NoSuchQueue(new QueueName("lost")));
    seconds(10);
    assertThat(conditions).hasSize(3).last().asString().startsWith("a@3 NoSuchQueue");
  }

  /// Its status is told before it is written again, as by the next leader.
  @Test
  void aGangThatEndsSoonSaysSoInItsStatusAndInEventsOnce() {
    runningGang();
    var now = world.workers.time().instant().truncatedTo(ChronoUnit.SECONDS);
    var rule = new MaxRuntime(Duration.ofHours(1), new QueueName("research"));
    var key = new GroupKey("default", "train");
    endings.put(
        key, new RuntimeEnd(rule, now.plusSeconds(600), Duration.ofMinutes(30), Instant.EPOCH));
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(20);
    String words =
        "Ends soon: at %s its pods are evicted by the max-runtime of queue research, 1h."
            .formatted(now.plusSeconds(1800));
    var condition = groups.statuses.getLast().conditions().getLast();
    assertThat(condition).isEqualTo(new Condition("EndsSoon", true, "MaxRuntimeNear", words, now));
    assertThat(events.told)
        .contains("uid-train MaxRuntimeNear: " + words, "uid-a MaxRuntimeNear: " + words);
    int told = events.told.size();
    endings.put(key, new RuntimeEnd(rule, now.plusSeconds(600), Duration.ofMinutes(30), now));
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    var next = keeper();
    show(groups.statuses.getLast());
    next.seen(object(groups.statuses.getLast()));
    next.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(60);
    assertThat(events.told).as("the next leader tells nothing again").hasSize(told);
    assertThat(groups.statuses.getLast().conditions().getLast()).isEqualTo(condition);
    endings.clear();
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(20);
    assertThat(groups.statuses.getLast().conditions().getLast().status())
        .as("it has more time")
        .isFalse();
    assertThat(warned).as("its pods need not say it").isEmpty();
  }

  /// A pod alone has no PodGroup, and one of KAI is not Berth's to write.
  @Test
  void whereNoStatusCanSayItPodsSayThatTheyEndSoon() {
    String runs = "phase: 'Running', startTime: '%s'".formatted(world.workers.time().instant());
    world.pod("alone", "", "nodeName: 'n1'", runs);
    kaisGroups.add(new GroupKey("default", "train"));
    gang();
    world.pod("a", "labels: {'berth.dev/pod-group': 'train'}", "nodeName: 'n1'", runs);
    var now = world.workers.time().instant();
    var rule = new MaxRuntime(Duration.ofHours(1), QueueName.NONE);
    for (PodGroup group : world.snapshot().groups()) {
      endings.put(
          group.key(),
          new RuntimeEnd(rule, now.plusSeconds(60), Duration.ofMinutes(1), Instant.EPOCH));
    }
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(10);
    assertThat(warned).containsExactly("alone true", "a true");
    assertThat(events.told.stream().filter(each -> each.contains("MaxRuntimeNear")))
        .hasSize(3)
        .anyMatch(each -> each.startsWith("uid-alone ") && each.contains("its max-runtime of 1h"));
    String said =
        ", conditions: [{type: 'berth.dev/EndsSoon', status: 'True', lastTransitionTime: '%s'}]"
            .formatted(now.truncatedTo(ChronoUnit.SECONDS));
    world.pod("alone", "", "nodeName: 'n1'", runs + said);
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(10);
    assertThat(warned).as("it says so already").hasSize(2);
    endings.clear();
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(10);
    assertThat(warned).hasSize(3).endsWith("alone false");
  }

  private static IdleEnd idleEnd(boolean evicts, Idleness.Notice notice, Instant since) {
    var rule =
        new IdleRule(
            new QueueName("strict"), Duration.ofHours(1), 5, Duration.ofMinutes(15), evicts);
    return new IdleEnd(new Idleness(rule, since, 2, 2000), notice);
  }

  private Condition idleCondition() {
    return groups.statuses.getLast().conditions().stream()
        .filter(each -> each.type().equals("Idle"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aGangWhoseGpusDoNothingSaysSoInItsStatusAndInEventsOnce() {
    runningGang();
    var now = world.workers.time().instant().truncatedTo(ChronoUnit.SECONDS);
    var key = new GroupKey("default", "train");
    idle.put(key, idleEnd(false, Idleness.Notice.NONE, now.minusSeconds(3600)));
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(30);
    String words =
        "Its 2 GPUs are idle since "
            + now.minusSeconds(3600)
            + ", by the idle rule of queue strict, 1h below 5 %.";
    assertThat(idleCondition()).isEqualTo(new Condition("Idle", true, "GpusIdle", words, now));
    assertThat(events.told).contains("uid-train GpusIdle: " + words, "uid-a GpusIdle: " + words);
    assertThat(warned).as("its pods need not say it").isEmpty();

    var later = world.workers.time().instant().truncatedTo(ChronoUnit.SECONDS);
    idle.put(key, idleEnd(true, new Idleness.Notice(now, false), now.minusSeconds(3600)));
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(30);
    assertThat(idleCondition().reason()).isEqualTo("GpusIdleNearEviction");
    assertThat(idleCondition().lastTransition())
        .as("the warning counts from here")
        .isEqualTo(later);
    assertThat(idleCondition().message())
        .endsWith(
            "At " + later.plusSeconds(900) + " its pods are evicted, unless it uses a GPU before.");

    idle.put(key, IdleEnd.UNKNOWN); // another leader, which has not measured
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(30);
    assertThat(idleCondition().status()).as("what was said stays").isTrue();
    assertThat(idleCondition().lastTransition()).isEqualTo(later);

    idle.clear();
    keeper.planned(world.snapshot(), new TreeMap<>(), staleSince, endings, idle);
    seconds(30);
    assertThat(idleCondition().status()).isFalse();
    assertThat(idleCondition().reason()).isEqualTo("GpusNotIdle");
  }

  private final class WarnedPods extends UntouchedPods {
    @Override
    public void warns(PodKey pod, PodUid uid, PodWarning warning) {
      warned.add(pod.name() + " " + warning.isTrue());
    }
  }

  private final class Conditions implements PodConditionClient {
    @Override
    public void waits(PodKey pod, PodUid uid, long version, String message) throws ClientException {
      conditions.add(pod.name() + "@" + version + " " + message);
      if (!conditionFailures.isEmpty()) {
        throw new ClientException(conditionFailures.remove(), pod.name());
      }
    }

    @Override
    public void annotates(PodKey pod, PodUid uid, String message) {
      annotations.add(pod.name() + " " + message);
    }
  }

  private String sentence(Reason reason) {
    if (unspeakable.contains(reason)) {
      throw new IllegalStateException("as the test wants it");
    }
    explained.add(reason);
    return reason.code() + (reason instanceof Reason.TooFewMembers few ? " " + few.need() : "");
  }

  private GroupKeeper keeper() {
    var settings =
        new GroupSettings(
            Duration.ofSeconds(1), Duration.ofSeconds(3), 1, 1, 1, Duration.ofSeconds(60));
    return new GroupKeeper(
        new MissingGroups(groups, world.workers),
        new GroupStatusWriter(groups, events, world.workers, settings, (_, _) -> Optional.empty()),
        new PodMessages(
            new PodReasons(
                events,
                new Conditions(),
                this::sentence,
                world.ledger::pod,
                world.workers,
                settings),
            events,
            new WarnedPods(),
            world.workers,
            settings),
        new OutsideCauses(
            new UnknownPriorityClasses(
                name -> world.ledger.priorityOf(name).isPresent(),
                name -> world.ledger.priorityClasses().like(name)),
            new RefusedPods(RefusedPodClient.NONE, OwnerClient.BARRED, world.workers, () -> {})),
        this::sentence,
        kaisGroups::contains);
  }

  /// @param amount what the gang is charged with; 0 = nothing
  private void charge(Resource resource, long amount) {
    var charges = new TreeMap<GroupKey, SortedMap<Resource, Long>>();
    if (amount > 0) {
      charges.put(new GroupKey("default", "train"), new TreeMap<>(Map.of(resource, amount)));
    }
    keeper.told(new Accounts(new TreeMap<>(), List.of(), charges));
    seconds(0);
  }

  /// The watch shows it.
  private void show(PodGroupStatus status) {
    keeper.seen(object(status));
  }

  private static Map<String, Object> object(PodGroupStatus status) {
    var metadata = Map.<String, Object>of("namespace", "default", "name", "train");
    return status.isNone()
        ? Map.of("metadata", metadata)
        : Map.of("metadata", metadata, "status", status.over(PodGroupStatus.NONE, ""));
  }

  /// Of which `a` runs from now on.
  private void runningGang() {
    gang();
    world.pod(
        "a",
        "labels: {'berth.dev/pod-group': 'train'}",
        "nodeName: 'n1'",
        "phase: 'Running', startTime: '%s'".formatted(world.workers.time().instant()));
  }

  private void gang() {
    world.group("train", 2, "");
    member("a", "berth.dev/pod-group: 'train'", "");
  }

  private void member(String name, String label, String annotation) {
    world.pod(
        name, "labels: {%s}, annotations: {%s}".formatted(quoted(label), annotation), GATED, "");
  }

  private static String quoted(String label) {
    return label.isEmpty() ? "" : "'" + label.replace(":", "':");
  }

  /// A cycle after which every group waits for that.
  private void waitsFor(Reason reason) {
    var waits = new TreeMap<GroupKey, Reason>();
    for (PodGroup group : world.snapshot().groups()) {
      waits.put(group.key(), reason);
    }
    keeper.planned(world.snapshot(), waits, staleSince, endings, idle);
    seconds(0);
  }

  private void seconds(double seconds) {
    world.workers.turn(Duration.ofMillis((long) (seconds * 1000)));
  }

  private static final class InMemoryGroups implements PodGroupClient {
    final List<String> calls = new ArrayList<>();
    final List<PodGroupStatus> statuses = new ArrayList<>();
    final ArrayDeque<ClientException.Kind> failures = new ArrayDeque<>();

    @Override
    public void create(GroupKey key, int minMember, QueueName queue, Owner owner)
        throws ClientException {
      called("create " + key.name() + " of " + owner.name());
    }

    @Override
    public void keep(GroupSpec spec, QueueName queue, Owner owner, Edits edits)
        throws ClientException {
      called("keep " + spec.key().name() + " of " + owner.name());
    }

    @Override
    public void status(GroupKey key, PodGroupStatus before, PodGroupStatus after)
        throws ClientException {
      statuses.add(after);
      called(key.name() + " " + after.phase().word() + " " + after.reason());
    }

    @Override
    public void delete(GroupKey key, String uid) throws ClientException {
      called("delete " + key.name());
    }

    private void called(String call) throws ClientException {
      calls.add(call);
      if (!failures.isEmpty()) {
        throw new ClientException(failures.remove(), call);
      }
    }
  }
}
