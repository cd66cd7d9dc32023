package dev.berth.simulator.scenario;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// JSON and YAML files as plain trees: maps, lists, strings, longs, doubles, booleans. What is
/// `null` is left out. A field that comes twice is an error.
final class Documents {
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final ObjectMapper YAML =
      YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private Documents() {}

  static boolean isOne(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.endsWith(".json") || name.endsWith(".yaml") || name.endsWith(".yml");
  }

  /// All documents of a file; the elements of a list at the top count as documents.
  static List<Map<String, Object>> read(Path file) throws ScenarioException {
    try {
      return of(Files.readString(file), file.toString().endsWith(".json"));
    } catch (JacksonException malformed) {
      throw new ScenarioException(
          List.of(
              malformed.getOriginalMessage()
                  + " (line "
                  + malformed.getLocation().getLineNr()
                  + ")"));
    } catch (IOException unreadable) {
      throw new ScenarioException(
          List.of("cannot be read (" + unreadable.getClass().getSimpleName() + ")"));
    }
  }

  private static List<Map<String, Object>> of(String text, boolean json)
      throws IOException, ScenarioException {
    var documents = new ArrayList<Map<String, Object>>();
    try (var nodes = (json ? JSON : YAML).readerFor(JsonNode.class).<JsonNode>readValues(text)) {
      while (nodes.hasNextValue()) {
        JsonNode node = nodes.nextValue();
        if (node.isArray()) {
          for (JsonNode element : node) {
            documents.add(document(element));
          }
        } else if (!node.isNull() && !node.isMissingNode()) {
          documents.add(document(node));
        }
      }
    }
    return documents;
  }

  private static Map<String, Object> document(JsonNode node) throws ScenarioException {
    if (!node.isObject()) {
      throw new ScenarioException(
          List.of("a document is a mapping of fields, but here is " + node));
    }
    return map(node);
  }

  private static Map<String, Object> map(JsonNode node) {
    var map = new LinkedHashMap<String, Object>();
    for (var field : node.properties()) {
      if (!field.getValue().isNull()) {
        map.put(field.getKey(), value(field.getValue()));
      }
    }
    return map;
  }

  private static Object value(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT, POJO -> map(node);
      case ARRAY -> {
        var list = new ArrayList<Object>(node.size());
        for (JsonNode element : node) {
          if (!element.isNull()) {
            list.add(value(element));
          }
        }
        yield list;
      }
      case BOOLEAN -> node.booleanValue();
      case NUMBER ->
          node.canConvertToExactIntegral() && node.canConvertToLong()
              ? (Object) node.longValue()
              : (Object) node.doubleValue();
      case STRING, BINARY, MISSING, NULL -> node.asText();
    };
  }
}
