package dev.berth.controllers.client;

import java.util.List;

/// Events that users read with `kubectl describe`. Best effort: one that is lost, after some tries,
/// is counted.
public interface EventRecorder {
  /// Actions whose events tell what was done. Only the process that did it knows, even if it leads
  /// no more.
  List<String> DEEDS = List.of("Evict", "Stop");

  /// @param warning type Warning instead of Normal
  /// @param reason one CamelCase word
  /// @param note the sentence
  void tell(Regarding object, boolean warning, String reason, String action, String note);

  record Regarding(String apiVersion, String kind, String namespace, String name, String uid) {}
}
