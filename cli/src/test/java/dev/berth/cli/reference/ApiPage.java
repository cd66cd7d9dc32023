package dev.berth.cli.reference;

import static dev.berth.cli.reference.Markdown.code;
import static dev.berth.cli.reference.Markdown.prose;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.Yaml;

/// Custom resources, as `crds` declares them, and the labels and annotations beside them.
public final class ApiPage {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> FILES =
      List.of("queues.yaml", "podgroups.yaml", "topologies.yaml");

  private ApiPage() {}

  public static ReferencePage page(Path root) throws IOException {
    var page = new Markdown();
    page.paragraph(
        "Objects of the group `berth.dev`, as `kubectl explain` tells them, then the labels,"
            + " annotations and gates that Berth reads and writes. What to do with them:"
            + " [queues.md](../users/queues.md), [workloads.md](../users/workloads.md),"
            + " [policy.md](../users/policy.md), [placement.md](../users/placement.md). Each"
            + " message by which admission refuses a value:"
            + " [admission.md](../operators/admission.md).");
    page.paragraph(
        "`[]` stands for each element of a list. A duration is written like `90s`, `10m` or"
            + " `1h30m`. In a rule, `…` stands for the value. *Required* holds where the object"
            + " above the field is there.");
    for (String file : FILES) {
      // which follows aliases, unlike Jackson
      JsonNode crd =
          JSON.valueToTree(
              new Yaml().<Object>load(Files.readString(root.resolve("crds").resolve(file))));
      kind(page, crd.get("spec"));
    }
    NamesTable.write(page, root);
    return new ReferencePage(
        "api.md",
        "Objects, labels and annotations",
        "fields of Queue, PodGroup and Topology; labels, annotations and gates",
        page.text());
  }

  private static void kind(Markdown page, JsonNode spec) {
    String kind = spec.at("/names/kind").asText();
    page.section(kind);
    for (JsonNode version : spec.get("versions")) {
      JsonNode schema = version.at("/schema/openAPIV3Schema");
      boolean isNamespaced = spec.get("scope").asText().equals("Namespaced");
      String shortName = spec.at("/names/shortNames/0").asText(spec.at("/names/plural").asText());
      page.paragraph(prose(schema.get("description").asText()));
      page.list(
          List.of(
              code("apiVersion: " + spec.get("group").asText() + "/" + version.get("name").asText())
                  + ", "
                  + code("kind: " + kind)
                  + (isNamespaced ? ", in a namespace" : ", of the whole cluster"),
              code("kubectl get " + shortName) + " has the columns " + columns(version),
              "Fields that this page does not name are refused or dropped by the API server."));
      var rows = new ArrayList<List<String>>();
      var rules = new ArrayList<String>();
      rules(code(kind), schema, rules);
      fields("", schema, rows, rules);
      page.table(List.of("field", "type", "default", "values", "what"), rows);
      if (!rules.isEmpty()) {
        page.paragraph("Rules, each with its message:");
        page.list(rules);
      }
    }
  }

  private static String columns(JsonNode version) {
    var columns = new ArrayList<String>();
    for (JsonNode column : version.get("additionalPrinterColumns")) {
      columns.add(
          column.get("name").asText()
              + (column.path("priority").asInt() > 0 ? " (with `-o wide`)" : ""));
    }
    return String.join(", ", columns) + ".";
  }

  private static void fields(
      String path, JsonNode schema, List<List<String>> rows, List<String> rules) {
    for (var property : schema.path("properties").properties()) {
      String field = path.isEmpty() ? property.getKey() : path + "." + property.getKey();
      JsonNode value = property.getValue();
      if (!value.has("description")) {
        continue; // apiVersion, kind and metadata, as of every object
      }
      boolean isRequired = false;
      for (JsonNode name : schema.path("required")) {
        isRequired |= name.asText().equals(property.getKey());
      }
      var bounds = new ArrayList<String>();
      if (isRequired) {
        bounds.add("required");
      }
      bounds.add(SchemaWords.bounds(value));
      bounds.removeIf(String::isEmpty);
      rows.add(
          List.of(
              code(field),
              SchemaWords.type(value),
              value.has("default") ? code(value.get("default").toString()) : "",
              String.join("; ", bounds),
              prose(value.get("description").asText())));
      rules(code(field), value, rules);
      fields(field, value, rows, rules);
      if (value.has("items")) {
        rules(code(field + "[]"), value.get("items"), rules);
        fields(field + "[]", value.get("items"), rows, rules);
      }
      if (value.path("additionalProperties").isObject()) {
        rules(code(field), value.get("additionalProperties"), rules);
      }
    }
  }

  private static void rules(String field, JsonNode schema, List<String> rules) {
    for (JsonNode rule : schema.path("x-kubernetes-validations")) {
      rules.add(field + ": " + prose(SchemaWords.message(rule)));
    }
  }
}
