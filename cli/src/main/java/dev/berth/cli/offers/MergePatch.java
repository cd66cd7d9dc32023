package dev.berth.cli.offers;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// JSON merge patches (RFC 7396).
public final class MergePatch {
  private MergePatch() {}

  /// What makes one tree of another: `null` removes a field, lists are given whole.
  ///
  /// @param before plain tree without `null`
  /// @param after likewise
  /// @return empty where both are the same
  public static Map<String, @Nullable Object> between(Map<?, ?> before, Map<?, ?> after) {
    var patch = new LinkedHashMap<String, @Nullable Object>();
    before.forEach((key, value) -> {
      if (!after.containsKey(key)) {
        patch.put(String.valueOf(key), null);
      }
    });
    after.forEach((key, value) -> {
      var was = before.get(key);
      if (was instanceof Map<?, ?> one && value instanceof Map<?, ?> other) {
        var below = between(one, other);
        if (!below.isEmpty()) {
          patch.put(String.valueOf(key), below);
        }
      } else if (!value.equals(was)) {
        patch.put(String.valueOf(key), value);
      }
    });
    return patch;
  }
}
