package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.START;
import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.group;
import static dev.berth.engine.ledger.Sketch.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodGroup.Origin;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.Workload;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Which pods belong together, and what is resolved for them.
class GroupsTest {
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
  void aPodOfAJobWaitsUntilTheJobIsKnown() {
    told.sees(pod("p-0").ofJob("job"));
    assertThat(told.shown("p-0").origin()).isEqualTo(Origin.POD_OF_UNKNOWN_OWNER);
    var group = new GroupKey("default", "job-1");
    told.ledger.record(
        new Fact.WorkloadSeen(
            new Workload(new OwnerUid("job"), 1, group, 2, new QueueName("research"))));
    assertThat(told.snapshot().groups()).hasSize(1);
    assertThat(told.shown("job-1").origin()).isEqualTo(Origin.MEMBERS);
    assertThat(told.shown("job-1").spec().minMember()).isEqualTo(2);
    assertThat(told.shown("job-1").queue()).isEqualTo(new QueueName("research"));
    told.ledger.record(
        new Fact.WorkloadSeen(
            new Workload(new OwnerUid("job"), 2, GroupKey.NONE, 0, QueueName.NONE)));
    assertThat(told.shown("p-0").origin()).isEqualTo(Origin.POD);
  }

  @Test
  void theQueueComesFromGroupPodOwnerNamespaceOrSettingsInThisOrder() {
    told.sees(pod("p").ofJob("job"));
    assertThat(told.shown("p").queue()).isEqualTo(new QueueName("default"));
    told.ledger.record(new Fact.NamespaceSeen("default", 1, new QueueName("of-namespace")));
    assertThat(told.shown("p").queue()).isEqualTo(new QueueName("of-namespace"));
    told.ledger.record(
        new Fact.WorkloadSeen(
            new Workload(new OwnerUid("job"), 1, GroupKey.NONE, 0, new QueueName("of-owner"))));
    assertThat(told.shown("p").queue()).isEqualTo(new QueueName("of-owner"));
    told.sees(pod("p").ofJob("job").queue("of-pod").version(2));
    assertThat(told.shown("p").queue()).isEqualTo(new QueueName("of-pod"));
  }

  @Test
  void thePriorityIsThatOfTheClassElseTheHighestOfThePods() {
    told.sees(pod("p-0").group("train").priority(50));
    told.sees(pod("p-1").group("train").priority(75));
    assertThat(told.shown("train").priority()).isEqualTo(75);
    var spec = group("train", 1);
    told.ledger.record(
        new Fact.GroupSeen(
            new GroupSpec(
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
                spec.staleSince(),
                List.of())));
    assertThat(told.shown("train").priority()).isEqualTo(75);
    told.ledger.record(new Fact.PriorityClassSeen("high", 1, 125, false));
    assertThat(told.shown("train").priority()).isEqualTo(125);
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
