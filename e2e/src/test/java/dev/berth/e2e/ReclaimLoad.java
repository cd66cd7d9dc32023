package dev.berth.e2e;

import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// 500 nodes × 8 devices, full with 4,000 one-device pods of a queue whose quota is 2,000. Another
/// queue with the same quota, in which nothing runs, asks for a node's eight devices for one pod,
/// three times, and then for 1,000 devices for 1,000 pods. Printed: seconds from the first creation
/// until the last is bound. Demanded: as many victims as devices, and no disruption budget broken,
/// seen by watches on pods and budgets alone.
///
/// The youngest 1,500 pods, so those that the planner would take first, are under budgets: 1,000 of
/// ten ReplicaSets, of which ten each may be missing (`maxUnavailable`; they come again and wait),
/// and 500 bare ones in ten budgets of which five each may be missing (`minAvailable`).
///
/// Not part of `verify`: run it with `./mvnw -pl e2e -am verify -Dit.test=ReclaimLoad
/// -Dsurefire.failIfNoSpecifiedTests=false`. `-Dports=N` is the first of its ports.
class ReclaimLoad {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String SETS = "/apis/apps/v1/namespaces/default/replicasets";
  private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  private static final int PORTS = Integer.getInteger("ports", 25500);
  private static final int EXTENDER = PORTS + 8;
  private static final int FULL = 4000;
  private static final int FAMILIES = 10; // of either kind
  private static final int REPLICAS = 100;
  private static final int BARE = 50;

  @AutoClose private static ControlPlane cluster;
  private static Api api;

  private final TreeMap<String, Integer> wanted = new TreeMap<>();
  private final TreeSet<String> victims = new TreeSet<>(); // guarded by itself
  private final Bindings bindings = new Bindings(Map.of());
  private volatile long lastVictim;

  @BeforeAll
  static void up() {
    cluster = ControlPlane.up(PORTS, "--nodes", "500", "--gpus", "8", "--controller-manager");
    api = cluster.admin();
  }

  @Test
  void aQueueWithinItsQuotaGetsItsRoomBack() {
    queue("borrower");
    queue("owner");
    fill();
    var budgets = new Budgets(wanted);
    api.events(PODS, budgets::pod);
    api.watch(BUDGETS, budgets::budget);
    int spare = FAMILIES * (REPLICAS / 10 + BARE / 10);
    ControlPlane.await(
        "budgets and we count the same",
        Duration.ofMinutes(3),
        () -> budgets.spare() == spare && allowed() == spare,
        () -> budgets.spare() + " seen, " + allowed() + " allowed, of " + spare);
    budgets.arm();
    api.events(PODS, this::goes);
    api.watch(PODS, bindings::seen);
    Api.pause(Duration.ofSeconds(5)); // what the watches listed is read by now

    for (int i = 0; i < 3; i++) {
      reclaim("node-" + i, 1, 8);
      assertThat(budgets.broken()).as("budgets").isEmpty();
    }
    reclaim("one", 1000, 1);
    assertThat(budgets.broken()).as("budgets").isEmpty();
    assertThat(Truth.broken(api)).as("rules about devices").isEmpty();
  }

