package dev.berth.engine.ledger;

import dev.berth.engine.model.ChargedTo;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.QueueName;
import java.util.ArrayList;
import java.util.List;

/// Victims of plans that were withdrawn in one round: others may take them over.
final class OrphanedVictims {
  /// @param again where it was placed again; none = it is lost
  /// @param gained the queue of the plan that it was to leave for
  record Orphan(PodRecord victim, Placement again, QueueName gained) {}

  private final PodTransitions transitions;
  private final ArrayList<Orphan> all = new ArrayList<>(0);

  OrphanedVictims(PodTransitions transitions) {
    this.transitions = transitions;
  }

  /// The plan of a preemptor is withdrawn.
  void add(PodRecord preemptor) {
    QueueName gained = preemptor.chargedTo().queue();
    for (PodRecord victim : preemptor.victims) {
      all.add(new Orphan(victim, victim.relocation.again(), gained));
    }
  }

  /// Those that may leave for these preemptors instead: they stand on one of their nodes, and their
  /// eviction would have been theirs to ask. In the queue of the preemptors a lower priority alone
  /// leaves; from another queue, what was to leave for another queue before. One that is moved
  /// starts again elsewhere. A deleted pod that keeps running is none of them: an eviction would
  /// release nothing sooner. Each is judged when its turn comes: several plans may have counted on
  /// it.
  Iterable<Orphan> of(List<PodRecord> preemptors) {
    return () -> all.stream().filter(each -> isOpenTo(each, preemptors)).iterator();
  }

  private boolean isOpenTo(Orphan orphan, List<PodRecord> preemptors) {
    PodRecord victim = orphan.victim;
    return !victim.isGoing()
        && !victim.pod.life().runsOn()
        && isBesideAny(victim, preemptors)
        && mayLeaveFor(orphan, preemptors.getFirst());
  }

  private static boolean isBesideAny(PodRecord victim, List<PodRecord> preemptors) {
    boolean beside = false;
    for (PodRecord preemptor : preemptors) {
      beside |= preemptor.charge.node() == victim.charge.node();
    }
    return beside && victim.charge.node() != NodeUsage.NOWHERE;
  }

  private boolean mayLeaveFor(Orphan orphan, PodRecord preemptor) {
    if (!orphan.again.isNone()) {
      return true;
    }
    ChargedTo has = transitions.chargedTo(orphan.victim);
    ChargedTo gains = transitions.chargedTo(preemptor);
    return has.queue().equals(gains.queue())
        ? has.priority() < gains.priority()
        : !has.queue().equals(orphan.gained);
  }
}
