package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/// The chart and the kustomize folders are the same product: rendered by the real programs,
/// compared object by object. Nothing is started.
class ChartIT {
  private static final Path ROOT = ControlPlane.root();
  private static final String CHART = ROOT.resolve("manifests/helm/berth").toString();
  private static final String OURS = "app.kubernetes.io/part-of";
  private static final YAMLMapper YAML = new YAMLMapper();
  private static String helm = "";
  private static String kubectl = "";

  private record Ran(int status, String output, String errors) {}

  @BeforeAll
  static void programs() throws Exception {
    String build = ROOT.resolve("e2e/control-plane/build").toString();
    var helmBuilt = run(build, "helm");
    assumeTrue(helmBuilt.status == 0, "Helm cannot be built here: " + helmBuilt.errors);
    var built = run(build);
    assumeTrue(built.status == 0, "no kubectl can be built here: " + built.errors);
    helm = helmBuilt.output.strip();
    kubectl = Path.of(built.output.strip(), "kubectl").toString();
  }

  private static Ran run(String... command) throws IOException, InterruptedException {
    var errors = Files.createTempFile("chart-", ".err");
    var process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    var told = Files.readString(errors);
    Files.delete(errors);
    return new Ran(status, output, told);
  }

  private static Ran template(String... options) throws Exception {
    var command =
        new ArrayList<>(
            List.of(helm, "template", "berth", CHART, "--kube-version", "v1.36.3", "-n"));
    command.addAll(List.of(options));
    return run(command.toArray(String[]::new));
  }

  private static TreeMap<String, JsonNode> rendered(String... options) throws Exception {
    var ran = template(options);
    assertThat(ran.status).as(ran.errors).isZero();
    return objects(ran.output);
  }

  private static TreeMap<String, JsonNode> kustomized(String folder) throws Exception {
    var ran = run(kubectl, "kustomize", ROOT.resolve("manifests").resolve(folder).toString());
    assertThat(ran.status).as(ran.errors).isZero();
    return objects(ran.output);
  }

  /// Kind, namespace and name → the object, in a form that is the same for every renderer.
  private static TreeMap<String, JsonNode> objects(String text) throws IOException {
    var objects = new TreeMap<String, JsonNode>();
    for (Object document : resolved(text)) {
      if (YAML.<JsonNode>valueToTree(document) instanceof ObjectNode object) {
        var meta = (ObjectNode) object.get("metadata");
        String key =
            "%s %s/%s"
                .formatted(
                    object.get("kind").asText(),
                    meta.path("namespace").asText(),
                    meta.get("name").asText());
        assertThat(objects.put(key, plain(object))).as(key + " is there twice").isNull();
      }
    }
    objects.keySet().removeIf(key -> key.startsWith("Namespace ")); // Helm's own --create-namespace
    return objects;
  }

  /// By SnakeYAML, as Jackson takes an alias for a text, and our kinds have some.
  private static Iterable<Object> resolved(String text) {
    var options = new LoaderOptions();
    options.setMaxAliasesForCollections(1000);
    return new Yaml(new SafeConstructor(options)).loadAll(text);
  }

  private static JsonNode plain(ObjectNode object) throws IOException {
    if (object.path("metadata").path("annotations") instanceof ObjectNode annotations) {
      annotations.remove("helm.sh/resource-policy");
      dropIfEmpty(object.path("metadata"), annotations);
    }
    var template = object.path("spec").path("template");
    if (template.path("metadata").path("annotations") instanceof ObjectNode annotations) {
      annotations.remove("berth.dev/config"); // so that a new configuration restarts
      dropIfEmpty(template.path("metadata"), annotations);
    }
    if (object.path("data") instanceof ObjectNode data) {
      for (var file : data.properties()) {
        file.setValue(YAML.readTree(file.getValue().asText()));
      }
    }
    byName(template.path("spec").path("volumes"));
    for (JsonNode container : template.path("spec").path("containers")) {
      byName(container.path("volumeMounts"));
    }
    return folded(object);
  }

