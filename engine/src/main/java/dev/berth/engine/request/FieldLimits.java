package dev.berth.engine.request;

import java.util.TreeMap;

/// How much of one field of a pod is read: what Berth keeps of a pod, and walks for each node or
/// for other pods, is bounded. For more there is a problem, once, and the rest is not read.
final class FieldLimits {
  private final ManifestTree object;
  private final String field;
  private final String rule;
  private long left;
  private boolean isOver;

  /// @param field of the object, where it is told
  /// @param rule how many may be asked, and the way out
  FieldLimits(ManifestTree object, String field, long most, String rule) {
    this.object = object;
    this.field = field;
    this.rule = rule;
    this.left = most;
  }

  /// Whether there is as much left.
  boolean allows(long many) {
    left -= many;
    if (left < 0 && !isOver) {
      isOver = true;
      object.problem(field, "more than can be judged", rule);
    }
    return !isOver;
  }

  /// As many texts as are left of those under the field.
  TreeMap<String, String> texts() {
    var texts = new TreeMap<String, String>();
    object
        .object(field)
        .eachText((key, value) -> {
          if (allows(1)) {
            texts.put(key, value);
          }
        });
    return texts;
  }
}
