package dev.berth.controllers.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Account;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class DesiredQueueStatusTest {
  private static final SortedMap<Resource, Long> NONE = Collections.emptySortedMap();

  /// @param has thousandths of GPUs, of which it has `quota` by right
  private static Account account(long quota, long has, Map<String, Account> pools) {
    var amounts = Amounts.of(Resource.GPU, quota);
    var queue =
        new Queue(
            new QueueName("q"),
            1,
            Instant.EPOCH,
            QueueName.NONE,
            100,
            amounts,
            new TreeMap<>(),
            new TreeMap<>(),
            Duration.ZERO,
            Duration.ZERO,
            List.of());
    return new Account(
        queue,
        new TreeMap<>(Map.of(Resource.GPU, has)),
        NONE,
        NONE,
        NONE,
        Amounts.of(Resource.GPU, Math.max(0, has - quota)),
        0,
        1,
        List.of(),
        new TreeMap<>(pools));
  }

  private static String overQuota(Account account) {
    return DesiredQueueStatus.status(
            account, List.of(), new TreeMap<>(), Reason::code, List.of(), Instant.EPOCH)
        .conditions()
        .get(1)
        .message();
  }

  /// More than the queue's own quota in all pools together is within it, pool by pool.
  @Test
  void eachPoolThatIsBeyondItsQuotaIsToldWithThatQuota() {
    var pools =
        Map.of(
            "", account(2000, 3000, Map.of()),
            "a100", account(8000, 8000, Map.of()),
            "h100", account(2000, 5000, Map.of()));
    assertThat(overQuota(account(8000, 16000, pools)))
        .isEqualTo(
            "Has more than its quota: gpu 3 of 2 on nodes without a pool, gpu 5 of 2 in pool"
                + " h100.");
  }

  @Test
  void withoutPoolsTheQuotaIsThatOfTheQueue() {
    assertThat(overQuota(account(8000, 9000, Map.of())))
        .isEqualTo("Has more than its quota: gpu 9 of 8.");
  }
}
