package dev.berth.engine.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// A node and what of it is taken.
///
/// @param used requests of every pod on it or planned onto it, holders included (a slot whose
///   holder is not there yet counts as if it were), pods that are leaving included
/// @param leaving the part of `used` that belongs to pods that are leaving
/// @param foreign the part of `used` that belongs to pods of other schedulers
/// @param slots shared devices by ascending index, idle ones included. Each has one unit of the
///   device resource in `used`, so that whole devices free = allocatable − used
/// @param hostPorts taken host ports, `protocol:ip:port`
/// @param trouble why no further device of it can be held for shares for the time being; empty = it
///   can
/// @param numa its NUMA zones, where an agent reports them
public record NodeView(
    Node node,
    Amounts used,
    Amounts leaving,
    Amounts foreign,
    List<Slot> slots,
    SortedSet<String> hostPorts,
    String trouble,
    Numa numa) {
  public NodeView {
    slots = List.copyOf(slots);
    hostPorts =
        hostPorts.isEmpty()
            ? NO_PORTS
            : Collections.unmodifiableSortedSet(new TreeSet<>(hostPorts));
  }

  /// Without trouble and zones.
  public NodeView(
      Node node,
      Amounts used,
      Amounts leaving,
      Amounts foreign,
      List<Slot> slots,
      SortedSet<String> hostPorts) {
    this(node, used, leaving, foreign, slots, hostPorts, "", Numa.NONE);
  }

  /// The same room, in such zones.
  public NodeView in(Numa zones) {
    return new NodeView(node, used, leaving, foreign, slots, hostPorts, trouble, zones);
  }

  private static final SortedSet<String> NO_PORTS =
      Collections.unmodifiableSortedSet(new TreeSet<>());

  /// Devices that no slot holds.
  private long unheld() {
    return Math.max(0, node.accelerator().count() - slots.size());
  }

  /// Devices that pods have as a whole. A pod that is planned onto room that is being freed counts
  /// in `used` beside the pod that leaves it, so the sum may exceed what the node has.
  public long wholeInUse() {
    return Math.clamp(used.of(node.accelerator().resource()) - slots.size(), 0, unheld());
  }

  /// Devices of which no part is taken or held.
  public long wholeFree() {
    return unheld() - wholeInUse();
  }

  public NodeName name() {
    return node.name();
  }

  /// A shared device.
  ///
  /// @param uuid the physical device; empty = its holder has not reported
  /// @param usedMillis thousandths that pods on it or planned onto it take, leaving ones included
  /// @param leavingMillis the part of `usedMillis` that is leaving
  public record Slot(int index, Holder holder, String uuid, int usedMillis, int leavingMillis) {
    /// Whether new sharers may join: its holder is not on its way out.
    public boolean isOpen() {
      return holder != Holder.RETIRING;
    }
  }

  /// Where the holder of a slot stands.
  public enum Holder {
    /// To be created, where one has failed as soon as that is gone.
    ABSENT,
    /// Created, has not told its device.
    STARTING,
    /// Its device is known.
    REPORTED,
    /// Leaving, or its device may never be reported: no pod may join.
    RETIRING
  }
}
