package dev.berth.engine.ledger;

import dev.berth.engine.ledger.PodRecord.Veto;
import dev.berth.engine.model.NodeName;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;

/// Nodes that kube-scheduler refused for a pod. A veto ends with its time, with its pod, or when
/// the node is another one than was refused.
final class Vetoes {
  private final TreeSet<End> ends = new TreeSet<>();
  private final NodeUsageTable rooms;
  private final GroupStates groups;

  Vetoes(NodeUsageTable rooms, GroupStates groups) {
    this.rooms = rooms;
    this.groups = groups;
  }

  private record End(Instant until, PodRecord pod, NodeName node) implements Comparable<End> {
    @Override
    public int compareTo(End other) {
      int byTime = until.compareTo(other.until);
      int byPod = byTime != 0 ? byTime : pod.pod.uid().compareTo(other.pod.pod.uid());
      return byPod != 0 ? byPod : node.compareTo(other.node);
    }
  }

  void begin(PodRecord pod, NodeName node, Veto veto) {
    end(pod, node);
    pod.vetoes.put(node, veto);
    rooms.at(node).vetoed.add(pod);
    ends.add(new End(veto.until(), pod, node));
    tell(pod);
  }

  private void end(PodRecord pod, NodeName node) {
    var veto = pod.vetoes.remove(node);
    if (veto != null) {
      ends.remove(new End(veto.until(), pod, node));
      NodeUsage refused = rooms.find(node);
      refused.vetoed.remove(pod);
      rooms.forgetIfEmpty(refused);
      tell(pod);
    }
  }

  private void tell(PodRecord pod) {
    pod.memberChanged();
    groups.touch(pod);
  }

  void endAllOf(PodRecord pod) {
    for (NodeName node : List.copyOf(pod.vetoes.keySet())) {
      end(pod, node);
    }
  }

  void endAllAt(NodeName node) {
    for (PodRecord pod : List.copyOf(rooms.find(node).vetoed)) {
      end(pod, node);
    }
  }

  boolean endAllUntil(Instant now) {
    boolean any = false;
    while (!ends.isEmpty() && !ends.first().until().isAfter(now)) {
      var first = ends.removeFirst();
      end(first.pod(), first.node());
      any = true;
    }
    return any;
  }
}
