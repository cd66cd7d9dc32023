package dev.berth.cli.projects;

import dev.berth.cli.projects.Project.ProjectNamespaces;
import dev.berth.cli.projects.Project.ProjectRights;
import dev.berth.engine.request.QueueManifest;
import dev.berth.engine.request.QueueResources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Reads one document of kind Project. An unknown field is an error that names the nearest.
final class ProjectReader {
  private static final String API_VERSION = "berth.dev/v1alpha1";
  private static final String KIND = "Project";
  private static final List<String> TOP = List.of("apiVersion", "kind", "metadata", "spec");
  private static final List<String> METADATA = List.of("name", "labels", "annotations");
  private static final List<String> RUNTIMES =
      List.of("preemptMinRuntime", "reclaimMinRuntime", "maxRuntime", "maxRuntimeWarning");
  static final List<String> SPEC =
      List.of(
          "parent",
          "quota",
          "limit",
          "weight",
          "priority",
          "preemptMinRuntime",
          "reclaimMinRuntime",
          "maxRuntime",
          "maxRuntimeWarning",
          "pools",
          "namespaces",
          "createNamespaces",
          "scheduler",
          "members",
          "viewers",
          "leads",
          "priorityClasses");

  private final ProjectFields root;
  private final ProjectFields spec;

  private ProjectReader(ProjectFields root) {
    this.root = root;
    this.spec = root.object("spec");
  }

  /// @param wrongs where all that is wrong is told, each with file, object, field and value
  /// @return empty where the document is no project
  static Optional<Project> read(String file, Map<String, Object> document, List<String> wrongs) {
    String name = name(document);
    if (!isProject(new ProjectFields(file, "one object", "", document, wrongs))) {
      return Optional.empty();
    }
    String title = name.isEmpty() ? "one object" : KIND + " " + name;
    var root = new ProjectFields(file, title, "", document, wrongs);
    root.onlyKnows(TOP);
    root.object("metadata").onlyKnows(METADATA);
    checkName(root.object("metadata"), "name", name, "a name");
    return Optional.of(new ProjectReader(root).project(name));
  }

  private static String name(Map<String, Object> document) {
    return document.get("metadata") instanceof Map<?, ?> metadata
            && metadata.get("name") instanceof Object name
        ? name.toString()
        : "";
  }

  private static boolean isProject(ProjectFields root) {
    String kind = root.text("kind");
    if (!kind.equals(KIND)) {
      root.wrong("kind", kind, "it must be Project: keep other objects in files of their own.");
      return false;
    }
    if (!root.text("apiVersion").equals(API_VERSION)) {
      root.wrong("apiVersion", root.text("apiVersion"), "it must be " + API_VERSION + ".");
      return false;
    }
    return true;
  }

  private static void checkName(ProjectFields fields, String key, String name, String what) {
    if (!ProjectNames.isQueue(name)) {
      fields.wrong(key, name, what + " is " + ProjectNames.QUEUE_RULE);
    }
  }

  private Project project(String name) {
    spec.onlyKnows(SPEC);
    var project =
        new Project(
            root.where(),
            name,
            queue(),
            new ProjectNamespaces(
                namespaces(),
                spec.flag("createNamespaces", true),
                spec.flag("scheduler", true),
                pods()),
            new ProjectRights(subjects("members"), subjects("viewers"), subjects("leads")));
    checkQueue(project);
    return project;
  }

  // The queue

  private Map<String, Object> queue() {
    var queue = new LinkedHashMap<String, Object>();
    if (spec.has("parent")) {
      String parent = spec.text("parent");
      checkName(spec, "parent", parent, "the name of a project or a queue");
      queue.put("parent", parent);
    }
    if (spec.has("priority")) {
      queue.put("priority", priority());
    }
    queue.putAll(ProjectPools.amounts(spec));
    for (String key : RUNTIMES) {
      if (spec.has(key)) {
        queue.put(key, runtime(key));
      }
    }
    if (spec.has("pools")) {
      queue.put("pools", ProjectPools.read(spec));
    }
    return queue;
  }

