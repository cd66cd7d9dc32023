package dev.berth.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Settings;
import dev.berth.engine.explain.Receipt;
import dev.berth.engine.explain.Receipt.Alternative;
import dev.berth.engine.explain.ReceiptText;
import dev.berth.engine.explain.Receipts;
import dev.berth.engine.fairness.QueueAccounting;
import dev.berth.engine.fairness.Shares;
import dev.berth.engine.model.Account;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// The numbers of receipts are those of the ledger once it has the plan, and what is said to happen
/// otherwise is no victim of before.
class ReceiptLawTest {
  /// Step after which a plan is given to the ledger.
  private static final int EARLIEST = 25;

  private int receipts;
  private int compared;
  private int others;
  private int waits;

  @Test
  void numbersAreThoseOfTheLedger() {
    for (long seed = 0; seed < 100; seed++) {
      play(seed);
    }
    assertThat(receipts).isGreaterThan(30);
    assertThat(compared).isGreaterThan(10);
    assertThat(others).isPositive();
    assertThat(waits).isPositive();
  }

  private void play(long seed) {
    var world = new ChangingWorld(seed);
    var planner = Settings.planner(seed);
    for (int step = 0; step < 60; step++) {
      var snapshot = world.ledger.snapshot(world.now);
      var plan = planner.plan(snapshot);
      var told = new Receipts(planner, snapshot, Collections.emptySortedMap(), plan).of(_ -> true);
      assertThat(told.stream().map(Receipt::victim)).isEqualTo(victims(plan));
      told.forEach(receipt -> check(snapshot, receipt));
      if (step >= EARLIEST && !told.isEmpty() && assumed(world, plan)) {
        compared++;
        victims(plan)
            .forEach(victim ->
                world.ledger.record(
                    new Fact.PodSeen(
                        world.pods.get(victim.uid()).leaving().version(1_000_000).made())));
        var then = world.ledger.snapshot(world.now);
        compare(seed, step, then, told.getFirst());
        return; // these versions are of the future: the world does not go on
      }
      world.step(plan);
    }
  }

  private static List<Victim> victims(Plan plan) {
    var victims = new ArrayList<Victim>();
    for (Decision decision : plan.decisions()) {
      switch (decision) {
        case Decision.Reserve reserve -> victims.addAll(reserve.victims());
        case Decision.Evict(_, var leaving) -> victims.addAll(leaving);
        case Decision.Withdraw _, Decision.Wait _ -> {}
      }
    }
    return victims;
  }

  private static boolean assumed(ChangingWorld world, Plan plan) {
    var withdrawn = new ArrayList<Decision.Withdraw>();
    var reserves = new ArrayList<Decision.Reserve>();
    for (Decision decision : plan.decisions()) {
      switch (decision) {
        case Decision.Reserve reserve -> reserves.add(reserve);
        case Decision.Withdraw withdraw -> withdrawn.add(withdraw);
        case Decision.Evict _, Decision.Wait _ -> {}
      }
    }
    return world.ledger.assume(withdrawn, reserves, world.now.plusSeconds(60)).stream()
        .allMatch(each -> each.isPresent());
  }

  /// All plans count, be it that their room is still being left.
  private static void compare(long seed, int step, Snapshot then, Receipt receipt) {
    var accounts = new TreeMap<QueueName, Account>();
    var session = Session.over(then, Settings.of(seed).defaultQueue());
    QueueAccounting.of(session, Shares.of(session, Settings.of(seed).fairShare()))
        .queues()
        .forEach(account -> accounts.put(account.queue().name(), account));
    for (Receipt.QueueChange change : receipt.queues()) {
      var ledger = accounts.get(change.after().queue().name());
      assertThat(change.after().allocated())
          .as("seed %s, step %s: %s", seed, step, change)
          .isEqualTo(ledger.allocated());
      assertThat(change.after().nonPreemptible()).isEqualTo(ledger.nonPreemptible());
    }
  }

  private void check(Snapshot snapshot, Receipt receipt) {
    receipts++;
    assertThat(receipt.at()).isEqualTo(snapshot.now());
    assertThat(receipt.gainer().isPresent())
        .isEqualTo(!receipt.victim().beneficiary().equals(receipt.loser().key()));
    assertThat(ReceiptText.of(receipt)).hasSizeGreaterThanOrEqualTo(3);
    for (Alternative alternative : receipt.alternatives()) {
      switch (alternative) {
        case Alternative.Others(var leavers, var instead) -> {
          others++;
          assertThat(leavers).noneMatch(each -> each.victim().uid().equals(receipt.victim().uid()));
          assertThat(instead).anyMatch(each -> each.victim().uid().equals(receipt.victim().uid()));
        }
        case Alternative.Waits _ -> waits++;
        case Alternative.EnoughCapacity() -> {}
      }
    }
  }
}
