package dev.berth.engine.explain;

import dev.berth.engine.explain.Trials.Attempt;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.ExceededResource;
import dev.berth.engine.model.Resource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiFunction;

/// What queues could be otherwise: limits, quotas, and which queue it is.
final class QueueLevers {
  /// Queues of which one after the other is raised: no tree is deeper.
  private static final int DEPTH = 16;

  private static final int MOST_QUEUES = 32;

  private final Trials trials;

  QueueLevers(Trials trials) {
    this.trials = trials;
  }

  /// Higher limits, as many as stand in the way one after the other.
  Optional<Attempt> limits(Attempt base, Reason reason) {
    return raised(base, reason, Reason.OverLimit.class);
  }

  /// Higher quotas: of non-preemptible work as far as the reason says, also where a limit is in the
  /// way that others may make room below; of other work so that its queue is owed the room, on
  /// every level whose quota is too small.
  Optional<Attempt> quotas(Attempt base, Reason reason) {
    if (reason instanceof Reason.OverLimit over) {
      return over.besides().stream()
          .filter(Reason.NonPreemptibleOverQuota.class::isInstance)
          .flatMap(each -> raised(base, each).stream())
          .filter(trials::starts)
          .findFirst();
    }
    return reason instanceof Reason.FairShareReached reached
        ? new Owed(reached.queue(), reached.resource(), reached.pool())
            .raised(base, reached.used() + reached.asked())
        : raised(base, reason, Reason.NonPreemptibleOverQuota.class);
  }

  /// What reasons of one kind say is too little, raised as far as they say, one after the other.
  private Optional<Attempt> raised(Attempt base, Reason reason, Class<? extends Reason> kind) {
    var attempt = base;
    Optional<Reason> why = Optional.of(reason);
    for (int i = 0; i < DEPTH && why.isPresent(); i++) {
      var next =
          kind.isInstance(why.get()) ? raised(attempt, why.get()) : Optional.<Attempt>empty();
      if (next.isEmpty()) {
        return Optional.empty();
      }
      attempt = next.get();
      why = trials.reason(attempt);
    }
    return attempt == base || !trials.starts(attempt) ? Optional.empty() : Optional.of(attempt);
  }

  /// The limits or quotas of a reason raised as far as it says; empty = it names none.
  static Optional<Attempt> raised(Attempt attempt, Reason reason) {
    return switch (reason) {
      case Reason.OverLimit over ->
          Optional.of(
              raised(
                  attempt,
                  over.excesses(),
                  (on, each) -> limit(on, over.queue(), over.pool(), each)));
      case Reason.NonPreemptibleOverQuota over ->
          Optional.of(
              raised(
                  attempt,
                  over.excesses(),
                  (on, each) -> quota(on, over.queue(), over.pool(), each)));
      default -> Optional.empty();
    };
  }

  private static Attempt raised(
      Attempt attempt,
      List<ExceededResource> excesses,
      BiFunction<Attempt, ExceededResource, Attempt> raise) {
    var raised = attempt;
    for (ExceededResource each : excesses) {
      raised = raise.apply(raised, each);
    }
    return raised;
  }

  private static long needed(ExceededResource excess) {
    return excess.used() + excess.asked();
  }

  private static Attempt limit(
      Attempt attempt, QueueName name, Optional<String> pool, ExceededResource excess) {
    var queue = attempt.queue(name);
    var own = pool.filter(it -> saysLimit(queue, it));
    return attempt.with(
        new Remedy.RaiseLimit(
            name,
            excess.resource(),
            own.map(queue::in).orElse(queue).limitOf(excess.resource()),
            needed(excess),
            own));
  }

  private static boolean saysLimit(Queue queue, String pool) {
    var there = queue.pools().get(pool);
    return there != null && there.limit().isPresent();
  }

  private static Attempt quota(
      Attempt attempt, QueueName name, Optional<String> pool, ExceededResource excess) {
    return quota(attempt, name, pool, excess.resource(), needed(excess));
  }

  /// Of a pool where it says one of its own.
  private static Attempt quota(
      Attempt attempt, QueueName name, Optional<String> pool, Resource resource, long to) {
    var queue = attempt.queue(name);
    var own = pool.filter(it -> saysQuota(queue, it));
    return attempt.with(
        new Remedy.RaiseQuota(
            name, resource, own.map(queue::in).orElse(queue).quota().of(resource), to, own));
  }

  private static boolean saysQuota(Queue queue, String pool) {
    var there = queue.pools().get(pool);
    return there != null && there.quota().isPresent();
  }

  /// A quota that is raised until its queue is owed what a group asks for.
  ///
  /// @param pool the node pool in which the group is; empty = the same in all
  private final class Owed {
    private final QueueName leaf;
    private final Resource resource;
    private final Optional<String> pool;

    Owed(QueueName leaf, Resource resource, Optional<String> pool) {
      this.leaf = leaf;
      this.resource = resource;
      this.pool = pool;
    }

    private long quota(Attempt attempt, QueueName name) {
      var queue = attempt.queue(name);
      return pool.map(queue::in).orElse(queue).quota().of(resource);
    }

    Optional<Attempt> raised(Attempt base, long most) {
      long from = quota(base, leaf);
      long step = resource.isGpuOfQueues() || resource.equals(Resource.CPU) ? 1000 : most - from;
      if (from == Queue.UNLIMITED || most <= from) {
        return Optional.empty();
      }
      var to = Smallest.between(from, most, Math.max(1, step), it -> trials.starts(with(base, it)));
      return to.isEmpty() ? Optional.empty() : Optional.of(with(base, to.getAsLong()));
    }

    /// The leaf has so much quota, and each queue above it as much more as that is.
    private Attempt with(Attempt base, long to) {
      long more = to - quota(base, leaf);
      var attempt = base;
      var name = leaf;
      for (int i = 0; i < DEPTH && !name.isNone(); i++) {
        long quota = quota(attempt, name);
        if (quota != Queue.UNLIMITED) {
          attempt = QueueLevers.quota(attempt, name, pool, resource, quota + more);
        }
        name = attempt.queue(name).parent();
      }
      return attempt;
    }
  }

  /// Another queue, those first that are called almost so.
  Optional<Attempt> otherQueue(Attempt base, Reason reason) {
    var group = trials.group(base);
    for (QueueName name : leaves(base, near(reason))) {
      var attempt = base.with(new Remedy.OtherQueue(name));
      if (!name.equals(group.queue()) && trials.starts(attempt)) {
        return Optional.of(attempt);
      }
    }
    return Optional.empty();
  }

  private static QueueName near(Reason reason) {
    return switch (reason) {
      case Reason.NoSuchQueue(_, var near) -> near;
      case Reason.NotALeaf(_, var child) -> child;
      default -> QueueName.NONE;
    };
  }

  private static List<QueueName> leaves(Attempt base, QueueName first) {
    var parents = new TreeSet<QueueName>();
    base.world().queues().forEach(queue -> parents.add(queue.parent()));
    var leaves = new ArrayList<QueueName>();
    for (Queue queue : base.world().queues()) {
      if (!parents.contains(queue.name()) && leaves.size() < MOST_QUEUES) {
        leaves.add(queue.name());
      }
    }
    if (leaves.remove(first)) {
      leaves.addFirst(first);
    }
    return Collections.unmodifiableList(leaves);
  }
}
