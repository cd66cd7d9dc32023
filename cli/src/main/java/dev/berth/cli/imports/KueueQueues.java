package dev.berth.cli.imports;

import dev.berth.engine.model.Queue;
import dev.berth.engine.model.Resource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/// ClusterQueues and Cohorts of Kueue. A ClusterQueue is a leaf, a Cohort a queue above leaves.
///
/// Members of a cohort tree share its quota and nothing else, so a cohort at the top, like a
/// ClusterQueue without a cohort, has its quota as its limit. The quota of a Cohort is its own and
/// that of its members.
final class KueueQueues {
  private static final String COHORT = "cohort/";

  /// No namespace lacks this label, so a selector that wants none selects none.
  private static final String NAME_LABEL = "kubernetes.io/metadata.name";

  private final ImportLog log;
  private final FlavorModels models;
  private final List<ImportedQueue> queues = new ArrayList<>();
  private final TreeMap<String, FlavorQuotas> quotas = new TreeMap<>(); // by id, as the next two
  private final TreeMap<String, Long> weights = new TreeMap<>();
  private final TreeMap<String, CohortQuota> totals = new TreeMap<>();
  private final TreeSet<String> held = new TreeSet<>();
  private final WeightKeys weightKeys = new WeightKeys();

  /// What a queue and those below it have together, and in which flavors.
  private record CohortQuota(QueueAmounts quota, TreeMap<Resource, TreeSet<String>> flavors) {
    CohortQuota() {
      this(new QueueAmounts(), new TreeMap<>());
    }

    void addAll(QueueAmounts more, TreeMap<Resource, TreeSet<String>> ofFlavors) {
      quota.addAll(more);
      ofFlavors.forEach((resource, names) ->
          flavors.computeIfAbsent(resource, _ -> new TreeSet<>()).addAll(names));
    }
  }

  private KueueQueues(ForeignObjects objects, ImportLog log) {
    this.log = log;
    this.models = FlavorModels.read(objects, log);
  }

  /// ClusterQueues first: workloads name them, so they keep their names.
  static List<ImportedQueue> read(ForeignObjects objects, ImportLog log) {
    var reader = new KueueQueues(objects, log);
    objects.of(ForeignKind.CLUSTER_QUEUE).forEach(reader::addClusterQueue);
    objects.of(ForeignKind.COHORT).forEach(reader::addCohort);
    reader.addImpliedCohorts();
    reader.finish();
    return reader.queues;
  }

  static String id(String clusterQueue) {
    return "clusterqueue/" + clusterQueue;
  }

  private void addClusterQueue(ForeignObject object) {
    var is = object.fields("spec", log);
    String field = is.has("cohortName") ? "cohortName" : "cohort"; // v1beta2, v1beta1
    String cohort = is.text(field);
    var queue = add(id(object.name()), cohort, field, is);
    addUncovered(is, quotas(queue).nominal());
    queue.spec().put("namespaceSelector", selector(is));
    if (KueuePolicies.isHeld(is)) {
      held.add(queue.id());
    }
    KueuePolicies.tell(is, !cohort.isEmpty());
    is.tellRest();
  }

  /// Without a word of cores and memory a Queue with a quota would deserve none.
  private static void addUncovered(ForeignFields is, QueueAmounts quota) {
    var uncovered = new ArrayList<String>();
    for (Resource basic : List.of(Resource.CPU, Resource.MEMORY)) {
      if (!quota.has(basic)) {
        quota.put(basic, Queue.UNLIMITED);
        uncovered.add(basic.name());
      }
    }
    if (!uncovered.isEmpty()) {
      is.note(
          "resourceGroups",
          "covers no "
              + String.join(" and no ", uncovered)
              + ": the Queue has an unlimited quota of them. (Kueue admits no workload that"
              + " requests them, unless its configuration excludes them.)");
    }
    if (!quota.has(Resource.GPU)) {
      is.note(
          "resourceGroups",
          "covers no GPUs: the Queue has the limit gpu: 0, as Kueue admits no workload that"
              + " requests one.");
    }
  }

