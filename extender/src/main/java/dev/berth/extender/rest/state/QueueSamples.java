package dev.berth.extender.rest.state;

import dev.berth.engine.model.Account;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.TreeMap;

/// GPUs of queues over the last time: [#SAMPLES] of each at most, [#APART] from each other at
/// least. Any thread.
public final class QueueSamples {
  static final int SAMPLES = 360;
  static final Duration APART = Duration.ofSeconds(5);

  /// Queues beyond that have no history.
  private static final int MOST_QUEUES = 1000;

  private final TreeMap<QueueName, ArrayDeque<Sample>> byQueue = new TreeMap<>(); // by this
  private Instant last = Instant.MIN; // by this

  /// @param allocated thousandths of GPUs, as are all others
  public record Sample(Instant at, long allocated, long requested, long fairShare) {}

  /// Takes a sample where it is time for one. O(queues).
  public synchronized void take(Accounts accounts, Instant now) {
    if (!last.equals(Instant.MIN) && now.isBefore(last.plus(APART)) && !now.isBefore(last)) {
      return;
    }
    last = now;
    var there = new TreeMap<QueueName, Account>();
    accounts.queues().forEach(account -> there.put(account.queue().name(), account));
    byQueue.keySet().retainAll(there.keySet());
    there.forEach((name, account) -> {
      if (byQueue.size() < MOST_QUEUES || byQueue.containsKey(name)) {
        var samples = byQueue.computeIfAbsent(name, _ -> new ArrayDeque<>());
        samples.add(
            new Sample(
                now,
                account.allocated().getOrDefault(Resource.GPU, 0L),
                account.requested().getOrDefault(Resource.GPU, 0L),
                account.fairShare().getOrDefault(Resource.GPU, 0L)));
        if (samples.size() > SAMPLES) {
          samples.remove();
        }
      }
    });
  }

  /// The earliest first.
  public synchronized List<Sample> of(QueueName queue) {
    var samples = byQueue.get(queue);
    return samples == null ? List.of() : List.copyOf(samples);
  }
}
