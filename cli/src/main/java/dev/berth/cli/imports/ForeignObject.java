package dev.berth.cli.imports;

import java.util.Locale;
import java.util.Map;

/// One object of another scheduler.
///
/// @param file that it was read from; empty = from the API server
/// @param tree plain, without `null`
record ForeignObject(ForeignKind kind, String file, Map<?, ?> tree) {
  String name() {
    return ofMetadata("name");
  }

  String namespace() {
    return ofMetadata("namespace");
  }

  private String ofMetadata(String key) {
    return tree.get("metadata") instanceof Map<?, ?> metadata
            && metadata.get(key) instanceof Object it
        ? it.toString()
        : "";
  }

  /// `name`, or `namespace/name`.
  String key() {
    return namespace().isEmpty() ? name() : namespace() + "/" + name();
  }

  /// `clusterqueue a`, `localqueue team/a`.
  String title() {
    return kind.kind().toLowerCase(Locale.ROOT) + " " + key();
  }

  /// The beginning of an error: the file, where there is one.
  String where() {
    return file.isEmpty() ? "" : file + ": ";
  }

  /// A field at the top, such as `spec`; nothing where it is not there.
  ForeignFields fields(String key, ImportLog log) {
    return new ForeignFields(this, log, key, ForeignFields.map(tree.get(key)));
  }
}
