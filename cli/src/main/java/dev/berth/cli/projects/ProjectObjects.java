package dev.berth.cli.projects;

import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.world.ObjectTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What of a cluster belongs to one project, by its labels.
///
/// @param queue the version of its Queue; empty = there is none
/// @param namespaces labels of its namespaces, by name
/// @param bindings its RoleBindings
record ProjectObjects(
    String name,
    List<String> queue,
    SortedMap<String, SortedMap<String, String>> namespaces,
    List<Map<String, Object>> bindings) {
  static final String MEMBERS = "berth-project-members";
  static final String VIEWERS = "berth-project-viewers";

  ProjectObjects {
    queue = List.copyOf(queue);
    namespaces = Collections.unmodifiableSortedMap(new TreeMap<>(namespaces));
    bindings = List.copyOf(bindings);
  }

  private ProjectObjects(String name) {
    this(name, List.of(), new TreeMap<>(), List.of());
  }

  /// Those of each project that an object of the cluster is labelled with, by name.
  static SortedMap<String, ProjectObjects> of(Scenario cluster) {
    var projects = new TreeMap<String, ProjectObjects>();
    Stream.concat(cluster.objects().stream(), cluster.ignored().stream())
        .forEach(item -> {
          String project = ProjectLabels.project(ProjectCluster.labelsOf(item.object()));
          if (!project.isEmpty()) {
            var before = projects.getOrDefault(project, new ProjectObjects(project));
            projects.put(project, before.and(item));
          }
        });
    projects.values().removeIf(each -> each.queue.isEmpty() && each.namespaces.isEmpty());
    return projects;
  }

  private ProjectObjects and(Scenario.Item item) {
    var labels = ProjectCluster.labelsOf(item.object());
    var queues = new ArrayList<>(queue);
    var spaces = new TreeMap<>(namespaces);
    var rights = new ArrayList<>(bindings);
    String called = ObjectTree.name(item.object());
    switch (item.kind()) {
      case "Queue" -> {
        if (called.equals(name)) {
          queues.add(ProjectLabels.version(labels));
        }
      }
      case "Namespace" -> spaces.put(called, labels);
      case "RoleBinding" -> rights.add(item.object());
      default -> {} // a kind that tells nothing of a project
    }
    return new ProjectObjects(name, queues, spaces, rights);
  }

  /// Subjects of all bindings of that name, `group vision`, each once, in order.
  ///
  /// @param binding [#MEMBERS] or [#VIEWERS]
  List<String> subjects(String binding) {
    var subjects = new TreeSet<String>();
    for (var each : bindings) {
      if (ObjectTree.name(each).equals(binding)) {
        for (var subject : ObjectTree.maps(each, "subjects")) {
          subjects.add(subject(subject));
        }
      }
    }
    return List.copyOf(subjects);
  }

  private static String subject(Map<String, Object> subject) {
    String called = ObjectTree.text(subject, "name");
    return switch (ObjectTree.text(subject, "kind")) {
      case "User" -> "user " + called;
      case "Group" -> "group " + called;
      default -> "service account " + ObjectTree.text(subject, "namespace") + "/" + called;
    };
  }
}
