package dev.berth.extender.rest.answer;

import dev.berth.engine.explain.Sentences;
import dev.berth.engine.model.Account;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.MaxRuntime;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.request.QueueResources;
import dev.berth.extender.rest.state.QueueSamples;
import dev.berth.extender.rest.state.Revision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// A queue and how it stands. Amounts are written as in its status: `gpu: "1.5"`, `unlimited`.
///
/// @param pools how it stands in each node pool; empty = nodes are not divided
/// @param maxRuntime how long its workloads may run, `12h`; empty = as long as they like
/// @param maxRuntimeOf the queue that says so: it, or one above it
/// @param maxRuntimeWarning how long before that end they are warned
/// @param usage what it used over time, as a part of the cluster, by resource
/// @param problems what is wrong with it, in sentences
/// @param history of one queue alone, the earliest first
public record QueueAnswer(
    String name,
    String parent,
    int priority,
    SortedMap<String, String> quota,
    SortedMap<String, String> limit,
    SortedMap<String, String> allocated,
    SortedMap<String, String> allocatedNonPreemptible,
    SortedMap<String, String> requested,
    SortedMap<String, String> fairShare,
    SortedMap<String, String> overQuota,
    List<PoolStanding> pools,
    String maxRuntime,
    String maxRuntimeOf,
    String maxRuntimeWarning,
    SortedMap<String, Double> usage,
    long pending,
    long running,
    List<String> problems,
    List<Sample> history) {

  /// How it stands in one node pool, with the quota and limit that it has there.
  ///
  /// @param name empty = the nodes without the label of pools
  public record PoolStanding(
      String name,
      SortedMap<String, String> quota,
      SortedMap<String, String> limit,
      SortedMap<String, String> allocated,
      SortedMap<String, String> allocatedNonPreemptible,
      SortedMap<String, String> requested,
      SortedMap<String, String> fairShare,
      SortedMap<String, String> overQuota) {
    static PoolStanding of(String pool, Account there, Queue queue) {
      var its = queue.in(pool); // what it says now
      return new PoolStanding(
          pool,
          QueueAnswer.quota(its),
          text(its.limit()),
          text(there.allocated()),
          text(there.nonPreemptible()),
          text(there.requested()),
          text(there.fairShare()),
          text(there.overQuota().toMap()));
    }
  }

  /// GPUs at one moment.
  public record Sample(String at, double allocated, double requested, double fairShare) {
    static Sample of(QueueSamples.Sample sample) {
      return new Sample(
          sample.at().toString(),
          sample.allocated() / 1000.0,
          sample.requested() / 1000.0,
          sample.fairShare() / 1000.0);
    }
  }

  /// Queues by name: those with an object, and the default one where there is none.
  public static SortedMap<QueueName, Account> all(Revision revision) {
    var all = new TreeMap<QueueName, Account>();
    for (Queue queue : revision.snapshot().queues()) {
      all.put(queue.name(), untold(queue));
    }
    for (Account account : revision.findings().accounts().queues()) {
      var now = revision.snapshot().queue(account.queue().name());
      if (now.isPresent() || revision.snapshot().queues().isEmpty()) {
        all.put(account.queue().name(), account);
      }
    }
    return all;
  }

  /// A queue that has no accounts yet.
  private static Account untold(Queue queue) {
    SortedMap<Resource, Long> none = Collections.emptySortedMap();
    return new Account(queue, none, none, none, none, Amounts.NONE, 0, 0, List.of());
  }

  /// @param warning how long before their end workloads are warned for which no queue says it
  public static QueueAnswer of(
      Account account, Revision revision, Duration warning, List<QueueSamples.Sample> history) {
    var name = account.queue().name();
    var queue = revision.snapshot().queue(name).orElse(account.queue());
    var usage = new TreeMap<String, Double>();
    revision
        .findings()
        .usage()
        .of(name)
        .forEach((resource, used) -> usage.put(resource.name(), used));
    var problems = new ArrayList<String>();
    account.flaws().forEach(flaw -> problems.add(Sentences.ofFlaw(flaw)));
    if (account.flaws().isEmpty()) {
      queue.problems().forEach(each -> problems.add(each.on("queue " + name)));
      QueueResources.problems(queue).forEach(each -> problems.add(each.on("queue " + name)));
    }
    var most = MaxRuntime.in(name, revision.snapshot()::queue);
    var pools = new ArrayList<PoolStanding>();
    account.pools().forEach((pool, there) -> pools.add(PoolStanding.of(pool, there, queue)));
    return new QueueAnswer(
        name.value(),
        queue.parent().value(),
        queue.priority(),
        quota(queue),
        text(queue.limit()),
        text(account.allocated()),
        text(account.nonPreemptible()),
        text(account.requested()),
        text(account.fairShare()),
        text(account.overQuota().toMap()),
        pools,
        most.isNone() ? "" : MaxRuntime.text(most.length()),
        most.queue().value(),
        told(most.warningOr(warning)),
        usage,
        account.pending(),
        account.running(),
        problems,
        history.stream().map(Sample::of).toList());
  }

  private static String told(Duration warning) {
    return warning.isZero() ? "" : MaxRuntime.text(warning);
  }

  private static SortedMap<String, String> quota(Queue queue) {
    var quota = text(queue.quota().toMap());
    new TreeSet<>(queue.zeroQuota()).forEach(resource -> quota.put(resource.name(), "0"));
    return quota;
  }

  private static SortedMap<String, String> text(SortedMap<Resource, Long> amounts) {
    var text = new TreeMap<String, String>();
    amounts.forEach((resource, amount) -> text.put(resource.name(), Queue.text(resource, amount)));
    return text;
  }
}
