package dev.berth.extender.rest.state;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import java.util.ArrayList;
import java.util.List;

/// A node, and which pods have which of its GPUs.
///
/// Shared GPUs are at the index of their slot. Which GPU a pod with whole ones has, the kubelet
/// decides and does not tell Berth: such pods are shown at indexes from the last one down, and stay
/// where they were shown before.
///
/// @param devices for each GPU the pods on it, in key order; empty = free, or taken by pods of
///   other schedulers
public record NodeEntry(NodeView view, List<List<Occupant>> devices) {
  public NodeEntry {
    devices = List.copyOf(devices);
  }

  public NodeName name() {
    return view.name();
  }

  /// A pod with GPUs of a node.
  public record Occupant(PodGroup group, Member member, Placement placement) {
    /// Whole GPUs that it has; 0 = it has shares.
    int wholes() {
      var asks = member.pod().asks().request().devices();
      return asks.isShare() ? 0 : asks.count();
    }

    boolean isOn(int slot) {
      return placement.slots().contains(slot);
    }

    boolean isSamePod(Occupant other) {
      return member.pod().uid().equals(other.member.pod().uid());
    }
  }

  /// @param occupants pods with GPUs there, in key order
  /// @param before for each GPU the pods that it was shown with last; empty = never
  static NodeEntry of(NodeView view, List<Occupant> occupants, List<List<Occupant>> before) {
    int count = view.node().accelerator().capacity();
    var devices = new ArrayList<List<Occupant>>();
    for (int i = 0; i < count; i++) {
      devices.add(new ArrayList<>(1));
    }
    var isShared = new boolean[count];
    for (var slot : view.slots()) {
      if (slot.index() < count) {
        isShared[slot.index()] = true;
        occupants.stream()
            .filter(each -> each.isOn(slot.index()))
            .forEach(devices.get(slot.index())::add);
      }
    }
    for (Occupant each : occupants) {
      int left = each.wholes();
      for (int i = 0; i < count && left > 0; i++) {
        boolean wasThere = i < before.size() && before.get(i).stream().anyMatch(each::isSamePod);
        if (wasThere && !isShared[i] && devices.get(i).isEmpty()) {
          devices.get(i).add(each);
          left--;
        }
      }
      for (int i = count - 1; i >= 0 && left > 0; i--) {
        boolean isFree = !isShared[i] && devices.get(i).isEmpty();
        boolean isKept = i < before.size() && stillThere(before.get(i), occupants);
        if (isFree && !isKept) {
          devices.get(i).add(each);
          left--;
        }
      }
      for (int i = count - 1; i >= 0 && left > 0; i--) {
        if (!isShared[i] && devices.get(i).isEmpty()) {
          devices.get(i).add(each);
          left--;
        }
      }
    }
    return new NodeEntry(view, devices.stream().map(List::copyOf).toList());
  }

  private static boolean stillThere(List<Occupant> those, List<Occupant> occupants) {
    return those.stream().anyMatch(one -> occupants.stream().anyMatch(one::isSamePod));
  }
}
