package dev.berth.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.e2e.AdmissionPage.Case;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Objects that are good but for what a case says of them, and how they are sent: judged by the
/// server, and not stored.
final class AdmissionRequests {
  static final String PODS = "/api/v1/namespaces/default/pods";
  static final String PODS_AT_HOME = "/api/v1/namespaces/berth-system/pods";
  static final String CLAIMS = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
  static final String QUEUES = "/apis/berth.dev/v1alpha1/queues";
  static final String GROUPS = "/apis/berth.dev/v1alpha1/namespaces/default/podgroups";
  static final String TOPOLOGIES = "/apis/berth.dev/v1alpha1/topologies";
  static final String TRIED = "?dryRun=All&fieldValidation=Strict";

  private static final String REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  private static final String BERTH = "berth.dev/v1alpha1";
  private static final List<String> OF_METADATA =
      List.of("labels", "annotations", "ownerReferences");

  private static final Map<String, String> VERSIONS =
      Map.of(
          "Job", "batch/v1",
          "CronJob", "batch/v1",
          "Deployment", "apps/v1",
          "StatefulSet", "apps/v1",
          "ReplicaSet", "apps/v1",
          "JobSet", "jobset.x-k8s.io/v1alpha2",
          "LeaderWorkerSet", "leaderworkerset.x-k8s.io/v1");

  private static final Pattern LETTERS = Pattern.compile("LETTERS ([0-9]+)");
  private static final Pattern MANY = Pattern.compile("\"(TERMS|SPREADS|PORTS) ([0-9]+)\"");
  private static final String SELECTS =
      "'topologyKey': 'k%d', 'labelSelector': {'matchLabels': {'app': 'train'}}";
  private static final Pattern PREAMBLE =
      Pattern.compile("(?s)^.*(denied request:|is invalid:|is forbidden:) ");

  private static final Pattern HINT =
      Pattern.compile(
          "Validation failed for ValidatingAdmissionPolicy 'berth-hints-[a-z]+' with binding"
              + " 'berth-hints-[a-z]+': ");

  /// A pod of which more and less can be requested, of each container and sidecar.
  static final JsonNode SIZED =
      tree(
          """
          {'containers': [{'name': 'main', 'image': 'x', 'resources': {'requests':
            {'cpu': '500m', 'memory': '1Gi'}}}, {'name': 'side', 'image': 'x', 'resources':
            {'requests': {'memory': '128Mi'}, 'limits': {'cpu': '1'}}}],
           'initContainers': [{'name': 'first', 'image': 'x', 'restartPolicy': 'Always',
            'resources': {'requests': {'cpu': '100m'}}}]}
          """);

  /// Another, of which also the pod as a whole requests some.
  static final JsonNode SIZED_AS_A_WHOLE =
      tree(
          """
          {'resources': {'requests': {'cpu': '2', 'memory': '4Gi'}}, 'containers': [{'name':
           'main', 'image': 'x', 'resources': {'requests': {'cpu': '500m', 'memory': '1Gi'}}}]}
          """);

  private AdmissionRequests() {}

  static Api.Answer send(Case row, Api api) {
    var sent = written(row.sent());
    return switch (row.table()) {
      case "pod" -> api.create(PODS + TRIED, pod("train-0", sent));
      case "patch" -> api.patch(PODS + "/gated" + TRIED, sent.toString());
      case "patch of a planned pod" -> api.patch(PODS + "/planned" + TRIED, sent.toString());
      case "resize" -> resize(api, sent);
      case "patch by Berth" -> api.patch(PODS + "/plain" + TRIED, sent.toString());
      case "patch by Berth of a pod of others" ->
          api.patch(PODS + "/other" + TRIED, sent.toString());
      case "deletion by Berth" -> changeOrDelete(api, PODS, sent);
      case "holder" -> changeOrDelete(api, PODS_AT_HOME, sent);
      case "guarded pod" -> api.create(PODS + TRIED, pod("train-0", sent));
      case "patch of a guarded pod" -> api.patch(PODS + "/guarded" + TRIED, sent.toString());
      case "debugging of a guarded pod" ->
          api.patch(PODS + "/guarded/ephemeralcontainers" + TRIED, sent.toString());
      case "workload" -> workload(api, sent);
      case "change of a claim that a pod uses" ->
          api.patch(CLAIMS + "/used" + TRIED, sent.toString());
      case "Binding" -> bind(api, "gated", sent, TRIED);
      case "Queue" -> api.create(QUEUES + TRIED, object(BERTH, "Queue", "vision", sent));
      case "place" -> place(api, sent);
      case "PodGroup" -> api.create(GROUPS + TRIED, object(BERTH, "PodGroup", "train", sent));
      case "Topology" -> api.create(TOPOLOGIES + TRIED, object(BERTH, "Topology", "fabric", sent));
      default ->
          throw new AssertionError("docs/operators/admission.md has a table of " + row.table());
    };
  }

