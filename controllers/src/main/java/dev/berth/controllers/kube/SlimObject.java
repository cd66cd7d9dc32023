package dev.berth.controllers.kube;

import dev.berth.controllers.client.OwnerClient;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An owner without what rules never read of it: `managedFields`, what `kubectl apply` keeps, and
/// what stands in templates of pods beside their metadata. These make most of it.
///
/// It is kept as long as it owns a pod, so it is weighed by what its tree takes in memory, which is
/// more than ten times its JSON at worst, and of one that is too heavy the metadata alone is kept.
///
/// @param bytes what it takes in memory, roughly
record SlimObject(Map<String, Object> tree, int bytes) {
  /// Of one object.
  static final int MOST_BYTES = 2 << 20;

  /// A field or element with its value, and the text in either.
  private static final int ENTRY_BYTES = 100;

  /// What a map takes beside its fields.
  private static final int MAP_BYTES = 50;

  private static final List<String> HEAD =
      List.of("name", "namespace", "uid", "resourceVersion", "ownerReferences");

  /// Changes the tree.
  static SlimObject of(Map<String, Object> tree) {
    if (tree.get("metadata") instanceof Map<?, ?> metadata) {
      metadata.remove("managedFields");
      if (metadata.get("annotations") instanceof Map<?, ?> annotations) {
        annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
      }
    }
    withoutPodSpecs(tree);
    long bytes = weight(tree);
    if (bytes <= MOST_BYTES) {
      return new SlimObject(tree, (int) bytes);
    }
    var few = new LinkedHashMap<String, Object>();
    if (tree.get("metadata") instanceof Map<?, ?> metadata) {
      var head = new LinkedHashMap<String, Object>();
      for (String field : HEAD) {
        Object value = metadata.get(field);
        if (value != null && weight(value) < MOST_BYTES / 16) {
          head.put(field, value);
        }
      }
      few.put("metadata", head);
    }
    few.put(OwnerClient.TOO_LARGE, bytes);
    return new SlimObject(few, MOST_BYTES / 16);
  }

  private static void withoutPodSpecs(Object at) {
    if (at instanceof Map<?, ?> map) {
      if (map.get("containers") instanceof List<?>) {
        map.values().removeIf(value -> value instanceof Map<?, ?> || value instanceof List<?>);
      }
      map.forEach((_, value) -> withoutPodSpecs(value));
    } else if (at instanceof List<?> list) {
      list.forEach(SlimObject::withoutPodSpecs);
    }
  }

  /// By `forEach`: maps keep the views of them that they were asked for once.
  private static long weight(@Nullable Object at) {
    return switch (at) {
      case null -> ENTRY_BYTES;
      case Map<?, ?> map -> {
        var bytes = new long[] {ENTRY_BYTES + MAP_BYTES};
        map.forEach((key, value) -> bytes[0] += String.valueOf(key).length() + weight(value));
        yield bytes[0];
      }
      case List<?> list -> {
        long bytes = ENTRY_BYTES;
        for (Object each : list) {
          bytes += weight(each);
        }
        yield bytes;
      }
      case String text -> ENTRY_BYTES + text.length();
      default -> ENTRY_BYTES;
    };
  }
}
