package dev.berth.controllers.client;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Secrets that Berth writes itself, in its own namespace.
public interface SecretClient {
  /// As it is now, past every cache; empty = there is none.
  Optional<Secret> read(String name) throws ClientException;

  /// Writes it, unless it was written since (`CONFLICT`); one without a version is created.
  void write(String name, Secret secret) throws ClientException;

  /// @param data file name → text
  /// @param version of the object; empty = not written yet
  record Secret(SortedMap<String, String> data, String version) {
    public Secret {
      data = Collections.unmodifiableSortedMap(new TreeMap<>(data));
    }
  }
}
