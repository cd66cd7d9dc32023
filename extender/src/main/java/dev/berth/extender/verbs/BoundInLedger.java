package dev.berth.extender.verbs;

import dev.berth.engine.ledger.LedgerReader;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import dev.berth.extender.barrier.BoundMembers;
import java.util.SortedSet;
import java.util.TreeSet;

/// Finds the bound members of a gang in the ledger, by the plan that each bears.
public final class BoundInLedger implements BoundMembers {
  private final LedgerReader ledger;

  public BoundInLedger(LedgerReader ledger) {
    this.ledger = ledger;
  }

  @Override
  public SortedSet<PodUid> of(String gang, PodUid member) {
    var bound = new TreeSet<PodUid>();
    ledger
        .groupOf(member)
        .ifPresent(group -> {
          for (PodGroup.Member each : group.members()) {
            if (each.pod().written().plan().gang().equals(gang) && isThrough(each)) {
              bound.add(each.pod().uid());
            }
          }
        });
    return bound;
  }

  /// A member that has run and ended has been bound, too; one that was deleted before has not.
  private static boolean isThrough(PodGroup.Member member) {
    return switch (member.standing()) {
      case Standing.Bound _, Standing.Leaving _ -> true;
      case Standing.Over _ -> member.pod().isBound();
      case Standing.Waiting _, Standing.Planned _, Standing.Awaited _ -> false;
    };
  }
}
