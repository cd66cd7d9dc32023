package dev.berth.engine.session;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Resource;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/// What is free on the nodes, in dense tables: nodes by index in name order, resources by number.
///
/// Layout: one row of `width` longs a node in `free` (allocatable − used, negative where a place
/// was promised on room that is still being left) and in `leaving` (the part of used that is being
/// left), beside the [DeviceSlots]. 10,000 nodes of 8 devices: 1.3 MB.
///
/// A slot without stayers is a free device that its holder has not left yet: its device and the
/// holder's place among the pods count as being left. A pod that uses the slot again takes them
/// back.
public final class FreeCapacity {
  private List<NodeView> nodes;
  private final Resources resources;
  private final int pods;
  private final int cpu;
  private final int width;
  private final long[] allocatable;
  private final long[] free;
  private final long[] leaving;
  private final int[] device;
  private final int[] kind;
  private final Hardware hardware;
  private final DeviceSlots slots;
  private final HostPortTable ports;
  private final NodeChanges changes;
  private final boolean zoned;
  private final SortedMap<NodeName, Long> claimBytes;

  FreeCapacity(List<NodeView> nodes) {
    this(nodes, Collections.emptySortedMap());
  }

  /// @param claimBytes by node, memory of one GPU of which claims may have parts
  FreeCapacity(List<NodeView> nodes, SortedMap<NodeName, Long> claimBytes) {
    this.nodes = nodes;
    this.claimBytes = claimBytes;
    int size = nodes.size();
    hardware = new Hardware();
    resources = hardware.resources();
    pods = hardware.pods();
    cpu = hardware.cpu();
    nodes.forEach(node -> hardware.see(node.node().allocatable()));
    width = resources.size();
    allocatable = new long[size * width];
    free = new long[size * width];
    leaving = new long[size * width];
    device = new int[size];
    kind = new int[size];
    slots = new DeviceSlots(nodes);
    ports = new HostPortTable(size);
    changes = new NodeChanges(size);
    zoned = nodes.stream().anyMatch(FreeCapacity::isZoned);
    for (int n = 0; n < size; n++) {
      fill(n, nodes.get(n));
    }
  }

  /// One node of another room as it is there now, under index 0, to try something on. Resources and
  /// kinds keep their numbers.
  FreeCapacity(FreeCapacity source, int n) {
    nodes = Collections.singletonList(source.nodes.get(n));
    hardware = source.hardware;
    resources = source.resources;
    pods = source.pods;
    cpu = source.cpu;
    width = source.width;
    allocatable = Arrays.copyOfRange(source.allocatable, n * width, (n + 1) * width);
    free = Arrays.copyOfRange(source.free, n * width, (n + 1) * width);
    leaving = Arrays.copyOfRange(source.leaving, n * width, (n + 1) * width);
    device = new int[] {source.device[n]};
    kind = new int[] {source.kind[n]};
    claimBytes = source.claimBytes;
    slots = new DeviceSlots(source.slots, n);
    ports = new HostPortTable(source.ports, n);
    changes = new NodeChanges(1);
    zoned = source.zoned;
  }

  private void fill(int n, NodeView room) {
    int row = n * width;
    add(allocatable, row, room.node().allocatable(), 1);
    add(free, row, room.node().allocatable(), 1);
    add(free, row, room.used(), -1);
    add(leaving, row, room.leaving(), 1);
    var accelerator = room.node().accelerator();
    device[n] =
        accelerator.count() == 0 ? Resources.UNKNOWN : resources.findNext(accelerator.resource());
    kind[n] = hardware.kind(accelerator, claimBytes.getOrDefault(room.name(), 0L));
    ports.fill(n, room.hostPorts());
    holderLeaves(n, slots.fill(n, room));
  }

  /// Whether these are the same nodes with the same devices and resources, so that [#become] can
  /// take what is used of them.
  boolean canBecome(List<NodeView> later) {
    if (later.size() != nodes.size()) {
      return false;
    }
    for (int n = 0; n < later.size() && later != nodes; n++) {
      if (later.get(n) != nodes.get(n) && !isAlike(n, later.get(n))) {
        return false;
      }
    }
    return true;
  }

