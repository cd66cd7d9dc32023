package dev.berth.cli.reference;

import static dev.berth.cli.reference.Markdown.code;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// JSON schemas in words: of the REST API, and of the custom resources.
final class SchemaWords {
  private static final String OWN = "#/components/schemas/";

  /// A text of CEL, or what stands between two.
  private static final Pattern CEL = Pattern.compile("'((?:[^'\\\\]|\\\\.)*)'|[^']+");

  private SchemaWords() {}

  static String type(JsonNode schema) {
    if (schema.has("$ref")) {
      String name = schema.get("$ref").asText().replace(OWN, "");
      return "[" + name + "](#" + name.toLowerCase(Locale.ROOT) + ")";
    }
    if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
      return "integer or string";
    }
    if (schema.path("additionalProperties").isObject()) {
      return "map to " + type(schema.get("additionalProperties"));
    }
    if (schema.has("items")) {
      return "list of " + type(schema.get("items"));
    }
    String format = schema.path("format").asText();
    String type = schema.path("type").asText(schema.has("const") ? "string" : "any");
    return format.isEmpty() ? type : type + " (" + format + ")";
  }

  /// What its values keep to; empty = nothing more than its type.
  static String bounds(JsonNode schema) {
    var bounds = new ArrayList<String>();
    if (schema.has("const")) {
      bounds.add(code(schema.get("const").asText()));
    }
    var values = new ArrayList<String>();
    schema.path("enum").forEach(value -> values.add(code(value.asText())));
    if (!values.isEmpty()) {
      bounds.add(String.join(", ", values));
    }
    range(bounds, schema, "minimum", "maximum", "");
    range(bounds, schema, "minLength", "maxLength", " characters");
    range(bounds, schema, "minItems", "maxItems", " items");
    range(bounds, schema, "minProperties", "maxProperties", " keys");
    if (schema.has("pattern")) {
      bounds.add(code(schema.get("pattern").asText()));
    }
    for (String inside : List.of("items", "additionalProperties")) {
      String each = schema.path(inside).isObject() ? bounds(schema.get(inside)) : "";
      if (!each.isEmpty()) {
        bounds.add("each " + each);
      }
    }
    return String.join("; ", bounds);
  }

  private static void range(
      ArrayList<String> bounds, JsonNode schema, String least, String most, String unit) {
    if (schema.has(least) && schema.has(most)) {
      bounds.add(schema.get(least).asText() + " to " + schema.get(most).asText() + unit);
    } else if (schema.has(least)) {
      bounds.add(schema.get(least).asText() + " or more" + unit);
    } else if (schema.has(most)) {
      bounds.add("at most " + schema.get(most).asText() + unit);
    }
  }

  /// The message of a rule; what it fills in is an ellipsis.
  static String message(JsonNode rule) {
    if (rule.has("message")) {
      return rule.get("message").asText();
    }
    var words = new StringBuilder();
    Matcher parts = CEL.matcher(branches(rule.get("messageExpression").asText()));
    while (parts.find()) {
      String between = parts.group();
      words.append(
          parts.group(1) != null ? parts.group(1) : between.contains(" : ") ? " Or: " : "…");
    }
    return words.toString().strip().replaceAll("…$", "");
  }

  /// Without the condition of a choice.
  private static String branches(String expression) {
    int choice = expression.indexOf(" ? '");
    return choice < 0 ? expression : expression.substring(choice + " ? ".length());
  }
}
