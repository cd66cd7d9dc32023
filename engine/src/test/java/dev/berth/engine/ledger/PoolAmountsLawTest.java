package dev.berth.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Planner;
import dev.berth.engine.Settings;
import dev.berth.engine.model.Account;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Where nodes are divided: what is told of a queue in its pools adds up to what is told of it, and
/// a reason tells the amounts of the pool that it names, which it does wherever these are not the
/// same in all.
class PoolAmountsLawTest {
  private int divided;
  private int named;
  private int same;

  @Test
  void amountsAreThoseOfThePool() {
    for (long seed = 0; seed < 60; seed++) {
      var world = new ChangingWorld(seed);
      var planner = new Planner(Settings.of(seed).withPools("rack"));
      for (int step = 0; step < 40; step++) {
        var snapshot = world.ledger.snapshot(world.now);
        var plan = planner.plan(snapshot);
        accounts(snapshot, planner.incremental().accounts(snapshot));
        for (Decision each : plan.decisions()) {
          if (each instanceof Decision.Wait(_, var reason, _)) {
            reason(snapshot, reason);
          }
        }
        world.step(plan);
      }
    }
    assertThat(divided).as("accounts of several pools").isGreaterThan(500);
    assertThat(named).as("reasons that name their pool").isGreaterThan(50);
    assertThat(same).as("reasons of queues that are the same in all").isGreaterThan(50);
  }

  private void accounts(Snapshot snapshot, Accounts accounts) {
    for (Account account : accounts.queues()) {
      var queue = snapshot.queue(account.queue().name());
      queue.ifPresent(it -> assertThat(account.queue()).isEqualTo(it));
      if (account.pools().isEmpty()) {
        continue; // there is no node
      }
      divided += account.pools().size() > 1 ? 1 : 0;
      assertThat(sum(account, Account::allocated)).isEqualTo(account.allocated());
      assertThat(sum(account, Account::nonPreemptible)).isEqualTo(account.nonPreemptible());
      assertThat(sum(account, Account::requested)).isEqualTo(account.requested());
      assertThat(sum(account, Account::fairShare)).isEqualTo(account.fairShare());
      var over = Amounts.NONE;
      for (Account there : account.pools().values()) {
        over = over.plus(there.overQuota());
      }
      assertThat(over).isEqualTo(account.overQuota());
      account
          .pools()
          .forEach((pool, there) ->
              queue.ifPresent(
                  it -> assertThat(there.queue().quota()).isEqualTo(it.in(pool).quota())));
    }
  }

  private static SortedMap<Resource, Long> sum(
      Account account, Function<Account, SortedMap<Resource, Long>> amounts) {
    var sum = new TreeMap<Resource, Long>();
    for (Account there : account.pools().values()) {
      amounts
          .apply(there)
          .forEach((resource, amount) ->
              sum.merge(
                  resource, amount, (a, b) -> a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b));
    }
    return sum;
  }

  private void reason(Snapshot snapshot, Reason reason) {
    switch (reason) {
      case Reason.OverLimit over -> {
        var queue = told(snapshot, over.queue(), over.pool());
        over.excesses()
            .forEach(each -> assertThat(each.most()).isEqualTo(queue.limitOf(each.resource())));
        besides(snapshot, over.besides());
      }
      case Reason.NonPreemptibleOverQuota over -> {
        var queue = told(snapshot, over.queue(), over.pool());
        over.excesses()
            .forEach(each -> assertThat(each.most()).isEqualTo(queue.quota().of(each.resource())));
        besides(snapshot, over.besides());
      }
      case Reason.FairShareReached reached -> told(snapshot, reached.queue(), reached.pool());
      case Reason.BorrowingBackoff held -> told(snapshot, held.queue(), held.pool());
      case Reason.VolumesOverdue overdue -> told(snapshot, overdue.queue(), overdue.pool());
      case Reason.NeverFits never -> besides(snapshot, never.besides());
      default -> {}
    }
  }

  private void besides(Snapshot snapshot, List<Reason> others) {
    others.forEach(each -> reason(snapshot, each));
  }

  /// The queue as it is in the pool of a reason.
  private Queue told(Snapshot snapshot, QueueName name, Optional<String> pool) {
    var queue = snapshot.queue(name).orElseGet(() -> Queue.implied(name, true));
    assertThat(pool.isPresent()).as("%s in a pool", name).isEqualTo(isDivided(snapshot, queue));
    named += pool.isPresent() ? 1 : 0;
    same += pool.isPresent() ? 0 : 1;
    return pool.map(queue::in).orElse(queue);
  }

  private static boolean isDivided(Snapshot snapshot, Queue leaf) {
    var queue = Optional.of(leaf);
    for (int depth = 0; depth < 20 && queue.isPresent(); depth++) {
      if (!queue.get().pools().isEmpty()) {
        return true;
      }
      queue = snapshot.queue(queue.get().parent());
    }
    return false;
  }
}
