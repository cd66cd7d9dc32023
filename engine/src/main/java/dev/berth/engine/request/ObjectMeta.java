package dev.berth.engine.request;

import java.time.Instant;

/// What every object of Kubernetes begins with.
///
/// @param uid of the object; where a file gives none, a stand-in made of namespace and name
/// @param version `resourceVersion`; 0 = not told
record ObjectMeta(
    String namespace,
    String name,
    String uid,
    long version,
    Instant created,
    ManifestTree metadata,
    ManifestTree labels,
    ManifestTree annotations) {
  private static final String DEFAULT_NAMESPACE = "default";

  static ObjectMeta read(ManifestTree root) {
    ManifestTree metadata = root.object("metadata");
    String name = metadata.text("name");
    String namespace = metadata.text("namespace");
    String uid = metadata.text("uid");
    return new ObjectMeta(
        namespace.isEmpty() ? DEFAULT_NAMESPACE : namespace,
        name,
        uid.isEmpty() ? (namespace.isEmpty() ? DEFAULT_NAMESPACE : namespace) + "/" + name : uid,
        metadata.version(),
        metadata.time("creationTimestamp"),
        metadata,
        metadata.words("labels"),
        metadata.words("annotations"));
  }

  boolean isNameless() {
    return name.isEmpty();
  }
}
