package dev.berth.simulator.world;

import java.time.Instant;
import java.util.Map;

/// Room of a node that kube-scheduler keeps for a pod while it waits for the pod's volumes: no
/// binding tells of it.
///
/// @param since when it wrote that it wants the volumes on this node
public record KeptRoom(Map<String, ?> pod, String node, Instant since) {}
