package dev.berth.engine.explain;

import dev.berth.engine.Staleness;
import dev.berth.engine.model.MemberCounts;
import dev.berth.engine.model.PodGroup;
import java.util.Optional;

/// What keeps a gang that runs below its minimum.
public final class StaleGangs {
  private StaleGangs() {}

  /// That a minimum which what runs of it meets would do; empty where it is not stale, has
  /// sub-groups, or none does.
  public static Optional<String> keptBy(PodGroup group) {
    var counts = MemberCounts.of(group);
    int staying = counts.bound() - counts.leaving();
    if (!group.spec().subGroups().isEmpty() || staying == 0 || !Staleness.isLeftStale(group)) {
      return Optional.empty();
    }
    var smaller = Rewritten.with(group, group.spec().withMinimum(staying));
    return Staleness.isLeftStale(smaller)
        ? Optional.empty()
        : Optional.of(
            ("It runs below its minimum of " + Phrases.count(group.spec().minMember(), "member"))
                + (": a minimum of " + staying + " keeps what runs of it."));
  }
}
