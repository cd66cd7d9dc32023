package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.Membership;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.PreemptibilitySource;
import dev.berth.engine.model.PreemptibilitySource.By;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a group is told to be not preemptible by.
class PreemptibilitySourceTest {
  private final Told told = new Told();

  @BeforeEach
  void classes() {
    told.ledger.record(new Fact.PriorityClassSeen("train", 1, 50, false));
    told.ledger.record(new Fact.PriorityClassSeen("inference", 1, 125, false));
  }

  private void isSaid(String pod, GroupSpec said, String usualClass) {
    told.ledger.record(
        new Fact.PodGrouped(Sketch.uid(pod), new Membership(said, "", false, usualClass)));
  }

  private static GroupSpec alone(Preemptibility preemptibility) {
    var none = Membership.UNTOLD.said();
    return new GroupSpec(
        none.key(),
        "",
        0,
        Instant.EPOCH,
        none.queue(),
        1,
        0,
        List.of(),
        none.topology(),
        "",
        preemptibility,
        none.patience(),
        Instant.EPOCH,
        List.of());
  }

  private PreemptibilitySource source(String group) {
    return told.shown(group).preemptibilitySource();
  }

  @Test
  void theClassOfAKindWhereNoneIsNamed() {
    told.sees(pod("serve"));
    isSaid("serve", alone(Preemptibility.BY_PRIORITY), "inference");
    assertThat(source("serve")).isEqualTo(new PreemptibilitySource(By.KIND, "inference"));
  }

  @Test
  void theClassThatALabelNames() {
    told.sees(pod("p").priority(200).priorityClass("inference"));
    assertThat(source("p")).isEqualTo(new PreemptibilitySource(By.NAMED_CLASS, "inference"));
  }

  @Test
  void thePriorityOfThePodBelowThatOfItsLabel() {
    told.sees(pod("p").priority(110).priorityClass("inference"));
    assertThat(source("p")).isEqualTo(PreemptibilitySource.of(By.POD_PRIORITY));
  }

  @Test
  void theLabelOfItsWorkload() {
    told.sees(pod("p").priority(10));
    isSaid("p", alone(Preemptibility.NON_PREEMPTIBLE), "train");
    assertThat(source("p")).isEqualTo(PreemptibilitySource.of(By.LABEL));
  }

  @Test
  void theObject() {
    var object = Sketch.group("g", 1);
    told.ledger.record(
        new Fact.GroupSeen(
            new GroupSpec(
                object.key(),
                object.uid(),
                object.version(),
                object.created(),
                object.queue(),
                1,
                0,
                List.of(),
                object.topology(),
                "",
                Preemptibility.NON_PREEMPTIBLE,
                object.patience(),
                Instant.EPOCH,
                List.of())));
    told.sees(pod("p").group("g"));
    assertThat(source("g")).isEqualTo(PreemptibilitySource.of(By.OBJECT));
  }
}
