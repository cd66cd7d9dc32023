package dev.berth.simulator.check;

import dev.berth.simulator.world.PodView;
import dev.berth.simulator.world.Ref;
import dev.berth.simulator.world.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// No queue takes more devices than its limit, and none that may not be asked to leave beyond its
/// quota, on every level: judged with each binding, in thousandths of a device. Who leaves does not
/// count, nor a share of memory on a node that is gone: how much of a device it was stands nowhere
/// any more.
public final class QueueWatch {
  private static final long MILLIS = 1000;
  private static final int FIRM = 100;
  private static final String MEMORY = "nvidia.com/gpu.memory";

  /// @param sizedBy the node whose devices say how much it is; empty = it is as much anywhere
  private record Taken(String queue, String sizedBy, long millis, boolean firm) {}

  private final TreeMap<String, Map<String, Object>> queues = new TreeMap<>();
  private final TreeMap<String, Map<String, Object>> nodes = new TreeMap<>();
  private final TreeMap<Ref, Taken> taken = new TreeMap<>();
  private final List<String> broken = new ArrayList<>();

  /// Something changed.
  public void changed(
      Ref ref, Optional<Map<String, Object>> before, Optional<Map<String, Object>> after) {
    switch (ref.kind()) {
      case QUEUE -> keep(queues, ref, after);
      case NODE -> keep(nodes, ref, after);
      case POD -> podChanged(ref, after.map(PodView::of));
      case NAMESPACE,
          JOB,
          PRIORITY_CLASS,
          DISRUPTION_BUDGET,
          POD_GROUP,
          TOPOLOGY,
          RESOURCE_CLAIM,
          RESOURCE_SLICE,
          DEVICE_CLASS -> {}
    }
  }

  /// What was broken since this was last asked.
  public List<String> broken() {
    var found = List.copyOf(broken);
    broken.clear();
    return found;
  }

  private static void keep(
      TreeMap<String, Map<String, Object>> map, Ref ref, Optional<Map<String, Object>> object) {
    object.ifPresentOrElse(it -> map.put(ref.name(), it), () -> map.remove(ref.name()));
  }

  private void podChanged(Ref ref, Optional<PodView> after) {
    var pod =
        after
            .filter(PodView::takesRoom)
            .filter(one -> !one.isLeaving())
            .filter(one -> !queueOf(one).isEmpty());
    if (pod.isEmpty()) {
      taken.remove(ref);
    } else if (!taken.containsKey(ref)) {
      taken.put(ref, taken(pod.get()));
      judge(queueOf(pod.get()), pod.get().name());
    }
  }

  private static String queueOf(PodView pod) {
    boolean ours = Tree.text(pod.tree(), "spec", "schedulerName").equals("berth");
    return ours ? Tree.label(pod.tree(), "berth.dev/queue") : "";
  }

  private Taken taken(PodView pod) {
    String sizedBy = pod.isShareOfMemory() ? pod.node() : "";
    long millis = pod.amounts().getOrDefault("nvidia.com/gpu", 0L) * MILLIS;
    if (pod.isShare() && isSized(sizedBy)) {
      var node = nodes.getOrDefault(sizedBy, Map.of());
      long memory = sizedBy.isEmpty() ? 0 : Long.parseLong(Tree.label(node, MEMORY));
      millis += (long) pod.deviceCount() * pod.shareMillis(memory);
    }
    String said = Tree.label(pod.tree(), "berth.dev/preemptibility");
    boolean firm =
        said.isEmpty()
            ? Tree.number(pod.tree(), 0, "spec", "priority") >= FIRM
            : said.equals("non-preemptible");
    return new Taken(queueOf(pod), sizedBy, millis, firm);
  }

  private boolean isSized(String node) {
    return node.isEmpty() || nodes.containsKey(node);
  }

  private void judge(String leaf, String pod) {
    for (String queue = leaf; queues.containsKey(queue); queue = parent(queue)) {
      String level = queue;
      long all = 0;
      long firm = 0;
      for (var one : taken.values()) {
        if (isSized(one.sizedBy()) && isBelow(one.queue(), level)) {
          all += one.millis();
          firm += one.firm() ? one.millis() : 0;
        }
      }
      most(queue, "limit", Long.MAX_VALUE).check(all, pod, broken);
      most(queue, "quota", 0).check(firm, pod, broken);
    }
  }

  private String parent(String queue) {
    return Tree.text(queues.getOrDefault(queue, Map.of()), "spec", "parent");
  }

  private boolean isBelow(String leaf, String queue) {
    String at = leaf;
    while (!at.isEmpty() && !at.equals(queue)) {
      at = parent(at);
    }
    return !at.isEmpty();
  }

  /// A bound of a queue, in thousandths.
  private record Most(String queue, String what, long millis) {
    private void check(long used, String pod, List<String> broken) {
      if (used > millis) {
        broken.add(
            "queue "
                + queue
                + " takes "
                + used
                + " thousandths with "
                + pod
                + ", beyond its "
                + what
                + " of "
                + millis);
      }
    }
  }

  private Most most(String queue, String what, long otherwise) {
    var object = queues.getOrDefault(queue, Map.of());
    String said = Tree.text(object, "spec", what, "gpu");
    if (said.equals("unlimited")) {
      return new Most(queue, what, Long.MAX_VALUE);
    }
    long devices = Tree.number(object, otherwise, "spec", what, "gpu");
    return new Most(queue, what, devices == Long.MAX_VALUE ? devices : devices * MILLIS);
  }
}
