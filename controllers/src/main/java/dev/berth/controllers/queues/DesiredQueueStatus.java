package dev.berth.controllers.queues;

import dev.berth.controllers.crd.Condition;
import dev.berth.controllers.crd.QueueStatus;
import dev.berth.controllers.crd.QueueStatus.Workloads;
import dev.berth.engine.explain.PoolNames;
import dev.berth.engine.model.Account;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import dev.berth.engine.request.QueueResources;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// What the status of a Queue should say. Pure functions.
final class DesiredQueueStatus {
  /// Digits of past use that a status keeps.
  private static final int DIGITS = 6;

  /// Of the queues below one, how many are named.
  private static final int MOST_NAMES = 5;

  /// @param below the queues that have this one as their parent
  /// @param past decayed past use, by resource; empty = none is kept
  /// @param sentences a reason made a sentence
  /// @param before the conditions of the last status, whose times stay where nothing turned
  static QueueStatus status(
      Account account,
      List<QueueName> below,
      SortedMap<Resource, Double> past,
      Function<Reason, String> sentences,
      List<Condition> before,
      Instant now) {
    var usage = usage(past);
    return new QueueStatus(
        texts(account.allocated()),
        texts(account.nonPreemptible()),
        texts(account.requested()),
        texts(account.fairShare()),
        usage,
        usage.isEmpty() ? Instant.EPOCH : now.truncatedTo(ChronoUnit.SECONDS),
        new Workloads(account.pending(), account.running()),
        account.queue().generation(),
        conditions(account, below, sentences, before, now.truncatedTo(ChronoUnit.SECONDS)));
  }

  private static SortedMap<String, String> texts(SortedMap<Resource, Long> amounts) {
    var texts = new TreeMap<String, String>();
    amounts.forEach((resource, amount) -> texts.put(resource.name(), resource.text(amount)));
    return texts;
  }

  private static SortedMap<String, String> usage(SortedMap<Resource, Double> past) {
    var texts = new TreeMap<String, String>();
    past.forEach((resource, part) -> {
      var rounded = BigDecimal.valueOf(part).setScale(DIGITS, RoundingMode.HALF_UP);
      if (rounded.signum() > 0) {
        texts.put(resource.name(), rounded.stripTrailingZeros().toPlainString());
      }
    });
    return texts;
  }

  private static List<Condition> conditions(
      Account account,
      List<QueueName> below,
      Function<Reason, String> sentences,
      List<Condition> before,
      Instant now) {
    String code = "Ready";
    String sentence = "";
    boolean orphan = false;
    boolean cyclic = false;
    for (Reason flaw : account.flaws()) {
      code = flaw.code();
      sentence = sentences.apply(flaw);
      if (flaw instanceof Reason.BrokenQueue(_, _, var isCyclic)) {
        orphan = !isCyclic;
        cyclic = isCyclic;
      }
    }
    boolean ready = account.flaws().isEmpty();
    var unknown = QueueResources.problems(account.queue());
    if (ready && !unknown.isEmpty()) { // the rest of the queue counts
      code = "UnknownResource";
      sentence = unknown.getFirst().on("queue " + account.queue().name());
    }
    boolean over = !account.overQuota().isNone();
    var conditions = new ArrayList<Condition>();
    conditions.add(Condition.of(before, "Ready", ready, code, sentence, now));
    conditions.add(
        Condition.of(
            before,
            "OverQuota",
            over,
            over ? "OverQuota" : "WithinQuota",
            over ? overQuota(account) : "",
            now));
    conditions.add(
        Condition.of(
            before,
            "Orphan",
            orphan,
            orphan ? "NoSuchParent" : "ParentsExist",
            orphan ? sentence : "",
            now));
    conditions.add(
        Condition.of(
            before,
            "Cycle",
            cyclic,
            cyclic ? "ItsOwnAncestor" : "ReachesTheRoot",
            cyclic ? sentence : "",
            now));
    boolean busy = account.pending() + account.running() > 0;
    boolean used = busy || !below.isEmpty();
    conditions.add(
        Condition.of(
            before,
            "InUse",
            used,
            busy ? "Workloads" : used ? "QueuesBelow" : "Empty",
            used ? use(account, below) : "",
            now));
    return conditions;
  }

  /// Admission refuses to delete a queue in these words. They change when the first one comes and
  /// the last one goes, not with each: numbers are in the status.
  private static String use(Account account, List<QueueName> below) {
    var parts = new ArrayList<String>();
    if (account.running() > 0) {
      parts.add("workloads run in it");
    }
    if (account.pending() > 0) {
      parts.add("workloads wait in it");
    }
    if (!below.isEmpty()) {
      var names = below.stream().limit(MOST_NAMES).map(QueueName::value).toList();
      String more = below.size() > MOST_NAMES ? " and more" : "";
      parts.add(
          (names.size() == 1 ? "queue " : "queues ")
              + String.join(", ", names)
              + more
              + (names.size() == 1 ? " is below it" : " are below it"));
    }
    return String.join(", ", parts) + ".";
  }

  private static String overQuota(Account account) {
    var parts = new ArrayList<String>();
    if (account.pools().isEmpty()) {
      parts.addAll(beyondQuota(account));
    }
    account
        .pools()
        .forEach((pool, there) ->
            beyondQuota(there).forEach(each -> parts.add(each + " " + PoolNames.in(pool))));
    return "Has more than its quota: " + String.join(", ", parts) + ".";
  }

  /// `cpu 12 of 8`, `gpu 3 of 2`.
  private static List<String> beyondQuota(Account account) {
    var parts = new ArrayList<String>();
    for (Resource resource : account.overQuota().resources()) {
      long quota = account.queue().quota().of(resource);
      parts.add(
          resource
              + " "
              + resource.text(account.allocated().getOrDefault(resource, 0L))
              + " of "
              + Queue.text(resource, quota));
    }
    return parts;
  }

  private DesiredQueueStatus() {}
}
