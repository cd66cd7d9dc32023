package dev.berth.cli.gauges;

import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.SortedSet;
import java.util.TreeSet;

/// Which queues have series of their own: the oldest [#MOST], so that users with the right to
/// create queues cannot make series without end, nor push older queues out. The others share one
/// label, and so do names of queues that do not exist, which any pod may carry. No queue can have
/// one of these two names.
///
/// @param known what is known of queues by name
/// @param named the ones with series of their own
record QueueLabels(SortedSet<QueueName> known, SortedSet<QueueName> named) {
  static final int MOST = 500;
  static final String OTHER = "_other";
  static final String UNKNOWN = "_unknown";
  static final QueueLabels NONE =
      new QueueLabels(Collections.emptySortedSet(), Collections.emptySortedSet());

  QueueLabels {
    known = Collections.unmodifiableSortedSet(new TreeSet<>(known));
    named = Collections.unmodifiableSortedSet(new TreeSet<>(named));
  }

  static QueueLabels of(Collection<Queue> queues) {
    var known = new TreeSet<QueueName>();
    var named = new TreeSet<QueueName>();
    queues.stream()
        .sorted(Comparator.comparing(Queue::created).thenComparing(Queue::name))
        .forEach(queue -> {
          if (known.add(queue.name()) && named.size() < MOST) {
            named.add(queue.name());
          }
        });
    return new QueueLabels(known, named);
  }

  String of(QueueName queue) {
    if (named.contains(queue)) {
      return queue.value();
    }
    return known.contains(queue) ? OTHER : UNKNOWN;
  }

  /// Labels that another has no more.
  SortedSet<String> goneIn(QueueLabels next) {
    var gone = new TreeSet<String>();
    named.stream()
        .filter(queue -> !next.named.contains(queue))
        .map(QueueName::value)
        .forEach(gone::add);
    return gone;
  }
}
