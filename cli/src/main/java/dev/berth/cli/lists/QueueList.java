package dev.berth.cli.lists;

import dev.berth.engine.explain.Sentences;
import dev.berth.engine.model.Account;
import dev.berth.engine.model.MaxRuntime;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.request.QueueResources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/// Queues and their GPUs: what is theirs, what they have, and what waits in them. In the table
/// children stand below their parent.
public final class QueueList {
  private final TextTable table =
      TextTable.of(
          "NAME",
          "QUOTA",
          "LIMIT",
          "FAIR-SHARE",
          "ALLOCATED",
          "REQUESTED",
          "RUNNING",
          "WAITING",
          "+WEIGHT",
          "+PRIORITY",
          "+NON-PREEMPTIBLE",
          "+POOLS",
          "+MAX-RUNTIME",
          "+PROBLEM");
  private final List<String> names = new ArrayList<>();
  private final List<Map<String, Object>> items = new ArrayList<>();
  private final List<Account> all;

  private QueueList(List<Account> all) {
    this.all = all;
  }

  public static Listed of(SeenCluster cluster) {
    var list = new QueueList(cluster.accounts().queues());
    for (Account account : list.all) {
      if (!list.hasParent(account.queue())) {
        list.add(account, 0);
      }
    }
    return new Listed("queues", list.table, list.names, list.items);
  }

  private boolean hasParent(Queue queue) {
    return all.stream().anyMatch(each -> each.queue().name().equals(queue.parent()));
  }

  private void add(Account account, int depth) {
    Queue queue = account.queue();
    String problem = problem(account);
    var most = MaxRuntime.in(queue.name(), this::named);
    table.row(
        "  ".repeat(depth) + queue.name(),
        gpus(queue.quota().of(Resource.GPU)),
        gpus(queue.limitOf(Resource.GPU)),
        gpus(account.fairShare()),
        gpus(account.allocated()),
        gpus(account.requested()),
        Long.toString(account.running()),
        Long.toString(account.pending()),
        Double.toString(queue.weightOf(Resource.GPU)),
        Integer.toString(queue.priority()),
        gpus(account.nonPreemptible()),
        PoolAmounts.words(queue),
        maxRuntime(most, queue),
        problem);
    names.add("queue.berth.dev/" + queue.name());
    var item = new LinkedHashMap<String, Object>();
    item.put("name", queue.name().value());
    item.put("parent", queue.parent().value());
    item.put("priority", queue.priority());
    item.put("weight", queue.weightOf(Resource.GPU));
    item.put("quota", gpus(queue.quota().of(Resource.GPU)));
    item.put("limit", gpus(queue.limitOf(Resource.GPU)));
    PoolAmounts.addTo(item, queue);
    item.put("fairShare", gpus(account.fairShare()));
    item.put("allocated", gpus(account.allocated()));
    item.put("nonPreemptible", gpus(account.nonPreemptible()));
    item.put("requested", gpus(account.requested()));
    item.put("runningWorkloads", account.running());
    item.put("waitingWorkloads", account.pending());
    if (!most.isNone()) {
      item.put("maxRuntime", MaxRuntime.text(most.length()));
      item.put("maxRuntimeOf", most.queue().value());
    }
    item.put("problem", problem);
    items.add(item);
    for (Account each : all) {
      if (each.queue().parent().equals(queue.name())) {
        add(each, depth + 1);
      }
    }
  }

  private Optional<Queue> named(QueueName name) {
    return all.stream().map(Account::queue).filter(each -> each.name().equals(name)).findFirst();
  }

  /// `12h`, or `12h (research)` where a queue above it says so.
  private static String maxRuntime(MaxRuntime most, Queue queue) {
    if (most.isNone()) {
      return "";
    }
    String length = MaxRuntime.text(most.length());
    return most.queue().equals(queue.name()) ? length : length + " (" + most.queue() + ")";
  }

  private static String problem(Account account) {
    if (!account.flaws().isEmpty()) {
      return Sentences.ofFlaw(account.flaws().getFirst());
    }
    var unknown = QueueResources.problems(account.queue());
    return unknown.isEmpty() ? "" : unknown.getFirst().on("queue " + account.queue().name());
  }

  private static String gpus(SortedMap<Resource, Long> amounts) {
    return gpus(amounts.getOrDefault(Resource.GPU, 0L));
  }

  private static String gpus(long thousandths) {
    return Queue.text(Resource.GPU, thousandths);
  }
}
