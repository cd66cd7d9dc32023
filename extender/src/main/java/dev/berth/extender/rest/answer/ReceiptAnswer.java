package dev.berth.extender.rest.answer;

import dev.berth.engine.explain.Receipt.QueueAmounts;
import dev.berth.engine.explain.ReceiptText;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupSummary;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.extender.rest.state.EvictionEntry;
import dev.berth.extender.rest.state.EvictionPlan.Leaver;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Why a pod was evicted.
///
/// @param at when it was asked to leave
/// @param planned the time of the plan, by which the decision log has it; empty = the plan is not
///   known
/// @param sentence why, as `berth receipt` says it
/// @param againstBudgets whether it left though a disruption budget forbids it
/// @param moved whether it was placed elsewhere by the same plan
/// @param movedTo that node; empty = none, or the client may not see nodes
/// @param beneficiary the workload for which it left, and what became of it; empty = no other
/// @param victims pods that leave for that workload by the same plan; 0 = the plan is not known
/// @param queues of receipts of one pod alone: its queue and that of the beneficiary, with all
///   above them
/// @param others of receipts of one pod alone: the other victims
/// @param hidden those of them that are not named, as they are too many, or not visible
public record ReceiptAnswer(
    String at,
    String planned,
    String namespace,
    String pod,
    String workload,
    String queue,
    int priority,
    String cause,
    String sentence,
    boolean againstBudgets,
    boolean moved,
    String movedTo,
    SortedMap<String, Object> beneficiary,
    int victims,
    List<QueueStanding> queues,
    List<Other> others,
    int hidden) {
  public ReceiptAnswer {
    beneficiary = Collections.unmodifiableSortedMap(new TreeMap<>(beneficiary));
    queues = List.copyOf(queues);
    others = List.copyOf(others);
  }

  /// Another victim of the same plan, `namespace/name`.
  public record Other(String pod, String queue, boolean moved) {}

  /// How a queue stands before the plan, and after all of it.
  ///
  /// @param pool the node pool of which the amounts are; empty = nodes are not divided, or it is
  ///   that of the nodes without a pool
  public record QueueStanding(
      String name, String pool, SortedMap<String, String> quota, Numbers before, Numbers after) {}

  /// Amounts as in the status of a Queue, of resources of which it has or had any.
  public record Numbers(SortedMap<String, String> allocated, SortedMap<String, String> fairShare) {
    static Numbers empty() {
      return new Numbers(new TreeMap<>(), new TreeMap<>());
    }
  }

  /// As a list shows it.
  public static ReceiptAnswer of(EvictionEntry entry, Visible visible) {
    return of(entry, visible, List.of(), List.of(), 0);
  }

  /// With the numbers of queues and the other victims.
  public static ReceiptAnswer inFull(EvictionEntry entry, Visible visible) {
    var plan = entry.plan();
    var others =
        plan.named().stream()
            .filter(each -> !each.pod().equals(entry.victim().pod()))
            .filter(each -> visible.namespace(each.pod().namespace()))
            .map(ReceiptAnswer::other)
            .toList();
    int all = Math.max(0, plan.victims() - 1);
    return of(entry, visible, queues(plan.queues(), visible), others, all - others.size());
  }

  private static Other other(Leaver each) {
    return new Other(each.pod().toString(), each.queue().value(), each.isMoved());
  }

  private static ReceiptAnswer of(
      EvictionEntry entry,
      Visible visible,
      List<QueueStanding> queues,
      List<Other> others,
      int hidden) {
    var victim = entry.victim();
    var plan = entry.plan();
    return new ReceiptAnswer(
        entry.at().toString(),
        plan.isNone() ? "" : plan.at().toString(),
        victim.pod().namespace(),
        victim.pod().name(),
        entry.loser().key().name(),
        entry.loser().queue().value(),
        entry.loser().priority(),
        WhatIfAnswer.cause(victim.cause()),
        ReceiptText.rule(victim),
        victim.againstBudgets(),
        isMoved(victim),
        visible.nodes() ? victim.again().node().value() : "",
        beneficiary(entry, visible),
        plan.victims(),
        queues,
        others,
        hidden);
  }

  private static boolean isMoved(Victim victim) {
    return !victim.again().equals(Placement.NONE);
  }

  /// Of one that the client may not see, only what became of it, and its queue if that is visible.
  private static SortedMap<String, Object> beneficiary(EvictionEntry entry, Visible visible) {
    var fields = new TreeMap<String, Object>();
    GroupSummary gainer = entry.gainer();
    if (gainer.isNone()) {
      return fields;
    }
    boolean isVisible = visible.namespace(gainer.key().namespace());
    if (isVisible) {
      fields.put("namespace", gainer.key().namespace());
      fields.put("name", gainer.key().name());
      fields.put("priority", gainer.priority());
    }
    if (!gainer.queue().isNone() && (isVisible || visible.queue(gainer.queue()))) {
      fields.put("queue", gainer.queue().value());
    }
    fields.put("progress", entry.start().progress().word());
    switch (entry.start().progress()) {
      case STARTED, GONE -> fields.put("since", entry.start().at().toString());
      case WAITS -> {}
    }
    return fields;
  }

  private static List<QueueStanding> queues(List<QueueAmounts> amounts, Visible visible) {
    var byQueue = new LinkedHashMap<QueueName, QueueStanding>();
    for (QueueAmounts each : amounts) {
      if (visible.queue(each.queue())) {
        var standing =
            byQueue.computeIfAbsent(
                each.queue(),
                name ->
                    new QueueStanding(
                        name.value(),
                        each.pool().orElse(""),
                        new TreeMap<>(),
                        Numbers.empty(),
                        Numbers.empty()));
        var resource = each.resource();
        String name = resource.name();
        standing.quota().put(name, Queue.text(resource, each.quota()));
        standing.before().allocated().put(name, resource.text(each.allocated()));
        standing.before().fairShare().put(name, Queue.text(resource, each.fairShare()));
        standing.after().allocated().put(name, resource.text(each.allocatedAfter()));
        standing.after().fairShare().put(name, Queue.text(resource, each.fairShareAfter()));
      }
    }
    return new ArrayList<>(byQueue.values());
  }
}
