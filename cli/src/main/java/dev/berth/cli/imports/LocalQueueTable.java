package dev.berth.cli.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/// LocalQueues of Kueue. Workloads name one of their namespace; in Berth they name the Queue. The
/// label of each is a line of a table.
final class LocalQueueTable {
  private static final String DEFAULT = "default"; // of workloads that name none

  private final List<String[]> rows = new ArrayList<>();
  private final TreeMap<String, TreeSet<String>> queues = new TreeMap<>(); // by namespace
  private final TreeMap<String, String> defaults = new TreeMap<>(); // by namespace

  private LocalQueueTable() {
    rows.add(new String[] {"NAMESPACE", "LOCALQUEUE", "LABEL"});
  }

  static void tell(ForeignObjects objects, QueueForest forest, ImportLog log) {
    var table = new LocalQueueTable();
    for (ForeignObject object : objects.of(ForeignKind.LOCAL_QUEUE)) {
      table.add(object, forest, log);
    }
    if (table.rows.size() > 1) {
      table.tellRows(log);
      table.tellNamespaces(log);
    }
  }

  private void add(ForeignObject object, QueueForest forest, ImportLog log) {
    var is = object.fields("spec", log);
    String clusterQueue = is.text("clusterQueue");
    String stop = is.text("stopPolicy");
    if (!stop.isEmpty() && !stop.equals("None")) {
      is.lost("stopPolicy", "Berth stops no part of a queue.");
    }
    is.lost("fairSharing", "past use counts for queues, not for namespaces.");
    is.lost("wallTimePolicy", "Berth keeps no budget of hours.");
    is.tellRest();
    String id = KueueQueues.id(clusterQueue);
    if (!forest.has(id)) {
      is.note("clusterQueue", "is " + clusterQueue + ", which is not in this import.");
      return;
    }
    String queue = forest.nameOf(id);
    rows.add(new String[] {object.namespace(), object.name(), "berth.dev/queue=" + queue});
    queues.computeIfAbsent(object.namespace(), _ -> new TreeSet<>()).add(queue);
    if (object.name().equals(DEFAULT)) {
      defaults.put(object.namespace(), queue);
    }
  }

  private void tellRows(ImportLog log) {
    log.note(
        "# Workloads of Kueue name a LocalQueue (label kueue.x-k8s.io/queue-name). Label them with"
            + " the Queue instead:");
    int[] widths = new int[2];
    for (String[] row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length() + 3);
      }
    }
    for (String[] row : rows) {
      log.note("# " + padded(row[0], widths[0]) + padded(row[1], widths[1]) + row[2]);
    }
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(width - text.length());
  }

  private void tellNamespaces(ImportLog log) {
    log.note(
        "# A label on the namespace holds for all of its workloads that name no Queue. In Kueue a"
            + " namespace needs a LocalQueue; in Berth the namespaceSelector of the Queue decides"
            + " alone.");
    queues.forEach((namespace, ofNamespace) -> {
      String queue =
          ofNamespace.size() == 1 ? ofNamespace.first() : defaults.getOrDefault(namespace, "");
      if (!queue.isEmpty()) {
        log.note("# kubectl label namespace " + namespace + " berth.dev/queue=" + queue);
      }
    });
  }
}
