package dev.berth.controllers.evictions;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.PodClient;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
import dev.berth.controllers.loop.TokenBucket;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.Staleness;
import dev.berth.engine.ledger.LedgerPlans;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.session.IdleEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Evicts victims, each incarnation once, within a budget per second, and only as long as a plan
/// counts on it, or its gang is stale. Pods that one disruption budget covers are evicted one after
/// the other ([BudgetQueue]).
///
/// Retries an eviction that a PodDisruptionBudget blocks until `patience` has elapsed, whatever its
/// beneficiary is meanwhile. Then the plans that count on the victim are given back, and for a
/// while no plan counts on its room: the preemptor gets another plan. An exception is a victim that
/// the planner takes against its budgets, since what it has is owed: it is deleted then, with the
/// reason. A victim that is still there when its grace is long over is reported: a finalizer or a
/// dead node keeps it, and more evictions do not help.
public final class Evictions {
  private static final Logger LOG = LoggerFactory.getLogger(Evictions.class);
  private static final Duration UNTIL_FRESH = Duration.ofSeconds(1);
  private static final Duration UNTIL_LOOKED_AGAIN = Duration.ofMinutes(1);
  private static final Duration UNTIL_MARKED = Duration.ofMillis(20);

  /// A pod that waits for its turn is called when it comes; this is for the case of an error in
  /// that.
  private static final Duration UNTIL_HIS_TURN = Duration.ofSeconds(5);

  /// Eight at once keep a crowded API server busy. Sixteen were no faster, and left no room for the
  /// events that tell of them (`ReclaimLoad`).
  private static final KeyedLoopSettings PACE =
      new KeyedLoopSettings(8, Duration.ofSeconds(1), Duration.ofSeconds(5));

  /// @param since when it was evicted with success; `MAX` = not yet
  /// @param told whether it was reported that it is there still
  /// @param unanswered whether its eviction was requested and the outcome is unknown
  private record Asked(Victim victim, Instant since, boolean told, boolean unanswered) {
    Asked(Victim victim, Instant since, boolean told) {
      this(victim, since, told, false);
    }

    boolean goes() {
      return !since.equals(Instant.MAX);
    }

    Asked withoutAnswer() {
      return new Asked(victim, since, told, true);
    }
  }

  private final LedgerPlans ledger;
  private final PodClient pods;
  private final Freshness fresh;
  private final Workers workers;
  private final EvictionSettings settings;
  private final TokenBucket budget;
  private final EvictionEvents events;
  private final EvictionRefusals refusals;
  private final Consumer<Victim> left;
  private final ConcurrentSkipListMap<PodUid, Asked> asked = new ConcurrentSkipListMap<>();

  /// A pod that was evicted with success and has a longer grace than it is to have.
  private final ConcurrentSkipListSet<PodUid> tooLong = new ConcurrentSkipListSet<>();

  private final PreemptorMarks marks;
  private final BudgetQueue turns = new BudgetQueue();
  private final PartlyEvictedGangs begun;
  private final KeyedLoop<PodUid> victims;

  public Evictions(
      LedgerPlans ledger,
      PodClient pods,
      EvictionReports reports,
      Freshness fresh,
      Workers workers,
      EvictionSettings settings) {
    this.ledger = ledger;
    this.pods = pods;
    this.fresh = fresh;
    this.events = reports.events();
    this.refusals = reports.refusals();
    this.left = reports.left();
    this.workers = workers;
    this.settings = settings;
    this.budget = new TokenBucket(settings.perSecond(), settings.burst(), workers.time());
    this.marks = new PreemptorMarks(ledger, pods, workers);
    this.begun = new PartlyEvictedGangs(ledger, settings);
    this.victims = new KeyedLoop<>("evictions", workers, PACE, this::evict);
  }

  /// Takes victims; those that were evicted already are left out, unless they run on and are to
  /// have a shorter grace now. A victim that was chosen before and is still to be evicted leaves
  /// for its latest beneficiary.
  public void take(List<Victim> chosen) {
    refusals.forgetThoseBefore(workers.time().instant().minus(settings.budgetTimeout()));
    for (var victim : chosen) {
      if (isNews(victim)) {
        victims.add(victim.uid());
      }
    }
  }

  /// How many pods are to leave, or were asked to and are there still.
  public int underWay() {
    return asked.size();
  }

  /// A watch shows a pod that this process, or the leader before, marked as preemptor.
  public void marked(Pod pod) {
    marks.seen(pod);
  }

  /// A cycle has planned: marks of groups without a plan are taken off.
  public void planned() {
    marks.look();
  }

  private boolean isNews(Victim victim) {
    var next = new Asked(victim, Instant.MAX, false);
    var known = asked.putIfAbsent(victim.uid(), next);
    if (known == null) {
      return true;
    }
    boolean changed =
        known.goes() ? endsSooner(known.victim(), victim) : !known.victim().equals(victim);
    var instead = known.unanswered() ? next.withoutAnswer() : next;
    return changed
        && (asked.replace(victim.uid(), known, instead)
            || asked.putIfAbsent(victim.uid(), next) == null); // dropped in between
  }

