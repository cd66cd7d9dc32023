package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth projects`, of a cluster in which the manifests of `berth project` were applied.
final class ProjectsCommandTest {
  private static final Path MANIFESTS = Path.of("src/test/resources/projects/teams.manifests");

  private final CommandOutput output = new CommandOutput();
  @TempDir private Path folder = Path.of("");

  private int projects(String... arguments) {
    return output.run(ProjectsCommand::new, arguments);
  }

  /// What `kubectl get -A -o yaml` shows once the manifests are applied, and a pod runs.
  private String dump(String manifests) throws IOException {
    var yaml = new ObjectMapper(new YAMLFactory());
    var list = yaml.createObjectNode().put("apiVersion", "v1").put("kind", "List");
    var items = list.putArray("items");
    try (var all = yaml.readerFor(Object.class).readValues(manifests)) {
      all.forEachRemaining(items::addPOJO);
    }
    items.add(
        yaml.readTree(
            """
            {apiVersion: v1, kind: Node, metadata: {name: n}, status: {allocatable: {cpu: "64",
              memory: 64Gi, pods: "99", nvidia.com/gpu: "8"}}}
            """));
    items.add(pod("runs", "nodeName: n,", "Running"));
    items.add(pod("waits", "", "Pending"));
    return Files.writeString(folder.resolve("dump.yaml"), yaml.writeValueAsString(list)).toString();
  }

  private static JsonNode pod(String name, String spec, String phase) throws IOException {
    return new ObjectMapper(new YAMLFactory())
        .readTree(
            """
            {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: vision-dev},
              spec: {%s schedulerName: berth, containers: [{name: c, image: i,
                resources: {limits: {nvidia.com/gpu: 2}}}]}, status: {phase: %s}}
            """
                .formatted(name, spec, phase));
  }

  private static String applied() throws IOException {
    return Files.readString(MANIFESTS);
  }

  @Test
  void projectsShowWhatTheyUseAndWhereTheyAre() throws IOException {
    assertThat(projects("-f", dump(applied()), "-o", "wide")).as(output.wrong()).isZero();
    assertThat(output.told())
        .isEqualTo(
            """
            NAME       PARENT     QUOTA   LIMIT   ALLOCATED   RUNNING   WAITING   \
            NAMESPACES                POOLS   MEMBERS                                              \
                                  VIEWERS                 DRIFT
            research   -          12      32      2           1         1         \
            -                         -       -                                                    \
                                  -                       -
            vision     research   8       16      2           1         1         \
            vision-dev,vision-train   -       group vision, service account vision-dev/pipeline, \
            user anna@example.com   group research-office   -
            """);
    assertThat(output.wrong()).isEmpty();
  }

  @Test
  void programsReadLists() throws IOException {
    assertThat(projects("-f", dump(applied()), "-o", "json")).isZero();
    var vision = new ObjectMapper().readTree(output.told()).at("/projects/1");
    assertThat(vision.toString())
        .isEqualTo(
            "{\"name\":\"vision\",\"parent\":\"research\",\"quota\":\"8\",\"limit\":\"16\","
                + "\"allocated\":\"2\",\"runningWorkloads\":1,\"waitingWorkloads\":1,"
                + "\"namespaces\":[\"vision-dev\",\"vision-train\"],\"members\":[\"group vision\","
                + "\"service account vision-dev/pipeline\",\"user anna@example.com\"],"
                + "\"viewers\":[\"group research-office\"],\"drift\":[]}");
  }

  @Test
  void whatAProjectHasInAPoolIsToldBesides() throws IOException {
    String quota = "    gpu: 8\n    memory: unlimited\n";
    String pools = quota + "  pools:\n  - name: h100\n    quota: {gpu: 2}\n";
    String manifests = applied().replaceFirst(quota, pools);
    assertThat(manifests).as("manifests of a project with pools").contains("h100");
    assertThat(projects("-f", dump(manifests), "-o", "wide")).as(output.wrong()).isZero();
    assertThat(output.told()).contains("h100: quota 2, limit 16");
    output.reset();
    assertThat(projects("-f", dump(manifests), "-o", "json")).isZero();
    var vision = new ObjectMapper().readTree(output.told()).at("/projects/1");
    assertThat(vision.at("/quota").asText()).isEqualTo("8");
    assertThat(vision.at("/pools").toString())
        .isEqualTo("[{\"name\":\"h100\",\"quota\":\"2\",\"limit\":\"16\"}]");
  }

  @Test
  void namesAreThoseOfProjects() throws IOException {
    assertThat(projects("-f", dump(applied()), "-o", "name")).isZero();
    assertThat(output.told()).isEqualTo("research\nvision\n");
  }

  /// @return the last column of project vision
  private String drift(String manifests) throws IOException {
    assertThat(projects("-f", dump(manifests), "-o", "json")).as(output.wrong()).isZero();
    for (var project : new ObjectMapper().readTree(output.told()).at("/projects")) {
      if (project.at("/name").asText().equals("vision")) {
        return project.at("/drift").toString();
      }
    }
    return "";
  }

  @Test
  void aNamespaceThatNamesAnotherQueueIsDrift() throws IOException {
    assertThat(
            drift(
                applied()
                    .replaceFirst("berth.dev/queue: vision", "berth.dev/queue: research")
                    .replaceFirst("    berth.dev/queue: vision\n", "")))
        .isEqualTo(
            "[\"namespace vision-dev names queue research, not vision\","
                + "\"namespace vision-train names no queue\"]");
  }

  @Test
  void aQueueThatMissesANamespaceIsDrift() throws IOException {
    assertThat(drift(applied().replaceFirst("      - vision-train\n", "")))
        .isEqualTo("[\"queue vision does not select namespace vision-train\"]");
  }

  @Test
  void aNamespaceThatTheQueueSelectsAndThatIsNotThereIsDrift() throws IOException {
    assertThat(drift(applied().replaceFirst("      - vision-train\n", "$0      - vision-gone\n")))
        .isEqualTo(
            "[\"queue vision selects namespace vision-gone, which is not there or has no label"
                + " berth.dev/project\"]");
  }

  @Test
  void whatAFormerVersionMadeIsDrift() throws IOException {
    String former =
        """
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: berth-project-viewers, namespace: vision-old, labels: {
          berth.dev/project: vision, berth.dev/project-version: a000000000}}
        ---
        apiVersion: v1
        kind: Namespace
        metadata: {name: vision-old, labels: {berth.dev/project: vision, berth.dev/queue: vision,
          berth.dev/project-version: a000000000}}
        """;
    assertThat(drift(applied() + former))
        .isEqualTo(
            "[\"queue vision does not select namespace vision-old\",\"namespace vision-old is of"
                + " another version of the project\",\"RoleBinding vision-old/berth-project-viewers"
                + " is of another version of the project\"]");
  }

  @Test
  void aQueueThatIsMissingIsDrift() throws IOException {
    String all = applied();
    String without =
        all.substring(0, all.indexOf("---\n"))
            + all.substring(all.indexOf("---\napiVersion: rbac"));
    assertThat(drift(without)).isEqualTo("[\"there is no Queue vision\"]");
  }

  @Test
  void aClusterWithoutProjectsHasNone() {
    assertThat(projects("-f", "../examples/scenarios/queue-limit.yaml")).isZero();
    assertThat(output.told()).isEmpty();
    assertThat(output.wrong()).isEqualTo("No projects found.\n");
  }

  @Test
  void membersAreLeftOutWhereRoleBindingsMayNotBeListed() throws IOException {
    try (var cluster = new ServedLists(folder)) {
      cluster.answers.put(
          "/apis/berth.dev/v1alpha1/queues",
          ServedLists.list(
              "{\"metadata\": {\"name\": \"own\", \"labels\": {\"berth.dev/project\": \"own\"}}}"));
      cluster.forbidden.add("/apis/rbac.authorization.k8s.io/v1/rolebindings");
      assertThat(projects("--kubeconfig", cluster.kubeconfig())).isZero();
    }
    assertThat(output.told().lines().skip(1)).hasSize(1).first().asString().startsWith("own ");
    assertThat(output.wrong())
        .contains("berth: rolebindings may not be listed by this user")
        .contains("left out");
  }

  @Test
  void otherListsDoNotReadRoleBindings() throws IOException {
    try (var cluster = new ServedLists(folder)) {
      cluster.forbidden.add("/apis/rbac.authorization.k8s.io/v1/rolebindings");
      assertThat(output.run(QueuesCommand::new, "--kubeconfig", cluster.kubeconfig())).isZero();
    }
    assertThat(output.wrong()).doesNotContain("rolebindings");
  }
}
