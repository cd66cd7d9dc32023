package dev.berth.cli.projects;

import dev.berth.cli.lists.ListRefusal;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.kube.ApiReads;
import dev.berth.simulator.scenario.ScenarioException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// What projects meet in a cluster: the labels of its queues and namespaces, by name.
///
/// @param server its name in messages
public record ProjectCluster(
    String server,
    SortedMap<String, SortedMap<String, String>> queues,
    SortedMap<String, SortedMap<String, String>> namespaces) {
  private static final String QUEUES = "/apis/berth.dev/v1alpha1/queues";
  private static final String NAMESPACES = "/api/v1/namespaces";

  public ProjectCluster {
    queues = Collections.unmodifiableSortedMap(new TreeMap<>(queues));
    namespaces = Collections.unmodifiableSortedMap(new TreeMap<>(namespaces));
  }

  /// @throws ClientException where the API server does not answer
  /// @throws ScenarioException where queues or namespaces may not be listed
  public static ProjectCluster read(ApiReads reads, String server)
      throws ClientException, ScenarioException {
    return new ProjectCluster(
        server, labels(reads, QUEUES, "queues.berth.dev"), labels(reads, NAMESPACES, "namespaces"));
  }

  private static SortedMap<String, SortedMap<String, String>> labels(
      ApiReads reads, String path, String resource) throws ClientException, ScenarioException {
    var labels = new TreeMap<String, SortedMap<String, String>>();
    var reply = reads.list(path, object -> labels.put(name(object), labelsOf(object)));
    if (!reply.isDone()) {
      throw new ScenarioException(List.of(ListRefusal.sentence(resource, reply)));
    }
    return labels;
  }

  private static String name(Map<?, ?> object) {
    return object.get("metadata") instanceof Map<?, ?> metadata
        ? String.valueOf(metadata.get("name"))
        : "";
  }

  /// The labels of an object.
  static SortedMap<String, String> labelsOf(Map<?, ?> object) {
    var labels = new TreeMap<String, String>();
    if (object.get("metadata") instanceof Map<?, ?> metadata
        && metadata.get("labels") instanceof Map<?, ?> found) {
      found.forEach((key, value) -> labels.put(String.valueOf(key), String.valueOf(value)));
    }
    return labels;
  }
}
