package dev.berth.extender.rest;

import java.io.IOException;
import java.io.UncheckedIOException;

/// `openapi.json`, which comes with this package.
final class ApiDocument {
  private static final String NAME = "openapi.json";

  private ApiDocument() {}

  static byte[] read() {
    try (var in = ApiDocument.class.getResourceAsStream(NAME)) {
      if (in == null) {
        throw new IllegalStateException("the build lacks " + NAME);
      }
      return in.readAllBytes();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
