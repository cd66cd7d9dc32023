package dev.berth.controllers.gates;

/// @param nominateFrom clusters with at least so many nodes get `status.nominatedNodeName` first,
///   which costs a write a pod and saves kube-scheduler from filtering all nodes
public record GateSettings(int nominateFrom) {
  public static final GateSettings DEFAULT = new GateSettings(1000);
}