  /// With as many letters, terms, constraints and ports as a case names.
  private static JsonNode written(JsonNode sent) {
    if (!LETTERS.matcher(sent.toString()).find() && !MANY.matcher(sent.toString()).find()) {
      return sent;
    }
    String letters =
        LETTERS
            .matcher(sent.toString())
            .replaceAll(many -> "a".repeat(Integer.parseInt(many.group(1))));
    var port = new AtomicInteger(1_000); // all of a pod are different
    return tree(
        MANY.matcher(letters)
            .replaceAll(many -> {
              var item = item(many.group(1));
              return IntStream.range(0, Integer.parseInt(many.group(2)))
                  .mapToObj(_ -> item.formatted(port.incrementAndGet()))
                  .collect(Collectors.joining(", ", "[", "]"));
            }));
  }

  private static String item(String kind) {
    return switch (kind) {
      case "TERMS" -> "{" + SELECTS + "}";
      case "SPREADS" -> "{" + SELECTS + ", 'maxSkew': 1, 'whenUnsatisfiable': 'DoNotSchedule'}";
      default -> "{'containerPort': 80, 'hostPort': %d}";
    };
  }

  /// A good workload of that kind but for what is said of its template and of itself.
  private static Api.Answer workload(Api api, JsonNode sent) {
    ObjectNode fields = sent.deepCopy();
    String kind = fields.remove("kind").asText();
    String namespace = fields.has("namespace") ? fields.remove("namespace").asText() : "default";
    var template = template(fields.has("template") ? fields.remove("template") : tree("{}"));
    String version = VERSIONS.get(kind);
    var spec = fields.withObject("/spec");
    switch (kind) {
      case "Job" -> spec.set("template", template);
      case "CronJob" -> {
        spec.put("schedule", "* * * * *");
        spec.putObject("jobTemplate").putObject("spec").set("template", template);
      }
      case "JobSet" -> {
        var job = spec.putArray("replicatedJobs").addObject().put("name", "workers");
        job.putObject("template").putObject("spec").set("template", template);
      }
      case "LeaderWorkerSet" -> {
        JsonNode size = spec.remove("size");
        var replica = spec.putObject("leaderWorkerTemplate");
        replica.set("size", size);
        replica.set("workerTemplate", template);
      }
      default -> {
        spec.putObject("selector").putObject("matchLabels").put("app", "train");
        template.withObject("/metadata/labels").put("app", "train");
        template.withObject("/spec").remove("restartPolicy");
        spec.set("template", template);
      }
    }
    String plural = kind.toLowerCase(Locale.ROOT) + "s";
    return api.create(
        "/apis/" + version + "/namespaces/" + namespace + "/" + plural + TRIED,
        object(version, kind, "train", fields));
  }

  private static ObjectNode template(JsonNode different) {
    var template = Api.JSON.createObjectNode();
    var metadata = template.putObject("metadata");
    var spec = template.putObject("spec").put("schedulerName", "berth");
    spec.put("restartPolicy", "Never");
    spec.putArray("containers").addObject().put("name", "main").put("image", "x");
    different
        .properties()
        .forEach(field ->
            (OF_METADATA.contains(field.getKey()) ? metadata : spec)
                .set(field.getKey(), field.getValue()));
    return template;
  }

  static Api.Answer bind(Api api, String pod, JsonNode sent, String tried) {
    ObjectNode binding = sent.deepCopy();
    binding.putObject("target").put("kind", "Node").put("name", "node-0000");
    return api.create(PODS + "/" + pod + "/binding" + tried, object("v1", "Binding", pod, binding));
  }

  /// What is sent beside the name of the pod is the patch.
  private static Api.Answer changeOrDelete(Api api, String pods, JsonNode sent) {
    if (sent.has("delete")) {
      return api.delete(pods + "/" + sent.path("delete").asText() + "?dryRun=All");
    }
    ObjectNode patch = sent.deepCopy();
    String name = patch.remove("change").asText();
    return api.patch(pods + "/" + name + TRIED, patch.toString());
  }

  /// What is sent beside the name of the pod is the patch.
  private static Api.Answer resize(Api api, JsonNode sent) {
    ObjectNode patch = sent.deepCopy();
    String name = patch.remove("pod").asText();
    return resize(api, name, patch.toString());
  }

