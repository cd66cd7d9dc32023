package dev.berth.engine.explain;

import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;

/// What helps where no node has room.
final class RoomAdvice {
  private static final String MORE_NODES = "more nodes";

  private RoomAdvice() {}

  /// What helps on those nodes that are nearest to taking the member: that control-plane nodes are
  /// tainted, or that most nodes have no GPUs, is not what it waits for. Of those the two most
  /// frequent obstacles.
  static String helpsRoom(NoRoom none) {
    int nearest =
        none.shortfalls().stream()
            .mapToInt(each -> distance(each.obstacle()))
            .min()
            .orElse(Integer.MAX_VALUE);
    var nearestOnes =
        none.shortfalls().stream().filter(each -> distance(each.obstacle()) == nearest).toList();
    var apart = LabelSentences.besideVolume(nearestOnes);
    if (apart.isPresent()) {
      return apart.get();
    }
    var ways = new LinkedHashMap<String, String>(); // by what helps first: that is told once
    for (Shortfall shortfall : none.shortfalls()) {
      boolean isElsewhere =
          shortfall.obstacle() == Obstacle.TOPOLOGY && !none.largest().isNone() && isAnyThere(none);
      if (distance(shortfall.obstacle()) == nearest
          && ways.size() < 2
          && !isElsewhere
          && !LabelSentences.othersLackFewer(shortfall, none)) {
        LabelSentences.together(shortfall)
            .ifPresentOrElse(
                labels -> ways.putIfAbsent(labels, labels),
                () ->
                    ways.computeIfAbsent(
                        helps(shortfall, none), first -> first + thenHelps(shortfall, none)));
      }
    }
    for (Shortfall shortfall : none.shortfalls()) {
      if (distance(shortfall.obstacle()) > nearest && mayBeOpenedFor(shortfall, none)) {
        ways.computeIfAbsent(helps(shortfall, none), first -> first);
      }
    }
    return ways.isEmpty() ? MORE_NODES : joined(List.copyOf(ways.values()), none);
  }

  /// Whether all that lack a place would find one on nodes that are closed by this alone.
  private static boolean mayBeOpenedFor(Shortfall shortfall, NoRoom none) {
    int lacking = none.members() - none.placed();
    return shortfall.isReadyFor(lacking) && none.alike() >= lacking && none.largest().isNone();
  }

  /// What helps beside that: all that each of these nodes says, else the most frequent.
  private static String thenHelps(Shortfall shortfall, NoRoom none) {
    var besides = shortfall.besides();
    var ways = new LinkedHashSet<String>();
    for (Shortfall each : besides) {
      if (ways.isEmpty() || each.nodes() == shortfall.nodes()) {
        boolean isTaken =
            each.obstacle() == Obstacle.DEVICES || each.obstacle() == Obstacle.SHARED_DEVICES;
        ways.add(", and then " + (isTaken ? "GPUs released there" : helps(each, none)));
      }
    }
    return String.join("", ways);
  }

  /// Of ways that end alike the end is said once, and last.
  private static String joined(List<String> ways, NoRoom none) {
    var ends = List.of(", " + orSmaller(none) + "or " + MORE_NODES, ", or " + MORE_NODES);
    String said =
        ends.stream()
            .filter(end -> ways.stream().anyMatch(way -> way.endsWith(end)))
            .findFirst()
            .orElse("");
    return ways.stream()
            .map(way ->
                ends.stream()
                    .filter(way::endsWith)
                    .findFirst()
                    .map(end -> way.substring(0, way.length() - end.length()))
                    .orElse(way))
            .collect(Collectors.joining(", or "))
        + said;
  }

  /// Whether anything is told of nodes in the domain that comes nearest, and they are of its kind.
  static boolean isAnyThere(NoRoom none) {
    return none.shortfalls().stream()
        .anyMatch(each -> each.obstacle() != Obstacle.TOPOLOGY && distance(each.obstacle()) == 0);
  }

  /// How far a node with that obstacle is from taking the member: 0 = it is one of those meant for
  /// it, 1 = one of those with another state, 2 = another kind of node.
  static int distance(Obstacle obstacle) {
    return switch (obstacle) {
      case DEVICES,
          SHARED_DEVICES,
          HOLDERS,
          RESOURCE,
          PODS,
          HOST_PORTS,
          OWN_HOST_PORTS,
          TOPOLOGY,
          POD_AFFINITY,
          POD_ANTI_AFFINITY,
          OWN_ANTI_AFFINITY,
          OTHERS_ANTI_AFFINITY,
          SPREAD,
          SPREAD_LABEL,
          INTER_POD,
          CLAIMS,
          ISOLATION,
          INJECTION,
          RUNTIME_CLASS,
          NUMA,
          VETO ->
          0;
      case NOT_READY,
          UNSCHEDULABLE,
          TAINT,
          DEVICE_HEALTH,
          DEVICE_PLUGIN,
          DEVICE_MEMORY_UNKNOWN,
          DEVICE_MODE ->
          1;
      case NODE_SELECTOR, NODE_AFFINITY, VOLUME, DEVICE_MODEL, TOO_SMALL, DEVICE_TOO_SMALL -> 2;
      case NO_DEVICES, NOT_OFFERED -> 3;
    };
  }

  static String orMoreNodes(NoRoom none) {
    return (RoomSentences.isBoundToSome(none) ? " where it may be, " : ", ")
        + orSmaller(none)
        + (RoomSentences.isBoundToSome(none) ? "or more such nodes" : "or " + MORE_NODES);
  }

