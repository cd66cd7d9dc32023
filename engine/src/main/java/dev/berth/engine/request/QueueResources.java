package dev.berth.engine.request;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Spelling;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
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
    quota("spec.quota", queue.quota(), queue.zeroQuota(), problems);
    limit("spec.limit", queue.limit(), problems);
    weight("spec.weight", queue.weight(), problems);
    queue
        .pools()
        .forEach((name, pool) -> {
          String path = "spec.pools[" + name + "]";
          pool.quota().ifPresent(its -> quota(path + ".quota", its, pool.zeroQuota(), problems));
          pool.limit().ifPresent(its -> limit(path + ".limit", its, problems));
          pool.weight().ifPresent(its -> weight(path + ".weight", its, problems));
        });
    return problems;
  }

  private static void quota(
      String path, Amounts quota, SortedSet<Resource> zeros, List<Problem> problems) {
    var keys = new TreeSet<>(quota.resources());
    keys.addAll(zeros);
    add(path, keys, resource -> Queue.text(resource, quota.of(resource)), problems);
  }

  private static void limit(String path, SortedMap<Resource, Long> limit, List<Problem> problems) {
    add(
        path,
        limit.keySet(),
        resource -> Queue.text(resource, limit.getOrDefault(resource, 0L)),
        problems);
  }

  private static void weight(
      String path, SortedMap<Resource, Double> weight, List<Problem> problems) {
    add(
        path,
        weight.keySet(),
        resource -> String.valueOf(weight.getOrDefault(resource, 0.0)),
        problems);
  }

  private static void add(
      String path,
      Collection<Resource> keys,
      Function<Resource, String> value,
      List<Problem> problems) {
    for (Resource resource : keys) {
      if (!isKnown(resource.name())) {
        String name = resource.name();
        problems.add(
            new Problem(
                path + "." + name,
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