  private boolean isAlike(int n, NodeView later) {
    var before = nodes.get(n).node();
    var now = later.node();
    return (zoned || !isZoned(later))
        && now.name().equals(before.name())
        && now.accelerator().equals(before.accelerator())
        && now.allocatable().resources().equals(before.allocatable().resources())
        && DeviceSlots.count(later) == slots.count(n);
  }

  private static boolean isZoned(NodeView room) {
    return !room.numa().isNone();
  }

  /// Whether the NUMA zones of any node are known: else it does not matter what of a pod must be
  /// aligned.
  boolean isZoned() {
    return zoned;
  }

  /// Takes over what later rooms say of nodes that are not the same object.
  ///
  /// @return whether there are any
  boolean become(List<NodeView> later) {
    boolean changed = false;
    for (int n = 0; n < later.size() && later != nodes; n++) {
      if (later.get(n) != nodes.get(n)) {
        boolean alike =
            later.get(n).node() == nodes.get(n).node()
                && later.get(n).numa().equals(nodes.get(n).numa());
        if (!alike) {
          changes.describe(n);
        }
        boolean isSame =
            later.get(n).node() == nodes.get(n).node()
                && later.get(n).foreign().equals(nodes.get(n).foreign());
        if (!isSame) {
          changes.supply();
        }
        Arrays.fill(allocatable, n * width, (n + 1) * width, 0);
        Arrays.fill(free, n * width, (n + 1) * width, 0);
        Arrays.fill(leaving, n * width, (n + 1) * width, 0);
        slots.clear(n);
        fill(n, later.get(n));
        changes.touch(n);
        changed = true;
      }
    }
    nodes = later;
    return changed;
  }

  private void add(long[] table, int row, Amounts amounts, int sign) {
    for (int i = 0; i < amounts.size(); i++) {
      int resource = resources.findNext(amounts.resource(i));
      if (resource != Resources.UNKNOWN) {
        table[row + resource] += sign * amounts.value(i);
      }
    }
  }

  // ---- what is there

  public int nodes() {
    return nodes.size();
  }

  public NodeView node(int n) {
    return nodes.get(n);
  }

