package dev.berth.controllers.client;

/// The label `berth.dev/leader` on the pods of Berth. The Service selects it, so that
/// kube-scheduler reaches the leader although standbys are Ready, too. Each method is safe to
/// repeat.
public interface LeaderLabelClient {
  /// Puts the label on the pod of this process, then takes it off every other pod.
  void put() throws ClientException;

  /// Takes the label off the pod of this process.
  void remove() throws ClientException;
}
