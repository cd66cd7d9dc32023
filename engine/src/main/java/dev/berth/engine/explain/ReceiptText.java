package dev.berth.engine.explain;

import dev.berth.engine.explain.Receipt.Alternative;
import dev.berth.engine.explain.Receipt.Leaver;
import dev.berth.engine.explain.Receipt.QueueAmounts;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// A receipt, as lines for people.
public final class ReceiptText {
  private ReceiptText() {}

  public static List<String> of(Receipt receipt) {
    var lines = new ArrayList<String>();
    var victim = receipt.victim();
    lines.add(
        victim.pod()
            + " of "
            + workload(receipt.loser())
            + ": "
            + (victim.again().isNone() ? "evicted" : "moved to " + victim.again().node())
            + " at "
            + receipt.at());
    lines.add("  " + rule(victim));
    receipt.gainer().ifPresent(gainer -> lines.add("  For " + workload(gainer) + "."));
    lines.add("  Before and after the plan" + where(receipt) + ":");
    receipt.queues().stream()
        .flatMap(change -> change.amounts().stream())
        .map(ReceiptText::line)
        .forEach(lines::add);
    for (int i = 0; i < receipt.alternatives().size(); i++) {
      lines.add(
          (i == 0 ? "  Without it: " : "  Without these either: ")
              + words(receipt.alternatives().get(i), receipt.at()));
    }
    return lines;
  }

  private static String where(Receipt receipt) {
    return receipt.queues().stream()
        .flatMap(change -> change.pool().stream())
        .findFirst()
        .map(pool -> ", " + PoolNames.in(pool))
        .orElse("");
  }

  private static String workload(PodGroup group) {
    return group.key() + " (queue " + group.queue() + ", priority " + group.priority() + ")";
  }

  /// Why a pod leaves, without a full stop.
  public static String rule(Victim victim) {
    return why(victim) + (victim.againstBudgets() ? ", against budgets" : "");
  }

  private static String why(Victim victim) {
    if (!victim.most().isNone()) {
      return "Overdue: it ran for " + victim.most().words();
    }
    return victim.idle().isNone()
        ? rule(victim.cause())
        : "Idle: its GPUs did nothing, by " + victim.idle().words();
  }

  private static String rule(Cause cause) {
    return switch (cause) {
      case RECLAIM ->
          "Reclaimed: its queue, or one above it, had more than its share, and another queue is"
              + " owed it";
      case PREEMPT -> "Preempted: more important work of its own queue takes its room";
      case CONSOLIDATE -> "Consolidated: it gives room in one place, and has another one";
      case STALE -> "Stale: its gang ran below its minimum for longer than its grace";
      case MAX_RUNTIME -> "Overdue: it ran for its max-runtime";
      case IDLE -> "Idle: its GPUs did nothing";
    };
  }

  private static String line(QueueAmounts amounts) {
    var resource = amounts.resource();
    return "    "
        + amounts.queue()
        + " "
        + resource
        + ": allocated "
        + resource.text(amounts.allocated())
        + " → "
        + resource.text(amounts.allocatedAfter())
        + ", quota "
        + Queue.text(resource, amounts.quota())
        + ", fair share "
        + Queue.text(resource, amounts.fairShare())
        + " → "
        + Queue.text(resource, amounts.fairShareAfter());
  }

  private static String words(Alternative alternative, Instant now) {
    return switch (alternative) {
      case Alternative.EnoughCapacity() -> "there would have been room all the same";
      case Alternative.Waits(Reason.BudgetsForbid forbids)
          when forbids.budgets().isEmpty() && forbids.notRead().isEmpty() ->
          "it would have waited: no other pods make its room"; // the budgets are those that keep
      // these
      case Alternative.Waits(var reason) -> "it would have waited. " + Sentences.of(reason);
      case Alternative.Others(var leavers, var instead) ->
          names(leavers)
              + " would have left in the place of "
              + names(instead)
              + ": "
              + whyNot(leavers, instead, now);
    };
  }

  private static String names(List<Leaver> leavers) {
    return leavers.isEmpty()
        ? "none"
        : leavers.stream()
            .map(each ->
                each.victim().pod()
                    + " (queue "
                    + each.group().queue()
                    + ", priority "
                    + each.group().priority()
                    + (each.isMoved() ? ", moved)" : ")"))
            .collect(Collectors.joining(", "));
  }

  /// The first that tells both apart; the last is the order of victims, which the plan followed.
  private static String whyNot(List<Leaver> leavers, List<Leaver> instead, Instant now) {
    long lost = leavers.stream().filter(each -> !each.isMoved()).count();
    long was = instead.stream().filter(each -> !each.isMoved()).count();
    long millis = leavers.stream().mapToLong(Leaver::millis).sum();
    long wasMillis = instead.stream().mapToLong(Leaver::millis).sum();
    if (against(leavers) > against(instead)) {
      return "only against a disruption budget";
    }
    if (lost > was) {
      return "more pods are lost (" + lost + ", not " + was + ")";
    }
    if (millis > wasMillis) {
      return "more GPUs leave ("
          + Resource.GPU.text(millis)
          + ", not "
          + Resource.GPU.text(wasMillis)
          + ")";
    }
    if (!leavers.isEmpty() && !instead.isEmpty()) {
      return order(leavers.getFirst().group(), instead.getFirst().group(), now);
    }
    return "the search found the others first";
  }

  private static long against(List<Leaver> leavers) {
    return leavers.stream().filter(each -> each.victim().againstBudgets()).count();
  }

  private static String order(PodGroup stays, PodGroup leaves, Instant now) {
    if (!stays.queue().equals(leaves.queue())) {
      return "queue " + stays.queue() + " comes to lose something after queue " + leaves.queue();
    }
    if (stays.priority() != leaves.priority()) {
      return "priority " + stays.priority() + ", not " + leaves.priority();
    }
    if (stays.created().isBefore(leaves.created())) {
      return "it is older ("
          + OrderText.age(stays, now)
          + ", not "
          + OrderText.age(leaves, now)
          + ")";
    }
    return "the search found the others first";
  }
}
