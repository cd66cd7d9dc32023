package dev.berth.controllers.groups;

import dev.berth.controllers.door.Events;
import dev.berth.controllers.door.Events.Regarding;
import dev.berth.controllers.loop.TokenBucket;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;

/// Pods that wait and have no PodGroup object tell why by an event on themselves, once they have
/// waited for a while and when the kind of reason changes.
///
/// They stand in one line for the budget of events, which all share: thousands of keys of a loop
/// would wake for each single event of it.
final class WaitingPods {
  private static final Duration WHEN_SPENT = Duration.ofSeconds(1);

  record Waiting(Pod pod, Reason reason) {}

  /// @param since when it was first seen to wait
  /// @param code what it told last; empty = nothing yet
  private record Told(Instant since, String code) {}

  private final Events events;
  private final TokenBucket budget;
  private final Function<Reason, String> sentences;
  private final Workers workers;
  private final Duration patience;

  // All below: guarded by this.
  private final Map<PodUid, Told> told = new HashMap<>();
  private ArrayDeque<Waiting> line = new ArrayDeque<>();
  private boolean lookDue;

  /// @param patience how long a pod waits before it tells why
  WaitingPods(
      Events events,
      TokenBucket budget,
      Function<Reason, String> sentences,
      Workers workers,
      Duration patience) {
    this.events = events;
    this.budget = budget;
    this.sentences = sentences;
    this.workers = workers;
    this.patience = patience;
  }

  /// These wait now, and no others.
  synchronized void are(List<Waiting> waiting, Instant now) {
    line = new ArrayDeque<>();
    for (var each : waiting) {
      var last = told.computeIfAbsent(each.pod().uid(), _ -> new Told(now, ""));
      if (!last.code().equals(each.reason().code())) {
        line.add(each);
      }
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
    lookDue = false;
    tellDue(workers.time().instant());
  }

  private void tellDue(Instant now) {
    Instant next = Instant.MAX;
    var left = new ArrayDeque<Waiting>(line.size());
    boolean spent = false;
    for (var each : line) {
      Instant when = since(each, now).plus(patience);
      if (!when.isAfter(now)) {
        spent |= !budget.tryTake();
        if (!spent) {
          tell(each, now);
          continue;
        }
        when = now.plus(WHEN_SPENT);
      }
      left.add(each);
      next = when.isBefore(next) ? when : next;
    }
    line = left;
    if (!line.isEmpty() && !lookDue) {
      lookDue = true;
      workers.at(next, this::look);
    }
  }

  private Instant since(Waiting waiting, Instant otherwise) {
    return told.getOrDefault(waiting.pod().uid(), new Told(otherwise, "")).since();
  }

  private void tell(Waiting waiting, Instant now) {
    Pod pod = waiting.pod();
    String code = waiting.reason().code();
    told.put(pod.uid(), new Told(since(waiting, now), code));
    events.tell(
        new Regarding("v1", "Pod", pod.key().namespace(), pod.key().name(), pod.uid().value()),
        true,
        code,
        "Wait",
        sentences.apply(waiting.reason()));
  }
}
