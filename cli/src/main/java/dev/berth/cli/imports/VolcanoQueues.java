package dev.berth.cli.imports;

import dev.berth.engine.model.Queue;
import dev.berth.engine.model.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;

/// Queues of Volcano. `deserved` and `guarantee` are the quota, `capability` is the limit, `weight`
/// is the weight of each resource. The queue `root` is the top of the tree, which has no object in
/// Berth; a queue without a parent is below it.
final class VolcanoQueues {
  private static final String ROOT = "root";
  private static final String PREFIX = "queue/";
  private static final List<String> HINTS =
      List.of("volcano.sh/hierarchy", "volcano.sh/hierarchy-weights", "volcano.sh/card.quota");

  private final ImportLog log;
  private final List<ImportedQueue> queues = new ArrayList<>();
  private final TreeMap<String, QueueAmounts> quotas = new TreeMap<>(); // by id
  private final TreeMap<String, Long> weights = new TreeMap<>(); // by id, in thousandths
  private final WeightKeys weightKeys = new WeightKeys();
  private boolean prioritized;

  private VolcanoQueues(ImportLog log) {
    this.log = log;
  }

  static List<ImportedQueue> read(ForeignObjects objects, ImportLog log) {
    var reader = new VolcanoQueues(log);
    for (ForeignObject object : objects.of(ForeignKind.VOLCANO_QUEUE)) {
      if (object.name().equals(ROOT)) {
        reader.tellRoot(object);
      } else {
        reader.add(object);
      }
    }
    reader.finish();
    return reader.queues;
  }

  private void tellRoot(ForeignObject object) {
    var is = object.fields("spec", log);
    log.note(
        object.title(),
        "is the top of the tree, which has no Queue in Berth: queues below it have no parent.");
    for (String amounts : List.of("capability", "deserved", "guarantee")) {
      if (!ForeignFields.map(is.value(amounts)).isEmpty()) {
        is.lost(amounts, "the top of the tree has what the nodes have.");
      }
    }
    for (String ignored : List.of("weight", "reclaimable", "priority", "parent")) {
      is.text(ignored); // they compare it with siblings, and it has none
    }
    is.tellRest();
  }

  private void add(ForeignObject object) {
    var is = object.fields("spec", log);
    String parent = is.text("parent");
    var queue =
        new ImportedQueue(
            PREFIX + object.name(),
            parent.isEmpty() || parent.equals(ROOT) ? "" : PREFIX + parent,
            "parent",
            is,
            new LinkedHashMap<>());
    queues.add(queue);
    prioritized |= !is.text("priority").isEmpty() && !is.text("priority").equals("0");
    quotas.put(queue.id(), quota(is));
    queue.set("limit", limit(object, is).limits());
    weights.put(queue.id(), weight(is, !quota(queue).isEmpty()));
    if (is.text("reclaimable").equals("false")) {
      is.note(
          "reclaimable",
          "is false, which has no counterpart: Berth reclaims what a queue has above its fair"
              + " share. Label its workloads berth.dev/preemptibility: non-preemptible, or set"
              + " reclaimMinRuntime on the Queue.");
    }
    is.lost(
        "affinity",
        "queues choose no nodes. Give the workloads a nodeSelector, or divide the nodes by"
            + " nodePools.label in Berth's configuration.");
    is.lost("extendClusters", "Berth schedules one cluster.");
    is.lost("type", "it is left out.");
    if (!is.text("dequeueStrategy").isEmpty() && !is.text("dequeueStrategy").equals("traverse")) {
      is.lost(
          "dequeueStrategy",
          "workloads behind one that waits start if they fit; an expected runtime of those that"
              + " run reserves room for the first.");
    }
    tellHints(object);
    is.tellRest();
  }

  private QueueAmounts quota(ForeignFields is) {
    var quota = amounts(is, "deserved", is.object("deserved"));
    var guarantee = is.object("guarantee");
    var guaranteed = amounts(guarantee, "resource", guarantee.object("resource"));
    quota.atLeast(guaranteed);
    if (!guaranteed.isEmpty()) {
      guarantee.note(
          "resource",
          "is part of the quota: Volcano lends none of it, Berth lends what is idle and reclaims"
              + " it.");
    }
    for (Resource basic : List.of(Resource.CPU, Resource.MEMORY)) {
      if (!quota.isEmpty() && !quota.has(basic)) {
        quota.add(basic, Queue.UNLIMITED);
        is.note(
            "deserved",
            "names no "
                + basic
                + ": its quota is unlimited, because a Queue with a quota deserves nothing of what"
                + " the quota does not name.");
      }
    }
    weightKeys.add(quota);
    return quota;
  }

