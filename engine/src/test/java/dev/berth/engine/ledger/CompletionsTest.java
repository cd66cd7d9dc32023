package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.group;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.uid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Staleness;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.GroupSpec.Completions;
import dev.berth.engine.model.Membership;
import org.junit.jupiter.api.Test;

/// Members of a workload that makes others in the stead of those that complete. Its status tells
/// later than the pods do.
class CompletionsTest {
  private final Told told = begun();
  private Membership says = saying(4, 8, 0);

  private static Told begun() {
    var told = new Told();
    told.nodes(64, "a");
    told.ledger.record(new Fact.GroupSeen(group("work", 4)));
    return told;
  }

  private static Membership saying(int minimum, int left, int succeeded) {
    var spec = group("work", minimum).with(new Completions(left, succeeded, 0));
    return new Membership(spec, "", false, "");
  }

  /// What its owner says now.
  private void says(int minimum, int left, int succeeded) {
    says = saying(minimum, left, succeeded);
    told.ledger.record(new Fact.PodGrouped(uid("one"), says));
  }

  private void run(String... names) {
    for (String name : names) {
      told.sees(pod(name).ofJob("work").gpus(1).on("a").version(2));
      told.ledger.record(new Fact.PodGrouped(uid(name), says));
    }
  }

  private void waits(String name) {
    told.sees(pod(name).ofJob("work").gpus(1));
    told.ledger.record(new Fact.PodGrouped(uid(name), says));
  }

  private void completes(String... names) {
    for (String name : names) {
      told.sees(pod(name).ofJob("work").gpus(1).on("a").over(true).version(3));
    }
  }

  private GroupSpec shown() {
    return told.shown("work").spec();
  }

  private boolean isStale() {
    return Staleness.isStale(told.shown("work"));
  }

  /// Those of earlier runs are remembered too, though their objects are gone.
  @Test
  void completedPodThatIsDeletedIsNotTakenForOneThatTheStatusDoesNotTell() {
    says = saying(2, 8, 0);
    run("one", "two");
    completes("one", "two");
    told.farewell("two");
    says(2, 6, 2);
    assertThat(shown().completions()).isEqualTo(new Completions(6, 2, 0));
    run("three", "four");
    says(2, 2, 6); // others are forgotten
    completes("three");
    assertThat(shown().completions()).isEqualTo(new Completions(2, 6, 0));
    says(2, 1, 3);
    completes("four");
    assertThat(shown().completions()).isEqualTo(new Completions(0, 4, 0));
  }

  /// Any user can name the group in a label: the status of the workload tells of its own pods
  /// alone.
  @Test
  void podThatNamesTheGroupByALabelDoesNotCountAsCompletedOfItsWorkload() {
    says = saying(2, 2, 1);
    run("one", "two");
    told.sees(pod("odd").group("work").gpus(1).on("a").over(true).version(2));
    assertThat(shown().minMember()).as("it is there").isEqualTo(2);
    told.farewell("odd");
    assertThat(shown().minMember()).as("it is gone").isEqualTo(2);
    assertThat(shown().completions()).isEqualTo(new Completions(2, 1, 0));
    completes("one");
    assertThat(shown().minMember()).as("one of its own, of which the status tells").isEqualTo(2);
    completes("two");
    assertThat(shown().minMember()).as("and one of which it does not").isEqualTo(1);
  }

  /// The last wave: members complete one after another, and none comes in their stead.
  @Test
  void aLastWaveIsAtItsMinimumBeforeTheStatusTellsWhichPodsCompleted() {
    says = saying(4, 4, 0);
    run("one", "two", "three", "four");
    completes("three", "four");
    assertThat(shown().minMember()).isEqualTo(2);
    assertThat(shown().completions()).isEqualTo(new Completions(2, 2, 0));
    assertThat(isStale()).as("the gang is stale").isFalse();
    says(2, 2, 2);
    assertThat(shown().minMember()).isEqualTo(2);
    assertThat(isStale()).as("the gang is stale").isFalse();
    told.farewell("two");
    assertThat(isStale()).as("one was lost, and is to be made anew").isTrue();
    completes("one");
    assertThat(shown().completions().left()).isEqualTo(1);
  }

  @Test
  void inTheMiddleOthersComeInTheirStead() {
    says = saying(4, 40, 0);
    run("one", "two", "three", "four");
    completes("three", "four");
    assertThat(shown().minMember()).isEqualTo(4);
    assertThat(shown().completions()).isEqualTo(new Completions(38, 2, 2));
    assertThat(isStale()).as("its status does not tell yet").isFalse();
    waits("five");
    says(4, 38, 2);
    assertThat(isStale()).as("two of four").isTrue();
    run("five", "six");
    assertThat(isStale()).as("the gang is stale").isFalse();
    told.farewell("three");
    told.farewell("four");
    assertThat(shown().completions()).isEqualTo(new Completions(38, 2, 0));
    assertThat(shown().run().completed()).isEqualTo(2);
  }

  /// Without `completions` those that run once one has completed are the last.
  @Test
  void ofAWorkQueueThoseAreLeftThatRun() {
    says = saying(3, Completions.UNTIL_ONE_HAS, 0);
    run("one", "two", "three", "four");
    assertThat(shown().minMember()).isEqualTo(3);
    completes("four");
    assertThat(shown().minMember()).isEqualTo(3);
    completes("three");
    assertThat(shown().minMember()).isEqualTo(2);
    told.farewell("two");
    assertThat(shown().minMember()).isEqualTo(1);
    assertThat(isStale()).as("the gang is stale").isFalse();
    says(3, Completions.UNTIL_ONE_HAS, 2);
    assertThat(shown().minMember()).isEqualTo(1);
    completes("one");
    assertThat(shown().completions().isDone()).as("the workload is done").isTrue();
  }

  @Test
  void beforeOneHasCompletedAWorkQueueNeedsItsMinimum() {
    says = saying(3, Completions.UNTIL_ONE_HAS, 0);
    run("one", "two");
    assertThat(shown().minMember()).isEqualTo(3);
    assertThat(isStale()).as("the gang is stale").isTrue();
  }

  /// Between two waves none runs.
  @Test
  void whereNoPodRunsThoseThatCompletedAreNoPartOfIt() {
    run("one", "two", "three", "four");
    completes("one", "two", "three", "four");
    assertThat(shown().minMember()).isEqualTo(4);
    assertThat(shown().completions()).isEqualTo(new Completions(4, 4, 4));
    waits("five");
    assertThat(shown().completions().isDone()).as("the workload is done").isFalse();
    assertThat(isStale()).as("the gang is stale").isFalse();
  }
}
