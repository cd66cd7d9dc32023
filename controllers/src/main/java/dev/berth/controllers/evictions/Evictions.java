package dev.berth.controllers.evictions;

import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Events;
import dev.berth.controllers.door.Freshness;
import dev.berth.controllers.door.Pods;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
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
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks victims to leave, each incarnation once at a time, within a budget per second.
///
/// Whom a disruption budget keeps is asked again until our patience ends; the planner may choose
/// him again then.
public final class Evictions {
  private static final Logger LOG = LoggerFactory.getLogger(Evictions.class);
  private static final Duration UNTIL_FRESH = Duration.ofSeconds(1);
  private static final KeyedLoopSettings PACE =
      new KeyedLoopSettings(8, Duration.ofSeconds(1), Duration.ofSeconds(5));

  /// Who is asked, and until when.
  private record Asked(Victim victim, Instant giveUp) {}

  private final Ledger ledger;
  private final Pods pods;
  private final Events events;
  private final Freshness fresh;
  private final Workers workers;
  private final EvictionSettings settings;
  private final TokenBucket budget;
  private final ConcurrentSkipListMap<PodUid, Asked> asked = new ConcurrentSkipListMap<>();
  private final KeyedLoop<PodUid> victims;

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
    this.victims = new KeyedLoop<>("evictions", workers, PACE, this::evict);
  }

  /// Takes victims; those that were asked already are left out.
  public void take(List<Victim> chosen) {
    Instant giveUp = workers.time().instant().plus(settings.patience());
    for (var victim : chosen) {
      if (asked.putIfAbsent(victim.uid(), new Asked(victim, giveUp)) == null) {
        victims.add(victim.uid());
      }
    }
  }

  private Next evict(PodUid uid) throws DoorException {
    var ask = asked.get(uid);
    if (ask == null || !isStillWanted(ask.victim())) {
      return settled(uid);
    }
    Victim victim = ask.victim();
    Instant now = workers.time().instant();
    if (now.isAfter(ask.giveUp())) {
      LOG.atWarn().addKeyValue("pod", victim.pod()).log("victim may not leave: given up");
      return settled(uid);
    }
    if (!fresh.isFresh()) {
      return Next.at(now.plus(UNTIL_FRESH));
    }
    if (!budget.tryTake()) {
      return Next.at(budget.next());
    }
    try {
      pods.evict(victim.pod(), uid);
    } catch (DoorException failed) {
      if (failed.kind() == DoorException.Kind.GONE) {
        return settled(uid);
      }
      throw failed;
    }
    tell(victim);
    return settled(uid);
  }

  private Next settled(PodUid uid) {
    asked.remove(uid);
    return Next.done();
  }

  /// Still there, and nobody's plan that it was to leave for has lapsed.
  private boolean isStillWanted(Victim victim) {
    var pod = ledger.pod(victim.uid());
    if (pod.isEmpty() || pod.get().life().leaving() || pod.get().isOver()) {
      return false;
    }
    return switch (victim.cause()) {
      case STALE, MAX_RUNTIME -> true;
      case RECLAIM, PREEMPT, CONSOLIDATE ->
          ledger.standing(victim.uid()).filter(s -> s instanceof Standing.Leaving).isPresent();
    };
  }

  private void tell(Victim victim) {
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
