package dev.berth.controllers.kube;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// How JSON of the API server is read. The API server bounds how large an object is; what is in it
/// may be as a tenant likes, and one object that cannot be read would stop all of its kind: a name
/// of a field (`managedFields` quotes the UIDs of owners) is longer than Jackson allows, say.
final class ApiJson {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .build())
          .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .build();

  /// For answers that are of one object.
  static final ObjectMapper MAPPER =
      new ObjectMapper(
          FACTORY
              .copy()
              .setStreamReadConstraints(
                  FACTORY.streamReadConstraints().rebuild().maxNestingDepth(1000).build()));

  private ApiJson() {}

  /// An object as a tree.
  static Map<String, Object> tree(byte[] body) throws IOException {
    return MAPPER.readValue(text(new ByteArrayInputStream(body)), new TypeReference<>() {});
  }

  static JsonParser parser(InputStream body) throws IOException {
    return FACTORY.createParser(text(body));
  }

  /// Bytes that are no UTF-8 are replaced.
  private static Reader text(InputStream body) {
    return new InputStreamReader(new WholeCharacters(body), StandardCharsets.UTF_8);
  }
}
