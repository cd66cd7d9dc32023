package dev.berth.cli.projects;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// One project: a queue of the same name, the namespaces that use it, and the rights there.
///
/// @param file that has it, for messages
/// @param queue `spec` of its Queue as it is printed, without the selector
record Project(
    String file,
    String name,
    Map<String, Object> queue,
    ProjectNamespaces namespaces,
    ProjectRights rights) {
  /// Namespaces of a project.
  ///
  /// @param names in their order, each once
  /// @param areCreated whether their manifests are printed
  /// @param areAdopted whether pods that name no scheduler are Berth's there
  /// @param pods how many pods of a PriorityClass each namespace may have; a class that is not
  ///   listed is not limited
  record ProjectNamespaces(
      List<String> names, boolean areCreated, boolean areAdopted, SortedMap<String, Long> pods) {
    ProjectNamespaces {
      names = List.copyOf(names);
      pods = Collections.unmodifiableSortedMap(new TreeMap<>(pods));
    }
  }

  /// Rights in a project.
  ///
  /// @param members may run workloads in the namespaces
  /// @param viewers may look at them
  /// @param leads members that own what is named below the queue
  record ProjectRights(ProjectSubjects members, ProjectSubjects viewers, ProjectSubjects leads) {}

  Project {
    queue = Collections.unmodifiableMap(new LinkedHashMap<>(queue));
  }

  /// The name of the queue above; empty = it is at the top.
  String parent() {
    return queue.get("parent") instanceof String parent ? parent : "";
  }

  /// As the subject of a sentence.
  String title() {
    return "Project " + name;
  }

  /// An error or a warning on one of its fields.
  ///
  /// @param rule after *but*: what is valid, and the way out
  String told(String field, Object value, String rule) {
    return file + ": " + field + " is \"" + value + "\" on " + title() + ", but " + rule;
  }
}
