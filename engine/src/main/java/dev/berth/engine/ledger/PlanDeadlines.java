package dev.berth.engine.ledger;

import dev.berth.engine.ledger.pods.PodState;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeSet;

/// When plans lapse that are not bound by then.
final class PlanDeadlines {
  private final TreeSet<Deadline> deadlines = new TreeSet<>();

  private record Deadline(Instant until, PodRecord pod) implements Comparable<Deadline> {
    @Override
    public int compareTo(Deadline other) {
      int byTime = until.compareTo(other.until);
      return byTime != 0 ? byTime : pod.pod.uid().compareTo(other.pod.pod.uid());
    }
  }

  /// The plan of a pod may have changed.
  void schedule(PodRecord entry) {
    set(entry, deadline(entry));
  }

  /// The pod is gone.
  void forget(PodRecord entry) {
    set(entry, Instant.MAX);
  }

  private void set(PodRecord entry, Instant deadline) {
    if (!deadline.equals(entry.deadline)) {
      deadlines.remove(new Deadline(entry.deadline, entry));
      entry.deadline = deadline;
      if (!deadline.equals(Instant.MAX)) {
        deadlines.add(new Deadline(deadline, entry));
      }
    }
  }

  /// The next plan whose deadline has passed.
  Optional<PodRecord> lapsed(Instant now) {
    return deadlines.isEmpty() || deadlines.first().until().isAfter(now)
        ? Optional.empty()
        : Optional.of(deadlines.first().pod());
  }

  private static Instant deadline(PodRecord entry) {
    if (!entry.isPlanned()) {
      return Instant.MAX;
    }
    if (entry.isHeld()) { // kube-scheduler keeps its room, whatever the plan's deadline
      return entry.patience.until();
    }
    Instant until = entry.plan().until();
    Instant longer =
        entry.state instanceof PodState.Binding binding
            ? binding.settledAt()
            : entry.patience.until();
    return longer.isAfter(until) ? longer : until;
  }
}
