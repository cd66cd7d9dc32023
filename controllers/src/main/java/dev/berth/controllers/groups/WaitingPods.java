package dev.berth.controllers.groups;

import dev.berth.controllers.door.Events;
import dev.berth.controllers.door.Events.Regarding;
import dev.berth.controllers.groups.StatusOf.Words;
import dev.berth.controllers.loop.TokenBucket;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/// Pods that wait and have no PodGroup object tell why by an event on themselves: once they have
/// waited for a while, when the kind of reason changes, now and then when its numbers change, and
/// again before the API server forgets the event.
///
/// They stand in one line for the budget of events, which all share: thousands of keys of a loop
/// would wake for each single event of it. Changed numbers get a tenth of the budget.
final class WaitingPods {
  private static final Duration WHEN_SPENT = Duration.ofSeconds(1);

  /// Between two events of one pod that differ in numbers or names alone.
  private static final Duration BETWEEN_CHANGES = Duration.ofMinutes(1);

  /// kube-apiserver keeps an event for an hour (`--event-ttl`).
  private static final Duration BEFORE_IT_EXPIRES = Duration.ofMinutes(50);

  record Waiting(Pod pod, Reason reason) {}

  /// @param since when it was first seen to wait
  /// @param reason what it told last; none = nothing yet
  /// @param at when
  private record Told(Instant since, Optional<Reason> reason, Instant at) {
    boolean isOfAnotherKind(Reason now) {
      return !reason.map(Reason::code).orElse("").equals(now.code());
    }

    /// When that is to be told.
    Instant due(Reason now, Duration patience) {
      if (reason.isEmpty()) {
        return since.plus(patience);
      }
      if (isOfAnotherKind(now)) {
        return at.plus(patience);
      }
      return at.plus(reason.get().equals(now) ? BEFORE_IT_EXPIRES : BETWEEN_CHANGES);
    }
  }

  private final Events events;
  private final TokenBucket budget;
  private final TokenBucket changes;
  private final Function<Reason, String> sentences;
  private final Workers workers;
  private final Duration patience;

  // All below: guarded by this.
  private final Map<PodUid, Told> told = new HashMap<>();
  private List<Waiting> line = List.of();
  private Instant nextLook = Instant.MAX;

  /// @param budget of all events
  /// @param changes of those that tell other numbers; each is taken from both
  /// @param patience how long a pod waits before it tells why
  WaitingPods(
      Events events,
      TokenBucket budget,
      TokenBucket changes,
      Function<Reason, String> sentences,
      Workers workers,
      Duration patience) {
    this.events = events;
    this.budget = budget;
    this.changes = changes;
    this.sentences = sentences;
    this.workers = workers;
    this.patience = patience;
  }

  /// These wait now, and no others.
  synchronized void are(List<Waiting> waiting, Instant now) {
    line = waiting;
    for (var each : waiting) {
      told.computeIfAbsent(each.pod().uid(), _ -> new Told(now, Optional.empty(), Instant.EPOCH));
    }
    if (told.size() > 2 * waiting.size() + 1000) {
      forgetAllBut(waiting);
    }
    tellDue(now);
  }

  private void forgetAllBut(List<Waiting> waiting) {
    var present = new TreeSet<PodUid>();
    waiting.forEach(each -> present.add(each.pod().uid()));
    told.keySet().retainAll(present);
  }

  /// Nothing else may change meanwhile, so the line is looked at again by itself.
  private synchronized void look() {
    var now = workers.time().instant();
    if (!nextLook.isAfter(now)) {
      nextLook = Instant.MAX;
      tellDue(now);
    }
  }

  private void tellDue(Instant now) {
    Instant next = Instant.MAX;
    var due = new ArrayList<Waiting>();
    for (var each : line) {
      Instant when = last(each, now).due(each.reason(), patience);
      if (!when.isAfter(now)) {
        due.add(each);
      } else if (when.isBefore(next)) {
        next = when;
      }
    }
    due.sort(Comparator.comparing(each -> last(each, now).at())); // who told nothing yet is first
    for (var each : due) {
      Instant again = now.plus(WHEN_SPENT);
      if (mayTell(each, now)) {
        tell(each, now);
        again = last(each, now).due(each.reason(), patience);
      }
      next = again.isBefore(next) ? again : next;
    }
    if (next.isBefore(nextLook)) {
      nextLook = next;
      workers.at(next, this::look);
    }
  }

  private boolean mayTell(Waiting waiting, Instant now) {
    var last = last(waiting, now);
    boolean isChange =
        !last.isOfAnotherKind(waiting.reason())
            && !last.reason().equals(Optional.of(waiting.reason()));
    return (!isChange || changes.tryTake()) && budget.tryTake();
  }

  private Told last(Waiting waiting, Instant otherwise) {
    return told.getOrDefault(
        waiting.pod().uid(), new Told(otherwise, Optional.empty(), Instant.EPOCH));
  }

  private void tell(Waiting waiting, Instant now) {
    Pod pod = waiting.pod();
    Reason reason = waiting.reason();
    told.put(pod.uid(), new Told(last(waiting, now).since(), Optional.of(reason), now));
    events.tell(
        new Regarding("v1", "Pod", pod.key().namespace(), pod.key().name(), pod.uid().value()),
        Words.isWarning(reason),
        reason.code(),
        "Wait",
        sentences.apply(reason));
  }
}