  /// The API server takes fewer ways to write it than Berth reads.
  private String runtime(String key) {
    String text = spec.text(key);
    if (!ProjectNames.isDuration(text)) {
      spec.wrong(key, text, "a duration is written like \"90s\", \"10m\" or \"1h30m\".");
      return "0";
    }
    return text;
  }

  private Object priority() {
    Object value = spec.fields().get("priority");
    if (value instanceof Long number && number == number.intValue()) {
      return number;
    }
    spec.wrong(
        "priority",
        spec.text("priority"),
        "it is a whole number from -2147483648 to 2147483647, like 100.");
    return 0L;
  }

  /// What Berth would not take is an error here.
  private void checkQueue(Project project) {
    QueueManifest.read(ProjectManifests.queue(project))
        .ifPresent(queue -> {
          var problems = new ArrayList<>(queue.problems());
          problems.addAll(QueueResources.problems(queue));
          for (var problem : problems) {
            spec.wrongs().add(root.where() + ": " + problem.on(project.title()));
          }
        });
  }

  // Namespaces

  private List<String> namespaces() {
    var names = new ArrayList<String>();
    var listed = spec.texts("namespaces");
    for (int i = 0; i < listed.size(); i++) {
      String name = listed.get(i);
      String at = "namespaces[" + i + "]";
      if (!ProjectNames.isNamespace(name)) {
        spec.wrong(at, name, ProjectNames.NAMESPACE_RULE);
      } else if (ProjectNames.isOfTheSystem(name)) {
        spec.wrong(
            at,
            name,
            "that namespace belongs to the cluster, and its pods would wait in this queue. Name"
                + " one of the team.");
      } else if (names.contains(name)) {
        spec.wrong(at, name, "it is listed already. Take one of the two out.");
      } else {
        names.add(name);
      }
    }
    if (listed.size() > ProjectNames.MOST_NAMESPACES) {
      spec.wrong(
          "namespaces",
          listed.size() + " names",
          "a Queue selects "
              + ProjectNames.MOST_NAMESPACES
              + " by name at most. Split the project, with a parent above both parts.");
    }
    return names;
  }

  private TreeMap<String, Long> pods() {
    var pods = new TreeMap<String, Long>();
    var fields = spec.object("priorityClasses");
    fields
        .scalars()
        .forEach((name, value) -> {
          if (!ProjectNames.isPriorityClass(name)) {
            fields.wrong(name, value, "that is no name of a PriorityClass, like train.");
          } else if (value instanceof Long number && number >= 0) {
            pods.put(name, number);
          } else if (!value.equals("unlimited")) {
            fields.wrong(
                name, value, "it is a number of pods from 0 (none) upwards, or \"unlimited\".");
          }
        });
    if (!pods.isEmpty() && spec.texts("namespaces").isEmpty()) {
      spec.wrong(
          "priorityClasses",
          "{…}",
          "there are no namespaces where that could count. List them in spec.namespaces, or take"
              + " priorityClasses out.");
    }
    return pods;
  }

  // Rights

  private ProjectSubjects subjects(String key) {
    var fields = spec.object(key);
    fields.onlyKnows(List.of("groups", "users", "serviceAccounts"));
    var users = named(fields, "users");
    var groups = named(fields, "groups");
    var accounts = new TreeSet<String>();
    for (String account : named(fields, "serviceAccounts")) {
      if (ProjectNames.isAccount(account)) {
        accounts.add(account);
      } else {
        fields.wrong("serviceAccounts", account, "it is NAMESPACE/NAME, like vision-dev/pipeline.");
      }
    }
    return new ProjectSubjects(users, groups, accounts);
  }

  private static TreeSet<String> named(ProjectFields fields, String key) {
    var names = new TreeSet<String>();
    for (String name : fields.texts(key)) {
      if (name.isBlank() || !name.equals(name.strip())) {
        fields.wrong(
            key, name, "it is a name without spaces around it, as clients log in with it.");
      } else if (ProjectNames.ANONYMOUS.contains(name)) {
        fields.wrong(
            key,
            name,
            "that is every client without credentials. Name users or groups that log in.");
      } else {
        names.add(name);
      }
    }
    return names;
  }
}
