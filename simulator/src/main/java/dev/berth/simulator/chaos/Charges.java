package dev.berth.simulator.chaos;

import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.model.ChargedTo;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Preemptibility;
import java.util.List;
import java.util.Optional;

/// As what a ledger charges the pods that it has seen bound: as what their own plans say, whatever
/// was edited since, at no higher priority than that and than they were admitted with.
final class Charges {
  private Charges() {}

  /// Those that are charged as something else.
  static List<String> wrong(Ledger ledger, List<PodUid> pods) {
    return pods.stream().flatMap(uid -> wrong(ledger, uid).stream()).toList();
  }

  private static Optional<String> wrong(Ledger ledger, PodUid uid) {
    var pod = ledger.pod(uid).filter(seen -> seen.isBound() && !seen.isOver());
    var settled = pod.map(Charges::settled).orElse(ChargedTo.NONE);
    return settled.isNone()
        ? Optional.empty()
        : ledger
            .groupOf(uid)
            .filter(group -> !isChargedAs(settled, group) || isLifted(pod.get(), group))
            .map(group ->
                pod.get().key()
                    + " is charged as one of "
                    + group.key()
                    + ", "
                    + charge(group)
                    + ", though its plan says "
                    + settled);
  }

  private static ChargedTo settled(Pod pod) {
    var plan = pod.written().plan();
    return plan.placement().node().equals(pod.life().node()) ? plan.chargedTo() : ChargedTo.NONE;
  }

  private static ChargedTo charge(PodGroup group) {
    return new ChargedTo(group.queue(), group.priority(), group.preemptibility());
  }

  /// Surplus that stands alone may be asked to leave.
  private static boolean isChargedAs(ChargedTo settled, PodGroup group) {
    boolean surplus =
        group.single()
            && settled.preemptibility() == Preemptibility.SEMI_PREEMPTIBLE
            && group.preemptibility() == Preemptibility.PREEMPTIBLE;
    var expected =
        surplus
            ? new ChargedTo(settled.queue(), settled.priority(), Preemptibility.PREEMPTIBLE)
            : settled;
    return charge(group).withoutPriority().equals(expected.withoutPriority())
        && group.priority() <= settled.priority();
  }

  private static boolean isLifted(Pod pod, PodGroup group) {
    int admitted = pod.asks().priority();
    return admitted != 0 && group.priority() > admitted;
  }
}
