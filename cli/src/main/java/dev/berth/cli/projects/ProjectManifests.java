package dev.berth.cli.projects;

import dev.berth.engine.request.WellKnownNames;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Manifests of a project, for `kubectl apply --server-side`: its Queue, the rights on it, its
/// namespaces, and the rights and quotas in each.
///
/// Each has the label `berth.dev/project`, and `berth.dev/project-version`, which is another one
/// whenever something in the project is: what an earlier version made and this one does not is
/// found by both.
final class ProjectManifests {
  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";
  private static final int VERSION_BYTES = 5;

  private final Project project;
  private final String version;
  private final List<Map<String, Object>> manifests = new ArrayList<>();

  private ProjectManifests(Project project, String version) {
    this.project = project;
    this.version = version;
  }

  /// Plain trees, in the order in which they are to be applied.
  static List<Map<String, Object>> of(Project project) {
    return new ProjectManifests(project, version(project)).all();
  }

  /// The label value of what is printed of this project: ten hexadecimal digits, the same for the
  /// same project.
  static String version(Project project) {
    var unversioned = new ArrayList<Object>(new ProjectManifests(project, "").all());
    if (!project.namespaces().areCreated()) { // they are labelled by a command
      unversioned.add(namespaceLabels(project));
    }
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(unversioned.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, VERSION_BYTES);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }

  /// The Queue alone, without labels, as Berth reads it.
  static Map<String, Object> queue(Project project) {
    var queue = object("berth.dev/v1alpha1", "Queue", Map.of("name", project.name()));
    queue.put("spec", queueSpec(project));
    return queue;
  }

  private static Map<String, Object> queueSpec(Project project) {
    var spec = new LinkedHashMap<>(project.queue());
    spec.put("namespaceSelector", selector(project.namespaces().names()));
    return spec;
  }

  /// A project without namespaces takes pods of none: what is below it says whose pods it takes.
  private static Map<String, Object> selector(List<String> names) {
    if (names.size() == 1) {
      return Map.of("matchLabels", Map.of(NAMESPACE_NAME, names.getFirst()));
    }
    var condition = new LinkedHashMap<String, Object>();
    condition.put("key", NAMESPACE_NAME);
    condition.put("operator", names.isEmpty() ? "DoesNotExist" : "In");
    if (!names.isEmpty()) {
      condition.put("values", names.stream().sorted().toList());
    }
    return Map.of("matchExpressions", List.of(condition));
  }

  private List<Map<String, Object>> all() {
    add("berth.dev/v1alpha1", "Queue", "", project.name()).put("spec", queueSpec(project));
    var rights = project.rights();
    var members = rights.members().and(rights.leads());
    onQueue("view", List.of("get", "list", "watch"), members.and(rights.viewers()));
    onQueue("own", List.of("own"), rights.leads());
    bindInCluster("write", "berth-queue-writer", rights.leads());
    if (project.namespaces().areCreated()) {
      project.namespaces().names().forEach(this::namespace);
    }
    for (String namespace : project.namespaces().names()) {
      bind(namespace, ProjectObjects.MEMBERS, "edit", members);
      bind(namespace, ProjectObjects.VIEWERS, "view", rights.viewers());
      project.namespaces().pods().forEach((name, most) -> quota(namespace, name, most));
    }
    return manifests;
  }

  private void namespace(String name) {
    add("v1", "Namespace", "", name, namespaceLabels(project));
  }

  /// Labels that a namespace has besides those of all manifests.
  static Map<String, Object> namespaceLabels(Project project) {
    var labels = new LinkedHashMap<String, Object>();
    labels.put(WellKnownNames.QUEUE, project.name());
    if (project.namespaces().areAdopted()) {
      labels.put(WellKnownNames.NAMESPACE_SCHEDULER, WellKnownNames.SCHEDULER);
    }
    return labels;
  }

  // Rights

  private void onQueue(String suffix, List<String> verbs, ProjectSubjects subjects) {
    if (subjects.isEmpty()) {
      return;
    }
    var rule = new LinkedHashMap<String, Object>();
    rule.put("apiGroups", List.of("berth.dev"));
    rule.put("resources", List.of("queues"));
    rule.put("resourceNames", List.of(project.name()));
    rule.put("verbs", verbs);
    add(RBAC + "/v1", "ClusterRole", "", named(suffix)).put("rules", List.of(rule));
    bindInCluster(suffix, named(suffix), subjects);
  }

  private String named(String suffix) {
    return "berth-project-" + project.name() + "-" + suffix;
  }

  private void bindInCluster(String suffix, String role, ProjectSubjects subjects) {
    if (!subjects.isEmpty()) {
      var binding = add(RBAC + "/v1", "ClusterRoleBinding", "", named(suffix));
      binding.put("roleRef", role(role));
      binding.put("subjects", subjects.manifests());
    }
  }

  private void bind(String namespace, String name, String role, ProjectSubjects subjects) {
    if (!subjects.isEmpty()) {
      var binding = add(RBAC + "/v1", "RoleBinding", namespace, name);
      binding.put("roleRef", role(role));
      binding.put("subjects", subjects.manifests());
    }
  }

  private static Map<String, Object> role(String name) {
    var role = new LinkedHashMap<String, Object>();
    role.put("apiGroup", RBAC);
    role.put("kind", "ClusterRole");
    role.put("name", name);
    return role;
  }

  // Quotas

  private void quota(String namespace, String priorityClass, long most) {
    var condition = new LinkedHashMap<String, Object>();
    condition.put("scopeName", "PriorityClass");
    condition.put("operator", "In");
    condition.put("values", List.of(priorityClass));
    var spec = new LinkedHashMap<String, Object>();
    spec.put("hard", Map.of("pods", Long.toString(most)));
    spec.put("scopeSelector", Map.of("matchExpressions", List.of(condition)));
    add("v1", "ResourceQuota", namespace, "berth-pods-" + priorityClass).put("spec", spec);
  }

  // Objects

  private Map<String, Object> add(String apiVersion, String kind, String namespace, String name) {
    return add(apiVersion, kind, namespace, name, Map.of());
  }

  private Map<String, Object> add(
      String apiVersion, String kind, String namespace, String name, Map<String, Object> more) {
    var labels = new LinkedHashMap<String, Object>();
    labels.put(WellKnownNames.PROJECT, project.name());
    if (!version.isEmpty()) {
      labels.put(WellKnownNames.PROJECT_VERSION, version);
    }
    labels.putAll(more);
    var metadata = new LinkedHashMap<String, Object>();
    metadata.put("name", name);
    if (!namespace.isEmpty()) {
      metadata.put("namespace", namespace);
    }
    metadata.put("labels", labels);
    var manifest = object(apiVersion, kind, metadata);
    manifests.add(manifest);
    return manifest;
  }

  private static Map<String, Object> object(
      String apiVersion, String kind, Map<String, Object> metadata) {
    var object = new LinkedHashMap<String, Object>();
    object.put("apiVersion", apiVersion);
    object.put("kind", kind);
    object.put("metadata", metadata);
    return object;
  }
}
