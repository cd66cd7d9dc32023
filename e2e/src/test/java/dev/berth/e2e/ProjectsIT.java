package dev.berth.e2e;

import static dev.berth.e2e.AdmissionRequests.QUEUES;
import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `berth project` prints, applied to a real kube-apiserver: its objects are taken, and
/// members, viewers and leads may do what `docs/operators/projects.md` says, and no more.
class ProjectsIT {
  private static final String PROJECTS =
      """
      apiVersion: berth.dev/v1alpha1
      kind: Project
      metadata: {name: research}
      spec:
        quota: {gpu: 12, cpu: 1500m}
        limit: {gpu: 32}
        maxRuntime: 24h
        maxRuntimeWarning: 30m
      ---
      apiVersion: berth.dev/v1alpha1
      kind: Project
      metadata: {name: vision}
      spec:
        parent: research
        quota: {gpu: 8}
        limit: {gpu: 16}
        weight: {gpu: 1.5}
        priority: 120
        preemptMinRuntime: 1h30m
        pools:
        - {name: h100, quota: {gpu: 2}, limit: {}, weight: {gpu: 0}}
        - {name: "", limit: {gpu: unlimited, memory: 64Gi}}
        namespaces: [vision-dev, vision-train]
        members: {groups: [vision], serviceAccounts: [vision-dev/pipeline]}
        viewers: {groups: [office]}
        leads: {users: [anna@example.com]}
        priorityClasses: {train: unlimited, build: 1, inference: 0}
      """;

  private static final String DEV = "/api/v1/namespaces/vision-dev";
  private static final String TRIED = "?dryRun=All";

  @AutoClose private static ControlPlane cluster;
  private static Api admin;
  private static Api member;
  private static Api viewer;
  private static Api lead;
  private static Path file = Path.of("");
  private static List<JsonNode> applied = List.of();

  @BeforeAll
  static void up(@TempDir Path folder) throws IOException {
    cluster =
        ControlPlane.up(
            24700, "--nodes", "1", "--gpus", "8", "--no-scheduler", "--controller-manager");
    admin = cluster.admin();
    member = admin.impersonating("max", "vision", "system:authenticated");
    viewer = admin.impersonating("olga", "office", "system:authenticated");
    lead = admin.impersonating("anna@example.com", "system:authenticated");
    file = Files.writeString(folder.resolve("projects.yaml"), PROJECTS);
    applied = applied();
    awaitRights();
  }

  /// Rights come to the authorizer a moment later, and those of `edit` and `view` from a
  /// controller.
  private static void awaitRights() {
    ControlPlane.await(
        "a member may create pods",
        () -> member.create(DEV + "/pods" + TRIED, pod("early").gpus(1).toString()).isOk(),
        () -> member.create(DEV + "/pods" + TRIED, pod("early").gpus(1).toString()).message());
    ControlPlane.await(
        "a viewer and a lead may get the queue",
        () -> gets(viewer, QUEUES + "/vision") && gets(lead, QUEUES + "/vision"),
        () -> "");
  }

  private static boolean gets(Api client, String path) {
    return client.call("GET", path, "application/json", "").isOk();
  }

  private static String berth(String... arguments) {
    var command = new ArrayList<>(List.of(ControlPlane.root().resolve("berth").toString()));
    command.addAll(List.of(arguments));
    var run = ControlPlane.run(Duration.ofMinutes(5), command);
    assertThat(run.status()).as(run.output()).isZero();
    return run.output();
  }

  /// The answers of the API server, to the manifests in the order in which they are printed.
  private static List<JsonNode> applied() throws IOException {
    String printed = berth("project", "-f", file.toString(), "-o", "json");
    var answers = new ArrayList<JsonNode>();
    var list = Api.JSON.readTree(printed.substring(printed.indexOf("{\n")));
    for (JsonNode each : list.path("items")) {
      var answer =
          admin.call(
              "PATCH",
              path(each) + "?fieldManager=kubectl",
              "application/apply-patch+yaml",
              each.toString());
      assertThat(answer.isOk()).as(path(each) + ": " + answer.message()).isTrue();
      assertThat(answer.warnings()).as(path(each)).isEmpty();
      answers.add(answer.body());
    }
    return answers;
  }

  private static String path(JsonNode object) {
    String group = object.path("apiVersion").asText();
    String namespace = object.at("/metadata/namespace").asText();
    return (group.contains("/") ? "/apis/" : "/api/")
        + group
        + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
        + ("/" + object.path("kind").asText().toLowerCase(Locale.ROOT) + "s/")
        + Api.name(object);
  }

  @Test
  void applyingAgainChangesNothing() throws IOException {
    assertThat(applied()).hasSameSizeAs(applied).hasSizeGreaterThan(15);
    for (JsonNode each : applied) {
      var now = admin.get(path(each));
      assertThat(now.at("/metadata/uid")).as(path(each)).isEqualTo(each.at("/metadata/uid"));
      if (!each.path("kind").asText().equals("ResourceQuota")) { // its status counts pods
        assertThat(now.at("/metadata/managedFields/0/time"))
            .as(path(each))
            .isEqualTo(each.at("/metadata/managedFields/0/time"));
      }
    }
  }

