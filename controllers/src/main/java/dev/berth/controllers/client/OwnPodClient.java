package dev.berth.controllers.client;

/// The Pod in which this process runs. What a leader writes there is of a later version than all
/// that the leader before it wrote on any pod.
public interface OwnPodClient {
  /// Of a process without a pod, or that leads alone: writes nothing.
  OwnPodClient NONE = _ -> ApiWriter.NOT_TOLD;

  /// Writes a word on the pod that was never there before.
  ///
  /// @return the version of the pod with that word
  String mark(String word) throws ClientException;
}
