package dev.berth.e2e;

import static dev.berth.e2e.Api.name;
import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/// What tests with real operators do to examples, and look at. The queues of the examples borrow,
/// and a queue `owner` has the whole quota, so that everything can be reclaimed.
final class OperatorWorld implements AutoCloseable {
  static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String GROUPS = "/apis/berth.dev/v1alpha1/namespaces/default/podgroups";
  private static final Path EXAMPLES = ControlPlane.root().resolve("examples");

  private static final String NODES = "/api/v1/nodes";

  /// Of the nodes, in the order of their names.
  private static final List<String> RACKS = List.of("rack-a", "rack-b");

  private static final int GPUS = 8;
  private static final String CLAIM = "claim-";
  private static final String TAKEN = "taken-";
  private static final int NOT_FOUND = 404;

  private final ControlPlane cluster;
  final Api api;
  private final List<String> made = new ArrayList<>();

  /// A cluster of two nodes with eight GPUs each, in two racks, and these operators. Skips the
  /// tests where they cannot be had here.
  ///
  /// @param ports the first of its ports
  static OperatorWorld up(int ports, String... operators) {
    ControlPlane.require();
    String missing = Operators.missing(operators);
    assumeTrue(missing.isEmpty(), missing);
    missing = Operators.notBuilt(operators);
    assertThat(missing).as("operators that are not built").isEmpty();
    var cluster =
        ControlPlane.up(
            ports, "--nodes", "2", "--gpus", Integer.toString(GPUS), "--controller-manager");
    try {
      Operators.up(cluster, operators);
      return new OperatorWorld(cluster);
    } catch (RuntimeException | AssertionError failed) {
      cluster.close();
      throw failed;
    }
  }

  private OperatorWorld(ControlPlane cluster) {
    this.cluster = cluster;
    this.api = cluster.admin();
    var nodes = api.list(NODES).stream().map(Api::name).sorted().toList();
    assertThat(nodes).hasSameSizeAs(RACKS);
    for (int i = 0; i < nodes.size(); i++) {
      patch(
          NODES + "/" + nodes.get(i),
          "{\"metadata\": {\"labels\": {\"berth.dev/rack\": \"" + RACKS.get(i) + "\"}}}");
    }
    for (String queue : List.of("research", "product", "owner")) {
      api.createQueue(queue, queue.equals("owner") ? 16 : 0);
    }
    for (JsonNode topology : Api.documents(EXAMPLES.resolve("topology.yaml"))) {
      api.createOrFail("/apis/berth.dev/v1alpha1/topologies", topology.toString());
    }
  }

  @Override
  public void close() {
    cluster.close();
  }

  /// An example whose pods run until [#finish], and take a second to end: the last object of the
  /// file.
  ObjectNode example(String file) {
    return examples(file).getLast();
  }

  /// All objects of the file.
  List<ObjectNode> examples(String file) {
    var objects = new ArrayList<ObjectNode>();
    for (JsonNode document : Api.documents(EXAMPLES.resolve("workloads/" + file + ".yaml"))) {
      lasting(document);
      objects.add((ObjectNode) document);
    }
    return objects;
  }

  /// Marks every pod template below: an object whose `spec` has containers.
  private static void lasting(JsonNode node) {
    if (node instanceof ObjectNode object && object.at("/spec/containers") instanceof ArrayNode) {
      var metadata =
          object.get("metadata") instanceof ObjectNode there ? there : object.putObject("metadata");
      var annotations =
          metadata.get("annotations") instanceof ObjectNode there
              ? there
              : metadata.putObject("annotations");
      annotations.put("e2e/duration", "1h").put("e2e/grace", "1s");
    }
    node.forEach(OperatorWorld::lasting);
  }

  void create(String path, JsonNode object) {
    made.add(path + "/" + name(api.createOrFail(path, object.toString())));
  }

  void clean() {
    assertThat(Truth.broken(api)).as("rules about devices, read from the API").isEmpty();
    unclaim();
    made.forEach(path -> api.delete(path + "?propagationPolicy=Background"));
    await(
        "pods and groups go with their workloads",
        () ->
            pods("").isEmpty()
                && groups("").isEmpty()
                && made.stream()
                    .allMatch(path ->
                        api.call("GET", path, "application/json", "").status() == NOT_FOUND));
    made.clear();
  }

