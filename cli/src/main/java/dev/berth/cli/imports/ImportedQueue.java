package dev.berth.cli.imports;

import java.util.LinkedHashMap;
import java.util.Map;

/// A queue of another scheduler on its way to a manifest.
///
/// @param id unique in the import, such as `cohort/ml`: names of different kinds may be equal
/// @param parent id of the queue above; empty = at the top
/// @param parentField the field of the origin that names the parent
/// @param origin `spec` of the object
/// @param spec of the Queue without its parent; filled until the manifests are made
record ImportedQueue(
    String id,
    String parent,
    String parentField,
    ForeignFields origin,
    LinkedHashMap<String, Object> spec) {
  /// The name that it has there.
  String name() {
    return origin.object().name();
  }

  /// Sets a field, or leaves it out where there is nothing to set.
  void set(String field, Map<String, Object> value) {
    if (!value.isEmpty()) {
      spec.put(field, value);
    }
  }
}
