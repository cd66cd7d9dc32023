package dev.berth.extender.rest.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import java.time.Instant;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What is held of plans whose victims are not evicted.
final class EvictionDraftsTest {
  private final EvictionDrafts drafts = new EvictionDrafts();

  private static PodKey pod(int number) {
    return new PodKey("ml", "x".repeat(240) + number);
  }

  private static Victim victim(int number) {
    return new Victim(
        new PodUid("u" + number), pod(number), Cause.RECLAIM, new GroupKey("ml", "gains"));
  }

  private static EvictionPlan plan(int from) {
    var named =
        IntStream.range(from, from + EvictionPlan.MOST_NAMED)
            .mapToObj(i -> new EvictionPlan.Leaver(pod(i), new QueueName("q"), false))
            .toList();
    return new EvictionPlan(Instant.EPOCH, named.size(), named, List.of());
  }

  /// Each plan has two victims. The next chooses the first of them anew, so that the second alone
  /// holds the plan: it holds all of it.
  @Test
  void whatTheyHoldIsBoundedThoughNoVictimIsEverEvicted() {
    Set<EvictionPlan> held = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < 5000; i++) {
      var plan = plan(i);
      drafts.add(new EvictionDraft(victim(0), plan, 0));
      drafts.add(new EvictionDraft(victim(i + 1), plan, 0));
    }
    for (int i = 0; i < 5000; i++) {
      drafts.take(victim(i)).ifPresent(draft -> held.add(draft.plan()));
    }
    assertThat(held).isNotEmpty();
    assertThat(held.stream().mapToLong(EvictionPlan::bytes).sum())
        .isLessThanOrEqualTo(EvictionDrafts.MOST_BYTES);
    drafts.take(victim(5000));
    assertThat(drafts.size()).isZero();
    assertThat(drafts.bytes()).as("of none").isZero();
  }

  @Test
  void whateverComesAndGoesNothingIsLeft() {
    var random = new Random(3);
    var plans = IntStream.range(0, 20).mapToObj(EvictionDraftsTest::plan).toList();
    for (int i = 0; i < 5000; i++) {
      var victim = victim(random.nextInt(100));
      if (random.nextBoolean()) {
        drafts.add(new EvictionDraft(victim, plans.get(random.nextInt(plans.size())), 0));
      } else {
        drafts.take(victim);
      }
    }
    IntStream.range(0, 100).forEach(i -> drafts.take(victim(i)));
    assertThat(drafts.bytes()).isZero();
  }
}