  /// It was evicted, runs on, since its own grace is long, and is to have less of it now.
  private boolean endsSooner(Victim before, Victim now) {
    return now.grace().compareTo(before.grace()) < 0
        && ledger.pod(now.uid()).filter(pod -> pod.life().runsOn()).isPresent();
  }

  private Next evict(PodUid uid) throws ClientException {
    try {
      return look(uid);
    } finally {
      turns.done(uid).ifPresent(victims::add);
    }
  }

  private Next look(PodUid uid) throws ClientException {
    var ask = asked.get(uid);
    if (ask == null) {
      return Next.done();
    }
    var pod = ledger.pod(uid).filter(there -> !there.isOver());
    boolean leaves = pod.isEmpty() || pod.get().life().leaving();
    if (leaves && ask.unanswered()) { // so it was received, as far as is known
      ask = goes(ask.victim());
    }
    if (pod.isEmpty()) {
      return settled(uid);
    }
    if (ask.goes()) {
      return watch(ask, pod.get());
    }
    var wanted = stillWanted(ask.victim(), pod.get());
    return wanted.isEmpty() ? dropped(ask) : ask(wanted.get());
  }

  private Next ask(Victim victim) throws ClientException {
    Instant now = workers.time().instant();
    if (!fresh.isFresh()) {
      return Next.at(now.plus(UNTIL_FRESH));
    }
    if (ledger.isKept(victim.uid(), now)) {
      return Next.at(now.plus(UNTIL_LOOKED_AGAIN));
    }
    if (isForAPlan(victim) && !marks.mark(victim.beneficiary())) {
      return Next.at(workers.time().instant().plus(UNTIL_MARKED));
    }
    if (!turns.take(victim.uid(), ledger.budgetOf(victim.uid()))) {
      return Next.at(now.plus(UNTIL_HIS_TURN));
    }
    if (!budget.tryTake()) {
      return Next.at(budget.next());
    }
    ledger.evictionAsked(victim.uid());
    try {
      pods.evict(victim.pod(), victim.uid());
    } catch (ClientException failed) {
      if (failed.kind() == ClientException.Kind.NOT_NOW
          || failed.kind() == ClientException.Kind.REFUSED) {
        ledger.evictionRefused(victim.uid(), workers.time().instant());
      }
      return switch (failed.kind()) {
        case GONE -> {
          var ask = asked.get(victim.uid());
          if (ask != null && ask.unanswered()) {
            var _ = goes(victim);
          }
          yield settled(victim.uid());
        }
        case NOT_NOW, REFUSED -> refused(victim, failed);
        case UNREACHABLE -> {
          refusals.note(victim, failed);
          asked.computeIfPresent(victim.uid(), (_, ask) -> ask.withoutAnswer());
          throw failed;
        }
        case CONFLICT -> {
          refusals.note(victim, failed);
          throw failed;
        }
      };
    }
    var goes = goes(victim);
    if (isToBeShortened(victim)) {
      tooLong.add(victim.uid());
      return Next.at(workers.time().instant());
    }
    return Next.at(dueBy(victim, goes.since()));
  }

  private static boolean isForAPlan(Victim victim) {
    return switch (victim.cause()) {
      case RECLAIM, PREEMPT, CONSOLIDATE -> true;
      case STALE, MAX_RUNTIME, IDLE -> false;
    };
  }

  /// The Eviction API grants the pod's own grace; a deletion can shorten it.
  private boolean isToBeShortened(Victim victim) {
    return ledger
        .pod(victim.uid())
        .filter(pod -> pod.asks().manners().grace().compareTo(victim.grace()) > 0)
        .isPresent();
  }

  /// It was evicted with success: it and its beneficiaries are told.
  private Asked goes(Victim victim) {
    LOG.atInfo()
        .addKeyValue("pod", victim.pod())
        .addKeyValue("cause", victim.cause())
        .addKeyValue("for", victim.beneficiary())
        .addKeyValue("grace", victim.grace())
        .log("evicted");
    events.leaves(victim);
    return isOnHisWay(victim);
  }

  /// As of now.
  private Asked isOnHisWay(Victim victim) {
    refusals.restart(victim.uid());
    refusals.end(victim.uid());
    left.accept(victim);
    begun.leaves(victim, workers.time().instant());
    var ask = new Asked(victim, workers.time().instant(), false);
    asked.put(victim.uid(), ask);
    return ask;
  }

