package dev.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.explain.Sentences;
import dev.berth.engine.model.PreemptibilitySource;
import dev.berth.engine.model.PreemptibilitySource.By;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason.NonPreemptibleOverQuota;
import dev.berth.engine.model.Reason.Stays;
import dev.berth.engine.model.Resource;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What groups read of why they are not preemptible.
class QuotaSentencesTest {
  private static String overQuota(long used, Stays stays) {
    return Sentences.of(
        new NonPreemptibleOverQuota(
            new QueueName("team"), Resource.GPU, used, 1_000, used, List.of(), stays));
  }

  private static Stays stays(By by, String priorityClass, int priority) {
    return new Stays(new PreemptibilitySource(by, priorityClass), priority, false);
  }

  /// A Deployment of a newcomer did not ask for it.
  @Test
  void aGroupThatIsNotPreemptibleByItsKindIsToldSo() {
    assertThat(overQuota(0, stays(By.KIND, "inference", 125)))
        .isEqualTo(
            "Waits: this group is not preemptible (workloads of its kind that name no priority"
                + " class have inference with priority 125, and 100 or more is not preemptible) and"
                + " asks for 1, more than the quota of queue team, which is 0 GPUs. Helps: a quota"
                + " of 1 GPU in team, or preemptible work (the label berth.dev/preemptibility:"
                + " preemptible, or a priority class below 100).");
  }

  @Test
  void groupThatSaysThatItIsNotPreemptibleIsNamed() {
    assertThat(overQuota(0, stays(By.NAMED_CLASS, "high", 150)))
        .contains("(its priority class high has priority 150, and 100 or more is not preemptible)")
        .contains("or a priority class below 100)");
    assertThat(overQuota(0, stays(By.POD_PRIORITY, "", 150)))
        .contains("(its pods have priority 150, and 100 or more is not preemptible)");
    assertThat(overQuota(0, stays(By.LABEL, "", 0)))
        .contains("this group is not preemptible (by its label berth.dev/preemptibility) and asks")
        .endsWith("or preemptible work (the label berth.dev/preemptibility: preemptible).");
    assertThat(overQuota(0, stays(By.OBJECT, "", 0)))
        .contains("(by spec.preemptibility of its PodGroup)")
        .endsWith("or spec.preemptibility: Preemptible in its PodGroup.");
  }

  @Test
  void whereTheQuotaIsUsedItIsToldAtTheEnd() {
    var used = new Stays(PreemptibilitySource.of(By.LABEL), 0, false);
    assertThat(overQuota(2_000, used))
        .startsWith(
            "Waits: non-preemptible work of queue team has 2 of its quota of 2 GPUs and this group"
                + " asks for 1; it is not preemptible (by its label berth.dev/preemptibility).");
    assertThat(overQuota(2_000, new Stays(used.source(), 0, true)))
        .contains("; its minimum is not preemptible (by its label berth.dev/preemptibility).");
    assertThat(overQuota(0, new Stays(used.source(), 0, true)))
        .startsWith("Waits: the minimum of this group is not preemptible (by its label");
  }
}