  private QueueAmounts limit(ForeignObject object, ForeignFields is) {
    var limit = amounts(is, "capability", is.object("capability"));
    for (Resource basic : List.of(Resource.CPU, Resource.MEMORY)) {
      if (limit.has(basic) && limit.of(basic) == 0) {
        limit.put(basic, Queue.UNLIMITED);
        is.note(
            "capability", "has " + basic + ": 0, which is no limit in Volcano: none is written.");
      }
    }
    weightKeys.add(limit);
    String state = object.fields("status", log).text("state");
    if (state.equals("Closed") || state.equals("Closing")) {
      limit.put(Resource.PODS, 0);
      log.note(
          object.title(),
          "status.state is "
              + state
              + ": the limit pods: 0 lets no workload start. Take it out to open the queue.");
    }
    return limit;
  }

  private static QueueAmounts amounts(ForeignFields of, String field, ForeignFields list) {
    var amounts = new QueueAmounts();
    for (String name : list.keys()) {
      var resource = ResourceNames.ofQueue(name);
      if (resource.isEmpty()) {
        list.value(name);
        of.note(
            field,
            "names "
                + name
                + ", which has no counterpart: "
                + (ResourceNames.isOfVolcano(name)
                    ? "shares are asked for by annotations (gpu-fraction, gpu-memory), and count as"
                        + " gpu."
                    : ResourceNames.RULE));
        continue;
      }
      list.amount(name, resource.get())
          .ifPresent(amount -> amounts.addAsked(name, resource.get(), amount, list.text(name)));
    }
    ResourceNames.tellSum(of, field, list.keys());
    return amounts;
  }

  private QueueAmounts quota(ImportedQueue queue) {
    return quotas.computeIfAbsent(queue.id(), _ -> new QueueAmounts());
  }

  private static long weight(ForeignFields is, boolean hasQuota) {
    long weight = is.weight("weight").orElse(WeightKeys.ONE);
    if (hasQuota && weight > WeightKeys.ONE) {
      is.note(
          "weight",
          "divides what no quota guarantees. (Volcano's plugin capacity, which reads deserved, does"
              + " not use it.)");
    }
    if (weight > WeightKeys.nearest(weight)) {
      is.note("weight", "is more than a Queue takes: its weight is 1000000.");
    }
    return weight == 0 ? WeightKeys.ONE : WeightKeys.nearest(weight); // 0 is "not set"
  }

  private void tellHints(ForeignObject object) {
    var annotations = object.fields("metadata", log).object("annotations");
    for (String hint : HINTS) {
      if (annotations.has(hint)) {
        log.note(
            object.title(),
            "metadata.annotations "
                + hint
                + " has no counterpart: "
                + (hint.endsWith("quota")
                    ? "write quota and limit of gpu/MODEL on the Queue."
                    : "write parent and weight on the Queue."));
      }
    }
  }

  /// What depends on other queues: the quota of queues with children, weights, priorities.
  private void finish() {
    var totals = new TreeMap<String, QueueAmounts>();
    for (ImportedQueue queue : queues) {
      queue.set("quota", total(queue, totals).tree());
      queue.set("weight", weightKeys.tree(weights.getOrDefault(queue.id(), WeightKeys.ONE)));
      if (prioritized) {
        boolean isSet = queue.origin().has("priority");
        queue.spec().put("priority", isSet ? queue.origin().value("priority") : 0L);
      }
    }
  }

  /// The quota of a queue. What it does not name, and queues below it do, is their sum: a parent
  /// that deserves nothing gives its children nothing.
  ///
  /// @param totals those that are known, or being summed, by id
  private QueueAmounts total(ImportedQueue queue, TreeMap<String, QueueAmounts> totals) {
    var known = totals.get(queue.id());
    if (known != null) {
      return known;
    }
    var total = quota(queue);
    totals.put(queue.id(), total);
    var below = new QueueAmounts();
    for (ImportedQueue child : queues) {
      if (child.parent().equals(queue.id())) {
        below.addAll(total(child, totals));
      }
    }
    var filled = new ArrayList<String>();
    for (Resource resource : below.resources()) {
      if (!total.has(resource)) {
        total.put(resource, below.of(resource));
        filled.add(resource + ": " + total.text(resource));
      }
    }
    if (!filled.isEmpty()) {
      queue
          .origin()
          .note(
              "deserved",
              "does not name what queues below it deserve: the quota is their sum ("
                  + String.join(", ", filled)
                  + ").");
    }
    return total;
  }
}
