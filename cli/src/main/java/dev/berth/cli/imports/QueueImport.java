package dev.berth.cli.imports;

import dev.berth.engine.model.Problem;
import dev.berth.engine.request.QueueManifest;
import dev.berth.simulator.scenario.ScenarioException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Queues of another scheduler as manifests of Berth's Queues.
///
/// @param manifests parents before their children, siblings by name; plain trees
/// @param notes what has no counterpart or changes its meaning, each a line
public record QueueImport(List<Map<String, Object>> manifests, List<String> notes) {
  private static final List<String> FIELDS =
      List.of(
          "priority",
          "quota",
          "limit",
          "weight",
          "preemptMinRuntime",
          "reclaimMinRuntime",
          "namespaceSelector");

  /// Where workloads go that name no queue, unless the configuration names another.
  private static final String DEFAULT = "default";

  public QueueImport {
    manifests = List.copyOf(manifests);
    notes = List.copyOf(notes);
  }

  /// @throws ScenarioException with all that is wrong, each with its object, field and value
  public static QueueImport of(ForeignObjects objects) throws ScenarioException {
    var log = new ImportLog();
    var queues =
        switch (objects.from()) {
          case kai -> KaiQueues.read(objects, log);
          case kueue -> KueueQueues.read(objects, log);
          case volcano -> VolcanoQueues.read(objects, log);
        };
    var forest = new QueueForest(queues, log);
    boolean isReadable = !log.isWrong(); // else the same value would be told twice
    var manifests = new ArrayList<Map<String, Object>>();
    for (ImportedQueue queue : forest.inOrder()) {
      var manifest = manifest(queue, forest);
      manifests.add(manifest);
      if (isReadable) {
        check(queue, manifest, log);
      }
      tellExisting(objects, queue, forest, log);
    }
    if (objects.from() == OtherScheduler.kueue) {
      LocalQueueTable.tell(objects, forest, log);
    }
    tellWorkloads(objects.from(), log);
    tellDefault(objects, forest, log);
    return new QueueImport(manifests, log.notes());
  }

  private static Map<String, Object> manifest(ImportedQueue queue, QueueForest forest) {
    var spec = new LinkedHashMap<String, Object>();
    if (!queue.parent().isEmpty()) {
      spec.put("parent", forest.nameOf(queue.parent()));
    }
    for (String field : FIELDS) {
      Object value = queue.spec().get(field);
      if (value != null) {
        spec.put(field, value);
      }
    }
    var metadata = new LinkedHashMap<String, Object>();
    metadata.put("name", forest.nameOf(queue.id()));
    var manifest = new LinkedHashMap<String, Object>();
    manifest.put("apiVersion", "berth.dev/v1alpha1");
    manifest.put("kind", "Queue");
    manifest.put("metadata", metadata);
    manifest.put("spec", spec);
    return manifest;
  }

  /// Each manifest is read as Berth reads it: what it would refuse is an error here.
  private static void check(ImportedQueue queue, Map<String, Object> manifest, ImportLog log) {
    var object = queue.origin().object();
    QueueManifest.read(manifest)
        .ifPresent(read -> {
          for (Problem problem : read.problems()) {
            log.wrong(object.where() + problem.on(object.title()));
          }
        });
  }

  private static void tellExisting(
      ForeignObjects objects, ImportedQueue queue, QueueForest forest, ImportLog log) {
    String name = forest.nameOf(queue.id());
    if (objects.has(ForeignKind.BERTH_QUEUE, name)) {
      log.note(
          queue.origin().object().title(),
          "a Queue " + name + " of berth.dev exists already: kubectl apply changes it.");
    }
  }

  private static void tellWorkloads(OtherScheduler from, ImportLog log) {
    switch (from) {
      case kai -> {} // the label kai.scheduler/queue is an alias
      case kueue -> {} // the table of LocalQueues tells
      case volcano ->
          log.note(
              "# Workloads of Volcano name their queue in spec.queue of a Job or PodGroup, or by"
                  + " the annotation scheduling.volcano.sh/queue-name. Label them"
                  + " berth.dev/queue=QUEUE instead.");
    }
  }

  private static void tellDefault(ForeignObjects objects, QueueForest forest, ImportLog log) {
    boolean exists = forest.hasName(DEFAULT) || objects.has(ForeignKind.BERTH_QUEUE, DEFAULT);
    if (objects.from() == OtherScheduler.kai && forest.hasName(KaiQueues.DEFAULT)) {
      return; // told with that queue
    }
    if (!exists) {
      log.note(
          "# No Queue is called default: workloads that name no queue wait (NoSuchQueue) until"
              + " there is one, or defaultQueue in Berth's configuration names another.");
    } else if (forest.isInner(DEFAULT)) {
      log.note(
          "# The Queue default has queues below it, so it takes no workloads: name another as"
              + " defaultQueue in Berth's configuration.");
    } else if (objects.from() == OtherScheduler.kueue && forest.hasName(DEFAULT)) {
      log.note(
          "# Berth puts workloads that name no queue into the Queue default; Kueue leaves them"
              + " alone. defaultQueue in Berth's configuration names another.");
    }
  }
}
