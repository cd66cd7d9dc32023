package dev.berth.simulator.chaos;

import dev.berth.controllers.client.ApiWrite;
import dev.berth.controllers.client.ApiWriter;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.cycle.CycleOutcome;
import dev.berth.engine.Staleness;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.LedgerSettings;
import dev.berth.engine.model.Backoffs;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Moves;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import dev.berth.extender.barrier.BarrierResult;
import dev.berth.extender.verbs.OutcomeCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.TreeSet;

/// Stands beside one process, tells what it decides and counts what it meets. Checks that no pod is
/// evicted but for a plan that stands.
final class DecisionRecorder {
  private final Journal journal;
  private final TreeMap<PodUid, Victim> victims = new TreeMap<>();
  private final TreeSet<GroupKey> begun = new TreeSet<>(); // of which some were asked for a plan
  private Moves moves = Moves.NONE;
  private Backoffs backoffs = Backoffs.NONE;
  private Ledger ledger = new Ledger(LedgerSettings.DEFAULT, () -> {});

  DecisionRecorder(Journal journal) {
    this.journal = journal;
  }

  void knows(Ledger memory) {
    ledger = memory;
  }

  BerthProcess.Listeners listeners() {
    return new BerthProcess.Listeners(this::decided, this::passed, this::answered);
  }

  /// What it may still move, by its latest cycle: it is stored nowhere else.
  Moves moves() {
    return moves;
  }

  Backoffs backoffs() {
    return backoffs;
  }

  private void decided(CycleOutcome outcome) {
    moves = outcome.snapshot().moves();
    backoffs = outcome.snapshot().backoffs();
    for (var decision : outcome.plan().decisions()) {
      switch (decision) {
        case Decision.Reserve reserve -> {
          journal.tell("reserve " + words(reserve));
          journal.count(reserve.block().size() > 1 ? "plans of gangs" : "plans of single pods");
          remember(reserve.victims());
        }
        case Decision.Evict evict -> {
          journal.tell("evict " + evict.group() + ": " + words(evict.victims()));
          remember(evict.victims());
        }
        case Decision.Withdraw withdraw -> {
          journal.tell("withdraw " + withdraw.group());
          journal.count("plans withdrawn");
        }
        case Decision.Wait _ -> {}
      }
    }
    outcome.waits().values().forEach(reason -> journal.count("waits: " + reason.code()));
  }

  private void remember(List<Victim> chosen) {
    for (var victim : chosen) {
      journal.count("victims: " + victim.cause().name().toLowerCase(Locale.ROOT));
      victims.put(victim.uid(), victim);
    }
  }

  private static String words(Decision.Reserve reserve) {
    var places = new ArrayList<String>();
    for (var part : List.of(reserve.block(), reserve.surplus())) {
      part.forEach(one -> places.add(one.pod().name() + " → " + one.placement()));
    }
    String from = reserve.victims().isEmpty() ? "" : ", from " + words(reserve.victims());
    return reserve.group() + ": " + String.join(", ", places) + from;
  }

  private static String words(List<Victim> victims) {
    var words = new ArrayList<String>();
    victims.forEach(victim -> words.add(victim.pod().name() + " (" + victim.cause() + ")"));
    return String.join(", ", words);
  }

  private void passed(BarrierResult result) {
    switch (result) {
      case BarrierResult.Open() -> journal.count("barrier: opened");
      case BarrierResult.Closed(BarrierResult.Why why) ->
          journal.count("barrier: closed, " + why.name().toLowerCase(Locale.ROOT));
    }
  }

  private void answered(OutcomeCounter.Verb verb, dev.berth.extender.verbs.VerbOutcome outcome) {
    journal.count(verb.name().toLowerCase(Locale.ROOT) + ": " + outcome.label());
  }

  /// Counts what comes of writes.
  ApiWriter counting(ApiWriter inner) {
    return write -> {
      try {
        String version = inner.write(write);
        journal.count("written: " + write.words());
        return version;
      } catch (ClientException failed) {
        journal.count(
            "write failed: "
                + write.words()
                + ", "
                + failed.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '));
        throw failed;
      }
    };
  }

  /// Sees which pods are evicted.
  ApiWriter judging(ApiWriter inner) {
    return write -> {
      switch (write) {
        case ApiWrite.Evict(var pod, var uid) -> judgeEviction(pod, uid);
        case ApiWrite.Stop stop -> judgeStop(stop);
        default -> {} // no pod has to leave for it
      }
      return inner.write(write);
    };
  }

  private void judgeStop(ApiWrite.Stop stop) {
    var pod = stop.pod();
    if (ledger.lostShares().stream().anyMatch(share -> share.pod().uid().equals(stop.uid()))) {
      return;
    }
    var victim = victims.get(stop.uid());
    if (victim == null) {
      journal.breaks(pod + " is stopped though a holder holds its GPU");
    } else if (!stop.grace().equals(victim.grace())) {
      journal.breaks(pod + " is stopped with another grace than was decided");
    }
  }

  private void judgeEviction(PodKey pod, PodUid uid) {
    var victim = victims.get(uid);
    if (victim == null) {
      journal.breaks(pod + " is asked to leave though no decision named it");
      return;
    }
    boolean forAnother =
        switch (victim.cause()) {
          case STALE, MAX_RUNTIME, IDLE -> false;
          case CONSOLIDATE, RECLAIM, PREEMPT -> true;
        };
    if (!forAnother) {
      return;
    }
    var beneficiary = ledger.leavesFor(uid); // another one may have inherited it
    if (beneficiary.filter(this::isPlanned).isEmpty() && !isLeftOver(uid, victim)) {
      journal.breaks(
          pod
              + " is asked to leave for "
              + beneficiary.orElse(victim.beneficiary())
              + ", which has no plan");
    }
    ledger.groupOf(uid).map(PodGroup::key).ifPresent(begun::add);
  }

  /// What is left of a gang, below its minimum, of which others left for a plan that was made again
  /// without it.
  private boolean isLeftOver(PodUid uid, Victim victim) {
    return isPlanned(victim.beneficiary())
        && ledger
            .groupOf(uid)
            .filter(group -> begun.contains(group.key()) && Staleness.isLeftStale(group))
            .isPresent();
  }

  private boolean isPlanned(GroupKey beneficiary) {
    return ledger.group(beneficiary).stream()
        .flatMap(group -> group.members().stream())
        .anyMatch(member -> member.standing() instanceof Standing.Planned);
  }
}
