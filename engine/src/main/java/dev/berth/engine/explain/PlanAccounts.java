package dev.berth.engine.explain;

import dev.berth.engine.IncrementalPlanner;
import dev.berth.engine.explain.Receipt.QueueChange;
import dev.berth.engine.model.Account;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// How queues stand before a plan and after all of it, in the planner's own numbers.
public final class PlanAccounts {
  private final SortedMap<QueueName, Account> before;
  private final SortedMap<QueueName, Account> after;
  private final Function<NodeName, Optional<String>> poolOf;

  private PlanAccounts(
      Accounts before, Accounts after, Function<NodeName, Optional<String>> poolOf) {
    this.before = byName(before);
    this.after = byName(after);
    this.poolOf = poolOf;
  }

  /// @param planner costs what changed since it was asked last
  /// @param plan of that snapshot
  public static PlanAccounts of(IncrementalPlanner planner, Snapshot snapshot, Plan plan) {
    var before = planner.accounts(snapshot);
    return new PlanAccounts(
        before,
        planner.accounts(CarriedOut.of(snapshot, plan)),
        name -> snapshot.node(name).flatMap(room -> planner.pool(room.node())));
  }

  private static SortedMap<QueueName, Account> byName(Accounts accounts) {
    var byName = new TreeMap<QueueName, Account>();
    accounts.queues().forEach(account -> byName.put(account.queue().name(), account));
    return byName;
  }

  /// Of these queues and all above them, each from the leaf. Queues that are not known are left
  /// out.
  ///
  /// @param loser whose pods leave: their node pool is the one that is told of
  public List<QueueChange> of(List<QueueName> leaves, Optional<PodGroup> loser) {
    var pool = loser.flatMap(this::pool);
    var names = new LinkedHashSet<QueueName>();
    leaves.forEach(leaf -> addChain(leaf, names));
    var changes = new ArrayList<QueueChange>();
    for (QueueName name : names) {
      Optional.ofNullable(before.get(name))
          .ifPresent(was ->
              Optional.ofNullable(after.get(name))
                  .ifPresent(is -> changes.add(new QueueChange(was, is, pool))));
    }
    return changes;
  }

  private Optional<String> pool(PodGroup loser) {
    return loser.members().stream()
        .map(member -> poolOf.apply(member.standing().placement().node()))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private void addChain(QueueName leaf, LinkedHashSet<QueueName> into) {
    var name = leaf;
    for (var account = Optional.ofNullable(before.get(name));
        account.isPresent() && into.add(name);
        account = Optional.ofNullable(before.get(name))) {
      name = account.get().queue().parent();
    }
  }
}