  /// White space in a text is as one blank: kustomize folds long expressions anew.
  private static JsonNode folded(JsonNode node) {
    return switch (node) {
      case ObjectNode object -> {
        for (var field : object.properties()) {
          field.setValue(folded(field.getValue()));
        }
        yield object;
      }
      case ArrayNode array -> {
        for (int i = 0; i < array.size(); i++) {
          array.set(i, folded(array.get(i)));
        }
        yield array;
      }
      case TextNode text -> TextNode.valueOf(text.asText().strip().replaceAll("\\s+", " "));
      default -> node;
    };
  }

  private static void dropIfEmpty(JsonNode metadata, ObjectNode annotations) {
    if (annotations.isEmpty()) {
      ((ObjectNode) metadata).remove("annotations");
    }
  }

  private static void byName(JsonNode list) {
    if (list instanceof ArrayNode array) {
      var sorted =
          StreamSupport.stream(array.spliterator(), false)
              .sorted(Comparator.comparing(element -> element.get("name").asText()))
              .toList();
      array.removeAll().addAll(sorted);
    }
  }

  @Test
  void itHasNoFaultsOfForm() throws Exception {
    var lint = run(helm, "lint", "--strict", CHART);
    assertThat(lint.status).as(lint.output + lint.errors).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "default, mtls.enabled=true",
    "mtls, mtls.issuer=secrets",
    "plain-http, mtls.enabled=false",
    "kai, kai.inPlace=true",
    "dra-only, dra.shares=true",
  })
  void itSaysWhatTheFoldersSay(String folder, String value) throws Exception {
    var folders = kustomized(folder);
    var chart = rendered("berth-system", "--set", value);
    assertThat(chart.keySet()).isEqualTo(folders.keySet());
    assertThat(chart).hasSizeGreaterThan(35);
    for (var object : folders.entrySet()) {
      assertThat(chart.get(object.getKey())).as(object.getKey()).isEqualTo(object.getValue());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "guard-deny, guard.mode=deny, 4",
    "guard-audit, guard.mode=audit, 4",
    "guard-void, guard.void=true, 2",
    "monitoring, monitoring.enabled=true, 4",
  })
  void whatIsOffByDefaultIsThatOfItsFolder(String folder, String value, int objects)
      throws Exception {
    var chart = rendered("berth-system", "--set", value);
    chart.keySet().removeAll(rendered("berth-system").keySet());
    assertThat(chart).hasSize(objects).isEqualTo(kustomized(folder));
    assertThat(chart.values()).allMatch(ChartIT::isOurs);
  }

  /// What limits no memory can take all of its node; kube-scheduler keeps what tenants make.
  @ParameterizedTest
  @ValueSource(strings = {"default", "extender-only", "kai", "mtls", "plain-http"})
  void everyContainerHasALimitOfMemory(String folder) throws Exception {
    var containers =
        kustomized(folder).values().stream()
            .flatMap(object ->
                StreamSupport.stream(
                    object.at("/spec/template/spec/containers").spliterator(), false))
            .toList();
    assertThat(containers).isNotEmpty();
    assertThat(containers)
        .allSatisfy(container ->
            assertThat(container.at("/resources/limits/memory").asText())
                .as(container.path("name").asText())
                .endsWith("i"));
  }

  /// Rights of what is off are not granted; with the option they are, and nothing else changes.
  @ParameterizedTest
  @CsvSource({
    "autoscaling, config.autoscaling.enabled=true, berth-autoscaling",
    "claims, dra.shares=true, berth-claims",
    "kai, kai.inPlace=true, berth-kai",
  })
  void rightsOfAnOptionComeWithIt(String folder, String value, String role) throws Exception {
    var without = rendered("berth-system");
    var with = rendered("berth-system", "--set", value);
    var rights = kustomized("rights/" + folder);
    assertThat(rights.keySet()).hasSize(2).allMatch(key -> key.endsWith("/" + role));
    assertThat(without).doesNotContainKeys(rights.keySet().toArray(String[]::new));
    assertThat(with).containsAllEntriesOf(rights);
  }

  /// By this label `manifests/uninstall` finds what is ours.
  @ParameterizedTest
  @ValueSource(
      strings = {"default", "dra-only", "extender-only", "guarded", "kai", "mtls", "plain-http"})
  void allThatAFolderHoldsIsFoundByOneLabel(String folder) throws Exception {
    assertThat(unlabelled(kustomized(folder))).as("without " + OURS + ": berth").isEmpty();
  }

  @Test
  void allThatTheChartHoldsIsFoundByTheSameLabel() throws Exception {
    var chart = rendered("elsewhere", "--set", "mtls.issuer=cert-manager");
    assertThat(unlabelled(chart)).as("without " + OURS + ": berth").isEmpty();
  }

  private static List<String> unlabelled(TreeMap<String, JsonNode> objects) {
    assertThat(objects).hasSizeGreaterThan(25);
    return objects.entrySet().stream()
        .filter(object -> !isOurs(object.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static boolean isOurs(JsonNode object) {
    return object.path("metadata").path("labels").path(OURS).asText().equals("berth");
  }

  @Test
  void inAnotherNamespaceNothingSpeaksOfTheUsualOne() throws Exception {
    var ran =
        template(
            "elsewhere",
            "--set",
            "mtls.issuer=cert-manager,guard.mode=deny,guard.void=true,monitoring.enabled=true");
    assertThat(ran.status).as(ran.errors).isZero();
    assertThat(ran.output)
        .doesNotContain("berth-system")
        .contains("system:serviceaccount:elsewhere:berth", "berth.elsewhere.svc:8888");
  }

  @Test
  void valuesAreLaidOverTheFiles() throws Exception {
    var chart =
        rendered(
            "berth-system",
            "--set",
            "image.repository=example.com/berth,image.tag=sha256:"
                + "a".repeat(64)
                + ",replicas=3,resources.limits.memory=8Gi,config.placement.gpu=spread"
                + ",scheduler.enabled=false,crds.install=false,javaOptions=-Xmx6g");
    var berth = chart.get("Deployment berth-system/berth").path("spec");
    var container = berth.path("template").path("spec").path("containers").get(0);
    assertThat(container.get("image").asText())
        .isEqualTo("example.com/berth@sha256:" + "a".repeat(64));
    assertThat(container.path("resources").toString())
        .isEqualTo("{\"limits\":{\"memory\":\"8Gi\"}}");
    assertThat(container.path("env").toString()).contains("JDK_JAVA_OPTIONS", "-Xmx6g");
    assertThat(berth.get("replicas").asInt()).isEqualTo(3);
    var file = chart.get("ConfigMap berth-system/berth").path("data").path("berth.yaml");
    assertThat(file.path("placement").path("gpu").asText()).isEqualTo("spread");
    assertThat(file.path("extender").path("listen").asText())
        .as("what no value says stays")
        .isEqualTo("0.0.0.0:8888");
    assertThat(chart.keySet()).noneMatch(key -> key.contains("berth-scheduler"));
    assertThat(chart.keySet()).noneMatch(key -> key.startsWith("CustomResourceDefinition"));
  }

  @ParameterizedTest
  @CsvSource({
    "scheduler.enable=true, enable",
    "replicas=two, replicas",
    "mtls.enabled=maybe, enabled",
    "mtls.certManager=true, certManager",
    "mtls.issuer=nobody, issuer",
    "kai.inPlace=maybe, inPlace",
    "guard.mode=on, mode",
    "dra.shares=maybe, shares",
    "image.tag=not a tag, tag"
  })
  void whatCannotBeMeantIsRefusedByName(String value, String field) throws Exception {
    var ran = template("berth-system", "--set", value);
    assertThat(ran.status).as("accepted: " + value).isNotZero();
    assertThat(ran.errors).contains(field);
  }
}
