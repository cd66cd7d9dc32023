package dev.berth.controllers.groups;

import dev.berth.controllers.client.PodWarning;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.explain.EndSentences;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.WordsOnPod;
import dev.berth.engine.session.RuntimeEnd;
import java.time.Instant;

/// Warns groups that are evicted soon for their max-runtime: an event on the PodGroup and on each
/// pod that runs, once for each warning. A group that says already that it is warned got its events
/// from the leader before.
///
/// Where no PodGroup can say it, the pods do, by a condition of their own: its time is what the
/// planner counts from. Tenants cannot write it, as they can annotations. Pods say it as well where
/// the PodGroup does not in time ([NotedGroups]).
///
/// Any thread.
final class EndWarnings {
  private final Announcer announcer;
  private final NotedGroups<RuntimeEnd> noted;

  EndWarnings(Announcer announcer, Workers workers) {
    this.announcer = announcer;
    this.noted = new NotedGroups<>(announcer, workers, RuntimeEnd::isWarned, this::podsSay);
  }

  /// A group as the last cycle found it.
  ///
  /// @param ending of a group that is near it, else [RuntimeEnd#NONE]
  /// @param saysIt whether its PodGroup says that it is warned, so that its pods need not
  void look(PodGroup group, RuntimeEnd ending, boolean saysIt, Instant now) {
    boolean isNear = !ending.equals(RuntimeEnd.NONE);
    boolean isLate = noted.look(group, ending);
    if (!isNear) {
      noted.gone(group.key());
    } else if (!ending.isWarned()) {
      var words = EndSentences.warning(ending, now);
      var notice = new Announcer.Notice(EndsSoon.NEAR, "End", true, words);
      noted.tell(group, ending, notice, now);
    }
    if (!saysIt || isLate || !isNear) {
      podsSay(group, ending, now);
    }
  }

  /// A pod that comes later says since when the others are warned: else a gang whose pods are
  /// replaced one by one would never have been for long enough.
  private void podsSay(PodGroup group, RuntimeEnd ending, Instant now) {
    boolean isNear = !ending.equals(RuntimeEnd.NONE);
    var since = isNear && ending.isWarned() ? ending.warned() : now;
    var words = isNear ? EndSentences.warning(ending, now) : "";
    var reason = isNear ? EndsSoon.NEAR : EndsSoon.FAR;
    Announcer.running(group).stream()
        .filter(pod -> pod.written().words().warned().equals(Instant.EPOCH) == isNear)
        .forEach(pod ->
            announcer.write(
                pod, new PodWarning(WordsOnPod.ENDS_SOON, isNear, reason, since, words)));
  }

  /// It is not to be warned any more.
  void gone(GroupKey group) {
    noted.gone(group);
  }
}
