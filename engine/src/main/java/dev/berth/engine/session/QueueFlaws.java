package dev.berth.engine.session;

import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Spelling;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Why nothing can start in a queue, or nothing of a namespace: it is missing, broken, no leaf,
/// wrong in itself or above, or takes no such pods.
public final class QueueFlaws {
  private final QueueTree queues;
  private final QueueName byDefault; // the queue of groups that name none
  private final boolean isAnySelective; // says whose pods it takes
  private final HashMap<Misspelt, QueueName> near = new HashMap<>();

  /// A name that no queue has.
  private record Misspelt(QueueName name, Map<String, String> namespaceLabels) {}

  QueueFlaws(QueueTree queues, QueueName byDefault) {
    this.queues = queues;
    this.byDefault = byDefault;
    this.isAnySelective = queues.all().stream().anyMatch(queue -> queue.namespaces().isPresent());
  }

  /// Why a group cannot start in its queue, if so.
  Optional<Reason> flaw(PodGroup group) {
    return flawOfQueue(group).or(() -> refusesNamespace(queues, group));
  }

  /// Why nothing can start in the queue of a group. The default queue need not exist, unless others
  /// say whose pods they take: pods of namespaces that these exclude would start by naming none.
  /// What runs in it is charged to it.
  private Optional<Reason> flawOfQueue(PodGroup group) {
    var name = group.queue();
    int q = queues.find(name);
    if (q == QueueTree.NONE) {
      // the default queue needs no object: groups without a queue do not wait for one
      boolean implied = name.equals(byDefault) || name.isNone() && queues.size() == 0;
      return implied ? Optional.empty() : Optional.of(new Reason.NoSuchQueue(name, near(group)));
    }
    if (name.equals(byDefault) && queues.queue(q).isImplied() && isAnySelective) {
      return Optional.of(new Reason.NoSuchQueue(name, near(group)));
    }
    if (queues.isBroken(q)) {
      return Optional.of(new Reason.BrokenQueue(name, queues.brokenAt(q), queues.isCyclic(q)));
    }
    if (queues.children(q).length > 0) {
      return Optional.of(new Reason.NotALeaf(name, queues.queue(queues.children(q)[0]).name()));
    }
    return problem(queues, q);
  }

  /// The queue with nearly the name that a group gives, in which it could start. Found once for all
  /// groups of equal namespaces that name it: of thousands of queues that takes a while.
  private QueueName near(PodGroup group) {
    if (group.queue().isNone()) {
      return QueueName.NONE;
    }
    return near.computeIfAbsent(
        new Misspelt(group.queue(), isAnySelective ? group.namespaceLabels() : Map.of()),
        missing ->
            Spelling.nearest(group.queue().value(), namesFor(missing.namespaceLabels()))
                .map(QueueName::new)
                .orElse(QueueName.NONE));
  }

  /// Names of queues that take pods of namespaces with such labels.
  private List<String> namesFor(Map<String, String> namespaceLabels) {
    var names = new ArrayList<String>();
    for (int q = 0; q < queues.size(); q++) {
      var queue = queues.queue(q);
      if (!queue.isImplied()
          && !queues.isBroken(q)
          && queues.children(q).length == 0
          && selective(queues, q)
              .flatMap(Queue::namespaces)
              .map(takes -> takes.matches(namespaceLabels))
              .orElse(true)) {
        names.add(queue.name().value());
      }
    }
    return names;
  }

  /// What is wrong with a queue itself, so that nothing can start in it or below it.
  public static Optional<Reason> of(QueueTree queues, int q) {
    return queues.isBroken(q)
        ? Optional.of(
            new Reason.BrokenQueue(queues.queue(q).name(), queues.brokenAt(q), queues.isCyclic(q)))
        : problem(queues, q);
  }

  /// Whether the queue of a group takes no pods of its namespace.
  static Optional<Reason> refusesNamespace(QueueTree queues, PodGroup group) {
    return selective(queues, queues.find(group.queue()))
        .filter(at -> !at.namespaces().orElseThrow().matches(group.namespaceLabels()))
        .map(at ->
            new Reason.QueueNotAllowed(
                group.queue(), group.key().namespace(), at.name(), at.namespaces().orElseThrow()));
  }

  /// The first queue, from one upwards, that says whose pods it takes: it decides for all below.
  private static Optional<Queue> selective(QueueTree queues, int q) {
    for (int level : queues.chain(q)) {
      if (queues.queue(level).namespaces().isPresent()) {
        return Optional.of(queues.queue(level));
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
