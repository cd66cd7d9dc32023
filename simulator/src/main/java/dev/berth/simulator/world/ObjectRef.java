package dev.berth.simulator.world;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.engine.model.PodKey;
import java.util.Map;

/// Which object: its kind, namespace (empty where the kind has none) and name.
public record ObjectRef(Kind kind, String namespace, String name) implements Comparable<ObjectRef> {
  public static ObjectRef to(Kind kind, Map<String, ?> object) {
    return new ObjectRef(
        kind, ObjectTree.text(object, "metadata", "namespace"), ObjectTree.name(object));
  }

  public static ObjectRef pod(String namespace, String name) {
    return new ObjectRef(Kind.POD, namespace, name);
  }

  public static ObjectRef pod(PodKey key) {
    return pod(key.namespace(), key.name());
  }

  @Override
  public int compareTo(ObjectRef other) {
    int byKind = kind.compareTo(other.kind);
    int byNamespace = byKind != 0 ? byKind : namespace.compareTo(other.namespace);
    return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return kind.plural() + " " + (namespace.isEmpty() ? "" : namespace + "/") + name;
  }
}
