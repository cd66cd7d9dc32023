package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/// `docs/operators/security.md` explains every right that the manifests grant, and no other.
class RightsExplainedTest {
  private static final Path MANIFESTS = ControlPlane.root().resolve("manifests");
  private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\|(.*)\\|");
  private static final Pattern HEADING = Pattern.compile("### (\\w+(?: [a-z-]+)?).*");

  @Test
  void everyRightIsExplainedWhereItsRoleIs() throws IOException {
    assertThat(told()).isEqualTo(granted());
  }

  @Test
  void everyExplanationSaysSomething() throws IOException {
    for (String line : Files.readAllLines(security())) {
      var row = ROW.matcher(line);
      if (row.matches()) {
        assertThat(row.group(2).strip()).as(line).hasSizeGreaterThan(3);
      }
    }
  }

  /// Heading → rights below it, as the document has them.
  private static TreeMap<String, List<String>> told() throws IOException {
    var told = new TreeMap<String, List<String>>();
    String under = "";
    for (String line : Files.readAllLines(security())) {
      var heading = HEADING.matcher(line);
      var row = ROW.matcher(line);
      if (line.startsWith("#")) {
        under = heading.matches() ? heading.group(1) : "";
      } else if (row.matches() && !under.isEmpty()) {
        told.computeIfAbsent(under, _ -> new ArrayList<>()).add(row.group(1));
      }
    }
    told.values().forEach(rights -> rights.sort(null));
    return told;
  }

  private static Path security() {
    return ControlPlane.root().resolve("docs/operators/security.md");
  }

  private static TreeMap<String, List<String>> granted() throws IOException {
    var granted = new TreeMap<String, List<String>>();
    for (JsonNode object : objects()) {
      String kind = object.path("kind").asText();
      String name = object.path("metadata").path("name").asText();
      for (JsonNode rule : object.path("rules")) {
        granted.computeIfAbsent(kind + " " + name, _ -> new ArrayList<>()).add(sentence(rule));
      }
      for (JsonNode subject : object.path("subjects")) {
        granted
            .computeIfAbsent("Bindings", _ -> new ArrayList<>())
            .add(
                "%s %s: %s to %s"
                    .formatted(
                        kind,
                        name,
                        object.path("roleRef").path("name").asText(),
                        subject.path("name").asText()));
      }
    }
    granted.values().forEach(rights -> rights.sort(null));
    return granted;
  }

  private static List<JsonNode> objects() throws IOException {
    var objects = new ArrayList<JsonNode>();
    try (var files = Files.walk(MANIFESTS)) { // follows no links, so not into the chart
      for (Path file : files.filter(RightsExplainedTest::grants).sorted().toList()) {
        objects.addAll(Api.documents(file));
      }
    }
    assertThat(objects).as("objects in " + MANIFESTS).hasSizeGreaterThan(10);
    return objects;
  }

  private static boolean grants(Path file) {
    return file.getFileName().toString().matches("rbac.*\\.yaml");
  }

  /// `core: pods, pods/status: patch`.
  private static String sentence(JsonNode rule) {
    String verbs = words(rule.path("verbs"));
    if (rule.has("nonResourceURLs")) {
      return "url " + words(rule.path("nonResourceURLs")) + ": " + verbs;
    }
    String names = rule.has("resourceNames") ? " [" + words(rule.path("resourceNames")) + "]" : "";
    return words(rule.path("apiGroups"))
        + ": "
        + words(rule.path("resources"))
        + names
        + ": "
        + verbs;
  }

  private static String words(JsonNode list) {
    return String.join(
        ", ",
        StreamSupport.stream(list.spliterator(), false)
            .map(JsonNode::asText)
            .map(word -> word.isEmpty() ? "core" : word)
            .toList());
  }
}
