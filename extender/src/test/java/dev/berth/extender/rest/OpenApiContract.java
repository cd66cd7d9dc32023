package dev.berth.extender.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.TreeSet;

/// `openapi.json` against what is answered: each answer has the status, the media type and the
/// fields that the document promises, and no others.
final class OpenApiContract {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final SchemaRegistry SCHEMAS =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  private final JsonNode document = resource("openapi.json");
  private final TreeSet<String> checked = new TreeSet<>();

  static JsonNode resource(String name) {
    try (var in = RestApi.class.getResourceAsStream(name)) {
      return JSON.readTree(in);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /// What is wrong with the document, by the schema of OpenAPI 3.1.
  static java.util.List<String> errorsOfDocument(JsonNode document) {
    return SCHEMAS.getSchema(resource("openapi-3.1.schema.json")).validate(document).stream()
        .map(Object::toString)
        .toList();
  }

  JsonNode document() {
    return document;
  }

  /// All operations of the document, `GET /api/v1/nodes`.
  Set<String> operations() {
    var operations = new TreeSet<String>();
    document
        .get("paths")
        .properties()
        .forEach(path ->
            path.getValue()
                .fieldNames()
                .forEachRemaining(
                    method -> operations.add(method.toUpperCase() + " " + path.getKey())));
    return operations;
  }

  /// Operations of which a good answer was checked.
  Set<String> checked() {
    return checked;
  }

  /// @param operation `GET /api/v1/nodes/{name}`
  JsonNode check(String operation, HttpResponse<String> answer) {
    String[] both = operation.split(" ");
    var responses = document.get("paths").get(both[1]).get(both[0].toLowerCase()).get("responses");
    String status = String.valueOf(answer.statusCode());
    boolean isPromised = responses.has(status);
    var response = responses.get(isPromised ? status : "default");
    if (response.has("$ref")) {
      response = document.at(response.get("$ref").asText().substring(1));
    }
    String type =
        answer.headers().firstValue("Content-Type").orElse("none").replaceFirst(";.*", "");
    assertThat(response.get("content").has(type))
        .as(operation + " " + status + " " + type)
        .isTrue();
    assertThat(errors(response.get("content").get(type).get("schema"), answer.body()))
        .as(operation + " " + status + ": " + answer.body())
        .isEmpty();
    if (isPromised) {
      checked.add(operation);
    }
    try {
      return JSON.readTree(answer.body());
    } catch (IOException notJson) {
      throw new UncheckedIOException(notJson);
    }
  }

  /// @param name of a schema of the document
  java.util.List<String> errorsOf(String name, String json) {
    return errors(JSON.createObjectNode().put("$ref", "#/components/schemas/" + name), json);
  }

  private java.util.List<String> errors(JsonNode schema, String json) {
    var whole = JSON.createObjectNode();
    whole.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    whole.set("components", document.get("components"));
    whole.setAll((com.fasterxml.jackson.databind.node.ObjectNode) schema.deepCopy());
    return SCHEMAS
        .getSchema(SchemaLocation.of("urn:berth:" + schema.hashCode()), whole)
        .validate(json, InputFormat.JSON)
        .stream()
        .map(Object::toString)
        .toList();
  }
}
