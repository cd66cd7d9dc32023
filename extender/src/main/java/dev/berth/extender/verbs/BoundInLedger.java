package dev.berth.extender.verbs;

import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import dev.berth.extender.barrier.BoundMembers;
import java.util.SortedSet;
import java.util.TreeSet;

/// Finds the bound members of a gang in the ledger, by the plan that each bears.
public final class BoundInLedger implements BoundMembers {
  private final Ledger ledger;

  public BoundInLedger(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  public SortedSet<PodUid> of(String gang, PodUid member) {
    var bound = new TreeSet<PodUid>();
    ledger
        .groupOf(member)
        .ifPresent(group -> {
          for (PodGroup.Member each : group.members()) {
            if (each.pod().written().plan().gang().equals(gang) && isThrough(each.standing())) {
              bound.add(each.pod().uid());
            }
          }
        });
    return bound;
  }

  /// A member that has run and ended has been bound, too.
  private static boolean isThrough(Standing standing) {
    return switch (standing) {
      case Standing.Bound _, Standing.Leaving _, Standing.Over _ -> true;
      case Standing.Waiting _, Standing.Planned _ -> false;
    };
  }
}