  /// Containers that are named are changed, the others stay, as by `kubectl patch`.
  static Api.Answer resize(Api api, String pod, String patch) {
    String path = PODS + "/" + pod + "/resize" + TRIED;
    return api.call("PATCH", path, "application/strategic-merge-patch+json", patch);
  }

  private static Api.Answer place(Api api, JsonNode sent) {
    var spec = sent.path("spec");
    if (sent.has("create")) {
      return api.create(QUEUES + TRIED, queue(sent.path("create").asText(), spec.toString()));
    }
    if (sent.has("change")) {
      String path = QUEUES + "/" + sent.path("change").asText() + TRIED;
      return api.patch(path, Api.JSON.createObjectNode().set("spec", spec).toString());
    }
    return api.delete(QUEUES + "/" + sent.path("delete").asText() + "?dryRun=All");
  }

  /// @param spec with single quotes
  static String queue(String name, String spec) {
    return object(BERTH, "Queue", name, tree("{'spec': " + spec + "}"));
  }

  /// Only its devices are bounded.
  static String queueOfGpus(String name, int quota) {
    String spec = "{'quota': {'gpu': %d, 'cpu': 'unlimited', 'memory': 'unlimited'}}";
    return queue(name, spec.formatted(quota));
  }

  /// @param fields labels and annotations go to its metadata
  static String object(String version, String kind, String name, JsonNode fields) {
    var object = Api.JSON.createObjectNode().put("apiVersion", version).put("kind", kind);
    var metadata = object.putObject("metadata").put("name", name);
    fields
        .properties()
        .forEach(field ->
            (OF_METADATA.contains(field.getKey()) ? metadata : object)
                .set(field.getKey(), field.getValue()));
    return object.toString();
  }

  /// A good pod but for what is said: labels and annotations, all else fields of its spec.
  static String pod(String name, JsonNode different) {
    var fields = Api.JSON.createObjectNode();
    var spec = fields.putObject("spec").put("schedulerName", "berth");
    for (String container : List.of("main", "side")) {
      spec.withArray("containers").addObject().put("name", container).put("image", "x");
    }
    different
        .properties()
        .forEach(field ->
            (OF_METADATA.contains(field.getKey()) ? fields : spec)
                .set(field.getKey(), field.getValue()));
    return object("v1", "Pod", name, fields);
  }

  /// A pod that obeys the Pod Security standard `restricted`, as Berth's namespace enforces it.
  static String atHome(String name, JsonNode different) {
    var bounds = tree("{'allowPrivilegeEscalation': false, 'capabilities': {'drop': ['ALL']}}");
    ObjectNode all = different.deepCopy();
    var container = Api.JSON.createObjectNode().put("name", "main").put("image", "x");
    all.withArray("containers").add(container.set("securityContext", bounds));
    var context =
        tree(
            """
            {'runAsNonRoot': true, 'runAsUser': 65532, 'seccompProfile': {'type': 'RuntimeDefault'}}
            """);
    if (!all.has("securityContext")) {
      all.set("securityContext", context);
    }
    return pod(name, all);
  }

  /// Whether a user has a right, as kube-apiserver knows it now.
  ///
  /// @param resource with the name of one, if it matters: `leases/berth`
  static boolean may(Api who, String verb, String group, String resource, String namespace) {
    var named = resource.split("/", 2);
    var review =
        tree(
            """
            {'apiVersion': 'authorization.k8s.io/v1', 'kind': 'SelfSubjectAccessReview', 'spec':
             {'resourceAttributes': {'verb': '%s', 'group': '%s', 'resource': '%s', 'name': '%s',
              'namespace': '%s'}}}
            """
                .formatted(verb, group, named[0], named.length > 1 ? named[1] : "", namespace));
    return who.createOrFail(REVIEWS, review.toString()).at("/status/allowed").asBoolean();
  }

  /// The text of an answer, without the name of the user; Berth is called by its own name.
  static String told(Api.Answer answer, String user) {
    if (answer.isOk()) {
      var warnings = answer.warnings().stream().filter(HINT.asPredicate()).toList();
      return warnings.isEmpty()
          ? "accepted"
          : "warns: " + HINT.matcher(String.join(" ", warnings)).replaceAll("");
    }
    String words =
        PREAMBLE.matcher(answer.message()).replaceFirst("").replace("|", "\\|").replace('\n', ' ');
    return user.equals("berth") ? words : words.replaceAll("\\b" + user + "\\b", "USER");
  }

  /// @param json with single quotes
  static JsonNode tree(String json) {
    try {
      return Api.JSON.readTree(json.replace('\'', '"'));
    } catch (IOException notJson) {
      throw new UncheckedIOException(json, notJson);
    }
  }
}