  /// Pods whose name begins so, and that do not leave.
  List<JsonNode> pods(String prefix) {
    return api.list(PODS).stream()
        .filter(pod -> name(pod).startsWith(prefix))
        .filter(pod -> !pod.path("metadata").has("deletionTimestamp"))
        .toList();
  }

  /// Pods that have not ended.
  private List<JsonNode> active(String prefix) {
    return pods(prefix).stream()
        .filter(pod -> !Set.of("Succeeded", "Failed").contains(pod.at("/status/phase").asText()))
        .toList();
  }

  Set<String> uids(String prefix) {
    return active(prefix).stream()
        .map(pod -> pod.at("/metadata/uid").asText())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  void awaitBound(String prefix, int count) {
    await(
        count + " of " + prefix + " run",
        () -> {
          var pods = active(prefix);
          return pods.size() == count
              && pods.stream().allMatch(pod -> pod.at("/status/phase").asText().equals("Running"));
        });
  }

  /// So many pods whose name begins so are new and run.
  void awaitAnew(String prefix, Set<String> before, int count) {
    await(
        count + " of " + prefix + " are new",
        () -> uids(prefix).stream().filter(uid -> !before.contains(uid)).count() == count);
    awaitBound(prefix, uids(prefix).size());
  }

  /// The first pod whose name begins so fails, as a kubelet would say it.
  void fail(String prefix) {
    String name = name(active(prefix).getFirst());
    api.patch(
        PODS + "/" + name,
        """
        {"metadata": {"annotations":
          {"e2e/exit-code": "1", "e2e/duration": "10ms"}}}
        """);
  }

  /// All pods whose name begins so end well.
  void finish(String prefix) {
    for (JsonNode pod : active(prefix)) {
      api.patch(
          PODS + "/" + name(pod),
          "{\"metadata\": {\"annotations\": {\"e2e/duration\": \"10ms\"}}}");
    }
  }

  /// All GPUs are reclaimed by their owner for a while; afterwards the workload has as many pods
  /// again.
  void reclaim(String prefix, int count) {
    claim(prefix);
    unclaim();
    awaitBound(prefix, count);
  }

  /// The owner gives back what [#claim] took. Its pods end well: had they been deleted before they
  /// ran for a minute, others would have left for nothing, and the next claims wait (decision 33).
  void unclaim() {
    finish(CLAIM);
    await(
        "the owner's pods are over",
        () -> pods(CLAIM).stream().allMatch(OperatorWorld::hasSucceeded));
    for (int i = 0; i < 2; i++) {
      api.delete(PODS + "/" + CLAIM + i);
    }
  }

  private static boolean hasSucceeded(JsonNode pod) {
    return pod.at("/status/phase").asText().equals("Succeeded");
  }

  /// All GPUs are reclaimed by their owner, from pods whose name begins so.
  void claim(String prefix) {
    for (int i = 0; i < 2; i++) {
      String path = PODS + "/" + CLAIM + i;
      if (!made.contains(path)) {
        made.add(path);
      }
      var claim =
          pod(CLAIM + i)
              .labelled("berth.dev/queue", "owner")
              .annotated("e2e/duration", "1h")
              .gpus(8)
              .with("\"restartPolicy\": \"Never\"");
      api.createOrFail(PODS, claim.toString());
    }
    await("the owner has all", () -> pods(CLAIM).stream().filter(Truth::isBound).count() == 2);
    assertThat(
            active(prefix).stream()
                .filter(Truth::isBound)
                .filter(pod -> pod.toString().contains("nvidia.com/gpu"))
                .toList())
        .as("pods with GPUs of " + prefix)
        .isEmpty();
  }

  /// The owner takes GPUs, until so many are free in each rack.
  void leaveFree(int... gpus) {
    for (int i = 0; i < RACKS.size(); i++) {
      var taken =
          pod(TAKEN + i)
              .labelled("berth.dev/queue", "owner")
              .annotated("e2e/duration", "1h")
              .gpus(GPUS - gpus[i])
              .with("\"nodeSelector\": {\"berth.dev/rack\": \"" + RACKS.get(i) + "\"}");
      create(PODS, read(taken.toString()));
    }
    awaitBound(TAKEN, RACKS.size());
  }

  /// Frees what [#leaveFree] took.
  void giveBack() {
    for (int i = 0; i < RACKS.size(); i++) {
      api.delete(PODS + "/" + TAKEN + i);
    }
    await("what was taken is free", () -> pods(TAKEN).isEmpty());
  }

  /// The LeaderWorkerSet at a path, which has two replicas, gets as many as are said and two again,
  /// loses a worker, is reclaimed, and goes.
  ///
  /// @param size pods of a replica
  void liveOfReplicas(String path, int size, int scaled) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    patch(path, "{\"spec\": {\"replicas\": " + scaled + "}}");
    awaitBound(name + "-", scaled * size);
    patch(path, "{\"spec\": {\"replicas\": 2}}");
    awaitBound(name + "-", 2 * size);

    var first = uids(name + "-0");
    var second = uids(name + "-1");
    api.delete(PODS + "/" + name + "-1-" + (size - 1));
    await(
        "the replica of a lost worker is made anew",
        () -> {
          var now = uids(name + "-1");
          return now.size() == size && now.stream().noneMatch(second::contains);
        });
    awaitBound(name + "-", 2 * size);
    assertThat(uids(name + "-0")).as("the other replica").isEqualTo(first);

    reclaim(name + "-", 2 * size);
    api.delete(path + "?propagationPolicy=Background");
    await(
        "pods and groups are gone",
        () -> pods(name + "-").isEmpty() && groups(name + "-").isEmpty());
  }

