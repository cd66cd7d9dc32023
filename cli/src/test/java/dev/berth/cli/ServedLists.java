package dev.berth.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// An API server that serves lists: nodes, pods, queues and PodGroups are there, all else is not
/// served. Two pods of 1 GPU, `team/runs` and `team/waits`, a node of 4, a queue `own`, which is
/// the default of its Berth.
final class ServedLists implements AutoCloseable {
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;

  /// Path without query → body of the answer; what is not there is not found.
  final Map<String, String> answers = new LinkedHashMap<>();

  final List<String> forbidden = new ArrayList<>();

  /// Methods of the calls so far, with their paths.
  final List<String> calls = Collections.synchronizedList(new ArrayList<>());

  private final List<HttpServer> servers = new ArrayList<>();
  private final Path folder;

  ServedLists(Path folder) {
    this.folder = folder;
    cluster();
  }

  @Override
  public void close() {
    servers.forEach(server -> server.stop(0));
  }

  private void cluster() {
    answers.put(
        "/api/v1/nodes",
        list(
            """
            {"metadata": {"name": "worker", "creationTimestamp": null},
             "status": {"allocatable": {"cpu": "16", "memory": "64Gi", "pods": "110",
              "nvidia.com/gpu": "4"}, "conditions": [{"type": "Ready", "status": "True"}]}}
            """));
    answers.put("/api/v1/pods", list(pod("runs", "\"nodeName\": \"worker\",")));
    answers.put("/api/v1/pods/2", list(pod("waits", "")));
    answers.put("/apis/berth.dev/v1alpha1/queues", list("{\"metadata\": {\"name\": \"own\"}}"));
    answers.put("/apis/berth.dev/v1alpha1/podgroups", list(""));
    answers.put(
        "/api/v1/namespaces/berth-system/configmaps/berth",
        "{\"data\": {\"berth.yaml\": \"defaultQueue: own\"}}");
  }

  /// Pod `team/waits` is of a ReplicaSet `llm-1`, which is of a Deployment `llm` of queue
  /// `serving`.
  void ownPods() {
    waiting(owner("ReplicaSet", "llm-1"), "");
    answers.put(
        "/apis/apps/v1",
        """
        {"resources": [{"name": "deployments", "kind": "Deployment", "namespaced": true},
          {"name": "replicasets", "kind": "ReplicaSet", "namespaced": true}]}
        """);
    answers.put(
        "/apis/apps/v1/namespaces/team/replicasets/llm-1",
        "{\"metadata\": {\"name\": \"llm-1\", \"namespace\": \"team\", \"uid\": \"llm-1-uid\""
            + owner("Deployment", "llm")
            + "}}");
    answers.put(
        "/apis/apps/v1/namespaces/team/deployments/llm",
        """
        {"metadata": {"name": "llm", "namespace": "team", "uid": "llm-uid",
          "labels": {"berth.dev/queue": "serving"}}}
        """);
  }

  /// Pod `team/waits` has a place on the node and is not bound.
  ///
  /// @param refusal what kube-scheduler wrote on it; empty = nothing
  void placed(String refusal) {
    String condition =
        refusal.isEmpty()
            ? ""
            : """
            , "conditions": [{"type": "PodScheduled", "status": "False",
              "reason": "Unschedulable", "message": "%s"}]
            """
                .formatted(refusal);
    waiting(
        ", \"annotations\": {\"berth.dev/plan\": \"node=worker charge=own/0/preemptible"
            + " until=2099-01-01T00:00:00Z\"}",
        condition);
  }

  /// The same, with what Berth has written on it of why it waits.
  ///
  /// @param words after the code of the reason
  void placedAndSays(String words) {
    waiting(
        ", \"annotations\": {\"berth.dev/plan\": \"node=worker charge=own/0/preemptible"
            + " until=2099-01-01T00:00:00Z\", \"berth.dev/waiting\": \"Starting: "
            + words
            + "\"}",
        "");
  }

  /// Pod `team/waits` with more in its metadata and its status, each from a comma on.
  private void waiting(String metadata, String status) {
    answers.put(
        "/api/v1/pods/2",
        list(
            pod("waits", "")
                .replace("\"uid\": \"waits-uid\"", "\"uid\": \"waits-uid\"" + metadata)
                .replace("\"phase\": \"Pending\"", "\"phase\": \"Pending\"" + status)));
  }

  private static String owner(String kind, String name) {
    return """
    , "ownerReferences": [{"apiVersion": "apps/v1", "kind": "%s", "name": "%s", "uid": "%s-uid",
      "controller": true}]
    """
        .formatted(kind, name, name);
  }

  private static String pod(String name, String spec) {
    return """
    {"metadata": {"name": "%s", "namespace": "team", "uid": "%s-uid"},
     "spec": {%s "schedulerName": "berth", "containers": [{"name": "main",
      "resources": {"limits": {"nvidia.com/gpu": 1}}}]},
     "status": {"phase": "%s"}}
    """
        .formatted(name, name, spec, spec.isEmpty() ? "Pending" : "Running");
  }

  static String list(String item) {
    return "{\"metadata\": {}, \"items\": [" + item + "]}";
  }

  String kubeconfig() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    servers.add(server);
    var file = folder.resolve("kubeconfig-" + servers.size());
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        current-context: here
        contexts: [{name: here, context: {cluster: here, user: me}}]
        clusters: [{name: here, cluster: {server: "http://127.0.0.1:%d"}}]
        users: [{name: me, user: {token: secret}}]
        """
            .formatted(server.getAddress().getPort()));
    return file.toString();
  }

  /// The list of pods has two pages.
  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String query = String.valueOf(exchange.getRequestURI().getQuery());
    calls.add(exchange.getRequestMethod() + " " + path);
    String body = answers.getOrDefault(query.contains("continue=second") ? path + "/2" : path, "");
    if (path.equals("/api/v1/pods") && !query.contains("continue")) {
      body =
          body.replace(
              "\"metadata\": {}, \"items\"", "\"metadata\": {\"continue\": \"second\"}, \"items\"");
    }
    int code = body.isEmpty() ? NOT_FOUND : 200;
    if (forbidden.contains(path)) {
      code = FORBIDDEN;
      body = "{}";
    }
    byte[] bytes = (body.isEmpty() ? "{}" : body).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