  @Test
  void theApiServerKeepsAllThatTheProjectSaysOfItsQueue() {
    var spec = admin.get(QUEUES + "/vision").path("spec");
    assertThat(spec.path("pools").toString())
        .isEqualTo(
            "[{\"limit\":{},\"name\":\"h100\",\"quota\":{\"gpu\":2},\"weight\":{\"gpu\":0}},"
                + "{\"limit\":{\"gpu\":\"unlimited\",\"memory\":\"64Gi\"},\"name\":\"\"}]");
    assertThat(spec.path("preemptMinRuntime").asText()).isEqualTo("1h30m");
    var research = admin.get(QUEUES + "/research").path("spec");
    assertThat(research.path("maxRuntime").asText()).isEqualTo("24h");
    assertThat(research.path("maxRuntimeWarning").asText()).isEqualTo("30m");
    assertThat(research.at("/quota/cpu").asText()).isEqualTo("1500m");
  }

  @Test
  void membersRunWorkloadsInTheirNamespacesAndChangeNothingElse() {
    var pods = pod("mine").gpus(1).toString();
    assertThat(member.create("/api/v1/namespaces/vision-train/pods" + TRIED, pods).isOk()).isTrue();
    assertThat(member.get(QUEUES + "/vision").at("/spec/quota/gpu").asInt()).isEqualTo(8);
    refused(member.create("/api/v1/namespaces/default/pods" + TRIED, pods));
    refused(
        member.patch(DEV + TRIED, "{\"metadata\": {\"labels\": {\"berth.dev/queue\": \"x\"}}}"));
    refused(member.patch(QUEUES + "/vision" + TRIED, "{\"spec\": {\"quota\": {\"gpu\": 99}}}"));
    refused(
        member.create(
            QUEUES + TRIED, AdmissionRequests.queue("vision.night", "{'parent': 'vision'}")));
    refused(
        member.create(
            "/apis/rbac.authorization.k8s.io/v1/namespaces/vision-dev/rolebindings" + TRIED,
            """
            {"metadata": {"name": "more"}, "roleRef": {"apiGroup": "rbac.authorization.k8s.io",
             "kind": "ClusterRole", "name": "edit"}, "subjects": [{"kind": "User",
             "apiGroup": "rbac.authorization.k8s.io", "name": "friend"}]}
            """));
    refused(member.delete(DEV + "/resourcequotas/berth-pods-build" + TRIED));
  }

  @Test
  void viewersLookAndChangeNothing() {
    assertThat(viewer.list(DEV + "/pods")).isEmpty();
    assertThat(viewer.get(QUEUES + "/vision").at("/spec/parent").asText()).isEqualTo("research");
    refused(viewer.create(DEV + "/pods" + TRIED, pod("theirs").gpus(1).toString()));
    refused(viewer.call("GET", DEV + "/secrets", "application/json", ""));
    refused(viewer.patch(QUEUES + "/vision" + TRIED, "{\"spec\": {\"quota\": {\"gpu\": 99}}}"));
  }

  @Test
  void leadsOwnWhatIsBelowTheirQueueAndNotTheQueue() {
    assertThat(lead.create(DEV + "/pods" + TRIED, pod("lead").gpus(1).toString()).isOk()).isTrue();
    var night = AdmissionRequests.queue("vision.night", "{'parent': 'vision'}");
    var made = lead.create(QUEUES, night);
    assertThat(made.isOk()).as(made.message()).isTrue();
    assertThat(lead.delete(QUEUES + "/vision.night").isOk()).isTrue();
    refused(lead.patch(QUEUES + "/vision" + TRIED, "{\"spec\": {\"limit\": {\"gpu\": 99}}}"));
    refused(
        lead.create(
            QUEUES + TRIED, AdmissionRequests.queue("research.night", "{'parent': 'research'}")));
    refused(lead.delete(QUEUES + "/vision" + TRIED));
  }

  private static void refused(Api.Answer answer) {
    assertThat(answer.isOk()).as("%s", answer).isFalse();
    assertThat(answer.status()).as("%s", answer).isIn(403, 422);
  }

  @Test
  void namespacesNameQueueAndScheduler() {
    var labels = admin.get(DEV).at("/metadata/labels");
    assertThat(labels.path("berth.dev/queue").asText()).isEqualTo("vision");
    assertThat(labels.path("berth.dev/scheduler").asText()).isEqualTo("berth");
    assertThat(labels.path("berth.dev/project").asText()).isEqualTo("vision");
  }

  @Test
  void theListOfProjectsSeesNoDrift() throws IOException {
    String kubeconfig = cluster.dir().resolve("admin.kubeconfig").toString();
    String printed = berth("projects", "--kubeconfig", kubeconfig, "-o", "json");
    var projects = Api.JSON.readTree(printed.substring(printed.indexOf('{'))).path("projects");
    assertThat(projects).hasSize(2);
    for (JsonNode each : projects) {
      assertThat(each.path("drift")).as("%s", each).isEmpty();
    }
    assertThat(projects.at("/1/members").toString()).contains("group vision");
    assertThat(projects.at("/1/pools/1/quota").asText()).isEqualTo("2");
    String again =
        berth("project", "-f", file.toString(), "--kubeconfig", kubeconfig, "-o", "json");
    assertThat(again).doesNotContain("would change");
  }
}
