package dev.berth.engine.request;

import dev.berth.engine.model.Problem;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Spelling;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;

/// The keys of `quota`, `limit` and `weight` of a Queue. The API server takes any; one that is no
/// resource counts nothing, since no pod can ask for it.
public final class QueueResources {
  private static final List<String> NAMES =
      List.of("gpu", "cpu", "memory", "ephemeral-storage", "pods");

  private QueueResources() {}

  /// Extended resources have a prefix, and so have models of GPUs.
  public static boolean isKnown(String key) {
    return NAMES.contains(key) || key.indexOf('/') >= 0 || key.startsWith("hugepages-");
  }

  /// What is wrong with a key, after its way.
  public static String notKnown(String key) {
    return "is not a resource that Berth knows"
        + Spelling.hint(key, NAMES)
        + "; known are "
        + all();
  }

  private static String all() {
    return String.join(", ", NAMES) + ", gpu/MODEL, and extended resources like example.com/fpga";
  }

  /// The keys of a queue that are no resource, each with its field, value and way out. The queue is
  /// used without them.
  public static List<Problem> problems(Queue queue) {
    var problems = new ArrayList<Problem>();
    var quota = new TreeSet<>(queue.quota().resources());
    quota.addAll(queue.zeroQuota());
    add("quota", quota, resource -> Queue.text(resource, queue.quota().of(resource)), problems);
    add(
        "limit",
        queue.limit().keySet(),
        resource -> Queue.text(resource, queue.limit().getOrDefault(resource, 0L)),
        problems);
    add(
        "weight",
        queue.weight().keySet(),
        resource -> String.valueOf(queue.weight().getOrDefault(resource, 0.0)),
        problems);
    return problems;
  }

  private static void add(
      String field,
      Collection<Resource> keys,
      Function<Resource, String> value,
      List<Problem> problems) {
    for (Resource resource : keys) {
      if (!isKnown(resource.name())) {
        String name = resource.name();
        problems.add(
            new Problem(
                "spec." + field + "." + name,
                value.apply(resource),
                "there is no resource "
                    + name
                    + Spelling.hint(name, NAMES)
                    + ", so it has no effect. Write one of "
                    + all()
                    + ", or remove it."));
      }
    }
  }
}
