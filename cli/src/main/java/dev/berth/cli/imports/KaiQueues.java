package dev.berth.cli.imports;

import dev.berth.controllers.kai.Translation;
import dev.berth.engine.model.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Queues of KAI Scheduler. [Translation] decides what they mean, as for Berth in KAI's place; here
/// the values are checked, and told where they have no counterpart.
final class KaiQueues {
  /// Where workloads go that name no queue.
  static final String DEFAULT = "default-queue";

  private static final String NODE_POOL = "kai.scheduler/node-pool";
  private static final String AMOUNT =
      "it is a number of 0 or more, or -1 for unlimited: cpu in milli-cores, memory in megabytes,"
          + " gpu in devices.";

  private final ImportLog log;

  private KaiQueues(ImportLog log) {
    this.log = log;
  }

  static List<ImportedQueue> read(ForeignObjects objects, ImportLog log) {
    var reader = new KaiQueues(log);
    var queues = new ArrayList<ImportedQueue>();
    for (ForeignObject object : objects.of(ForeignKind.KAI_QUEUE)) {
      queues.add(reader.queue(object));
      if (object.name().equals(DEFAULT)) {
        log.note(
            object.title(),
            "KAI puts workloads that name no queue into it: set defaultQueue to default-queue in"
                + " Berth's configuration.");
      }
    }
    objects.of(ForeignKind.KAI_SHARD).forEach(reader::tellShard);
    return queues;
  }

  private ImportedQueue queue(ForeignObject object) {
    var is = object.fields("spec", log);
    String parent = is.text("parentQueue");
    for (String same : List.of("priority", "preemptMinRuntime", "reclaimMinRuntime")) {
      is.text(same); // QueueManifest checks them
    }
    is.lost("displayName", "pages and tables show metadata.name.");
    checkAmounts(is.object("resources"));
    tellPool(object);
    is.tellRest();
    var spec = new LinkedHashMap<String, Object>(spec(object));
    spec.remove("parent");
    return new ImportedQueue(
        "queue/" + object.name(),
        parent.isEmpty() ? "" : "queue/" + parent,
        "parentQueue",
        is,
        spec);
  }

  private void tellPool(ForeignObject object) {
    String pool = object.fields("metadata", log).object("labels").text(NODE_POOL);
    if (!pool.isEmpty()) {
      log.note(
          object.title(),
          "metadata.labels "
              + NODE_POOL
              + " has no counterpart: the Queue has its quota in every node pool (nodePools.label"
              + " in Berth's configuration). Workloads choose the pool "
              + pool
              + " by their nodeSelector.");
    }
  }

  private static void checkAmounts(ForeignFields resources) {
    for (String resource : List.of("cpu", "gpu", "memory")) {
      var said = resources.object(resource);
      for (String amount : List.of("quota", "limit")) {
        if (said.has(amount) && !isAmount(said.value(amount), true)) {
          said.wrong(amount, AMOUNT);
        }
        said.value(amount);
      }
      if (said.has("overQuotaWeight") && !isAmount(said.value("overQuotaWeight"), false)) {
        said.wrong("overQuotaWeight", "it is a number of 0 or more.");
      }
      said.value("overQuotaWeight");
    }
  }

  private static boolean isAmount(Object value, boolean mayBeUnlimited) {
    return value instanceof Number number
        && (number.doubleValue() >= 0 || mayBeUnlimited && number.doubleValue() == -1);
  }

  @SuppressWarnings("unchecked") // keys of JSON objects are strings
  private static Map<String, Object> spec(ForeignObject object) {
    var ours = Translation.queue((Map<String, ?>) object.tree());
    var spec =
        new LinkedHashMap<String, Object>((Map<String, Object>) ours.getOrDefault("spec", ours));
    for (String list : List.of("quota", "limit")) {
      var amounts = new QueueAmounts();
      ForeignFields.map(spec.get(list))
          .forEach(
              (resource, amount) -> amounts.addTidied(new Resource("" + resource), "" + amount));
      spec.put(list, amounts.tree());
      if (amounts.isEmpty()) {
        spec.remove(list);
      }
    }
    return spec;
  }

  /// What a shard sets for all queues are settings of Berth.
  private void tellShard(ForeignObject object) {
    var is = object.fields("spec", log);
    var placement = is.object("placementStrategy");
    for (String of : List.of("gpu", "cpu")) {
      if (placement.has(of)) {
        placement.note(
            of,
            "is a setting: write placement."
                + of
                + ": "
                + placement.text(of)
                + " in Berth's configuration.");
      }
    }
    if (is.has("kValue")) {
      is.note(
          "kValue",
          "is a setting: write fairShare.k: " + is.text("kValue") + " in Berth's configuration.");
    }
    if (is.has("usageDBConfig")) {
      is.value("usageDBConfig");
      is.note(
          "usageDBConfig",
          "has no counterpart: Berth keeps past use in the status of Queues. Its half-life is"
              + " fairShare.halfLife in Berth's configuration.");
    }
    if (is.has("partitionLabelValue")) {
      is.note(
          "partitionLabelValue",
          "is a setting: write the node label of KAI's node pools as nodePools.label in Berth's"
              + " configuration. Each of its values, such as "
              + is.text("partitionLabelValue")
              + ", is a pool.");
    }
    var runtimes = is.object("minRuntime");
    for (String of : List.of("preemptMinRuntime", "reclaimMinRuntime")) {
      if (runtimes.has(of)) {
        runtimes.note(
            of,
            "is no setting of Berth: write "
                + of
                + ": "
                + runtimes.text(of)
                + " on Queues at the top; those below inherit it.");
      }
    }
    is.tellRest();
  }
}
