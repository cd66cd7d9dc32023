package dev.berth.controllers.evictions;

import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Events;
import dev.berth.controllers.door.Freshness;
import dev.berth.controllers.door.Pods;
import dev.berth.controllers.loop.TokenBucket;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentSkipListSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks victims to leave, each incarnation once at a time, within a budget per second.
public final class Evictions {
  private static final Logger LOG = LoggerFactory.getLogger(Evictions.class);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Ledger ledger;
  private final Pods pods;
  private final Events events;
  private final Freshness fresh;
  private final Workers workers;
  private final EvictionSettings settings;
  private final TokenBucket budget;
  private final ConcurrentSkipListSet<PodUid> asked = new ConcurrentSkipListSet<>();

  public Evictions(
      Ledger ledger,
      Pods pods,
      Events events,
      Freshness fresh,
      Workers workers,
      EvictionSettings settings) {
    this.ledger = ledger;
    this.pods = pods;
    this.events = events;
    this.fresh = fresh;
    this.workers = workers;
    this.settings = settings;
    this.budget = new TokenBucket(settings.perSecond(), settings.burst(), workers.time());
  }

  /// Takes victims; those that were asked already are left out.
  public void take(List<Victim> victims) {
    Instant giveUp = workers.time().instant().plus(settings.patience());
    for (var victim : victims) {
      if (asked.add(victim.uid())) {
        workers.run(() -> evict(victim, giveUp));
      }
    }
  }

  private void evict(Victim victim, Instant giveUp) {
    if (!isStillThere(victim)) {
      asked.remove(victim.uid());
      return;
    }
    if (workers.time().instant().isAfter(giveUp)) {
      asked.remove(victim.uid());
      LOG.atWarn().addKeyValue("pod", victim.pod()).log("victim may not leave: given up");
      return;
    }
    if (!fresh.isFresh() || !budget.tryTake()) {
      again(victim, giveUp);
      return;
    }
    try {
      pods.evict(victim.pod(), victim.uid());
      asked.remove(victim.uid());
      LOG.atInfo()
          .addKeyValue("pod", victim.pod())
          .addKeyValue("cause", victim.cause())
          .addKeyValue("for", victim.beneficiary())
          .log("evicted");
      events.tell(
          new Events.Regarding(
              "v1", "Pod", victim.pod().namespace(), victim.pod().name(), victim.uid().value()),
          true,
          "Evicted",
          "Evict",
          sentence(victim));
    } catch (DoorException failed) {
      if (failed.isPassing() || failed.kind() == DoorException.Kind.CONFLICT) {
        again(victim, giveUp);
        return;
      }
      asked.remove(victim.uid());
      if (failed.kind() == DoorException.Kind.REFUSED) {
        LOG.atError()
            .addKeyValue("pod", victim.pod())
            .addKeyValue("why", failed.getMessage())
            .log("eviction refused");
      }
    }
  }

  private void again(Victim victim, Instant giveUp) {
    workers.at(workers.time().instant().plus(RETRY), () -> evict(victim, giveUp));
  }

  private boolean isStillThere(Victim victim) {
    return ledger.standing(victim.uid()).filter(s -> !(s instanceof Standing.Leaving)).isPresent();
  }

  private static String sentence(Victim victim) {
    return switch (victim.cause()) {
      case STALE ->
          "Leaves because its group "
              + victim.beneficiary()
              + " runs with less than its minimum for longer than its grace.";
      case MAX_RUNTIME -> "Leaves because its group has run for its max-runtime.";
      case RECLAIM, PREEMPT, CONSOLIDATE ->
          String.format(
              Locale.ROOT,
              "Leaves for %s (%s).",
              victim.beneficiary(),
              victim.cause().name().toLowerCase(Locale.ROOT));
    };
  }
}