  /// The index of a node; -1 where none is called so.
  public int indexOf(NodeName name) {
    int low = 0;
    int high = nodes.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = nodes.get(middle).name().compareTo(name);
      if (order == 0) {
        return middle;
      }
      low = order < 0 ? middle + 1 : low;
      high = order < 0 ? high : middle - 1;
    }
    return -1;
  }

  /// What they are made of.
  public Hardware hardware() {
    return hardware;
  }

  public Resource resource(int number) {
    return resources.name(number);
  }

  public int width() {
    return width;
  }

  public int pods() {
    return pods;
  }

  public int cpu() {
    return cpu;
  }

  /// The device resource of a node; -1 where it has no devices.
  public int device(int n) {
    return device[n];
  }

  public int kind(int n) {
    return kind[n];
  }

  public long allocatable(int n, int resource) {
    return allocatable[n * width + resource];
  }

  /// Free at once; may be negative.
  public long free(int n, int resource) {
    return free[n * width + resource];
  }

  /// Free at once or when those have gone that are leaving.
  public long freeSoon(int n, int resource) {
    return free[n * width + resource] + leaving[n * width + resource];
  }

  /// Whether such a pod could take this very place at once.
  boolean isFreeNow(PodClass podClass, Assignment assignment) {
    int n = assignment.node();
    for (int i = 0; i < podClass.needs(); i++) {
      if (podClass.need(i) > free(n, podClass.resource(i))) {
        return false;
      }
    }
    int fresh = 0;
    for (int slot : assignment.slots()) {
      if (slots.free(n, slot) < assignment.millis()) {
        return false;
      }
      fresh += slots.isUnused(n, slot) ? 1 : 0;
    }
    return fresh == 0 || fresh <= free(n, device[n]) && fresh < free(n, pods);
  }

  /// Their shared devices.
  public DeviceSlots slots() {
    return slots;
  }

  /// What changed on the nodes, and when.
  public NodeChanges changes() {
    return changes;
  }

  /// Their host ports that are taken.
  public HostPortTable ports() {
    return ports;
  }

  // ---- what changes

  /// Where a placement is: `UNKNOWN` where its node is not there, or one of its devices, with which
  /// its room is gone.
  Assignment assignment(Placement placement) {
    int node = indexOf(placement.node());
    if (node < 0) {
      return Assignment.UNKNOWN;
    }
    var slots = new int[placement.slots().size()];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = placement.slots().get(i);
      if (slots[i] >= this.slots.count(node)) {
        return Assignment.UNKNOWN;
      }
    }
    return slots.length == 0
        ? Assignment.on(node)
        : new Assignment(node, slots, placement.millis());
  }

  /// The reverse of [#assignment].
  Placement placement(Assignment assignment) {
    var name = assignment.isOnTheMap() ? node(assignment.node()).name() : NodeName.NONE;
    var slots = Arrays.stream(assignment.slots()).boxed().toList();
    return new Placement(name, slots, assignment.millis());
  }

  /// Allocates the pod's request.
  void take(PodClass podClass, Assignment assignment) {
    use(podClass, assignment, 1);
  }

  /// The reverse of [#take].
  void giveBack(PodClass podClass, Assignment assignment) {
    use(podClass, assignment, -1);
  }

  private void use(PodClass podClass, Assignment assignment, int sign) {
    int n = assignment.node();
    int row = n * width;
    for (int i = 0; i < podClass.needs(); i++) {
      free[row + podClass.resource(i)] -= sign * podClass.need(i);
    }
    for (int slot : assignment.slots()) {
      shift(n, slot, sign * assignment.millis(), 0);
    }
    if (sign > 0) {
      ports.take(n, podClass.request().hostPorts());
    } else {
      ports.giveBack(n, podClass.request().hostPorts());
    }
    changes.touch(n);
  }

  /// A pod that is there begins to leave: its room is free soon.
  void leave(PodClass podClass, Assignment assignment) {
    beLeft(podClass, assignment, 1);
  }

  /// The reverse of [#leave].
  void stay(PodClass podClass, Assignment assignment) {
    beLeft(podClass, assignment, -1);
  }

  private void beLeft(PodClass podClass, Assignment assignment, int sign) {
    int n = assignment.node();
    int row = n * width;
    for (int i = 0; i < podClass.needs(); i++) {
      leaving[row + podClass.resource(i)] += sign * podClass.need(i);
    }
    for (int slot : assignment.slots()) {
      shift(n, slot, 0, sign * assignment.millis());
    }
    if (sign > 0) {
      ports.giveBack(n, podClass.request().hostPorts());
    } else {
      ports.take(n, podClass.request().hostPorts());
    }
    changes.touch(n);
  }

  private void shift(int n, int slot, int used, int left) {
    boolean wasVacant = slots.isVacant(n, slot);
    boolean wasUnused = slots.isUnused(n, slot);
    slots.shift(n, slot, used, left);
    if (slots.isUnused(n, slot) != wasUnused) {
      holderComes(n, wasUnused ? 1 : -1);
    }
    if (slots.isVacant(n, slot) != wasVacant) {
      holderLeaves(n, wasVacant ? -1 : 1);
    }
  }

  private void holderComes(int n, int sign) {
    free[n * width + pods] -= sign;
    if (device[n] != Resources.UNKNOWN) {
      free[n * width + device[n]] -= sign;
    }
  }

  private void holderLeaves(int n, int sign) {
    leaving[n * width + pods] += sign;
    if (device[n] != Resources.UNKNOWN) {
      leaving[n * width + device[n]] += sign;
    }
  }

  void fingerprint(StringBuilder into) {
    into.append("free ").append(Arrays.toString(free));
    into.append("\nleaving ").append(Arrays.toString(leaving));
    slots.fingerprint(into.append("\nslots "));
    ports.fingerprint(into.append("\nports "));
    into.append('\n');
  }
}
