package dev.berth.controllers.evictions;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.PodClient;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.LedgerReader;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Marks one pod of each group for which evictions are requested (`berth.dev/preemptor`), before
/// the first of them: a plan behind its gate is known to this process alone, and the next leader
/// plans marked groups first ([PodGroup#resumed]). The patch that lifts the gate takes the mark
/// off; where the plan ends otherwise, this class does.
///
/// Not `status.nominatedNodeName`: kube-scheduler reserves the room of nominated pods, and would
/// reject pods that are bound to free room of that node before the victims are gone.
///
/// A pod that cannot be marked does not stop the evictions for its group. Any thread.
final class PreemptorMarks {
  private static final Logger LOG = LoggerFactory.getLogger(PreemptorMarks.class);
  private static final int MOST_TRIES = 3;
  private static final Duration AFTER_REFUSAL = Duration.ofMinutes(1);
  private static final KeyedLoopSettings PACE =
      new KeyedLoopSettings(8, Duration.ofMillis(200), Duration.ofSeconds(5));

  private enum State {
    BEING_WRITTEN,
    /// Unknown whether it is written: to be tried again.
    UNKNOWN,
    WRITTEN,
    UNWRITABLE,
    ENDED,
    BEING_REMOVED
  }

  private record Mark(PodKey pod, State state, int tries) {
    Mark in(State next) {
      return new Mark(pod, next, tries);
    }
  }

  private final LedgerReader ledger;
  private final PodClient pods;
  private final Workers workers;
  private final KeyedLoop<PodUid> removals;
  private final TreeMap<PodUid, Mark> marks = new TreeMap<>(); // guarded by this

  PreemptorMarks(LedgerReader ledger, PodClient pods, Workers workers) {
    this.ledger = ledger;
    this.pods = pods;
    this.workers = workers;
    this.removals = new KeyedLoop<>("preemptor marks", workers, PACE, this::remove);
  }

  /// A watch shows a mark on a pod.
  synchronized void seen(Pod pod) {
    marks.putIfAbsent(pod.uid(), new Mark(pod.key(), State.WRITTEN, 0));
  }

  /// Marks a pod of the group, unless one of them is marked.
  ///
  /// @return whether evictions for it may be requested now; false while a write is under way
  /// @throws ClientException where the write is to be tried again
  boolean mark(GroupKey group) throws ClientException {
    var members = ledger.group(group).map(PodGroup::members).orElse(List.of());
    Optional<Pod> chosen;
    synchronized (this) {
      var states = states(members);
      if (states.contains(State.BEING_WRITTEN) || states.contains(State.BEING_REMOVED)) {
        return false;
      }
      if (states.contains(State.WRITTEN) || states.contains(State.UNWRITABLE)) {
        return true;
      }
      chosen = chosen(members);
      chosen.ifPresent(pod -> marks.compute(pod.uid(), (_, mark) -> begun(pod, mark)));
    }
    if (chosen.isPresent()) {
      write(chosen.get());
    }
    return true;
  }

  private List<State> states(List<Member> members) {
    var states = new ArrayList<State>();
    for (Member member : members) {
      var mark = marks.get(member.pod().uid());
      if (mark != null) {
        states.add(mark.state());
      }
    }
    return states;
  }

  /// The first planned one, if possible behind its gate.
  private static Optional<Pod> chosen(List<Member> members) {
    var planned =
        members.stream().filter(each -> each.standing() instanceof Standing.Planned).toList();
    return planned.stream()
        .filter(each -> each.pod().isGated())
        .findFirst()
        .or(() -> planned.stream().findFirst())
        .map(Member::pod);
  }

  private static Mark begun(Pod pod, Mark before) {
    return new Mark(pod.key(), State.BEING_WRITTEN, before == null ? 1 : before.tries() + 1);
  }

  private void write(Pod pod) throws ClientException {
    var after = State.UNKNOWN;
    try {
      pods.markPreemptor(pod.key(), pod.uid(), true);
      after = State.WRITTEN;
    } catch (ClientException failed) {
      boolean mayPass = failed.isPassing() || failed.kind() == ClientException.Kind.CONFLICT;
      if (mayPass && tries(pod.uid()) < MOST_TRIES) {
        throw failed;
      }
      after = mayPass ? State.WRITTEN : State.UNWRITABLE; // it may be written
      if (failed.kind() != ClientException.Kind.GONE) {
        LOG.atWarn()
            .addKeyValue("pod", pod.key())
            .addKeyValue("why", failed.getMessage())
            .log("preemptor not marked: after a change of leader others may take its room");
      }
    } finally {
      become(pod.uid(), after);
    }
  }

  private synchronized int tries(PodUid uid) {
    var mark = marks.get(uid);
    return mark == null ? 0 : mark.tries();
  }

  private synchronized void become(PodUid uid, State state) {
    marks.computeIfPresent(uid, (_, mark) -> mark.in(state));
  }

  /// Finds marks whose group has no plan any more, and takes them off.
  void look() {
    var ended = new ArrayList<PodUid>();
    synchronized (this) {
      for (var entry : List.copyOf(marks.entrySet())) {
        var uid = entry.getKey();
        switch (entry.getValue().state()) {
          case WRITTEN, UNKNOWN -> {
            if (isSettled(uid)) {
              marks.remove(uid);
            } else if (!isNeeded(uid)) {
              become(uid, State.ENDED);
              ended.add(uid);
            }
          }
          case UNWRITABLE -> {
            if (isSettled(uid) || !isNeeded(uid)) {
              marks.remove(uid);
            }
          }
          case BEING_WRITTEN, ENDED, BEING_REMOVED -> {}
        }
      }
    }
    ended.forEach(removals::add);
  }

  /// Bound, or never to be.
  private boolean isSettled(PodUid uid) {
    return switch (ledger.standing(uid).orElse(new Standing.Over(false))) {
      case Standing.Planned _, Standing.Waiting _ -> false;
      case Standing.Bound _, Standing.Leaving _, Standing.Awaited _, Standing.Over _ -> true;
    };
  }

  private boolean isNeeded(PodUid uid) {
    return ledger
        .groupOf(uid)
        .filter(group ->
            group.resumed()
                || group.members().stream()
                    .anyMatch(each -> each.standing() instanceof Standing.Planned))
        .isPresent();
  }

  private Next remove(PodUid uid) throws ClientException {
    Mark mark;
    synchronized (this) {
      mark = marks.get(uid);
      if (mark == null || mark.state() != State.ENDED) {
        return Next.done();
      }
      become(uid, State.BEING_REMOVED);
    }
    try {
      pods.markPreemptor(mark.pod(), uid, false);
    } catch (ClientException failed) {
      if (failed.kind() != ClientException.Kind.GONE) {
        become(uid, State.ENDED);
        if (failed.kind() == ClientException.Kind.REFUSED) {
          return Next.at(workers.time().instant().plus(AFTER_REFUSAL));
        }
        throw failed;
      }
    }
    synchronized (this) {
      marks.remove(uid);
    }
    return Next.done();
  }
}
