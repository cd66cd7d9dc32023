package dev.berth.extender.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/// Jackson, once, and how its tokens are walked.
final class Json {
  /// What comes is bounded by its bytes. A question quotes pods of tenants, whose names of fields
  /// may be as long as an object: among the victims that kube-scheduler proposes for others.
  static final ObjectMapper MAPPER =
      new ObjectMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder()
                      .maxNameLength(Integer.MAX_VALUE)
                      .maxStringLength(Integer.MAX_VALUE)
                      .build())
              .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
              .build());

  static final TypeReference<LinkedHashMap<String, Object>> TREE = new TypeReference<>() {};

  private Json() {}

  static JsonParser parser(Cursor.Slice slice) throws IOException {
    return MAPPER.createParser(slice.body(), slice.from(), slice.to() - slice.from());
  }

  static Map<String, Object> tree(Cursor.Slice slice) throws IOException {
    return MAPPER.readValue(slice.body(), slice.from(), slice.to() - slice.from(), TREE);
  }

  /// What to do with one field, the parser on its value.
  interface Field {
    void read(String name, JsonParser value) throws IOException;
  }

  /// Reads an object, the parser on its first token. A field that is left alone is skipped.
  /// Anything but an object (kube-scheduler sends `null` for what is not there) has no fields.
  static void object(JsonParser parser, Field field) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      parser.skipChildren();
      return;
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      field.read(name, parser);
      if (value.isStructStart() && parser.currentToken() == value) { // else it was read to its end
        parser.skipChildren();
      }
    }
  }

  /// What to do with one element, the parser on it; it must read objects and arrays to their end.
  interface Element {
    void read(JsonParser value) throws IOException;
  }

  /// Reads an array, the parser on its first token; anything else has no elements.
  static void array(JsonParser parser, Element element) throws IOException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      parser.skipChildren();
      return;
    }
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      element.read(parser);
    }
  }

  /// A string, or empty for anything else.
  static String text(JsonParser value) throws IOException {
    return value.currentToken() == JsonToken.VALUE_STRING ? value.getText() : "";
  }
}
