package dev.berth.extender.rest;

import dev.berth.engine.GroupPools;
import dev.berth.engine.explain.Change;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.extender.rest.ApiProblem.Kind;
import dev.berth.extender.rest.answer.Visible;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Reads the changes of a what-if: `{"changes": [{"kind": "limit", "queue": "research", "amount":
/// "20"}]}`. Several changes of one queue add up. What the client may not see is not there.
final class WhatIfQuestion {
  private static final Pattern AMOUNT = Pattern.compile("\\d{1,12}(\\.\\d{1,3})?");
  private static final int MOST_CHANGES = 50;
  private static final int MOST_NODES = 1000;
  private static final Duration LONGEST = Duration.ofDays(365);

  private final Snapshot world;
  private final Visible visible;
  private final String poolLabel;
  private final TreeMap<QueueName, Queue> queues = new TreeMap<>(); // as they would be
  private final List<Change> changes = new ArrayList<>();
  private int added; // nodes

  private WhatIfQuestion(Snapshot world, Visible visible, String poolLabel) {
    this.world = world;
    this.visible = visible;
    this.poolLabel = poolLabel;
  }

  /// @param poolLabel that divides nodes into pools; empty = none does
  /// @throws ApiProblem a change is invalid
  static List<Change> changes(
      Map<String, Object> body, Snapshot world, Visible visible, String poolLabel) {
    only(body, "the body", "changes");
    if (!(body.get("changes") instanceof List<?> list)
        || list.isEmpty()
        || list.size() > MOST_CHANGES) {
      throw ApiProblem.invalid(
          "changes", value(body, "changes"), "a list of 1 to " + MOST_CHANGES + " changes");
    }
    var question = new WhatIfQuestion(world, visible, poolLabel);
    for (int i = 0; i < list.size(); i++) {
      String where = "changes[" + i + "]";
      if (!(list.get(i) instanceof Map<?, ?> fields)) {
        throw ApiProblem.invalid(where, list.get(i), "an object with the field kind");
      }
      question.read(where, fields);
    }
    var all = new ArrayList<Change>();
    question.queues.values().forEach(queue -> all.add(new Change.SetQueue(queue)));
    all.addAll(question.changes);
    return all;
  }

  private void read(String where, Map<?, ?> fields) {
    String kind = text(where, fields, "kind");
    switch (kind) {
      case "limit" -> {
        only(fields, where, "kind", "queue", "pool", "resource", "amount");
        var queue = queue(where, fields);
        var resource = resource(where, fields);
        long amount = amount(where, fields, resource);
        queues.put(queue.name(), Change.withLimit(queue, resource, amount, pool(where, fields)));
      }
      case "quota" -> {
        only(fields, where, "kind", "queue", "pool", "resource", "amount");
        var queue = queue(where, fields);
        var resource = resource(where, fields);
        long amount = amount(where, fields, resource);
        queues.put(queue.name(), Change.withQuota(queue, resource, amount, pool(where, fields)));
      }
      case "removeQueue" -> {
        only(fields, where, "kind", "queue");
        changes.add(new Change.RemoveQueue(queue(where, fields).name()));
      }
      case "drain" -> {
        only(fields, where, "kind", "node");
        changes.add(new Change.DrainNode(node(where, fields).name()));
      }
      case "addNodes" -> {
        only(fields, where, "kind", "node", "count");
        int count = whole(where, fields, "count", MOST_NODES);
        added += count;
        if (added > MOST_NODES) {
          throw ApiProblem.invalid(
              where + ".count",
              count,
              "at most " + MOST_NODES + " nodes with those of the changes before it");
        }
        changes.addAll(Change.addNodes(count, node(where, fields)));
      }
      case "end" -> {
        only(fields, where, "kind", "namespace", "name");
        changes.add(new Change.RemoveGroup(workload(where, fields)));
      }
      case "later" -> {
        only(fields, where, "kind", "seconds");
        int seconds = whole(where, fields, "seconds", (int) LONGEST.toSeconds());
        changes.add(new Change.AtTime(world.now().plusSeconds(seconds)));
      }
      default ->
          throw ApiProblem.invalid(
              where + ".kind",
              kind,
              "one of limit, quota, removeQueue, drain, addNodes, end, later");
    }
  }

