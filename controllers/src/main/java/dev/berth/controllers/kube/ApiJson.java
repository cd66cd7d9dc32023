package dev.berth.controllers.kube;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.ObjectMapper;

/// How JSON of the API server is read. The API server bounds how large an object is; what is in it
/// may be as a tenant likes, and one object that cannot be read would stop all of its kind: a name
/// of a field (`managedFields` quotes the UIDs of owners) is longer than Jackson allows, say.
final class ApiJson {
  static final JsonFactory FACTORY =
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
}
