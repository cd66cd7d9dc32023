package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.group;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.uid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec.SubGroup;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Membership;
import dev.berth.engine.model.OwnerUid;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A Job makes no pod in the stead of one that completed while it was evicted; the minimum of a
/// PodGroup that a user wrote counts all.
class JobCompletionsTest {
  private final Told told = new Told();

  @BeforeEach
  void aGangOfThree() {
    told.nodes(64, "a");
    told.ledger.record(new Fact.GroupSeen(group("work", 3)));
  }

  private void waits(String job, String... names) {
    for (String name : names) {
      told.sees(pod(name).ofJob(job).group("work").gpus(1));
    }
  }

  private void runs(String job, String... names) {
    for (String name : names) {
      told.sees(pod(name).ofJob(job).group("work").gpus(1).on("a").version(2));
    }
  }

  private void leave(String... names) {
    for (String name : names) {
      told.farewell(name);
    }
  }

  private void jobRunsFewer(String job, int fewer) {
    jobRunsFewer(job, fewer, "work", "");
  }

  private void jobRunsFewer(String job, int fewer, String group, String subGroup) {
    var key = group.isEmpty() ? GroupKey.NONE : new GroupKey("default", group);
    told.ledger.record(new Fact.JobSeen(new OwnerUid(job), true, fewer, key, subGroup));
  }

  private int minimum() {
    return told.shown("work").spec().minMember();
  }

  @Test
  void aGangThatLeftStartsAgainWithoutTheMemberThatCompletedMeanwhile() {
    runs("job", "a", "b", "c");
    leave("a", "b", "c");
    waits("job", "d", "e");
    assertThat(minimum()).isEqualTo(3);
    jobRunsFewer("job", 1);
    assertThat(minimum()).isEqualTo(2);
    waits("job", "f");
    assertThat(minimum()).as("the Job made another").isEqualTo(3);
  }

  @Test
  void aProcessThatCameLaterKnowsTheSame() {
    jobRunsFewer("job", 1);
    waits("job", "d", "e");
    assertThat(minimum()).isEqualTo(2);
  }

  @Test
  void oneStaysAtLeast() {
    jobRunsFewer("job", 3);
    waits("job", "d");
    assertThat(minimum()).isEqualTo(1);
  }

  @Test
  void membersThatAnotherJobHasYetToMakeCount() {
    jobRunsFewer("job", 1);
    waits("job", "d");
    assertThat(minimum()).as("one completed, one is to come").isEqualTo(2);
  }

  @Test
  void completionsOfAJobWithoutMembersDoNotCount() {
    jobRunsFewer("job", 1);
    waits("next", "d", "e");
    assertThat(minimum()).isEqualTo(3);
  }

  @Test
  void oneThatCompletedAndIsThereCountsOnce() {
    runs("job", "a", "b", "c");
    told.sees(pod("a").ofJob("job").group("work").gpus(1).on("a").over(true).version(3));
    jobRunsFewer("job", 1);
    assertThat(minimum()).isEqualTo(3);
    leave("a");
    assertThat(minimum()).isEqualTo(2);
  }

  @Test
  void aJobThatIsGoneIsForgotten() {
    jobRunsFewer("job", 1);
    waits("job", "d", "e");
    told.ledger.record(Fact.JobSeen.gone(new OwnerUid("job")));
    assertThat(minimum()).isEqualTo(3);
  }

  @Test
  void roleOfATreeStartsWithoutItsOwnAlone() {
    var roles =
        List.of(
            new SubGroup("one", "", 2, 0, TopologyAsk.NONE),
            new SubGroup("two", "", 2, 0, TopologyAsk.NONE));
    told.ledger.record(new Fact.GroupSeen(group("tree", 0).withSubGroups(roles)));
    told.sees(pod("a").ofJob("first").group("tree").subGroup("one").gpus(1));
    told.sees(pod("b").ofJob("second").group("tree").subGroup("two").gpus(1));
    jobRunsFewer("first", 1, "tree", "one");
    assertThat(told.shown("tree").spec().subGroups())
        .extracting(SubGroup::name, SubGroup::minMember)
        .containsExactly(tuple("one", 1), tuple("two", 2));
  }

  @Test
  void aPodThatWasMovedIntoAnotherGroupByItsLabelLowersNothingThere() {
    waits("job", "d");
    waits("other", "e");
    jobRunsFewer("other", 2, "elsewhere", "");
    assertThat(minimum()).isEqualTo(3);
    jobRunsFewer("other", 2, "", "");
    assertThat(minimum()).as("the template names none").isEqualTo(3);
  }

  @Test
  void aPodThatWasMovedToAnotherRoleLowersNothingThere() {
    var roles =
        List.of(
            new SubGroup("one", "", 2, 0, TopologyAsk.NONE),
            new SubGroup("two", "", 2, 0, TopologyAsk.NONE));
    told.ledger.record(new Fact.GroupSeen(group("tree", 0).withSubGroups(roles)));
    told.sees(pod("a").ofJob("first").group("tree").subGroup("two").gpus(1));
    jobRunsFewer("first", 1, "tree", "one");
    assertThat(told.shown("tree").spec().subGroups())
        .extracting(SubGroup::minMember)
        .containsExactly(2, 2);
  }

  @Test
  void aPodThatJoinsWhatOlderOnesNameLowersNothingThere() {
    waits("job", "d");
    told.sees(pod("e").ofJob("other").gpus(1));
    jobRunsFewer("other", 2, "", "");
    var joining = Membership.UNTOLD.joining(new GroupKey("default", "work"));
    told.ledger.record(
        new Fact.PodGrouped(
            uid("e"), new Membership(true, joining.said(), "", false, "train", true)));
    assertThat(minimum()).isEqualTo(3);
  }

  @Test
  void aPodThatItsOwnersBringCounts() {
    for (String each : List.of("d", "e")) {
      told.sees(pod(each).ofJob("job").gpus(1));
      told.ledger.record(
          new Fact.PodGrouped(uid(each), new Membership(group("work", 3), "", false, "train")));
    }
    jobRunsFewer("job", 1, "", "");
    assertThat(minimum()).isEqualTo(2);
  }
}
