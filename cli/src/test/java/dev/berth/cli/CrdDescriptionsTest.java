package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/// `kubectl explain queue.spec` and the like say something of every field.
class CrdDescriptionsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /// The API server describes them itself.
  private static final List<String> ITS_OWN = List.of("apiVersion", "kind", "metadata");

  @Test
  void everyFieldHasADescription() throws IOException {
    var fields = new ArrayList<String>();
    var silent = new ArrayList<String>();
    try (var files = Files.list(Path.of("..", "crds"))) {
      for (Path file : files.sorted().toList()) {
        // which follows aliases, unlike Jackson
        JsonNode crd = JSON.valueToTree(new Yaml().<Object>load(Files.readString(file)));
        for (JsonNode version : crd.at("/spec/versions")) {
          String kind = crd.at("/spec/names/kind").asText();
          look(kind, version.at("/schema/openAPIV3Schema"), fields, silent);
        }
      }
    }
    assertThat(fields).contains("Queue.spec.quota", "PodGroup.spec.subGroups[].topology.required");
    assertThat(silent).isEmpty();
  }

  private static void look(String path, JsonNode schema, List<String> fields, List<String> silent) {
    schema
        .path("properties")
        .properties()
        .forEach(property -> {
          String field = path + "." + property.getKey();
          boolean isOurs = path.contains(".") || !ITS_OWN.contains(property.getKey());
          fields.add(field);
          if (isOurs && property.getValue().path("description").asText().isBlank()) {
            silent.add(field);
          }
          look(field, property.getValue(), fields, silent);
        });
    if (schema.has("items")) {
      look(path + "[]", schema.path("items"), fields, silent);
    }
  }
}
