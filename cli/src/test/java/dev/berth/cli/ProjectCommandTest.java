package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `berth project`, as users run it.
final class ProjectCommandTest {
  private static final Path TEAMS = Path.of("src/test/resources/projects/teams");
  private static final Path MANIFESTS = Path.of("src/test/resources/projects/teams.manifests");
  private static final String ALL = "cpu: unlimited, memory: unlimited";
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private final CommandOutput output = new CommandOutput();
  @TempDir private Path folder = Path.of("");

  private int prints(String... arguments) {
    return output.run(ProjectCommand::new, arguments);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static String project(String name, String spec) {
    return "{apiVersion: berth.dev/v1alpha1, kind: Project, metadata: {name: "
        + name
        + "}, spec: {"
        + spec
        + "}}\n---\n";
  }

  private List<JsonNode> printed() throws IOException {
    var documents = new ArrayList<JsonNode>();
    try (var all = YAML.readerFor(JsonNode.class).<JsonNode>readValues(output.told())) {
      all.forEachRemaining(documents::add);
    }
    return documents;
  }

  private JsonNode printed(String kind) throws IOException {
    return printed().stream()
        .filter(each -> each.at("/kind").asText().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  // Manifests

  @Test
  void manifestsOfAFolderAreAllThatIsPrinted() throws IOException {
    assertThat(prints("-f", TEAMS.toString())).as(output.wrong()).isZero();
    assertThat(output.told()).isEqualTo(Files.readString(MANIFESTS));
    assertThat(output.wrong().lines())
        .containsExactly(
            "berth: after kubectl apply, what former versions of these projects made goes by:",
            "  kubectl delete rolebindings,resourcequotas,clusterroles,clusterrolebindings -A -l"
                + " 'berth.dev/project in (research,vision),berth.dev/project-version notin"
                + " (02dd8b4e0d,6621ee07f4)'",
            "  kubectl label namespaces -l 'berth.dev/project in"
                + " (research,vision),berth.dev/project-version notin (02dd8b4e0d,6621ee07f4)'"
                + " berth.dev/queue- berth.dev/scheduler- berth.dev/project-"
                + " berth.dev/project-version-");
  }

  @Test
  void theOrderOfFilesDoesNotMatter() throws IOException {
    String research = TEAMS.resolve("research.yaml").toString();
    String vision = TEAMS.resolve("vision.yaml").toString();
    assertThat(prints("-f", vision, research)).isZero();
    assertThat(output.told()).isEqualTo(Files.readString(MANIFESTS));
    output.reset();
    assertThat(prints("-f", research, "-f", vision)).isZero();
    assertThat(output.told()).isEqualTo(Files.readString(MANIFESTS));
  }

  @Test
  void jsonIsAListOfTheSame() throws IOException {
    prints("-f", TEAMS.toString());
    var yaml = printed();
    output.reset();
    assertThat(prints("-f", TEAMS.toString(), "-o", "json")).isZero();
    var json = new ObjectMapper().readTree(output.told());
    assertThat(json.at("/kind").asText()).isEqualTo("List");
    assertThat(json.at("/items")).containsExactlyElementsOf(yaml);
  }

  @Test
  void theVersionChangesWithWhateverTheProjectChanges() throws IOException {
    var versions = new ArrayList<String>();
    for (String spec :
        List.of(
            "namespaces: [a]",
            "namespaces: [a], quota: {gpu: 1}",
            "namespaces: [a], maxRuntime: 12h",
            "namespaces: [a], maxRuntimeWarning: 10m",
            "namespaces: [a], pools: [{name: h100, quota: {gpu: 1}}]",
            "namespaces: [a], pools: [{name: h100, limit: {gpu: 1}}]",
            "namespaces: [a], members: {users: [anna]}",
            "namespaces: [a], members: {groups: [anna]}",
            "namespaces: [a], priorityClasses: {build: 1}",
            "namespaces: [a], scheduler: false",
            "namespaces: [a], createNamespaces: false",
            "namespaces: [a], createNamespaces: false, scheduler: false",
            "namespaces: [a, b]")) {
      output.reset();
      assertThat(prints("-f", file("p.yaml", project("vision", spec)).toString())).isZero();
      for (var manifest : printed()) {
        assertThat(manifest.at("/metadata/labels/berth.dev~1project").asText()).isEqualTo("vision");
      }
      versions.add(printed().getFirst().at("/metadata/labels/berth.dev~1project-version").asText());
    }
    assertThat(versions).doesNotHaveDuplicates().allMatch(each -> each.matches("[0-9a-f]{10}"));
  }

  @Test
  void aProjectWithoutNamespacesTakesPodsOfNone() throws IOException {
    prints("-f", file("p.yaml", project("research", "quota: {gpu: 0.5}")).toString());
    var queue = printed("Queue");
    assertThat(queue.at("/spec/namespaceSelector/matchExpressions/0").toString())
        .isEqualTo("{\"key\":\"kubernetes.io/metadata.name\",\"operator\":\"DoesNotExist\"}");
    assertThat(queue.at("/spec/quota/gpu").isTextual()).as("as the CRD takes it").isTrue();
  }

  @Test
  void theQueueHasWhatTheProjectSaysOfPoolsAndTimes() throws IOException {
    prints(
        "-f",
        file(
                "p.yaml",
                project(
                    "research",
                    "maxRuntime: 12h, maxRuntimeWarning: 30m, pools: [{name: h100, quota: {gpu:"
                        + " 0.5}, limit: {}}, {name: '', weight: {gpu: 2}}]"))
            .toString());
    assertThat(output.wrong()).doesNotContain("research is");
    var spec = printed("Queue").at("/spec");
    assertThat(spec.at("/pools").toString())
        .isEqualTo(
            "[{\"name\":\"h100\",\"quota\":{\"gpu\":\"0.5\"},\"limit\":{}},"
                + "{\"name\":\"\",\"weight\":{\"gpu\":2}}]");
    assertThat(spec.at("/maxRuntime").asText()).isEqualTo("12h");
    assertThat(spec.at("/maxRuntimeWarning").asText()).isEqualTo("30m");
  }

  @Test
  void theOnlyNamespaceIsALabel() throws IOException {
    prints("-f", file("p.yaml", project("vision", "namespaces: [dev]")).toString());
    assertThat(printed("Queue").at("/spec/namespaceSelector").toString())
        .isEqualTo("{\"matchLabels\":{\"kubernetes.io/metadata.name\":\"dev\"}}");
  }

  @Test
  void withoutTheSchedulerNamespacesHaveTheQueueAlone() throws IOException {
    prints(
        "-f", file("p.yaml", project("vision", "namespaces: [dev], scheduler: false")).toString());
    var labels = printed("Namespace").at("/metadata/labels");
    assertThat(labels.at("/berth.dev~1queue").asText()).isEqualTo("vision");
    assertThat(labels.has("berth.dev/scheduler")).isFalse();
  }

  @Test
  void namespacesOfOthersAreLabelledByACommand() throws IOException {
    prints(
        "-f",
        file(
                "p.yaml",
                project(
                    "vision",
                    "namespaces: [dev, prod], createNamespaces: false,"
                        + " members: {groups: [vision]}"))
            .toString());
    assertThat(printed().stream().map(each -> each.at("/kind").asText()))
        .containsExactly(
            "Queue", "ClusterRole", "ClusterRoleBinding", "RoleBinding", "RoleBinding");
    String version =
        printed().getFirst().at("/metadata/labels/berth.dev~1project-version").asText();
    assertThat(output.wrong().lines())
        .contains(
            "berth: the manifests leave these namespaces out (createNamespaces). Label them:",
            "  kubectl label --overwrite namespace dev prod berth.dev/queue=vision"
                + " berth.dev/scheduler=berth berth.dev/project=vision berth.dev/project-version="
                + version);
  }

  // Errors

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          parrent: research | spec.parrent is "research" on Project vision, but there is no such field (did you mean parent?). Known are
          parent: Research | spec.parent is "Research" on Project vision, but the name of a project or a queue is at most 63
          quota: {gpus: 8} | spec.quota.gpus is "8" on Project vision, but there is no resource gpus (did you mean gpu?)
          quota: {gpu: -1} | spec.quota.gpu is "-1" on Project vision, but it is an amount like 8
          quota: {gpu: [1]} | spec.quota.gpu is "[…]" on Project vision, but it is a number or a text.
          quota: 8 | spec.quota is "8" on Project vision, but it is an object, like {name: value}.
          quota: {gpu: 8}, limit: {gpu: 4} | spec.quota.gpu is "8" on Project vision, but its limit is 4, so that much is never in use. Lower it to 4, or raise spec.limit.gpu.
          weight: {gpu: heavy} | spec.weight.gpu is "heavy" on Project vision, but a weight is a number from 0
          weight: {gpu: 1000001} | spec.weight.gpu is "1000001" on Project vision, but a weight is a number from 0
          priority: high | spec.priority is "high" on Project vision, but it is a whole number from -2147483648
          priority: 3000000000 | spec.priority is "3000000000" on Project vision, but it is a whole number
          preemptMinRuntime: soon | spec.preemptMinRuntime is "soon" on Project vision, but a duration is written like
          reclaimMinRuntime: -1m | spec.reclaimMinRuntime is "-1m" on Project vision, but a duration is written like
          maxRuntime: forever | spec.maxRuntime is "forever" on Project vision, but a duration is written like
          maxRuntimeWarning: -1m | spec.maxRuntimeWarning is "-1m" on Project vision, but a duration is written like
          pools: {h100: {quota: {gpu: 1}}} | spec.pools is "{…}" on Project vision, but it is a list of objects, like [{name: value}].
          pools: [h100] | spec.pools[0] is "h100" on Project vision, but it is an object, like {name: value}.
          pools: [{quota: {gpu: 1}}] | spec.pools[0].name is "" on Project vision, but each pool has one: the value of the label on its nodes
          pools: [{name: h100/a}] | spec.pools[0].name is "h100/a" on Project vision, but a pool is called by at most 63 letters
          pools: [{name: a}, {name: a}] | spec.pools[1].name is "a" on Project vision, but it is listed already. Take one of the two out.
          pools: [{name: a, quotas: {gpu: 1}}] | spec.pools[0].quotas is "{…}" on Project vision, but there is no such field (did you mean quota?). Known are name, quota, limit, weight.
          pools: [{name: a, quota: {gpus: 1}}] | spec.pools[a].quota.gpus is "1" on Project vision, but there is no resource gpus (did you mean gpu?)
          pools: [{name: a, weight: {gpu: heavy}}] | spec.pools[0].weight.gpu is "heavy" on Project vision, but a weight is a number from 0
          limit: {gpu: 4}, pools: [{name: a, quota: {gpu: 8}}] | spec.pools[a].quota.gpu is "8" on Project vision, but its limit in pool "a" is 4, so that much is never in use there. Lower it to 4, or raise spec.pools[a].limit.gpu.
          quota: {gpu: 8}, pools: [{name: a, limit: {gpu: 4}}] | spec.quota.gpu is "8" on Project vision, but its limit in pool "a" is 4, so that much is never in use there. Lower it to 4, or raise spec.pools[a].limit.gpu.
          namespaces: [kube-system] | spec.namespaces[0] is "kube-system" on Project vision, but that namespace belongs to the cluster
          namespaces: [a, berth-system] | spec.namespaces[1] is "berth-system" on Project vision, but that namespace belongs to the cluster
          namespaces: [Dev] | spec.namespaces[0] is "Dev" on Project vision, but a namespace is called by at most 63
          namespaces: [a.b] | spec.namespaces[0] is "a.b" on Project vision, but a namespace is called by at most 63
          namespaces: [a, a] | spec.namespaces[1] is "a" on Project vision, but it is listed already. Take one of the two out.
          namespaces: dev | spec.namespaces is "dev" on Project vision, but it is a list of texts, like [a, b].
          namespaces: [[a]] | spec.namespaces[0] is "[…]" on Project vision, but it is a text.
          createNamespaces: maybe | spec.createNamespaces is "maybe" on Project vision, but it is true or false.
          scheduler: berth | spec.scheduler is "berth" on Project vision, but it is true or false.
          members: {group: [x]} | spec.members.group is "[…]" on Project vision, but there is no such field (did you mean groups?). Known are groups, users, serviceAccounts.
          members: [x] | spec.members is "[…]" on Project vision, but it is an object
          leads: {users: ["system:anonymous"]} | spec.leads.users is "system:anonymous" on Project vision, but that is every client without credentials.
          viewers: {groups: [" x"]} | spec.viewers.groups is " x" on Project vision, but it is a name without spaces around it
          members: {serviceAccounts: [runner]} | spec.members.serviceAccounts is "runner" on Project vision, but it is NAMESPACE/NAME
          namespaces: [a], priorityClasses: {train: many} | spec.priorityClasses.train is "many" on Project vision, but it is a number of pods from 0 (none) upwards, or "unlimited".
          namespaces: [a], priorityClasses: {Train: 1} | spec.priorityClasses.Train is "1" on Project vision, but that is no name of a PriorityClass
          priorityClasses: {train: 1} | spec.priorityClasses is "{…}" on Project vision, but there are no namespaces where that could count.
          """)
  void oneErrorNamesFileObjectFieldAndValue(String spec, String told) throws IOException {
    var file = file("p.yaml", project("vision", spec));
    assertThat(prints("-f", file.toString())).isEqualTo(2);
    assertThat(output.told()).isEmpty();
    assertThat(output.wrong().lines())
        .singleElement()
        .asString()
        .startsWith("berth: " + file + ": " + told);
  }

  @Test
  void aQueueSelects64NamespacesAtMost() throws IOException {
    var names = new ArrayList<String>();
    for (int i = 0; i < 65; i++) {
      names.add("n" + i);
    }
    var file = file("p.yaml", project("vision", "namespaces: " + names));
    assertThat(prints("-f", file.toString())).isEqualTo(2);
    assertThat(output.wrong())
        .startsWith("berth: " + file + ": spec.namespaces is \"65 names\" on Project vision, but");
    names.removeLast();
    output.reset();
    assertThat(prints("-f", file("p.yaml", project("vision", "namespaces: " + names)).toString()))
        .isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "Vision",
    "vision_1",
    "-a",
    "a..b",
    "a23456789-b23456789-c23456789-d23456789-e23456789-f23456789-1234"
  })
  void aNameThatNoLabelOrObjectCanHaveIsAnError(String name) throws IOException {
    var file = file("p.yaml", project("\"" + name + "\"", ""));
    assertThat(prints("-f", file.toString())).isEqualTo(2);
    assertThat(output.wrong().lines())
        .singleElement()
        .asString()
        .startsWith(
            "berth: "
                + file
                + ": metadata.name is \""
                + name
                + "\" on Project "
                + name
                + ", but a");
  }

  @Test
  void anotherKindAndAnotherVersionAreErrors() throws IOException {
    var file =
        file(
            "p.yaml",
            "{apiVersion: v1, kind: Queue, metadata: {name: x}}\n---\n"
                + "{apiVersion: v1, kind: Project, metadata: {name: x}}\n---\n"
                + "{apiVersion: berth.dev/v1alpha1, kind: Project, sepc: {}}\n");
    assertThat(prints("-f", file.toString())).isEqualTo(2);
    assertThat(output.wrong().lines())
        .containsExactly(
            "berth: "
                + file
                + ": kind is \"Queue\" on one object, but it must be Project: keep"
                + " other objects in files of their own.",
            "berth: "
                + file
                + ": apiVersion is \"v1\" on one object, but it must be"
                + " berth.dev/v1alpha1.",
            "berth: "
                + file
                + ": sepc is \"{…}\" on one object, but there is no such field (did"
                + " you mean spec?). Known are apiVersion, kind, metadata, spec.",
            "berth: "
                + file
                + ": metadata.name is \"\" on one object, but a name is at most 63"
                + " lower-case letters, digits, - and ., and begins and ends with a letter or a"
                + " digit, like vision or research.vision.");
  }

  @Test
  void projectsThatDoNotGoTogetherAreErrors() throws IOException {
    var one = file("a.yaml", project("a", "parent: b, namespaces: [x]") + project("c", ""));
    var two = file("b.yaml", project("b", "parent: a, namespaces: [x]"));
    assertThat(prints("-f", folder.toString())).isEqualTo(2);
    assertThat(output.told()).isEmpty();
    assertThat(output.wrong().lines())
        .containsExactly(
            "berth: "
                + two
                + ": spec.namespaces is \"x\" on Project b, but it belongs to Project"
                + " a ("
                + one
                + "), and a namespace has one queue. Take it out of one of the two.",
            "berth: "
                + one
                + ": spec.parent is \"b\" on Project a, but that is below a itself"
                + " (a → b → a). Name a project that is not, or leave it out for a queue at the"
                + " top.",
            "berth: "
                + two
                + ": spec.parent is \"a\" on Project b, but that is below b itself"
                + " (b → a → b). Name a project that is not, or leave it out for a queue at the"
                + " top.");
  }

  @Test
  void aProjectThatIsThereTwiceIsAnError() throws IOException {
    var one = file("a.yaml", project("a", ""));
    var two = file("b.yaml", project("a", ""));
    assertThat(prints("-f", folder.toString())).isEqualTo(2);
    assertThat(output.wrong())
        .isEqualTo(
            "berth: "
                + two
                + ": metadata.name is \"a\" on Project a, but "
                + one
                + " has a project of that name. Call one of the two otherwise.\n");
  }

  @Test
  void nothingIsAnError() throws IOException {
    assertThat(prints("-f", folder.toString())).isEqualTo(2);
    assertThat(output.wrong())
        .isEqualTo("berth: " + folder + ": there is no project: give objects of kind Project\n");
  }

  // What is hardly meant

  private List<String> warnings() {
    return output.wrong().lines().takeWhile(line -> !line.contains("after kubectl apply")).toList();
  }

  @Test
  void aQuotaOfGpusAloneIsTold() throws IOException {
    var file = file("p.yaml", project("vision", "quota: {gpu: 8, cpu: 64}"));
    assertThat(prints("-f", file.toString())).isZero();
    assertThat(warnings())
        .containsExactly(
            "berth: "
                + file
                + ": spec.quota.gpu is \"8\" on Project vision, but the quota has no memory, so"
                + " none is guaranteed: pods that are not preemptible and ask for some wait. Add"
                + " memory: unlimited, or amounts.");
  }

  @Test
  void quotasThatDoNotAddUpAreToldAndPrinted() throws IOException {
    var file =
        file(
            "p.yaml",
            project("research", "quota: {gpu: 12, " + ALL + "}")
                + project("vision", "parent: research, quota: {gpu: 8, " + ALL + "}")
                + project("speech", "parent: research, quota: {gpu: 6, " + ALL + "}"));
    assertThat(prints("-f", file.toString())).isZero();
    assertThat(warnings())
        .containsExactly(
            "berth: "
                + file
                + ": spec.quota.gpu is \"12\" on Project research, but the quotas"
                + " below it add up to 14 (speech 6, vision 8): children divide what their parent"
                + " gets, so not all of it is guaranteed. Raise it to 14, or lower theirs.");
  }

  @Test
  void quotasThatDoNotAddUpInOnePoolAreTold() throws IOException {
    var file =
        file(
            "p.yaml",
            project("research", "quota: {gpu: 12, " + ALL + "}")
                + project("vision", "parent: research, quota: {gpu: 8, " + ALL + "}")
                + project(
                    "speech",
                    "parent: research, quota: {gpu: 4, "
                        + ALL
                        + "}, pools: [{name: h100, quota: {gpu: 6, "
                        + ALL
                        + "}},"
                        + " {name: a100, limit: {gpu: 8}}]"));
    assertThat(prints("-f", file.toString())).isZero();
    assertThat(warnings())
        .containsExactly(
            "berth: "
                + file
                + ": spec.quota.gpu is \"12\" on Project research, but the quotas"
                + " below it in pool \"h100\" add up to 14 (speech 6, vision 8): children divide"
                + " what their parent gets, so not all of it is guaranteed. Raise it to 14 in pool"
                + " \"h100\", or lower theirs.");
  }

  @Test
  void namespacesOfAProjectThatIsNoLeafAreTold() throws IOException {
    var file =
        file(
            "p.yaml",
            project("research", "namespaces: [r]") + project("vision", "parent: research"));
    assertThat(prints("-f", file.toString())).isZero();
    assertThat(warnings())
        .containsExactly(
            "berth: "
                + file
                + ": spec.namespaces is \"r\" on Project research, but queues are"
                + " below it (vision), and only leaves take workloads: what names no other queue"
                + " waits there. List these namespaces in a project below it.");
  }

  @Test
  void aParentThatIsInNoFileIsTold() throws IOException {
    var file = file("p.yaml", project("research", "") + project("vision", "parent: reserch"));
    assertThat(prints("-f", file.toString())).isZero();
    assertThat(warnings())
        .containsExactly(
            "berth: "
                + file
                + ": spec.parent is \"reserch\" on Project vision, but no file has"
                + " that project (did you mean research?): it must be a Queue of the cluster."
                + " --kubeconfig or --context look whether it is there.");
  }

  @Test
  void rightsForEveryClientAreTold() throws IOException {
    var file = file("p.yaml", project("a", "viewers: {groups: ['system:authenticated']}"));
    assertThat(prints("-f", file.toString())).isZero();
    assertThat(warnings())
        .containsExactly(
            "berth: "
                + file
                + ": Project a gives rights to group system:authenticated, which"
                + " nearly every client of the cluster is in");
  }

  // With a cluster

  private int projectBeside(String spec, String queues, String namespaces) throws IOException {
    var file = file("p.yaml", project("vision", spec));
    try (var cluster = new ServedLists(folder)) {
      cluster.answers.put("/apis/berth.dev/v1alpha1/queues", ServedLists.list(queues));
      cluster.answers.put("/api/v1/namespaces", ServedLists.list(namespaces));
      return prints("-f", file.toString(), "--kubeconfig", cluster.kubeconfig());
    }
  }

  @Test
  void aClusterWithoutADefaultQueueIsTold() throws IOException {
    assertThat(projectBeside("", "", "")).as(output.wrong()).isZero();
    assertThat(warnings())
        .singleElement()
        .asString()
        .startsWith("berth: neither the files nor http://127.0.0.1:")
        .endsWith(
            " have a queue called default: from the first Queue on, pods whose namespace names no"
                + " queue wait. Add a Project or a Queue called default, unless defaultQueue in"
                + " Berth's configuration names another.");
  }

  @Test
  void aClusterThatHasNothingOfTheProjectsNeedsNoCommandsThatRemoveIt() throws IOException {
    String theirs =
        "{\"metadata\": {\"name\": \"%s\", \"labels\": {\"berth.dev/project\": \"%s\"}}}";
    projectBeside("", theirs.formatted("default", "default"), "");
    assertThat(output.wrong()).doesNotContain("after kubectl apply");
    output.reset();
    projectBeside("", "", theirs.formatted("left", "vision"));
    assertThat(output.wrong()).contains("after kubectl apply");
  }

  /// Whether they were labelled anew by then or not.
  @Test
  void namespacesThatOthersMakeKeepTheirLabels() throws IOException {
    prints(
        "-f",
        file("p.yaml", project("vision", "namespaces: [b, a], createNamespaces: false"))
            .toString());
    assertThat(output.wrong())
        .containsPattern(
            "kubectl label namespaces -l '[^']+' --field-selector"
                + " metadata\\.name!=a,metadata\\.name!=b berth\\.dev/queue- ");
  }

  @Test
  void aParentMustBeInTheClusterThatIsRead() throws IOException {
    String research =
        "{\"metadata\": {\"name\": \"research\"}}, {\"metadata\": {\"name\": \"default\"}}";
    assertThat(projectBeside("parent: research", research, "")).as(output.wrong()).isZero();
    assertThat(warnings()).isEmpty();
    output.reset();
    assertThat(projectBeside("parent: reserch", research, "")).isEqualTo(2);
    assertThat(output.wrong())
        .contains(": spec.parent is \"reserch\" on Project vision, but neither the files nor ")
        .endsWith(
            " have that queue (did you mean research?). Name one that is there, add its file, or"
                + " leave it out for a queue at the top.\n");
  }

  @Test
  void whatTheClusterHasOtherwiseIsTold() throws IOException {
    int status =
        projectBeside(
            "namespaces: [a, b, c, d], createNamespaces: false",
            "{\"metadata\": {\"name\": \"vision\"}}",
            """
            {"metadata": {"name": "a", "labels": {"berth.dev/project": "speech",
              "berth.dev/queue": "speech"}}},
            {"metadata": {"name": "b", "labels": {"kai.scheduler/queue": "speech"}}},
            {"metadata": {"name": "c", "labels": {"berth.dev/queue": "vision"}}}
            """);
    assertThat(status).isZero();
    assertThat(
            warnings().stream()
                .filter(line -> line.contains(" on Project "))
                .map(line -> line.replaceAll("^.*p.yaml: ", "")))
        .containsExactly(
            "metadata.name is \"vision\" on Project vision, but the cluster has a Queue of that"
                + " name that no project made: kubectl apply changes it.",
            "spec.namespaces is \"a\" on Project vision, but in the cluster it is of project"
                + " speech: kubectl apply moves it, and what is started there from then on.",
            "spec.namespaces is \"b\" on Project vision, but in the cluster it is in queue speech:"
                + " kubectl apply moves it, and what is started there from then on.",
            "spec.namespaces is \"d\" on Project vision, but there is no such namespace, and"
                + " createNamespaces is false. Create it first.");
  }
}
