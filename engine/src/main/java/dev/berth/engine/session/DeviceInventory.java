package dev.berth.engine.session;

import dev.berth.engine.model.DeviceCapacity;
import dev.berth.engine.model.DeviceClaim;
import dev.berth.engine.model.DeviceClaim.Ask;
import dev.berth.engine.model.DeviceClaim.Choice;
import dev.berth.engine.model.DeviceClaim.DeviceId;
import dev.berth.engine.model.DeviceClass;
import dev.berth.engine.model.DeviceMatch;
import dev.berth.engine.model.DeviceSlice;
import dev.berth.engine.model.DynamicResources;
import dev.berth.engine.model.NodeName;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;

/// The devices of all ResourceSlices by number, taken or not, and which of them a request means.
///
/// Layout: devices by number, in the order of nodes, then of slices; those of node `n` from
/// `from[n]` to `from[n + 1]`. Devices that are of no one node have no number: whether they reach a
/// node is for kube-scheduler to say.
final class DeviceInventory {
  static final int NOWHERE = -1;

  /// On a node, or a device, that Berth does not know.
  static final int UNKNOWN = -2;

  private static final SortedSet<String> NOTHING = Collections.emptySortedSet();

  private final List<Item> items = new ArrayList<>();
  private final List<Item> roaming = new ArrayList<>();
  private final TreeMap<String, List<DeviceMatch>> classes;
  private final HashMap<DeviceId, Integer> numbers = new HashMap<>(); // looked up only
  private final int[] from;
  private final boolean[] gpu;
  private final String[][] names; // of the capacities of a device that is shared, ascending
  private long looks;
  private final Partitions partitions;
  private final DeviceShapes shapes = new DeviceShapes();
  private final int[] shape; // by device
  private final HashMap<DeviceId, Integer> roamingShapes = new HashMap<>(); // looked up only
  private final HashMap<DeviceId, Boolean> roamingGpus = new HashMap<>(); // looked up only
  private final HashMap<Meant, Suiting> suiting = new HashMap<>(); // looked up only
  private final IdentityHashMap<Choice, Suiting> suitingChoice = new IdentityHashMap<>(); // as well

  private record Item(DeviceSlice slice, DeviceSlice.Device device, int node) {
    DeviceId id() {
      return new DeviceId(slice.driver(), slice.pool(), device.name());
    }
  }

  /// Which devices a choice means, whatever it asks of them.
  private record Meant(String deviceClass, List<DeviceMatch> matches) {}

  /// The devices of all nodes that are meant, taken or not.
  ///
  /// @param devices by number
  /// @param most of one node
  /// @param isShared whether there is one among them that several claims may have parts of
  /// @param roaming of no one node
  /// @param gpus of one node at most, with those of no one node
  /// @param shapes of the GPUs among them
  record Suiting(BitSet devices, int most, boolean isShared, int roaming, int gpus, BitSet shapes) {
    boolean isEmpty() {
      return devices.isEmpty() && roaming == 0;
    }
  }

  DeviceInventory(DynamicResources known, FreeCapacity room) {
    from = new int[room.nodes() + 1];
    var byNode = new TreeMap<Integer, List<Item>>();
    for (DeviceSlice slice : latest(known.slices())) {
      int n = slice.node().isNone() ? NOWHERE : room.indexOf(slice.node());
      boolean roams = slice.node().isNone();
      for (DeviceSlice.Device device : slice.devices()) {
        if (roams) {
          roaming.add(new Item(slice, device, n));
        } else if (n >= 0) {
          byNode.computeIfAbsent(n, _ -> new ArrayList<>()).add(new Item(slice, device, n));
        }
      }
    }
    partitions = new Partitions(latest(known.slices()));
    for (int n = 0; n < room.nodes(); n++) {
      items.addAll(byNode.getOrDefault(n, List.of()));
      from[n + 1] = items.size();
    }
    gpu = new boolean[items.size()];
    names = new String[items.size()][];
    classes = classes(known);
    for (int d = 0; d < gpu.length; d++) {
      var item = items.get(d);
      numbers.put(item.id(), d);
      gpu[d] = isGpu(item, classes);
      var capacity = item.device.shared() ? item.device.capacity().keySet() : NOTHING;
      names[d] = capacity.toArray(String[]::new);
      partitions.add(item.slice, item.device);
    }
    shape = new int[items.size()];
    for (int d = 0; d < shape.length; d++) {
      shape[d] = shapes.number(items.get(d).device, partitions.bytes(d), partitions.millis(d));
    }
    for (Item item : roaming) {
      roamingGpus.put(item.id(), isGpu(item, classes));
      roamingShapes.put(item.id(), shapes.number(item.device, 0, DeviceShapes.WHOLE));
    }
  }

