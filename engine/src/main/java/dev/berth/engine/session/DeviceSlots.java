package dev.berth.engine.session;

import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.NodeView.Slot;
import java.util.Arrays;
import java.util.List;

/// The shared devices of the nodes, each in a slot: the thousandths that each pod has of it, and
/// whether others may join.
///
/// Layout: one entry a slot in `used`, `leaving`, `state`, those of node n from `from[n]` to
/// `from[n + 1]`.
public final class DeviceSlots {
  private static final byte ABSENT = 0; // no slot of this index
  private static final byte OPEN = 1;
  private static final byte OPENED = 2; // by this session: closed again when the last one goes
  private static final byte CLOSED = 3; // its holder retires: no pod may join

  private final int[] from;
  private final int[] used;
  private final int[] leaving;
  private final byte[] state;

  DeviceSlots(List<NodeView> nodes) {
    from = new int[nodes.size() + 1];
    for (int n = 0; n < nodes.size(); n++) {
      from[n + 1] = from[n] + count(nodes.get(n));
    }
    used = new int[from[nodes.size()]];
    leaving = new int[used.length];
    state = new byte[used.length];
  }

  /// Those of one node, as they are there now, under index 0.
  DeviceSlots(DeviceSlots source, int n) {
    from = new int[] {0, source.count(n)};
    used = Arrays.copyOfRange(source.used, source.from[n], source.from[n + 1]);
    leaving = Arrays.copyOfRange(source.leaving, source.from[n], source.from[n + 1]);
    state = Arrays.copyOfRange(source.state, source.from[n], source.from[n + 1]);
  }

  /// How many slot numbers a node needs.
  static int count(NodeView node) {
    int highest = node.slots().isEmpty() ? -1 : node.slots().getLast().index();
    return Math.max(node.node().accelerator().capacity(), highest + 1);
  }

  void clear(int n) {
    Arrays.fill(used, from[n], from[n + 1], 0);
    Arrays.fill(leaving, from[n], from[n + 1], 0);
    Arrays.fill(state, from[n], from[n + 1], ABSENT);
  }

  /// Takes over what a node says of its slots, which are clear.
  ///
  /// @return how many of them are vacant
  int fill(int n, NodeView node) {
    int capacity = node.node().accelerator().capacity();
    for (int s = from[n] + (node.trouble().isEmpty() ? capacity : 0); s < from[n + 1]; s++) {
      state[s] = CLOSED;
    }
    int vacant = 0;
    for (Slot slot : node.slots()) {
      int s = from[n] + slot.index();
      used[s] = slot.usedMillis();
      leaving[s] = slot.leavingMillis();
      boolean exists = slot.index() < capacity; // a node may lose devices
      state[s] = slot.isOpen() && exists ? OPEN : CLOSED;
      vacant += isVacant(s) ? 1 : 0;
    }
    return vacant;
  }

  /// How many slot numbers the node has, used or not.
  public int count(int n) {
    return from[n + 1] - from[n];
  }

  /// Whether a pod that stays shares this device, and others may join.
  public boolean isShared(int n, int slot) {
    int s = from[n] + slot;
    return (state[s] == OPEN || state[s] == OPENED) && used[s] > leaving[s];
  }

  /// Whether the slot's holder is there, and no pod that stays.
  public boolean isVacant(int n, int slot) {
    return isVacant(from[n] + slot);
  }

  private boolean isVacant(int s) {
    return state[s] == OPEN && used[s] == leaving[s];
  }

  /// Whether the number is free for a new slot.
  public boolean isUnused(int n, int slot) {
    return state[from[n] + slot] == ABSENT;
  }

  /// Thousandths of a slot that are free at once; may be negative.
  public int free(int n, int slot) {
    return 1000 - used[from[n] + slot];
  }

  /// Thousandths of a slot that are free at once or soon.
  public int freeSoon(int n, int slot) {
    int s = from[n] + slot;
    return 1000 - used[s] + leaving[s];
  }

  /// A pod is added to a slot, or removed: it is opened for the first, and closed after the last of
  /// those for which this session opened it.
  ///
  /// @param more thousandths that are used
  /// @param soon thousandths that are being left
  void shift(int n, int slot, int more, int soon) {
    int s = from[n] + slot;
    state[s] = state[s] == ABSENT ? OPENED : state[s];
    used[s] += more;
    leaving[s] += soon;
    if (state[s] == OPENED && used[s] == 0) {
      state[s] = ABSENT;
    }
  }

  void fingerprint(StringBuilder into) {
    into.append(Arrays.toString(used));
    into.append(Arrays.toString(leaving)).append(Arrays.toString(state));
  }
}
