package dev.berth.controllers.door;

/// Events that users read with `kubectl describe`. Best effort: a lost one is counted, not retried.
public interface Events {
  /// @param warning type Warning instead of Normal
  /// @param reason one CamelCase word
  /// @param note the sentence
  void tell(Regarding object, boolean warning, String reason, String action, String note);

  record Regarding(String apiVersion, String kind, String namespace, String name, String uid) {}
}