  private static Map<String, Object> selector(ForeignFields is) {
    var selector = new LinkedHashMap<String, Object>();
    var found = is.object("namespaceSelector");
    found.keys().forEach(key -> selector.put(key, found.value(key)));
    if (!is.has("namespaceSelector")) {
      is.note(
          "namespaceSelector",
          "is not set, so Kueue takes workloads of no namespace: the selector of the Queue selects"
              + " none, either.");
      var none = new LinkedHashMap<String, Object>();
      none.put("key", NAME_LABEL);
      none.put("operator", "DoesNotExist");
      selector.put("matchExpressions", List.of(none));
    }
    return selector;
  }

  private void addCohort(ForeignObject object) {
    var is = object.fields("spec", log);
    add(COHORT + object.name(), is.text("parentName"), "parentName", is);
    is.tellRest();
  }

  private ImportedQueue add(String id, String cohort, String field, ForeignFields is) {
    String parent = cohort.isEmpty() ? "" : COHORT + cohort;
    var queue = new ImportedQueue(id, parent, field, is, new LinkedHashMap<>());
    queues.add(queue);
    quotas.put(id, FlavorQuotas.read(is, models, !cohort.isEmpty()));
    weights.put(id, weight(is.object("fairSharing")));
    return queue;
  }

  private FlavorQuotas quotas(ImportedQueue queue) {
    return Objects.requireNonNull(quotas.get(queue.id()), "each queue has its quotas");
  }

  /// A cohort needs no object: its name makes it.
  private void addImpliedCohorts() {
    var missing = new TreeSet<String>();
    queues.forEach(queue -> missing.add(queue.parent()));
    queues.forEach(queue -> missing.remove(queue.id()));
    missing.remove("");
    for (String id : missing) {
      var name = Collections.singletonMap("name", id.substring(COHORT.length()));
      var tree = Collections.singletonMap("metadata", name);
      var object = new ForeignObject(ForeignKind.COHORT, "", tree);
      add(id, "", "parentName", object.fields("spec", log));
    }
  }

  private long weight(ForeignFields fairSharing) {
    long weight = fairSharing.weight("weight").orElse(WeightKeys.ONE);
    if (fairSharing.has("weight") && weight == 0) {
      fairSharing.note(
          "weight",
          "is 0: Kueue lends to such a queue last, Berth never. Its weight is 0.001, the least"
              + " that borrows.");
    } else if (weight > WeightKeys.nearest(weight)) {
      fairSharing.note("weight", "is more than a Queue takes: its weight is 1000000.");
    }
    return WeightKeys.nearest(weight);
  }

  /// What depends on other queues: sums over members, limits, weights.
  private void finish() {
    quotas.values().forEach(quota -> weightKeys.add(quota.nominal()));
    for (ImportedQueue queue : queues) {
      var total = total(queue);
      var limit = limit(queue, total);
      if (queue.id().equals(id(queue.name())) && !total.quota().has(Resource.GPU)) {
        limit.put(Resource.GPU, 0);
      }
      if (held.contains(queue.id())) {
        limit.put(Resource.PODS, 0);
      }
      queue.set("quota", total.quota().tree());
      queue.set("limit", limit.limits());
      queue.set("weight", weightKeys.tree(weights.getOrDefault(queue.id(), WeightKeys.ONE)));
    }
  }

  /// What the queue and those below it have together.
  private CohortQuota total(ImportedQueue queue) {
    var known = totals.get(queue.id());
    if (known != null) {
      return known;
    }
    var total = new CohortQuota();
    totals.put(queue.id(), total); // ends a circle, which is told elsewhere
    total.addAll(quotas(queue).nominal(), quotas(queue).flavors());
    for (ImportedQueue member : queues) {
      if (member.parent().equals(queue.id())) {
        var below = total(member);
        total.addAll(below.quota(), below.flavors());
      }
    }
    return total;
  }

  private QueueAmounts limit(ImportedQueue queue, CohortQuota total) {
    var limit = new QueueAmounts();
    limit.addAll(total.quota());
    if (queue.parent().isEmpty()) {
      return limit;
    }
    for (Resource resource : total.quota().resources()) {
      var flavors = total.flavors().getOrDefault(resource, new TreeSet<>());
      limit.add(resource, quotas(queue).borrowing(resource, flavors));
    }
    return limit;
  }
}