  private static TreeMap<String, List<DeviceMatch>> classes(DynamicResources known) {
    var classes = new TreeMap<String, List<DeviceMatch>>();
    for (DeviceClass each : known.classes()) {
      classes.put(each.name(), meaning(each, known.slices()));
    }
    return classes;
  }

  /// Of the slices of one pool those of its latest generation.
  private static List<DeviceSlice> latest(List<DeviceSlice> slices) {
    var generations = new TreeMap<String, Long>();
    for (DeviceSlice slice : slices) {
      generations.merge(slice.driver() + "/" + slice.pool(), slice.generation(), Math::max);
    }
    var latest = new ArrayList<DeviceSlice>();
    for (DeviceSlice slice : slices) {
      if (generations.getOrDefault(slice.driver() + "/" + slice.pool(), 0L) == slice.generation()) {
        latest.add(slice);
      }
    }
    return latest;
  }

  /// A class without selectors means every device; where a driver bears its name, that driver's.
  private static List<DeviceMatch> meaning(DeviceClass named, List<DeviceSlice> slices) {
    if (named.matches().isEmpty()) {
      for (DeviceSlice slice : slices) {
        if (slice.driver().equals(named.name())) {
          return List.of(new DeviceMatch(named.name(), new TreeMap<>()));
        }
      }
    }
    return named.matches();
  }

  private static boolean isGpu(Item item, TreeMap<String, List<DeviceMatch>> classes) {
    if (DeviceClass.isGpu(item.slice.driver())) {
      return true;
    }
    for (var each : classes.entrySet()) {
      if (DeviceClass.isGpu(each.getKey()) && accept(each.getValue(), item)) {
        return true;
      }
    }
    return false;
  }

  private static boolean accept(List<DeviceMatch> matches, Item item) {
    for (DeviceMatch match : matches) {
      if (!match.accepts(item.slice, item.device)) {
        return false;
      }
    }
    return true;
  }

  // ---- what there is

  /// Devices that are of one node.
  int size() {
    return gpu.length;
  }

  /// The first device of a node.
  int from(int n) {
    return from[n];
  }

  /// The first device after those of a node.
  int to(int n) {
    return from[n + 1];
  }

  int node(int device) {
    return items.get(device).node;
  }

  DeviceSlice.Device device(int d) {
    return items.get(d).device;
  }

  /// The number of a device; [#NOWHERE] where it is of no one node, or no slice names it.
  int number(DeviceId device) {
    return numbers.getOrDefault(device, NOWHERE);
  }

  boolean isGpu(int d) {
    return gpu[d];
  }

  /// Whether a slice names the device.
  boolean isListed(DeviceId device) {
    return number(device) >= 0 || roamingGpus.containsKey(device);
  }

  /// Of a device that a slice names.
  boolean isGpu(DeviceId device) {
    int d = number(device);
    return d >= 0 ? gpu[d] : roamingGpus.getOrDefault(device, false);
  }

  DeviceShapes shapes() {
    return shapes;
  }

  int shape(int d) {
    return shape[d];
  }

  /// Of a device that a slice names.
  int shape(DeviceId device) {
    int d = number(device);
    return d >= 0 ? shape[d] : roamingShapes.getOrDefault(device, NOWHERE);
  }

  Partitions partitions() {
    return partitions;
  }

  /// Names of the capacities of a device that is shared, ascending. Not to be changed.
  String[] capacities(int d) {
    return names[d];
  }

  DeviceCapacity capacity(int d, int c) {
    return Objects.requireNonNull(items.get(d).device.capacity().get(names[d][c]));
  }

  /// The number of a device's memory among its capacities; -1 = it tells of none.
  int memory(int d) {
    for (int c = 0; c < names[d].length; c++) {
      if (DeviceCapacity.isMemory(names[d][c])) {
        return c;
      }
    }
    return -1;
  }

