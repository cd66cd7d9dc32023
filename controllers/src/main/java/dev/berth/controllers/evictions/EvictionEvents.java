package dev.berth.controllers.evictions;

import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.client.EventRecorder.Regarding;
import dev.berth.engine.explain.Phrases;
import dev.berth.engine.ledger.LedgerReader;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/// The events of victims and of their beneficiaries, each naming the other.
public final class EvictionEvents {
  private final LedgerReader ledger;
  private final EventRecorder events;

  public EvictionEvents(LedgerReader ledger, EventRecorder events) {
    this.ledger = ledger;
    this.events = events;
  }

  /// It was asked to leave, and will.
  void leaves(Victim victim) {
    tellVictim(victim, "Evicted", "Evict", leaving(victim));
    tellBeneficiary(
        victim,
        false,
        "RoomIsMade",
        "Pod "
            + victim.pod()
            + ofQueue(ledger.groupOf(victim.uid()))
            + " leaves for it: "
            + rule(victim));
  }

  private String leaving(Victim victim) {
    return switch (victim.cause()) {
      case STALE ->
          "Leaves because its group "
              + victim.beneficiary()
              + " runs with less than its minimum for longer than its grace.";
      case MAX_RUNTIME -> "Leaves because its group has run for " + victim.most().words() + ".";
      case IDLE -> "Leaves because its GPUs did nothing, by " + victim.idle().words() + ".";
      case RECLAIM, PREEMPT, CONSOLIDATE ->
          "Leaves"
              + forBeneficiary(victim)
              + (ofQueue(ledger.group(victim.beneficiary())) + ": ")
              + rule(victim);
    };
  }

  /// By which rule it leaves, with what is known of both.
  private String rule(Victim victim) {
    var loser = ledger.groupOf(victim.uid());
    var gains = ledger.group(victim.beneficiary());
    return switch (victim.cause()) {
      case RECLAIM ->
          "the queue that gains takes back what it is owed, and "
              + (victim.again().isNone()
                  ? loser.map(group -> "queue " + group.queue()).orElse("the other")
                      + ", or one above it, has more than that (reclaim)."
                  : "this pod moves for it; a place is free on node "
                      + victim.again().node()
                      + " (reclaim).");
      case PREEMPT ->
          "its priority is higher"
              + priorities(gains.map(PodGroup::priority), loser.map(PodGroup::priority))
              + " (preempt).";
      case CONSOLIDATE ->
          "moved, to make room in one place"
              + (victim.again().isNone()
                  ? ""
                  : "; a place is free on node " + victim.again().node())
              + " (consolidate).";
      case STALE, MAX_RUNTIME, IDLE -> "(" + word(victim) + ").";
    };
  }

  private static String priorities(Optional<Integer> gains, Optional<Integer> loses) {
    return gains.isPresent() && loses.isPresent()
        ? ", " + gains.get() + " against " + loses.get()
        : "";
  }

  private static String ofQueue(Optional<PodGroup> group) {
    return group
        .map(PodGroup::queue)
        .filter(queue -> !queue.isNone())
        .map(queue -> " of queue " + queue)
        .orElse("");
  }

  /// It was to leave, a budget forbade it for so long, and it is deleted.
  ///
  /// @param why the last answer
  void leavesAgainstBudgets(Victim victim, Duration asked, String why) {
    String end =
        String.format(
            Locale.ROOT,
            "though that was refused for %s (%s): its queue has more than its share and its quota,"
                + " and what it has is owed (reclaim.overrideBudgets).",
            Phrases.span(asked),
            why);
    tellVictim(
        victim,
        "EvictedAgainstBudget",
        "Evict",
        "Is deleted" + forBeneficiary(victim) + " (" + word(victim) + ") " + end);
    tellBeneficiary(
        victim, false, "RoomIsMade", "Pod " + victim.pod() + " is deleted for it " + end);
  }

  /// It may not leave.
  ///
  /// @param why the last answer
  /// @param until no plan counts on its room before
  void mayNotLeave(Victim victim, Duration asked, String why, Instant until) {
    String end =
        String.format(
            Locale.ROOT,
            "may not for %s: %s. It is not asked again before %s, unless a disruption budget that"
                + " covers it is deleted or allows more.",
            Phrases.span(asked),
            why,
            until.truncatedTo(ChronoUnit.SECONDS));
    tellVictim(
        victim,
        "EvictionGivenUp",
        "Evict",
        "Was to leave" + forBeneficiary(victim) + " (" + word(victim) + ") and " + end);
    tellBeneficiary(
        victim,
        true,
        "VictimStays",
        "Pod " + victim.pod() + " was to leave for it and " + end + " Another plan is made.");
  }

  /// It was asked to leave, its grace is over, and it is there still.
  void stillTerminating(Victim victim, Pod pod, Duration since) {
    String end =
        String.format(
            Locale.ROOT,
            "was asked to leave %s ago, had %s to do so, and is there still: %s.",
            Phrases.span(since),
            Phrases.span(victim.grace()),
            whatKeeps(pod));
    tellVictim(victim, "StillTerminating", "Evict", "It " + end);
    tellBeneficiary(
        victim, true, "VictimIsThereStill", "Pod " + victim.pod() + " leaves for it, " + end);
  }

  /// What an API server shows of the cause.
  private String whatKeeps(Pod pod) {
    var node = pod.life().node();
    boolean alive = ledger.node(node).filter(seen -> seen.ready()).isPresent();
    if (!alive) {
      return "node "
          + node
          + " is not ready or gone, so no kubelet ends its containers. Bring the node back, taint"
          + " it node.kubernetes.io/out-of-service, or delete its Node object";
    }
    return "its containers do not end, or a finalizer of it is not taken away. Look at"
        + " metadata.finalizers and at the kubelet of node "
        + node;
  }

  private void tellVictim(Victim victim, String reason, String action, String note) {
    events.tell(
        new Regarding(
            "v1", "Pod", victim.pod().namespace(), victim.pod().name(), victim.uid().value()),
        true,
        reason,
        action,
        note);
  }

  private void tellBeneficiary(Victim victim, boolean warning, String reason, String note) {
    switch (victim.cause()) {
      case STALE, MAX_RUNTIME, IDLE -> {} // it has no beneficiary
      case RECLAIM, PREEMPT, CONSOLIDATE ->
          ledger
              .group(victim.beneficiary())
              .flatMap(EvictionEvents::regarding)
              .ifPresent(group -> events.tell(group, warning, reason, "MakeRoom", note));
    }
  }

  /// The object of a group, or its one pod.
  private static Optional<Regarding> regarding(PodGroup group) {
    if (group.single()) {
      return group.members().stream()
          .findFirst()
          .map(member -> member.pod())
          .map(pod ->
              new Regarding(
                  "v1", "Pod", pod.key().namespace(), pod.key().name(), pod.uid().value()));
    }
    GroupKey key = group.key();
    return group.spec().uid().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Regarding(
                "berth.dev/v1alpha1", "PodGroup", key.namespace(), key.name(), group.spec().uid()));
  }

  private static String forBeneficiary(Victim victim) {
    return switch (victim.cause()) {
      case STALE, MAX_RUNTIME, IDLE -> "";
      case RECLAIM, PREEMPT, CONSOLIDATE -> " for " + victim.beneficiary();
    };
  }

  private static String word(Victim victim) {
    return victim.cause().name().toLowerCase(Locale.ROOT);
  }
}
