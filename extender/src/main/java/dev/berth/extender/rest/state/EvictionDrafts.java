package dev.berth.extender.rest.state;

import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodUid;
import java.util.LinkedHashMap;
import java.util.Optional;

/// What is known of pods that plans chose, until they are asked to leave; of each by the latest of
/// these plans. Bounded, with the plans that they hold: the oldest are dropped. Of one thread at a
/// time.
final class EvictionDrafts {
  static final int MOST = 10_000;
  static final long MOST_BYTES = 8L << 20;

  private static final long BYTES = 400; // of a draft without its plan and its names

  private final LinkedHashMap<PodUid, EvictionDraft> byPod = new LinkedHashMap<>();
  private final PlanBytes plans = new PlanBytes();
  private long bytes; // without plans

  /// Whether all that a plan chose is known.
  boolean hold(Plan plan) {
    return plan.decisions().stream()
        .flatMap(decision -> decision.victims().stream())
        .allMatch(victim -> find(victim).filter(it -> it.victim().equals(victim)).isPresent());
  }

  private Optional<EvictionDraft> find(Victim victim) {
    return Optional.ofNullable(byPod.get(victim.uid()));
  }

  void add(EvictionDraft draft) {
    remove(draft.victim().uid());
    byPod.putLast(draft.victim().uid(), draft);
    bytes += bytes(draft);
    plans.add(draft.plan());
    while (byPod.size() > MOST || bytes() > MOST_BYTES) {
      remove(byPod.sequencedKeySet().getFirst());
    }
  }

  private static long bytes(EvictionDraft draft) {
    var victim = draft.victim();
    return BYTES
        + victim.pod().namespace().length()
        + victim.pod().name().length()
        + victim.beneficiary().namespace().length()
        + victim.beneficiary().name().length();
  }

  /// What is known of a victim that is asked to leave; empty = nothing, or of another workload for
  /// which it was to leave.
  Optional<EvictionDraft> take(Victim victim) {
    var draft = find(victim);
    remove(victim.uid());
    return draft.filter(it -> it.victim().beneficiary().equals(victim.beneficiary()));
  }

  private void remove(PodUid uid) {
    Optional.ofNullable(byPod.remove(uid))
        .ifPresent(draft -> {
          bytes -= bytes(draft);
          plans.remove(draft.plan());
        });
  }

  int size() {
    return byPod.size();
  }

  /// Memory that they take with their plans; estimated.
  long bytes() {
    return bytes + plans.bytes();
  }
}