  private static void only(Map<?, ?> fields, String where, String... known) {
    var unknown = new TreeSet<String>();
    fields.keySet().forEach(key -> unknown.add(String.valueOf(key)));
    unknown.removeAll(Set.of(known));
    if (!unknown.isEmpty()) {
      throw new ApiProblem(
          Kind.INVALID,
          unknown.getFirst(),
          unknown.getFirst() + " is no field of " + where + ": it has " + String.join(", ", known));
    }
  }

  /// As it is shown; empty where it is absent.
  private static String value(Map<?, ?> fields, String field) {
    var value = fields.get(field);
    return value == null ? "" : String.valueOf(value);
  }

  private static String text(String where, Map<?, ?> fields, String field) {
    if (fields.get(field) instanceof String text && !text.isEmpty()) {
      return text;
    }
    throw ApiProblem.invalid(where + "." + field, value(fields, field), "a string");
  }

  private static int whole(String where, Map<?, ?> fields, String field, int most) {
    if (fields.get(field) instanceof Integer number && number >= 1 && number <= most) {
      return number;
    }
    throw ApiProblem.invalid(
        where + "." + field, value(fields, field), "a whole number from 1 to " + most);
  }

  private Queue queue(String where, Map<?, ?> fields) {
    String name = text(where, fields, "queue");
    var key = new QueueName(name);
    var queue = world.queue(key).filter(each -> visible.queue(each.name()));
    if (queue.isEmpty()) {
      throw notThere(where + ".queue", name, "queue", "GET /api/v1/queues lists them");
    }
    return queues.getOrDefault(key, queue.get());
  }

  private NodeView node(String where, Map<?, ?> fields) {
    String name = text(where, fields, "node");
    var node = world.node(new NodeName(name)).filter(_ -> visible.nodes());
    if (node.isEmpty()) {
      throw notThere(where + ".node", name, "node", "GET /api/v1/nodes lists them");
    }
    return node.get();
  }

  private GroupKey workload(String where, Map<?, ?> fields) {
    var key = new GroupKey(text(where, fields, "namespace"), text(where, fields, "name"));
    if (!visible.namespace(key.namespace()) || world.group(key).isEmpty()) {
      throw notThere(
          where + ".name", key.toString(), "workload", "GET /api/v1/workloads lists them");
    }
    return key;
  }

  private static ApiProblem notThere(String field, String name, String what, String wayOut) {
    return ApiProblem.invalid(field, name, "the name of a " + what + "; " + wayOut);
  }

  /// Pools are those of all nodes: queues name them, and reasons do.
  private Optional<String> pool(String where, Map<?, ?> fields) {
    if (!fields.containsKey("pool")) {
      return Optional.empty();
    }
    if (!(fields.get("pool") instanceof String pool)) {
      throw ApiProblem.invalid(where + ".pool", value(fields, "pool"), "a string");
    }
    if (poolLabel.isEmpty()) {
      throw ApiProblem.invalid(
          where + ".pool", pool, "left out: nodes are not divided into pools (nodePools.label)");
    }
    if (!GroupPools.of(poolLabel, world).names().contains(pool)) {
      throw ApiProblem.invalid(
          where + ".pool",
          pool,
          "a node pool that has nodes, or \"\" for nodes without the label " + poolLabel);
    }
    return Optional.of(pool);
  }

  private static Resource resource(String where, Map<?, ?> fields) {
    var resource =
        fields.containsKey("resource")
            ? new Resource(text(where, fields, "resource"))
            : Resource.GPU;
    if (!resource.isGpuOfQueues()) {
      throw ApiProblem.invalid(
          where + ".resource", resource.name(), "gpu or gpu/MODEL; other resources are not asked");
    }
    return resource;
  }

  /// In thousandths. No exponents: ten to the power of a few digits is a number of gigabytes.
  private static long amount(String where, Map<?, ?> fields, Resource resource) {
    String text = text(where, fields, "amount");
    if (text.equals("unlimited")) {
      return Queue.UNLIMITED;
    }
    if (AMOUNT.matcher(text).matches()) {
      return new BigDecimal(text).movePointRight(3).longValueExact();
    }
    throw ApiProblem.invalid(
        where + ".amount",
        text,
        "a number of " + resource + " with up to three decimals, or unlimited");
  }
}
