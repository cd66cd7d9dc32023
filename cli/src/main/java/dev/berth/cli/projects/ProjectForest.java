package dev.berth.cli.projects;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Projects by their parents. A parent that is no project is above the forest.
final class ProjectForest {
  private final TreeMap<String, Project> byName = new TreeMap<>();

  /// @param projects each of another name
  ProjectForest(List<Project> projects) {
    projects.forEach(project -> byName.put(project.name(), project));
  }

  SortedMap<String, Project> byName() {
    return byName;
  }

  /// Projects right below, by name.
  List<Project> below(Project parent) {
    return byName.values().stream().filter(each -> each.parent().equals(parent.name())).toList();
  }

  /// The way up from a project to itself, where there is one; else empty.
  List<String> circle(Project project) {
    var way = new LinkedHashSet<String>();
    String at = project.name();
    while (byName.containsKey(at) && way.add(at)) {
      at = byName.get(at).parent();
    }
    if (!at.equals(project.name())) {
      return List.of();
    }
    var circle = new ArrayList<>(way);
    circle.add(at);
    return circle;
  }

  /// Parents before their children, siblings by name.
  ///
  /// @throws IllegalStateException where parents lead in a circle
  List<Project> inOrder() {
    var order = new ArrayList<Project>();
    for (Project project : byName.values()) {
      if (!byName.containsKey(project.parent())) {
        add(project, order);
      }
    }
    if (order.size() != byName.size()) {
      throw new IllegalStateException("a circle in " + byName.keySet());
    }
    return order;
  }

  private void add(Project project, List<Project> order) {
    order.add(project);
    below(project).forEach(child -> add(child, order));
  }
}
