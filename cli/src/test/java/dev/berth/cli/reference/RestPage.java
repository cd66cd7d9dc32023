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
import java.util.Locale;

/// The REST API, as its OpenAPI document has it.
public final class RestPage {
  private static final String DOCUMENT =
      "extender/src/main/resources/dev/berth/extender/rest/openapi.json";

  private RestPage() {}

  public static ReferencePage page(Path root) throws IOException {
    JsonNode document = new ObjectMapper().readTree(Files.readString(root.resolve(DOCUMENT)));
    var page = new Markdown();
    page.paragraph(
        prose(document.at("/info/description").asText())
            + " How to ask, how pages and events work, and what it costs:"
            + " [rest.md](../operators/rest.md). Berth itself serves the document from which this"
            + " page is made: `GET /api/v1/openapi.json`.");
    page.paragraph(
        "Each request has the header `Authorization: Bearer TOKEN`. "
            + prose(document.at("/components/securitySchemes/token/description").asText())
            + " A path that needs none says so.");
    page.section("Paths");
    document
        .get("paths")
        .properties()
        .forEach(path ->
            path.getValue()
                .properties()
                .forEach(operation ->
                    operation(page, path.getKey(), operation.getKey(), operation.getValue())));
    page.section("Problems");
    page.paragraph(
        prose(document.at("/components/responses/Problem/description").asText())
            + " The body is a [Problem](#problem), as `application/problem+json`.");
    page.section("Objects");
    page.paragraph("A field that is not *required* is absent where it is empty.");
    document
        .at("/components/schemas")
        .properties()
        .forEach(schema -> schema(page, schema.getKey(), schema.getValue()));
    return new ReferencePage(
        "rest.md", "REST API", "paths, parameters, answers and their fields", page.text());
  }

  private static void operation(Markdown page, String path, String method, JsonNode operation) {
    page.part(code(method.toUpperCase(Locale.ROOT) + " " + path));
    String open = operation.has("security") ? " It needs no token." : "";
    page.paragraph(
        (prose(operation.path("summary").asText())
                    + " "
                    + prose(operation.path("description").asText()))
                .strip()
            + open);
    var rows = new ArrayList<List<String>>();
    for (JsonNode parameter : operation.path("parameters")) {
      JsonNode schema = parameter.get("schema");
      rows.add(
          List.of(
              code(parameter.get("name").asText()),
              parameter.get("in").asText(),
              SchemaWords.type(schema),
              SchemaWords.bounds(schema),
              code(schema.path("default").asText()),
              prose(parameter.path("description").asText())));
    }
    if (!rows.isEmpty()) {
      page.table(List.of("parameter", "in", "type", "values", "default", "what"), rows);
    }
    var answers = new ArrayList<String>();
    JsonNode body = operation.at("/requestBody/content/application~1json/schema");
    if (!body.isMissingNode()) {
      String said = operation.path("requestBody").path("description").asText();
      answers.add("Body: " + (said.isEmpty() ? SchemaWords.type(body) + "." : said));
    }
    operation
        .get("responses")
        .properties()
        .forEach(answer -> {
          if (answer.getKey().equals("default")) {
            answers.add("Otherwise: a [problem](#problems).");
            return;
          }
          answer
              .getValue()
              .get("content")
              .properties()
              .forEach(content ->
                  answers.add(
                      answer.getKey()
                          + ", "
                          + code(content.getKey())
                          + ": "
                          + SchemaWords.type(content.getValue().get("schema"))
                          + ". "
                          + prose(answer.getValue().path("description").asText())));
        });
    page.list(answers);
  }

  private static void schema(Markdown page, String name, JsonNode schema) {
    page.part(name);
    String words = prose(schema.path("description").asText());
    boolean isObject = schema.has("properties");
    if (schema.has("oneOf")) {
      page.paragraph((words + " One of:").strip());
      for (JsonNode variant : schema.get("oneOf")) {
        page.paragraph("*" + prose(variant.path("description").asText()) + "*");
        fields(page, variant);
      }
      return;
    }
    String kind = isObject ? "" : " A " + SchemaWords.type(schema) + bounds(schema) + ".";
    page.paragraph((words + kind).strip());
    if (isObject) {
      fields(page, schema);
    }
  }

  private static String bounds(JsonNode schema) {
    String bounds = SchemaWords.bounds(schema);
    return bounds.isEmpty() ? "" : ", " + bounds;
  }

  private static void fields(Markdown page, JsonNode schema) {
    var rows = new ArrayList<List<String>>();
    rows("", schema, rows);
    page.table(List.of("field", "type", "values", "required", "what"), rows);
  }

  /// Fields of an object inside come after it, by their path.
  private static void rows(String above, JsonNode schema, List<List<String>> rows) {
    var required = new ArrayList<String>();
    schema.path("required").forEach(name -> required.add(name.asText()));
    schema
        .path("properties")
        .properties()
        .forEach(field -> {
          String path = above + field.getKey();
          rows.add(
              List.of(
                  code(path),
                  SchemaWords.type(field.getValue()),
                  SchemaWords.bounds(field.getValue()),
                  required.contains(field.getKey()) ? "yes" : "",
                  prose(field.getValue().path("description").asText())));
          rows(path + ".", field.getValue(), rows);
        });
  }
}
