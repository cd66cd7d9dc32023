package dev.berth.engine.session;

import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Spelling;
import java.util.Optional;
import java.util.TreeMap;

/// Why nothing can start in a queue, or nothing of a namespace: it is missing, broken, no leaf,
/// wrong in itself or above, or takes no such pods.
public final class QueueFlaws {
  private final QueueTree queues;
  private final QueueName byDefault; // the queue of groups that name none
  private final boolean isAnySelective; // says whose pods it takes
  private final TreeMap<QueueName, QueueName> near = new TreeMap<>(); // to names that are missing

  QueueFlaws(QueueTree queues, QueueName byDefault) {
    this.queues = queues;
    this.byDefault = byDefault;
    this.isAnySelective = queues.all().stream().anyMatch(queue -> queue.namespaces().isPresent());
  }

  /// Why a group cannot start in its queue, if so.
  Optional<Reason> flaw(PodGroup group) {
    return flaw(group.queue()).or(() -> refusesNamespace(queues, group));
  }

  /// Why nothing can start in a queue that is called so. The default queue need not exist, unless
  /// others say whose pods they take: pods of namespaces that these exclude would start by naming
  /// none. What runs in it is charged to it.
  private Optional<Reason> flaw(QueueName name) {
    int q = queues.find(name);
    if (q == QueueTree.NONE) {
      // the default queue needs no object: groups without a queue do not wait for one
      boolean implied = name.equals(byDefault) || name.isNone() && queues.size() == 0;
      return implied ? Optional.empty() : Optional.of(new Reason.NoSuchQueue(name, near(name)));
    }
    if (name.equals(byDefault) && queues.queue(q).isImplied() && isAnySelective) {
      return Optional.of(new Reason.NoSuchQueue(name, near(name)));
    }
    if (queues.isBroken(q)) {
      return Optional.of(new Reason.BrokenQueue(name, queues.brokenAt(q), queues.isCyclic(q)));
    }
    if (queues.children(q).length > 0) {
      return Optional.of(new Reason.NotALeaf(name, queues.queue(queues.children(q)[0]).name()));
    }
    return problem(queues, q);
  }

  /// Found once for all groups that name it: of thousands of queues that takes a while.
  private QueueName near(QueueName name) {
    return near.computeIfAbsent(
        name,
        missing ->
            missing.isNone()
                ? QueueName.NONE
                : Spelling.nearest(
                        missing.value(),
                        queues.all().stream()
                            .filter(each -> !each.isImplied())
                            .map(each -> each.name().value())
                            .toList())
                    .map(QueueName::new)
                    .orElse(QueueName.NONE));
  }

  /// What is wrong with a queue itself, so that nothing can start in it or below it.
  public static Optional<Reason> of(QueueTree queues, int q) {
    return queues.isBroken(q)
        ? Optional.of(
            new Reason.BrokenQueue(queues.queue(q).name(), queues.brokenAt(q), queues.isCyclic(q)))
        : problem(queues, q);
  }

  /// Whether the queue of a group takes no pods of its namespace: the first in the chain that says
  /// whose pods it takes decides.
  static Optional<Reason> refusesNamespace(QueueTree queues, PodGroup group) {
    int q = queues.find(group.queue());
    for (int level : queues.chain(q)) {
      var queue = queues.queue(level);
      var takes = queue.namespaces();
      if (takes.isPresent()) {
        return takes.get().matches(group.namespaceLabels())
            ? Optional.empty()
            : Optional.of(
                new Reason.QueueNotAllowed(
                    group.queue(), group.key().namespace(), queue.name(), takes.get()));
      }
    }
    return Optional.empty();
  }

  private static Optional<Reason> problem(QueueTree queues, int q) {
    for (int level : queues.chain(q)) {
      var queue = queues.queue(level);
      if (!queue.problems().isEmpty()) {
        return Optional.of(
            new Reason.BadRequest("queue " + queue.name(), queue.problems().getFirst()));
      }
    }
    return Optional.empty();
  }
}