  /// By node, of the GPUs there of which claims may have parts or partitions, the memory of the
  /// smallest in bytes. It is by this memory that queues are charged.
  static TreeMap<NodeName, Long> claimableMemory(DynamicResources known) {
    var memory = new TreeMap<NodeName, Long>();
    var classes = classes(known);
    for (DeviceSlice slice : latest(known.slices())) {
      var wholes = new TreeMap<String, Long>();
      for (DeviceSlice.Device device : slice.devices()) {
        if (!device.consumes().isEmpty()) {
          wholes.merge(device.consumes().firstKey(), device.memoryBytes(), Math::max);
        }
      }
      for (DeviceSlice.Device device : slice.devices()) {
        boolean isPart = !device.consumes().isEmpty();
        long bytes =
            slice.node().isNone() || !device.shared() && !isPart
                ? 0
                : isPart
                    ? wholes.getOrDefault(device.consumes().firstKey(), 0L)
                    : device.memoryBytes();
        if (bytes > 0 && isGpu(new Item(slice, device, NOWHERE), classes)) {
          memory.merge(slice.node(), bytes, Math::min);
        }
      }
    }
    return memory;
  }

  // ---- what is meant

  boolean suits(Choice choice, int d) {
    looks++;
    return suiting(choice).devices.get(d);
  }

  Suiting suiting(Choice choice) {
    var known = suitingChoice.get(choice);
    if (known == null) {
      var meant = new Meant(choice.deviceClass(), choice.matches());
      known = suiting.computeIfAbsent(meant, this::find);
      suitingChoice.put(choice, known);
    }
    return known;
  }

  private Suiting find(Meant meant) {
    var devices = new BitSet();
    var ofClass = classes.get(meant.deviceClass);
    int roams = 0;
    int gpus = 0;
    if (ofClass == null) {
      return new Suiting(devices, 0, false, 0, 0, new BitSet());
    }
    var ofGpus = new BitSet();
    for (Item item : roaming) {
      boolean suits = accept(ofClass, item) && accept(meant.matches, item);
      roams += suits ? 1 : 0;
      if (suits && roamingGpus.getOrDefault(item.id(), false)) {
        gpus++;
        ofGpus.set(roamingShapes.getOrDefault(item.id(), 0));
      }
    }
    int most = 0;
    int mostGpus = 0;
    boolean isShared = false;
    for (int n = 0; n + 1 < from.length; n++) {
      int here = 0;
      int gpusHere = 0;
      for (int d = from[n]; d < from[n + 1]; d++) {
        var item = items.get(d);
        looks += ofClass.size() + meant.matches.size();
        if (accept(ofClass, item) && accept(meant.matches, item)) {
          devices.set(d);
          here++;
          if (gpu[d]) {
            gpusHere++;
            ofGpus.set(shape[d]);
          }
          isShared |= item.device.shared();
        }
      }
      most = Math.max(most, here);
      mostGpus = Math.max(mostGpus, gpusHere);
    }
    return new Suiting(devices, most, isShared, roams, gpus + mostGpus, ofGpus);
  }

  /// Whether there is a device anywhere that one of the choices would take.
  boolean hasAny(Ask ask) {
    return ask.choices().stream().anyMatch(choice -> !suiting(choice).isEmpty());
  }

  /// Whether some node has enough devices, taken or not.
  boolean hasEnough(Choice choice) {
    var suiting = suiting(choice);
    return suiting.most >= least(choice) || suiting.isShared || suiting.roaming > 0;
  }

  /// How many devices must be there.
  private static int least(Choice choice) {
    return choice.shared() ? 1 : choice.least();
  }

  /// Whether a node has enough devices for each request by itself, were all of them free.
  boolean hasEnough(DeviceClaim claim, int n) {
    for (Ask ask : claim.asks()) {
      if (ask.choices().stream().noneMatch(choice -> hasEnough(choice, n))) {
        return false;
      }
    }
    return true;
  }

  private boolean hasEnough(Choice choice, int n) {
    var suiting = suiting(choice);
    return suiting.isShared
        || suiting.roaming > 0
        || suiting.devices.get(from[n], from[n + 1]).cardinality() >= least(choice);
  }

  /// Whether devices of no one node are meant, too.
  boolean roams(Choice choice) {
    return suiting(choice).roaming > 0;
  }

  /// What it takes at most to find out where a claim fits, were its devices looked for alone: each
  /// that is chosen is chosen among all, and each equality is compared with all.
  long cost(DeviceClaim claim) {
    long looks = 0;
    for (Ask ask : claim.asks()) {
      for (Choice choice : ask.choices()) {
        looks += Math.clamp(choice.least(), 1, DeviceClaim.MOST_DEVICES);
        for (DeviceMatch match : choice.matches()) {
          looks += 1 + match.attributes().size();
        }
      }
    }
    return looks * Math.max(1, size());
  }

  /// Devices that were looked at.
  long looks() {
    return looks;
  }
}