  private void reclaim(String prefix, int count, int gpus) {
    synchronized (victims) {
      victims.clear();
    }
    var pods = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      pods.add(pod(prefix + "-" + i).labelled("berth.dev/queue", "owner").gpus(gpus).toString());
    }
    var metrics = Metrics.of(EXTENDER);
    var effort = Effort.upTo(cluster);
    long begun = System.nanoTime();
    api.createAll(PODS, pods, 16);
    double created = seconds(begun, System.nanoTime());
    ControlPlane.await(
        prefix + " all bound",
        Duration.ofMinutes(10),
        () -> bindings.count(prefix) == count,
        () -> bindings.count(prefix) + " of " + count + " bound, " + gone() + " victims");
    var spent = Effort.upTo(cluster).since(effort);
    double last = bindings.lastSeconds(prefix, begun);
    Api.pause(Duration.ofSeconds(3)); // a pod that is told to leave late is a victim too
    System.out.printf(
        Locale.ROOT,
        "%d × %d: created in %.1f s, last victim gone after %.1f s, first bound after %.1f s, last"
            + " after %.1f s; %d victims%n  %s%n",
        count,
        gpus,
        created,
        seconds(begun, lastVictim),
        bindings.firstSeconds(prefix, begun),
        last,
        gone(),
        spent);
    report(metrics, Metrics.of(EXTENDER));
    assertThat(gone()).as("victims, for " + count + " × " + gpus).isEqualTo(count * gpus);
  }

  private static void report(Metrics before, Metrics after) {
    for (String write : List.of("evict", "lift", "bind", "event")) {
      System.out.println(
          "  "
              + write
              + after.since(before, "berth_api_writes_total", write)
              + ", p50 "
              + after.quantile(before, "berth_api_write_seconds", write, 0.5)
              + ", p99 "
              + after.quantile(before, "berth_api_write_seconds", write, 0.99));
    }
    System.out.printf(
        Locale.ROOT,
        "  %.0f cycles, %.2f s in all; cycle p50 %s, p99 %s%n",
        after.sum("berth_cycle_seconds_count", "") - before.sum("berth_cycle_seconds_count", ""),
        after.sum("berth_cycle_seconds_sum", "") - before.sum("berth_cycle_seconds_sum", ""),
        after.quantile(before, "berth_cycle_seconds", "", 0.5),
        after.quantile(before, "berth_cycle_seconds", "", 0.99));
  }

  private void goes(String type, JsonNode pod) {
    boolean theirs =
        pod.path("metadata").path("labels").path("berth.dev/queue").asText().equals("borrower");
    boolean leaves = type.equals("DELETED") || pod.path("metadata").has("deletionTimestamp");
    if (theirs && leaves && Truth.isBound(pod)) {
      synchronized (victims) {
        if (victims.add(pod.at("/metadata/uid").asText())) {
          lastVictim = System.nanoTime();
        }
      }
    }
  }

  private int gone() {
    synchronized (victims) {
      return victims.size();
    }
  }

  private static int allowed() {
    return api.list(BUDGETS).stream()
        .mapToInt(budget -> budget.at("/status/disruptionsAllowed").asInt())
        .sum();
  }

  /// First those without a budget, so that they are the eldest.
  private void fill() {
    int covered = FAMILIES * (REPLICAS + BARE);
    long begun = System.nanoTime();
    var free = new ArrayList<String>();
    for (int i = 0; i < FULL - covered; i++) {
      free.add(borrowing("free-" + i).toString());
    }
    api.createAll(PODS, free, 16);
    Api.pause(Duration.ofSeconds(2)); // ages are whole seconds
    var bare = new ArrayList<String>();
    for (int family = 0; family < FAMILIES; family++) {
      budget("bare-" + family, "\"minAvailable\": " + (BARE - BARE / 10), BARE - BARE / 10);
      budget("set-" + family, "\"maxUnavailable\": " + REPLICAS / 10, REPLICAS - REPLICAS / 10);
      set("set-" + family);
      for (int i = 0; i < BARE; i++) {
        String name = "bare-" + family;
        bare.add(borrowing(name + "-" + i).labelled("budget", name).toString());
      }
    }
    api.createAll(PODS, bare, 16);
    ControlPlane.await(
        "the cluster is full",
        Duration.ofMinutes(5),
        () -> api.list(PODS).stream().filter(Truth::isBound).count() == FULL,
        () -> api.list(PODS).stream().filter(Truth::isBound).count() + " bound");
    System.out.printf(Locale.ROOT, "full after %.1f s%n", seconds(begun, System.nanoTime()));
  }

  private static PodYaml borrowing(String name) {
    return pod(name).labelled("berth.dev/queue", "borrower").gpus(1);
  }

  private static void queue(String name) {
    api.createOrFail(AdmissionRequests.QUEUES, AdmissionRequests.queueOfGpus(name, 2000));
  }

  private void budget(String name, String field, int healthy) {
    wanted.put(name, healthy);
    api.createOrFail(
        BUDGETS,
        """
        {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "%1$s"},
         "spec": {%2$s, "selector": {"matchLabels": {"budget": "%1$s"}}}}
        """
            .formatted(name, field));
  }

  private static void set(String name) {
    var pod = borrowing(name).labelled("budget", name).toString();
    api.createOrFail(
        SETS,
        """
        {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "%1$s"},
         "spec": {"replicas": %2$d, "selector": {"matchLabels": {"budget": "%1$s"}},
          "template": %3$s}}
        """
            .formatted(name, REPLICAS, template(pod)));
  }

  private static String template(String pod) {
    try {
      var tree = (ObjectNode) Api.JSON.readTree(pod);
      tree.remove(List.of("apiVersion", "kind"));
      ((ObjectNode) tree.path("metadata")).remove("name");
      return tree.toString();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static double seconds(long from, long to) {
    return (to - from) / 1e9;
  }
}
