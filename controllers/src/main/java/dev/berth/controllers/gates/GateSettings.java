package dev.berth.controllers.gates;

import java.time.Duration;

/// @param nominateFrom clusters with at least so many nodes get `status.nominatedNodeName` first,
///   which costs a write a pod and saves kube-scheduler from filtering all nodes
/// @param inFlight patches under way at once; the others wait in line. Less than the API client
///   lets through: lifts come by the thousand, and bindings go the same way
/// @param window pods that are on their way from gate to binding at once (a larger block goes
///   alone): more would only wait in kube-scheduler's queue while their deadline passes
/// @param deadline from the lifted gate to the binding
/// @param again the same for pods whose gate is off already: the patch wakes kube-scheduler at
///   once, and a refusal in the same words as the last one may show only by the deadline (where
///   kube-scheduler asks no filter, or offers a sample of a large cluster)
public record GateSettings(
    int nominateFrom, int inFlight, int window, Duration deadline, Duration again) {
  public static final GateSettings DEFAULT =
      new GateSettings(1000, 24, 1024, Duration.ofSeconds(60), Duration.ofSeconds(15));
}
