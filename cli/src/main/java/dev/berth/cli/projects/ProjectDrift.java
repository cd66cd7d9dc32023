package dev.berth.cli.projects;

import dev.berth.engine.model.LabelSelector;
import dev.berth.engine.model.LabelSelector.Operator;
import dev.berth.engine.model.Queue;
import dev.berth.engine.request.WellKnownNames;
import dev.berth.simulator.world.ObjectTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Where objects of a project do not agree: what was changed, added or left behind since its
/// manifests were applied.
final class ProjectDrift {
  private static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";

  private final ProjectObjects project;
  private final List<String> found = new ArrayList<>();

  private ProjectDrift(ProjectObjects project) {
    this.project = project;
  }

  /// @param queue of the project, where the cluster has it
  /// @return sentences without a full stop; empty = all agree
  static List<String> of(ProjectObjects project, Optional<Queue> queue) {
    var drift = new ProjectDrift(project);
    if (project.queue().isEmpty()) {
      drift.found.add(
          queue.isPresent()
              ? "Queue " + project.name() + " has no label " + WellKnownNames.PROJECT
              : "there is no Queue " + project.name());
    }
    drift.namespaces(queue);
    queue.flatMap(Queue::namespaces).ifPresent(drift::selected);
    drift.versions();
    return List.copyOf(drift.found);
  }

  private void namespaces(Optional<Queue> queue) {
    project
        .namespaces()
        .forEach((name, labels) -> {
          String named = ProjectLabels.queue(labels);
          if (!named.equals(project.name())) {
            found.add(
                "namespace "
                    + name
                    + (named.isEmpty()
                        ? " names no queue"
                        : " names queue " + named + ", not " + project.name()));
          }
          var selector = queue.flatMap(Queue::namespaces);
          if (selector.isPresent() && !selector.get().matches(withName(name, labels))) {
            found.add("queue " + project.name() + " does not select namespace " + name);
          }
        });
  }

  /// Namespaces that the queue names, and that are not there, or are no part of the project.
  private void selected(LabelSelector selector) {
    for (var condition : selector.requirements()) {
      if (condition.label().equals(NAMESPACE_NAME) && condition.operator() == Operator.IN) {
        for (String name : condition.values()) {
          if (!project.namespaces().containsKey(name)) {
            found.add(
                "queue "
                    + project.name()
                    + " selects namespace "
                    + name
                    + ", which is not there or has no label "
                    + WellKnownNames.PROJECT);
          }
        }
      }
    }
  }

  /// Each namespace has the label of its name; one of a file may lack it.
  private static TreeMap<String, String> withName(String name, SortedMap<String, String> labels) {
    var all = new TreeMap<>(labels);
    all.put(NAMESPACE_NAME, name);
    return all;
  }

  private void versions() {
    if (project.queue().isEmpty()) {
      return;
    }
    String version = project.queue().getFirst();
    project
        .namespaces()
        .forEach((name, labels) ->
            tellOther(version, ProjectLabels.version(labels), "namespace " + name));
    for (var binding : project.bindings()) {
      tellOther(
          version,
          ProjectLabels.version(ProjectCluster.labelsOf(binding)),
          "RoleBinding "
              + ObjectTree.text(binding, "metadata", "namespace")
              + "/"
              + ObjectTree.name(binding));
    }
  }

  private void tellOther(String version, String its, String object) {
    if (!its.equals(version)) {
      found.add(object + " is of another version of the project");
    }
  }
}
