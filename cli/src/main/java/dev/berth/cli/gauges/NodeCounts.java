package dev.berth.cli.gauges;

import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.NodeView.Slot;
import dev.berth.engine.model.Resource;
import java.util.Locale;
import java.util.TreeSet;

/// What one node adds. GPUs that a device plugin offers are counted; MIG instances with names of
/// their own and GPUs of DRA drivers are not.
final class NodeCounts {
  /// So many models have series of their own. Labels of nodes are the administrator's, but a node
  /// that names a model wrongly should not make series without end.
  private static final int MODELS = 50;

  private static final int[] FREE_AT_LEAST = {1, 2, 4, 8, 16};

  private final TreeSet<String> models = new TreeSet<>();

  void count(NodeView view, Counting counts) {
    var node = view.node();
    String state = state(node);
    counts.add(ClusterGauge.NODES, 1, state);
    counts.add(ClusterGauge.NODES_WITH_HOLDER_FAILURES, view.trouble().isEmpty() ? 0 : 1);
    for (Slot slot : view.slots()) {
      counts.add(ClusterGauge.HOLDERS, 1, slot.holder().name().toLowerCase(Locale.ROOT));
    }
    if (node.accelerator().capacity() > 0) {
      boolean takesPods = state.equals("ready") && node.accelerator().sick().isEmpty();
      gpus(view, takesPods, counts);
    }
  }

  private static String state(Node node) {
    if (!node.ready()) {
      return "not_ready";
    }
    return node.unschedulable() ? "cordoned" : "ready";
  }

  private void gpus(NodeView view, boolean takesPods, Counting counts) {
    var gpus = view.node().accelerator();
    Resource resource = gpus.resource();
    String model = label(gpus.model());
    int shared = 0;
    long sharedMillis = 0;
    long leftMillis = 0;
    long leavingMillis = 1000 * view.leaving().of(resource);
    for (Slot slot : view.slots()) {
      shared += slot.usedMillis() > 0 ? 1 : 0;
      int used = Math.min(1000, slot.usedMillis());
      sharedMillis += used;
      leftMillis += used > 0 && slot.isOpen() ? 1000 - used : 0;
      leavingMillis += slot.leavingMillis();
    }
    long whole = view.wholeInUse();
    long free = view.wholeFree();
    int offered = gpus.count() == 0 ? gpus.capacity() : 0; // there, and its plugin is not
    counts.add(ClusterGauge.GPUS, whole, model, "whole");
    counts.add(ClusterGauge.GPUS, shared, model, "shared");
    counts.add(ClusterGauge.GPUS, view.slots().size() - shared, model, "idle_held");
    counts.add(ClusterGauge.GPUS, takesPods ? free : 0, model, "free");
    counts.add(ClusterGauge.GPUS, (takesPods ? 0 : free) + offered, model, "unavailable");
    counts.add(ClusterGauge.GPUS, gpus.unhealthy(), model, "unhealthy");
    counts.add(ClusterGauge.GPUS_ALLOCATED, 1000 * whole + sharedMillis, model);
    counts.add(ClusterGauge.GPUS_FRAGMENTED, leftMillis, model);
    counts.add(ClusterGauge.GPUS_TERMINATING, leavingMillis, model);
    counts.add(ClusterGauge.GPUS_OTHER_SCHEDULERS, view.foreign().of(resource), model);
    for (int least : FREE_AT_LEAST) {
      counts.add(
          ClusterGauge.NODES_WITH_FREE_GPUS,
          takesPods && free >= least ? 1 : 0,
          Integer.toString(least));
    }
  }

  /// The same for the same model as long as the process lives, so that what is added can be taken
  /// away.
  private String label(String model) {
    if (model.isEmpty()) {
      return QueueLabels.UNKNOWN;
    }
    if (!models.contains(model) && models.size() >= MODELS) {
      return QueueLabels.OTHER;
    }
    models.add(model);
    return model;
  }
}
