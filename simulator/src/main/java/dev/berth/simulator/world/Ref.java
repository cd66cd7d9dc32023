package dev.berth.simulator.world;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.engine.model.PodKey;
import java.util.Map;

/// Which object: its kind, namespace (empty where the kind has none) and name.
public record Ref(Kind kind, String namespace, String name) implements Comparable<Ref> {
  public static Ref to(Kind kind, Map<String, ?> object) {
    return new Ref(kind, Tree.text(object, "metadata", "namespace"), Tree.name(object));
  }

  public static Ref pod(String namespace, String name) {
    return new Ref(Kind.POD, namespace, name);
  }

  public static Ref pod(PodKey key) {
    return pod(key.namespace(), key.name());
  }

  @Override
  public int compareTo(Ref other) {
    int byKind = kind.compareTo(other.kind);
    int byNamespace = byKind != 0 ? byKind : namespace.compareTo(other.namespace);
    return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return kind.plural() + " " + (namespace.isEmpty() ? "" : namespace + "/") + name;
  }
}
