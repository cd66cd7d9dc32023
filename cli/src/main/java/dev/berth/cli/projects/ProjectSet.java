package dev.berth.cli.projects;

import dev.berth.engine.request.WellKnownNames;
import dev.berth.simulator.scenario.ScenarioException;
import dev.berth.simulator.scenario.ScenarioFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The projects of files, checked together.
public final class ProjectSet {
  private static final String MADE = "rolebindings,resourcequotas,clusterroles,clusterrolebindings";

  private final List<Project> projects;
  private final List<String> warnings;

  private ProjectSet(List<Project> projects, List<String> warnings) {
    this.projects = List.copyOf(projects);
    this.warnings = List.copyOf(warnings);
  }

  /// @param places files and folders of such files
  /// @param cluster in which parents and namespaces are looked up; empty = none was read
  /// @throws ScenarioException with all that is wrong, each with file, object, field and value
  public static ProjectSet read(List<Path> places, Optional<ProjectCluster> cluster)
      throws ScenarioException {
    var wrongs = new ArrayList<String>();
    var warnings = new ArrayList<String>();
    var projects = new ArrayList<Project>();
    for (Path file : ScenarioFiles.in(places)) {
      for (Map<String, Object> document : ScenarioFiles.documents(file)) {
        ProjectReader.read(file.toString(), document, wrongs).ifPresent(projects::add);
      }
    }
    if (projects.isEmpty() && wrongs.isEmpty()) {
      wrongs.add(places.getFirst() + ": there is no project: give objects of kind Project");
    }
    var forest = new ProjectForest(ProjectCheck.eachOnce(projects, wrongs));
    if (wrongs.isEmpty()) {
      var check = new ProjectCheck(forest, wrongs, warnings);
      check.check();
      cluster.ifPresentOrElse(check::checkWith, check::tellParents);
    }
    if (!wrongs.isEmpty()) {
      throw new ScenarioException(wrongs);
    }
    return new ProjectSet(forest.inOrder(), warnings);
  }

  /// What is valid and hardly meant, each a sentence.
  public List<String> warnings() {
    return warnings;
  }

  /// Plain trees: parents before their children, siblings by name. The same projects give the same,
  /// in whichever files they are.
  public List<Map<String, Object>> manifests() {
    var manifests = new ArrayList<Map<String, Object>>();
    projects.forEach(project -> manifests.addAll(ProjectManifests.of(project)));
    return manifests;
  }

  /// Commands that label namespaces which the manifests do not have.
  public List<String> labelling() {
    var commands = new ArrayList<String>();
    for (Project project : projects) {
      var namespaces = project.namespaces();
      if (!namespaces.areCreated() && !namespaces.names().isEmpty()) {
        var command = new StringBuilder("kubectl label --overwrite namespace");
        namespaces.names().forEach(name -> command.append(" ").append(name));
        ProjectManifests.namespaceLabels(project)
            .forEach((key, value) -> command.append(" " + key + "=" + value));
        command
            .append(" " + WellKnownNames.PROJECT + "=" + project.name())
            .append(" " + WellKnownNames.PROJECT_VERSION + "=" + ProjectManifests.version(project));
        commands.add(command.toString());
      }
    }
    return commands;
  }

  /// Commands that remove, once the manifests are applied, what former versions of these projects
  /// made and these do not have. Namespaces lose their labels and stay; those of the projects that
  /// are labelled by hand keep them, whether they were labelled anew by then or not.
  ///
  /// @param cluster none are told where it has nothing of these projects; empty = it was not read
  public List<String> pruning(Optional<ProjectCluster> cluster) {
    if (cluster.filter(it -> !hasAny(it)).isPresent()) {
      return List.of();
    }
    var names = projects.stream().map(Project::name).sorted().toList();
    var versions = projects.stream().map(ProjectManifests::version).sorted().toList();
    String old =
        " -l '"
            + WellKnownNames.PROJECT
            + " in ("
            + String.join(",", names)
            + "),"
            + WellKnownNames.PROJECT_VERSION
            + " notin ("
            + String.join(",", versions)
            + ")'";
    return List.of(
        "kubectl delete " + MADE + " -A" + old,
        "kubectl label namespaces"
            + old
            + labelledByHand()
            + String.join(
                "",
                List.of(
                    " " + WellKnownNames.QUEUE + "-",
                    " " + WellKnownNames.NAMESPACE_SCHEDULER + "-",
                    " " + WellKnownNames.PROJECT + "-",
                    " " + WellKnownNames.PROJECT_VERSION + "-")));
  }

  private String labelledByHand() {
    var names =
        projects.stream()
            .map(Project::namespaces)
            .filter(namespaces -> !namespaces.areCreated())
            .flatMap(namespaces -> namespaces.names().stream())
            .sorted()
            .map(name -> "metadata.name!=" + name)
            .toList();
    return names.isEmpty() ? "" : " --field-selector " + String.join(",", names);
  }

  private boolean hasAny(ProjectCluster cluster) {
    var names = projects.stream().map(Project::name).toList();
    return Stream.of(cluster.queues(), cluster.namespaces())
        .flatMap(objects -> objects.values().stream())
        .anyMatch(labels -> names.contains(ProjectLabels.project(labels)));
  }
}