  /// Where some of a gang find room.
  private static String orSmaller(NoRoom none) {
    if (none.members() < 2 || none.placed() == 0) {
      return "";
    }
    return none.startsSmaller()
        ? "a minimum smaller by " + (none.members() - none.placed()) + ", "
        : "a smaller minimum, ";
  }

  static String helps(Shortfall shortfall, NoRoom none) {
    return switch (shortfall.obstacle()) {
      case NOT_READY -> "nodes that become ready again";
      case UNSCHEDULABLE -> "nodes uncordoned";
      case TAINT -> "a toleration of " + shortfall.detail() + ", or nodes without that taint";
      case NODE_SELECTOR -> LabelSentences.label(shortfall.detail(), meant(shortfall.wanted()));
      case NODE_AFFINITY ->
          shortfall.wanted().near().isEmpty()
              ? "nodes that its node affinity names, or a new pod with a wider one"
              : "a new pod with another node affinity"
                  + meant(shortfall.wanted())
                  + ", or nodes that the present one names";
      case VOLUME ->
          "room on nodes with " + shortfall.detail() + ", or a new pod with another volume";
      case DEVICE_MODEL ->
          LabelSentences.either(
              shortfall.wanted().what().isEmpty()
                  ? "nodes of the model that it asks for"
                  : "nodes of model " + shortfall.wanted().what(),
              "a new pod with a berth.dev/gpu-model that is here",
              meant(shortfall.wanted()));
      case DEVICE_MEMORY_UNKNOWN -> "the label nvidia.com/gpu.memory on nodes, or gpu-fraction";
      case DEVICE_MODE ->
          "a new pod that asks for what these nodes offer, or "
              + (shortfall.detail().startsWith("nvidia.com/mig.")
                  ? "nodes with another nvidia.com/mig.strategy"
                  : "other nodes");
      case DEVICE_HEALTH -> "repaired GPUs, or more nodes";
      case DEVICE_PLUGIN -> "the device plugin's pod on these nodes running again";
      case NO_DEVICES -> "nodes with GPUs";
      case NOT_OFFERED -> "a new pod with another resource name, or nodes that offer it";
      case TOO_SMALL -> "a new pod that asks for less, or larger nodes";
      case DEVICE_TOO_SMALL -> "a new pod that asks for less, or GPUs with more memory";
      case DEVICES, SHARED_DEVICES ->
          none.mixed().released().isNever()
              ? "pods that ask for less, "
                  + (none.largest().isNone()
                      ? orSmaller(none) + "or " + MORE_NODES
                      : ("a larger " + none.largest().level())
                          + ", or "
                          + RoomSentences.wider(none.largest()))
              : none.largest().isNone()
                  ? ReleaseSentences.released(none) + orMoreNodes(none)
                  : (ReleaseSentences.released(none)
                          + " in "
                          + none.largest().level()
                          + " "
                          + none.largest().domain())
                      + ", or room elsewhere and "
                      + RoomSentences.wider(none.largest());
      case HOLDERS ->
          "what holders need (docs/operators/devices.md), or room on GPUs that are held";
      case RESOURCE -> shortfall.detail() + " released, or a new pod that asks for less";
      case PODS -> "pods that end, or more nodes";
      case HOST_PORTS ->
          "a pod that has this host port deleted, or a new pod with another host port";
      case OWN_HOST_PORTS ->
          (none.mayBeMade() ? "" : orSmaller(none) + "more nodes, or ")
              + "new pods without a host port";
      case TOPOLOGY ->
          shortfall.detail().isEmpty()
              ? "room within one domain, or " + RoomSentences.wider(none.largest())
              : "the label " + shortfall.detail() + " on nodes, or another topology level";
      case POD_AFFINITY ->
          "pods that its pod affinity selects, or a new pod with a wider topologyKey";
      case POD_ANTI_AFFINITY -> "those pods deleted, or a domain without them";
      case OTHERS_ANTI_AFFINITY ->
          "those pods deleted or without it, or labels that it does not select";
      case OWN_ANTI_AFFINITY ->
          (none.members() > 1 ? "fewer members, " : "")
              + ApartSentences.domains(shortfall.detail());
      case SPREAD -> "room in the emptier domains, or new pods with a larger maxSkew";
      case SPREAD_LABEL ->
          "the label " + shortfall.detail() + " on nodes, or new pods with another topologyKey";
      case INTER_POD ->
          "fewer different terms on pods of namespace "
              + shortfall.detail()
              + ", or terms that select pods of that namespace by a label's value";
      case CLAIMS ->
          shortfall.detail().equals(Reason.Shortfall.EVEN_IF_FREE)
              ? "nodes with more such devices, or a smaller claim"
              : "claimed devices released, or more nodes";
      case ISOLATION ->
          shortfall.detail().equals("mps")
              ? "berth.dev/gpu-isolation: none, since no node enforces mps"
              : "nodes with the label berth.dev/gpu-isolation: "
                  + shortfall.detail()
                  + ", or berth.dev/gpu-isolation: none on the pod";
      case INJECTION ->
          "what the words in brackets ask for (docs/operators/devices.md, berth doctor)";
      case RUNTIME_CLASS ->
          "a new pod without spec.runtimeClassName: it is set to what the nodes need";
      case NUMA -> "containers that ask for less, or nodes with larger NUMA zones";
      case VETO -> "see kube-scheduler's words; the node is tried again later";
    };
  }

  static String meant(Reason.Wanted wanted) {
    return wanted.near().isEmpty() ? "" : " (did you mean " + wanted.near() + "?)";
  }
}
