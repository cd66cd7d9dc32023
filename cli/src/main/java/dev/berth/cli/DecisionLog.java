package dev.berth.cli;

import dev.berth.controllers.cycle.CycleOutcome;
import dev.berth.engine.explain.Sentences;
import dev.berth.engine.model.Account;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/// Writes each decision at DEBUG, with the amounts of the queue as of its last accounts: allocated,
/// requested and fair share. A wait is written when its reason is another than before. Costs
/// nothing where DEBUG is off. Of the planning thread.
final class DecisionLog {
  private static final Logger LOG = LoggerFactory.getLogger(DecisionLog.class);

  private final TreeMap<GroupKey, String> reasons = new TreeMap<>();
  private SortedMap<QueueName, Account> accounts = Collections.emptySortedMap();

  void kept(Accounts next) {
    if (LOG.isDebugEnabled()) {
      var byName = new TreeMap<QueueName, Account>();
      next.queues().forEach(account -> byName.put(account.queue().name(), account));
      accounts = byName;
    }
  }

  void planned(CycleOutcome outcome) {
    if (!LOG.isDebugEnabled()) {
      return;
    }
    for (Decision decision : outcome.plan().decisions()) {
      switch (decision) {
        case Decision.Reserve reserve -> reserves(outcome, reserve);
        case Decision.Evict(var group, var victims) ->
            line(outcome, group).addKeyValue("victims", victims(victims)).log("evicts group");
        case Decision.Withdraw(var group, var plans, _) ->
            line(outcome, group).addKeyValue("plans", plans.size()).log("withdraws plans");
        case Decision.Wait _ -> {} // below: also those whose wait is not of this plan
      }
    }
    outcome.waits().forEach((group, reason) -> waits(outcome, group, reason));
    reasons.keySet().retainAll(outcome.waits().keySet());
  }

  private void reserves(CycleOutcome outcome, Decision.Reserve reserve) {
    String places =
        Stream.concat(reserve.block().stream(), reserve.surplus().stream())
            .map(it -> it.pod().name() + "=" + it.placement().node())
            .collect(Collectors.joining(" "));
    line(outcome, reserve.group())
        .addKeyValue("places", places)
        .addKeyValue("victims", victims(reserve.victims()))
        .log("reserves places");
  }

  private static String victims(Collection<Decision.Victim> victims) {
    return victims.stream()
        .map(victim -> victim.pod() + " (" + victim.cause() + ")")
        .collect(Collectors.joining(" "));
  }

  private void waits(CycleOutcome outcome, GroupKey group, Reason reason) {
    if (!reason.code().equals(reasons.put(group, reason.code()))) {
      line(outcome, group)
          .addKeyValue("reason", reason.code())
          .addKeyValue("why", Sentences.of(reason))
          .log("lets group wait");
    }
  }

  private LoggingEventBuilder line(CycleOutcome outcome, GroupKey group) {
    var queue = outcome.snapshot().group(group).map(PodGroup::queue).orElse(QueueName.NONE);
    var line = LOG.atDebug().addKeyValue("group", group).addKeyValue("queue", queue);
    var account = Optional.ofNullable(accounts.get(queue));
    return account.map(known -> amounts(line, known)).orElse(line);
  }

  private static LoggingEventBuilder amounts(LoggingEventBuilder line, Account account) {
    return line.addKeyValue("allocated", gpus(account.allocated()))
        .addKeyValue("requested", gpus(account.requested()))
        .addKeyValue("fairShare", gpus(account.fairShare()));
  }

  private static String gpus(SortedMap<Resource, Long> amounts) {
    return Resource.GPU.text(amounts.getOrDefault(Resource.GPU, 0L));
  }
}
