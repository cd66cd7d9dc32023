package dev.berth.engine.explain;

import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;

/// What nodes are that do not take a pod: `of 3 nodes 2 cordoned, 1 tainted (…)`.
final class ObstacleWords {
  private ObstacleWords() {}

  static String of(Shortfall shortfall, boolean ofALevel) {
    if (shortfall.obstacle() == Obstacle.NOT_OFFERED) {
      return "without " + shortfall.detail();
    }
    boolean isOwn = shortfall.obstacle() == Obstacle.OWN_ANTI_AFFINITY;
    boolean isAffinity = shortfall.obstacle() == Obstacle.NODE_AFFINITY;
    String told = isAffinity ? shortfall.wanted().what() : shortfall.detail();
    boolean isMore =
        shortfall.obstacle() == Obstacle.RESOURCE || shortfall.obstacle() == Obstacle.POD_AFFINITY;
    String wanted = shortfall.wanted().what();
    String more = isMore && !wanted.isEmpty() ? ": " + wanted : "";
    String words = (isOwn ? ApartSentences.NEEDS : "") + told + more;
    String detail = told.isEmpty() ? "" : " (" + words + ")";
    return switch (shortfall.obstacle()) {
          case NOT_READY -> "not ready";
          case UNSCHEDULABLE -> "cordoned";
          case TAINT -> "tainted";
          case NODE_SELECTOR -> "outside the node selector";
          case NODE_AFFINITY -> "outside the node affinity";
          case VOLUME -> "out of reach of its volume";
          case DEVICE_MODEL -> "of another GPU model";
          case DEVICE_MEMORY_UNKNOWN -> "without the label nvidia.com/gpu.memory";
          case DEVICE_MODE -> "whose GPUs are offered in another way";
          case DEVICE_HEALTH -> "with unhealthy GPUs";
          case DEVICE_PLUGIN -> "whose device plugin is gone or offers no healthy GPU";
          case NO_DEVICES -> "without GPUs";
          case NOT_OFFERED -> "without a resource";
          case TOO_SMALL -> "too small";
          case DEVICE_TOO_SMALL -> "with too small GPUs";
          case DEVICES -> "without enough free GPUs";
          case SHARED_DEVICES -> "without enough room on a GPU";
          case HOLDERS -> "unable to hold a GPU for shares";
          case RESOURCE -> "short";
          case PODS -> "full of pods";
          case HOST_PORTS -> "with the host port taken";
          case OWN_HOST_PORTS ->
              "with the host port of another member, each of which needs a node of its own";
          case TOPOLOGY ->
              !detail.isEmpty()
                  ? "without the topology label"
                  : ofALevel ? "outside it" : "outside a domain that fits all";
          case POD_AFFINITY -> "without the pods of its pod affinity";
          case POD_ANTI_AFFINITY -> "with pods of its pod anti-affinity";
          case OWN_ANTI_AFFINITY -> "with a pod of its own kind";
          case OTHERS_ANTI_AFFINITY -> "kept free of it by the pod anti-affinity of others";
          case SPREAD -> "in a domain that has more than its part";
          case SPREAD_LABEL -> "without the label that it spreads over";
          case INTER_POD -> "not compared with its pod affinity, anti-affinity and spread";
          case CLAIMS -> "without the devices that it claims";
          case ISOLATION -> "that do not enforce its gpu-isolation";
          case INJECTION -> "unable to show a container its GPU";
          case RUNTIME_CLASS -> "in need of another runtime class";
          case NUMA -> "with NUMA zones too small";
          case VETO -> "refused by kube-scheduler";
        }
        + detail;
  }
}