  /// So many pods whose name begins so are in one rack.
  void expectOneRack(String prefix, int count) {
    expectOneRack(prefix, active(prefix), count);
  }

  void expectOneRack(String what, List<JsonNode> pods, int count) {
    assertThat(pods).as(what).hasSize(count);
    var racks =
        pods.stream()
            .map(pod -> api.get(NODES + "/" + pod.at("/spec/nodeName").asText()))
            .map(node -> node.at("/metadata/labels").path("berth.dev/rack").asText())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(racks).as("racks of " + what).hasSize(1).isSubsetOf(RACKS);
  }

  List<JsonNode> groups(String prefix) {
    return api.list(GROUPS).stream().filter(group -> name(group).startsWith(prefix)).toList();
  }

  /// Of the group whose name is this and a hash; missing where there is none.
  JsonNode group(String name) {
    return groups(name).stream()
        .filter(group -> name(group).replaceAll("-[0-9a-f]{8}$", "").equals(name))
        .findFirst()
        .orElse(Api.JSON.getNodeFactory().missingNode());
  }

  /// `kind name`.
  String ownerOfGroup(String name) {
    var owner = group(name).at("/metadata/ownerReferences/0");
    return owner.path("kind").asText() + " " + owner.path("name").asText();
  }

  boolean condition(String path, String type) {
    return api.hasCondition(path, type);
  }

  int restarts(String path) {
    return api.get(path).at("/status/restarts").asInt();
  }

  void await(String what, BooleanSupplier holds) {
    ControlPlane.await(what, holds, this::state);
  }

  private String state() {
    var told = new StringBuilder();
    for (JsonNode pod : api.list(PODS)) {
      told.append(name(pod))
          .append(' ')
          .append(pod.at("/status/phase").asText())
          .append(' ')
          .append(pod.at("/spec/nodeName").asText())
          .append(pod.path("metadata").has("deletionTimestamp") ? " leaving" : "")
          .append(' ')
          .append(pod.at("/status/conditions"))
          .append('\n');
    }
    for (JsonNode group : api.list(GROUPS)) {
      told.append(name(group)).append(' ').append(group.path("status")).append('\n');
    }
    made.forEach(
        path -> told.append(api.call("GET", path, "application/json", "").body()).append('\n'));
    return told.toString();
  }

  /// Adds fields to an object, which is made where there is none.
  static ObjectNode changed(ObjectNode object, String pointer, String fields) {
    int slash = pointer.lastIndexOf('/');
    var parent = (ObjectNode) object.at(pointer.substring(0, slash));
    String name = pointer.substring(slash + 1);
    var child = parent.get(name) instanceof ObjectNode there ? there : parent.putObject(name);
    child.setAll((ObjectNode) read(fields));
    return object;
  }

  static JsonNode read(String json) {
    try {
      return Api.JSON.readTree(json);
    } catch (IOException unreadable) {
      throw new IllegalArgumentException(json, unreadable);
    }
  }

  void patch(String path, String json) {
    var answer = api.patch(path, json);
    assertThat(answer.isOk()).as(path + ": " + answer.message()).isTrue();
  }
}
