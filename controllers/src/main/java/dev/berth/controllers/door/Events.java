package dev.berth.controllers.door;

/// Events that users read with `kubectl describe`. Best effort: one that is lost, after some tries,
/// is counted.
public interface Events {
  /// @param warning type Warning instead of Normal
  /// @param reason one CamelCase word
  /// @param note the sentence
  void tell(Regarding object, boolean warning, String reason, String action, String note);

  record Regarding(String apiVersion, String kind, String namespace, String name, String uid) {}
}
