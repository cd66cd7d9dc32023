package dev.berth.engine.model;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/// How long a group may run, and by which rule: the smallest of what the group itself says and what
/// its queue and the queues above it say. Of equal ones the group's own counts, then that of the
/// nearest queue.
///
/// It holds for work that is not preemptible, too: it takes no room for another, it ends what has
/// had its time.
///
/// @param length zero = as long as it likes
/// @param queue whose rule it is; none = the group's own
/// @param warning how long before its end a group is warned: what the nearest queue says that says
///   any, also where another one says the length; zero = no queue says it
public record MaxRuntime(Duration length, QueueName queue, Duration warning) {
  /// No rule.
  public static final MaxRuntime NONE =
      new MaxRuntime(Duration.ZERO, QueueName.NONE, Duration.ZERO);

  /// A rule of which no queue says how long before a group is warned.
  public MaxRuntime(Duration length, QueueName queue) {
    this(length, queue, Duration.ZERO);
  }

  /// @param queues a lookup by name. What is missing, and what comes again on a way up that leads
  ///   in a circle, ends the way
  public static MaxRuntime of(PodGroup group, Function<QueueName, Optional<Queue>> queues) {
    var own = new MaxRuntime(group.spec().patience().maxRuntime(), QueueName.NONE);
    return own.orSmallerOf(group.queue(), queues);
  }

  /// The same of groups of a queue that say nothing themselves.
  public static MaxRuntime in(QueueName queue, Function<QueueName, Optional<Queue>> queues) {
    return NONE.orSmallerOf(queue, queues);
  }

  private MaxRuntime orSmallerOf(QueueName leaf, Function<QueueName, Optional<Queue>> queues) {
    var most = this;
    for (Queue queue : QueueChain.of(leaf, queues)) {
      most = most.orSmaller(queue.maxRuntime(), queue.name());
      most = most.warningAtLast(queue.maxRuntimeWarning());
    }
    return most.isNone() ? NONE : most;
  }

  private MaxRuntime orSmaller(Duration other, QueueName says) {
    boolean isSmaller = isNone() || other.compareTo(length) < 0;
    return !other.isZero() && isSmaller ? new MaxRuntime(other, says, warning) : this;
  }

  private MaxRuntime warningAtLast(Duration other) {
    return warning.isZero() && !other.isZero() ? new MaxRuntime(length, queue, other) : this;
  }

  /// How long before its end a group is warned: half of its time at most.
  ///
  /// @param byDefault of groups for which no queue says any; zero = they are not warned
  public Duration warningOr(Duration byDefault) {
    var said = warning.isZero() ? byDefault : warning;
    var most = length.dividedBy(2);
    return said.compareTo(most) > 0 ? most : said;
  }

  /// Whether it may run as long as it likes.
  public boolean isNone() {
    return length.isZero();
  }

  /// `its max-runtime of 8h`, `the max-runtime of queue research, 12h`.
  public String words() {
    return queue.isNone()
        ? "its max-runtime of " + text(length)
        : "the max-runtime of queue " + queue + ", " + text(length);
  }

  /// As manifests write durations: `12h`, `1h30m`, `0.5s`.
  public static String text(Duration duration) {
    return DurationWords.of(duration);
  }
}
