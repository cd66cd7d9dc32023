package dev.berth.extender.rest.state;

import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodUid;
import java.util.LinkedHashMap;
import java.util.Optional;

/// What is known of pods that plans chose, until they are asked to leave; of each by the latest of
/// these plans. Bounded: the oldest are dropped. Of one thread at a time.
final class EvictionDrafts {
  static final int MOST = 10_000;
  static final long MOST_BYTES = 8L << 20;

  private static final int BYTES = 200; // of a draft without its plan

  private final LinkedHashMap<PodUid, Counted> byPod = new LinkedHashMap<>();
  private EvictionPlan lastPlan = EvictionPlan.NONE;
  private long bytes;

  /// @param bytes that are counted for it
  private record Counted(EvictionDraft draft, long bytes) {}

  /// Whether all that a plan chose is known.
  boolean hold(Plan plan) {
    return plan.decisions().stream()
        .flatMap(decision -> decision.victims().stream())
        .allMatch(victim -> find(victim).filter(it -> it.victim().equals(victim)).isPresent());
  }

  private Optional<EvictionDraft> find(Victim victim) {
    return Optional.ofNullable(byPod.get(victim.uid())).map(Counted::draft);
  }

  void add(EvictionDraft draft) {
    remove(draft.victim().uid());
    long counted = BYTES + (draft.plan() == lastPlan ? 0 : draft.plan().bytes());
    lastPlan = draft.plan();
    byPod.putLast(draft.victim().uid(), new Counted(draft, counted));
    bytes += counted;
    while (byPod.size() > MOST || bytes > MOST_BYTES) {
      remove(byPod.sequencedKeySet().getFirst());
    }
  }

  /// What is known of a victim that is asked to leave; empty = nothing, or of another workload for
  /// which it was to leave.
  Optional<EvictionDraft> take(Victim victim) {
    var draft = find(victim);
    remove(victim.uid());
    return draft.filter(it -> it.victim().beneficiary().equals(victim.beneficiary()));
  }

  private void remove(PodUid uid) {
    var known = Optional.ofNullable(byPod.remove(uid));
    bytes -= known.map(Counted::bytes).orElse(0L);
  }

  int size() {
    return byPod.size();
  }
}
