package dev.berth.cli.projects;

import dev.berth.engine.request.WellKnownNames;
import java.util.Map;

/// What labels say of projects; each is empty where they do not.
final class ProjectLabels {
  private ProjectLabels() {}

  static String project(Map<String, String> labels) {
    return labels.getOrDefault(WellKnownNames.PROJECT, "");
  }

  static String version(Map<String, String> labels) {
    return labels.getOrDefault(WellKnownNames.PROJECT_VERSION, "");
  }

  /// The queue that a namespace gives to its pods.
  static String queue(Map<String, String> labels) {
    String queue = labels.getOrDefault(WellKnownNames.QUEUE, "");
    return queue.isEmpty() ? labels.getOrDefault(WellKnownNames.QUEUE_ALIAS, "") : queue;
  }
}