  /// Deletes it, with the grace that it is to have.
  ///
  /// @return false = it is gone
  private boolean stop(Victim victim) throws ClientException {
    try {
      pods.stop(victim.pod(), victim.uid(), victim.grace());
      return true;
    } catch (ClientException failed) {
      if (failed.kind() == ClientException.Kind.GONE) {
        return false;
      }
      throw failed; // the loop comes again
    }
  }

  private Next refused(Victim victim, ClientException why) throws ClientException {
    Instant now = workers.time().instant();
    refusals.note(victim, why);
    Instant since = refusals.since(victim.uid(), now);
    if (now.isBefore(since.plus(settings.budgetTimeout()))) {
      throw why; // the loop asks again
    }
    if (victim.againstBudgets() && why.kind() == ClientException.Kind.NOT_NOW) {
      return against(victim, Duration.between(since, now), why);
    }
    Instant until = now.plus(settings.blockedCooldown());
    int plans = ledger.keep(victim.uid(), until).size();
    LOG.atWarn()
        .addKeyValue("pod", victim.pod())
        .addKeyValue("for", victim.beneficiary())
        .addKeyValue("plans", plans)
        .addKeyValue("why", why.getMessage())
        .log("victim may not leave: given up");
    events.mayNotLeave(
        victim, Duration.between(since, now), String.valueOf(why.getMessage()), until);
    refusals.restart(victim.uid());
    return switch (victim.cause()) {
      case MAX_RUNTIME, IDLE -> Next.at(now.plus(UNTIL_LOOKED_AGAIN)); // the planner names it again
      case STALE, RECLAIM, PREEMPT, CONSOLIDATE -> settled(victim.uid());
    };
  }

  /// What it has is owed to another queue, and its budget had its time.
  private Next against(Victim victim, Duration refusedFor, ClientException why)
      throws ClientException {
    ledger.evictionAsked(victim.uid());
    if (!stop(victim)) {
      return settled(victim.uid());
    }
    LOG.atWarn()
        .addKeyValue("pod", victim.pod())
        .addKeyValue("for", victim.beneficiary())
        .addKeyValue("grace", victim.grace())
        .addKeyValue("why", why.getMessage())
        .log("deleted against a disruption budget");
    events.leavesAgainstBudgets(victim, refusedFor, String.valueOf(why.getMessage()));
    return Next.at(dueBy(victim, isOnHisWay(victim).since()));
  }

  private Instant dueBy(Victim victim, Instant since) {
    return since.plus(victim.grace()).plus(settings.graceMargin());
  }

  /// An evicted pod is there still: as long as its grace lasts that is expected.
  private Next watch(Asked ask, Pod pod) throws ClientException {
    if (tooLong.contains(pod.uid())) {
      var _ = stop(ask.victim());
      tooLong.remove(pod.uid());
    }
    Instant now = workers.time().instant();
    Instant due = dueBy(ask.victim(), ask.since());
    if (now.isBefore(due)) {
      return Next.at(due);
    }
    if (!pod.life().leaving()) {
      return settled(pod.uid()); // the API server forgot it: it may be chosen anew
    }
    if (!ask.told()) {
      LOG.atWarn()
          .addKeyValue("pod", pod.key())
          .addKeyValue("node", pod.life().node())
          .addKeyValue("since", ask.since())
          .log("victim is there still though its grace is over");
      events.stillTerminating(ask.victim(), pod, Duration.between(ask.since(), now));
      asked.put(pod.uid(), new Asked(ask.victim(), ask.since(), true));
    }
    return Next.at(now.plus(UNTIL_LOOKED_AGAIN));
  }

  /// It is not evicted any more.
  private Next settled(PodUid uid) {
    tooLong.remove(uid);
    refusals.restart(uid);
    asked.remove(uid);
    refusals.end(uid);
    return Next.done();
  }

  /// The plan that it was to leave for is no more, unless it was chosen for another meanwhile.
  private Next dropped(Asked ask) {
    if (asked.remove(ask.victim().uid(), ask)) {
      refusals.end(ask.victim().uid());
    }
    return Next.done();
  }

  /// It is not terminating by itself, and the beneficiary still has its plan, or another one has it
  /// instead: then the victim leaves for that one. Or it is what is left of a gang. A gang that is
  /// not stale any more loses no member, and neither does a group that uses its GPUs again.
  private Optional<Victim> stillWanted(Victim victim, Pod pod) {
    if (pod.life().leaving()) {
      return Optional.empty();
    }
    return switch (victim.cause()) {
      case STALE -> ledger.groupOf(victim.uid()).filter(Staleness::isStale).map(_ -> victim);
      case MAX_RUNTIME -> Optional.of(victim);
      case IDLE -> ledger.groupOf(victim.uid()).filter(IdleEnd::isToLeave).map(_ -> victim);
      case RECLAIM, PREEMPT, CONSOLIDATE ->
          ledger
              .leavesFor(victim.uid())
              .map(victim::leavingFor)
              .or(() -> begun.leftOver(victim, workers.time().instant()));
    };
  }
}
