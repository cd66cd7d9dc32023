package dev.berth.controllers.kube;

import dev.berth.controllers.client.OwnerClient;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
      map.values().forEach(SlimObject::withoutPodSpecs);
    } else if (at instanceof List<?> list) {
      list.forEach(SlimObject::withoutPodSpecs);
    }
  }

  private static long weight(Object at) {
    long bytes = ENTRY_BYTES;
    if (at instanceof Map<?, ?> map) {
      for (var field : map.entrySet()) {
        bytes += String.valueOf(field.getKey()).length() + weight(field.getValue());
      }
    } else if (at instanceof List<?> list) {
      for (Object each : list) {
        bytes += weight(each);
      }
    } else if (at instanceof String text) {
      bytes += text.length();
    }
    return bytes;
  }
}
