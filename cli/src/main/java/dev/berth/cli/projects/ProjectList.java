package dev.berth.cli.projects;

import dev.berth.cli.lists.Listed;
import dev.berth.cli.lists.PoolAmounts;
import dev.berth.cli.lists.SeenCluster;
import dev.berth.cli.lists.TextTable;
import dev.berth.engine.model.Account;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.Resource;
import dev.berth.simulator.scenario.Scenario;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/// Projects of a cluster: what is theirs, what they use and wait for, their namespaces and people,
/// and where their objects do not agree.
public final class ProjectList {
  private final TextTable table =
      TextTable.of(
          "NAME",
          "PARENT",
          "QUOTA",
          "LIMIT",
          "ALLOCATED",
          "RUNNING",
          "WAITING",
          "NAMESPACES",
          "+POOLS",
          "+MEMBERS",
          "+VIEWERS",
          "DRIFT");
  private final List<String> names = new ArrayList<>();
  private final List<Map<String, Object>> items = new ArrayList<>();
  private final SeenCluster seen;

  private ProjectList(SeenCluster seen) {
    this.seen = seen;
  }

  /// @param cluster its objects, with RoleBindings where these may be read
  /// @param seen the same cluster, and how its queues stand
  public static Listed of(Scenario cluster, SeenCluster seen) {
    var list = new ProjectList(seen);
    ProjectObjects.of(cluster).values().forEach(list::add);
    return new Listed("projects", list.table, list.names, list.items);
  }

  private void add(ProjectObjects project) {
    var account =
        seen.accounts().queues().stream()
            .filter(each -> each.queue().name().value().equals(project.name()))
            .findFirst();
    var queue = account.map(Account::queue);
    var members = project.subjects(ProjectObjects.MEMBERS);
    var viewers = project.subjects(ProjectObjects.VIEWERS);
    var namespaces = List.copyOf(project.namespaces().keySet());
    var drift = ProjectDrift.of(project, queue);
    String parent = queue.map(each -> each.parent().value()).orElse("");
    String quota = queue.map(each -> gpus(each.quota().of(Resource.GPU))).orElse("");
    String limit = queue.map(each -> gpus(each.limitOf(Resource.GPU))).orElse("");
    String allocated = account.map(each -> gpus(each.allocated())).orElse("");
    table.row(
        project.name(),
        parent,
        quota,
        limit,
        allocated,
        count(account.map(Account::running)),
        count(account.map(Account::pending)),
        String.join(",", namespaces),
        queue.map(PoolAmounts::words).orElse(""),
        String.join(", ", members),
        String.join(", ", viewers),
        String.join("; ", drift));
    names.add(project.name());
    var item = new LinkedHashMap<String, Object>();
    item.put("name", project.name());
    item.put("parent", parent);
    item.put("quota", quota);
    item.put("limit", limit);
    queue.ifPresent(it -> PoolAmounts.addTo(item, it));
    item.put("allocated", allocated);
    item.put("runningWorkloads", account.map(Account::running).orElse(0L));
    item.put("waitingWorkloads", account.map(Account::pending).orElse(0L));
    item.put("namespaces", namespaces);
    item.put("members", members);
    item.put("viewers", viewers);
    item.put("drift", drift);
    items.add(item);
  }

  private static String count(Optional<Long> count) {
    return count.map(String::valueOf).orElse("");
  }

  private static String gpus(SortedMap<Resource, Long> amounts) {
    return gpus(amounts.getOrDefault(Resource.GPU, 0L));
  }

  private static String gpus(long thousandths) {
    return Queue.text(Resource.GPU, thousandths);
  }
}
