package dev.berth.extender.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Map;

/// JSON of Berth's own API: records by the names of their components, of which empty strings and
/// collections are left out; and trees of what clients send.
public final class RecordJson {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_EMPTY, JsonInclude.Include.ALWAYS))
          .build();

  private static final ObjectMapper STRICT =
      new ObjectMapper(
          JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build());

  private RecordJson() {}

  /// @param value a record of strings, numbers, booleans, lists, maps and such records
  public static byte[] bytes(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JacksonException internalError) {
      throw new IllegalStateException("a record that is no JSON", internalError);
    }
  }

  /// Reads an object.
  ///
  /// @throws UnreadableQuestion it is not JSON, or no object; or a key comes twice
  public static Map<String, Object> tree(byte[] body) throws UnreadableQuestion {
    try {
      Map<String, Object> tree = STRICT.readValue(body, Json.TREE);
      if (tree == null) {
        throw new UnreadableQuestion("the body is null, but must be a JSON object");
      }
      return tree;
    } catch (IOException notJson) {
      throw UnreadableQuestion.because("the body", notJson);
    }
  }
}
