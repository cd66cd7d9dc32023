package dev.berth.engine.session;

import dev.berth.engine.model.DeviceCapacity;
import dev.berth.engine.model.DeviceClaim;
import dev.berth.engine.model.DeviceClaim.Ask;
import dev.berth.engine.model.DeviceClaim.Choice;
import dev.berth.engine.model.DeviceClaim.DeviceId;
import dev.berth.engine.model.DeviceClaim.Result;
import dev.berth.engine.model.DeviceClass;
import dev.berth.engine.model.DeviceMatch;
import dev.berth.engine.model.DeviceSlice;
import dev.berth.engine.model.DynamicResources;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The devices of all ResourceSlices, each free, taken, or held by somebody who is leaving. Of a
/// device with `allowMultipleAllocations` several claims have parts, as far as each of its
/// capacities goes.
///
/// Layout: devices by number, in the order of nodes, then of slices; those of node `n` from
/// `from[n]` to `from[n + 1]`. Devices that are of no one node are never counted: whether they
/// reach a node is for kube-scheduler to say.
final class ClaimedDevices {
  static final int NOWHERE = -1;

  /// On a node, or a device, that we do not know.
  static final int UNKNOWN = -2;

  private static final byte FREE = 0;
  private static final byte TAKEN = 1;
  private static final byte HELD = 2; // by somebody we do not know

  private static final long MIB = 1 << 20;
  private static final long SMALL = 1; // memory of a GPU of which each part is all
  private static final SortedSet<String> NOTHING = Collections.emptySortedSet();

  private final List<Item> items = new ArrayList<>();
  private final List<Item> roaming = new ArrayList<>();
  private final TreeMap<String, List<DeviceMatch>> classes;
  private final HashMap<DeviceId, Integer> numbers = new HashMap<>(); // looked up only
  private final int[] from;
  private final byte[] state;
  private final boolean[] leaving; // somebody on his way out has it still
  private final boolean[] gpu;
  private final String[][] names; // of the capacities of a device that is shared, ascending
  private final long[][] used; // by capacity
  private final long[][] left; // by capacity: somebody on his way out has it still
  private final int[] heldMillis; // thousandths that somebody has whom we do not know
  private final int[] changes; // by node
  private long looks;
  private final Partitions partitions;
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

  /// The devices of all nodes that are meant, whoever has them.
  ///
  /// @param devices by number
  /// @param most of one node
  /// @param isShared whether there is one among them that several claims may have parts of
  /// @param roaming of no one node
  /// @param gpus of one node at most, with those of no one node
  /// @param bytes of memory, where all these GPUs are parts of GPUs those of the largest; else 0
  private record Suiting(
      BitSet devices, int most, boolean isShared, int roaming, int gpus, long bytes) {
    boolean isEmpty() {
      return devices.isEmpty() && roaming == 0;
    }
  }

  /// What a claim has of one device.
  ///
  /// @param whole nobody else has anything of the device
  /// @param amounts by number of the device's capacities; not to be changed
  record Part(int device, boolean whole, long[] amounts) {
    static Part whole(int device) {
      return new Part(device, true, new long[0]);
    }
  }

  ClaimedDevices(DynamicResources known, FreeCapacity room) {
    from = new int[room.nodes() + 1];
    changes = new int[room.nodes()];
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
    state = new byte[items.size()];
    leaving = new boolean[items.size()];
    gpu = new boolean[items.size()];
    names = new String[items.size()][];
    used = new long[items.size()][];
    left = new long[items.size()][];
    heldMillis = new int[items.size()];
    classes = classes(known);
    for (int d = 0; d < gpu.length; d++) {
      var item = items.get(d);
      numbers.put(item.id(), d);
      gpu[d] = isGpu(item, classes);
      var capacity = item.device.shared() ? item.device.capacity().keySet() : NOTHING;
      names[d] = capacity.toArray(String[]::new);
      used[d] = new long[names[d].length];
      left[d] = new long[names[d].length];
      partitions.add(item.slice, item.device);
    }
    for (Item item : roaming) {
      roamingGpus.put(item.id(), isGpu(item, classes));
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

  private boolean suits(Choice choice, int d) {
    looks++;
    return suiting(choice).devices.get(d);
  }

  private Suiting suiting(Choice choice) {
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
      return new Suiting(devices, 0, false, 0, 0, 0);
    }
    for (Item item : roaming) {
      boolean suits = accept(ofClass, item) && accept(meant.matches, item);
      roams += suits ? 1 : 0;
      gpus += suits && roamingGpus.getOrDefault(item.id(), false) ? 1 : 0;
    }
    int most = 0;
    int mostGpus = 0;
    boolean isShared = false;
    boolean arePartitions = gpus == 0;
    long bytes = 0;
    for (int n = 0; n + 1 < from.length; n++) {
      int here = 0;
      int gpusHere = 0;
      for (int d = from[n]; d < from[n + 1]; d++) {
        var item = items.get(d);
        looks += ofClass.size() + meant.matches.size();
        if (accept(ofClass, item) && accept(meant.matches, item)) {
          devices.set(d);
          here++;
          gpusHere += gpu[d] ? 1 : 0;
          isShared |= item.device.shared();
          arePartitions &= !gpu[d] || partitions.bytes(d) > 0;
          bytes = gpu[d] ? Math.max(bytes, partitions.bytes(d)) : bytes;
        }
      }
      most = Math.max(most, here);
      mostGpus = Math.max(mostGpus, gpusHere);
    }
    return new Suiting(devices, most, isShared, roams, gpus + mostGpus, arePartitions ? bytes : 0);
  }

  int node(int device) {
    return items.get(device).node;
  }

  /// What was allocated, as far as the devices are known.
  List<Part> find(List<Result> results) {
    var found = new ArrayList<Part>(results.size());
    for (Result result : results) {
      int d = numbers.getOrDefault(result.device(), NOWHERE);
      if (d >= 0 && result.isShare() && items.get(d).device.shared()) {
        var amounts = new long[names[d].length];
        for (int c = 0; c < amounts.length; c++) {
          amounts[c] = result.consumed().getOrDefault(names[d][c], 0L);
        }
        found.add(new Part(d, false, amounts));
      } else if (d >= 0) {
        found.add(Part.whole(d));
      }
    }
    return found;
  }

  // ---- what is charged

  /// Before devices are allocated of each request the dearest alternative that some node could
  /// give; then what is allocated.
  ClaimedGpus charge(DeviceClaim claim) {
    var sum = new ClaimedGpus.Sum();
    if (claim.allocation().isNone()) {
      for (Ask ask : claim.asks()) {
        sum.dearest(givable(ask).stream().map(this::charge).toList());
      }
      return sum.sum();
    }
    for (Result result : claim.allocation().results()) {
      long part = result.isShare() ? result.memoryBytes() : 0;
      long bytes = part > 0 ? part : partBytes(result.device());
      if (!isGpu(result.device(), claim)) {
        continue;
      }
      if (bytes > 0) {
        sum.part(bytes, 1);
      } else {
        sum.whole(1);
      }
    }
    return sum.sum();
  }

  /// What it takes at most to find out where a claim fits, were its devices looked for alone.
  long cost(DeviceClaim claim) {
    long looks = 0;
    for (Ask ask : claim.asks()) {
      for (Choice choice : ask.choices()) {
        looks += 1;
        for (DeviceMatch match : choice.matches()) {
          looks += 1 + match.attributes().size();
        }
      }
    }
    return looks * Math.max(1, items.size());
  }

  /// Of a claim for which no devices are looked: whatever it asks may be GPUs.
  static ClaimedGpus chargeUnseen(DeviceClaim claim) {
    var sum = new ClaimedGpus.Sum();
    for (Ask ask : claim.asks()) {
      sum.whole(ask.choices().stream().mapToInt(Choice::count).max().orElse(0));
    }
    return sum.sum();
  }

  /// The alternatives of which some node has enough devices, whoever has them now; all of them,
  /// where there is none.
  private List<Choice> givable(Ask ask) {
    var givable = ask.choices().stream().filter(this::isGivable).toList();
    return givable.isEmpty() ? ask.choices() : givable;
  }

  private boolean isGivable(Choice choice) {
    var suiting = suiting(choice);
    return suiting.most >= least(choice) || suiting.isShared || suiting.roaming > 0;
  }

  /// How many devices it takes at least.
  private static int least(Choice choice) {
    return choice.all() || choice.shared() ? 1 : choice.count();
  }

  /// A class that may mean GPUs means them. Of all devices of a node so many are meant as the node
  /// has that has most.
  private ClaimedGpus charge(Choice choice) {
    var suiting = suiting(choice);
    boolean areGpus = DeviceClass.isGpu(choice.deviceClass()) || suiting.gpus > 0;
    if (!areGpus || choice.shared()) {
      return ClaimedGpus.NONE;
    }
    int count = count(choice);
    long bytes = choice.memoryBytes() > 0 ? choice.memoryBytes() : suiting.bytes;
    return bytes > 0 ? ClaimedGpus.of(count, bytes) : ClaimedGpus.of(count);
  }

  private int count(Choice choice) {
    return choice.all() ? Math.max(1, suiting(choice).gpus) : choice.count();
  }

  /// The first request of which kube-scheduler may choose less than is charged.
  Optional<Reason.CountedClaim> counted(DeviceClaim claim) {
    for (Ask ask : claim.asks()) {
      int alternatives = ask.choices().size();
      var dearest =
          givable(ask).stream()
              .max(Comparator.comparingLong(choice -> charge(choice).millisOn(SMALL)))
              .filter(choice -> !charge(choice).isNone() && claim.allocation().isNone())
              .filter(choice -> choice.all() || alternatives > 1);
      if (dearest.isPresent()) {
        var choice = dearest.get();
        return Optional.of(
            new Reason.CountedClaim(
                claim.key(), choice.deviceClass(), count(choice), alternatives, choice.all()));
      }
    }
    return Optional.empty();
  }

  /// Of a device that no slice names its driver decides, and else what was asked.
  private boolean isGpu(DeviceId device, DeviceClaim claim) {
    int d = numbers.getOrDefault(device, NOWHERE);
    if (d >= 0) {
      return gpu[d];
    }
    if (roamingGpus.containsKey(device)) {
      return roamingGpus.getOrDefault(device, false);
    }
    return DeviceClass.isGpu(device.driver())
        || !claim.problems().isEmpty()
        || claim.asks().stream()
            .flatMap(ask -> ask.choices().stream())
            .anyMatch(choice -> !charge(choice).isNone());
  }

  /// Memory of a device that is a part of a GPU (a MIG device); 0 = it is none, or not known.
  private long partBytes(DeviceId device) {
    int d = numbers.getOrDefault(device, NOWHERE);
    return d >= 0 ? partitions.bytes(d) : 0;
  }

  /// Thousandths of the GPUs of a node, without what is held by somebody we do not know. A GPU and
  /// its partitions count once.
  long gpuMillis(int n) {
    long millis = 0;
    var seen = new TreeSet<Integer>();
    for (int d = from[n]; d < from[n + 1]; d++) {
      int whole = partitions.whole(d);
      if (gpu[d] && whole < 0) {
        millis += state[d] != HELD ? 1000 - heldMillis[d] : 0;
      } else if (gpu[d]) {
        millis += seen.add(whole) ? 1000 : 0;
        millis -= state[d] == HELD ? partitions.millis(d) : heldMillis[d];
      }
    }
    return Math.max(0, millis);
  }

  /// By node, of the GPUs there of which claims may have parts or partitions, the memory of the
  /// smallest in bytes. It is by this memory that queues are charged.
  static TreeMap<NodeName, Long> memory(DynamicResources known) {
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

  /// Whether there is a device anywhere that one of the choices would take.
  boolean hasAny(Ask ask) {
    for (Choice choice : ask.choices()) {
      if (!suiting(choice).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private boolean roams(Choice choice) {
    return suiting(choice).roaming > 0;
  }

  /// Adds free devices of a node for all that a claim asks.
  ///
  /// @param promised whether devices that are being left will do
  /// @param chosen taken already, and what is found
  /// @return false where there are too few; then some may have been added
  boolean choose(DeviceClaim claim, int n, boolean promised, List<Part> chosen) {
    int begin = chosen.size();
    for (Ask ask : claim.asks()) {
      if (!choose(ask, claim.distinct(), n, promised, chosen, begin)) {
        return false;
      }
    }
    return true;
  }

  /// The same, with what there is for the other requests where one is not met.
  void chooseSome(DeviceClaim claim, int n, boolean promised, List<Part> chosen) {
    int begin = chosen.size();
    for (Ask ask : claim.asks()) {
      var _ = choose(ask, claim.distinct(), n, promised, chosen, begin);
    }
  }

  private boolean choose(
      Ask ask, boolean distinct, int n, boolean promised, List<Part> chosen, int begin) {
    for (Choice choice : ask.choices()) {
      if (choose(choice, n, promised, chosen, begin, distinct)) {
        return true;
      }
    }
    return false;
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

  /// Grows with all that is taken of a node's devices, or given back.
  int changes(int n) {
    return changes[n];
  }

  /// Devices that were looked at.
  long looks() {
    return looks;
  }

  private boolean choose(
      Choice choice, int n, boolean promised, List<Part> chosen, int begin, boolean distinct) {
    int before = chosen.size();
    int found = 0;
    boolean missing = false;
    if (choice.all() || choice.shared()) {
      for (int d = from[n]; d < from[n + 1]; d++) {
        if (suits(choice, d)) {
          var part = choice.shared() ? Optional.<Part>empty() : part(choice, d, promised, chosen);
          part.ifPresent(chosen::add);
          found += choice.shared() || part.isPresent() ? 1 : 0;
          missing |= !choice.shared() && part.isEmpty();
        }
      }
    } else {
      while (found < choice.count()) {
        var part = fullest(choice, n, promised, chosen, distinct ? begin : chosen.size());
        if (part.isEmpty()) {
          break;
        }
        chosen.add(part.get());
        found++;
      }
    }
    boolean enough = found >= choice.count() && !(choice.all() && missing);
    if (!enough && !roams(choice)) {
      chosen.subList(before, chosen.size()).clear();
      return false;
    }
    return true;
  }

  /// Of the devices that have room the one with the least; where nothing is asked of the capacity,
  /// devices of one claim at a time come first. Then by number.
  ///
  /// @param begin devices that are chosen from here on are not chosen again
  private Optional<Part> fullest(
      Choice choice, int n, boolean promised, List<Part> chosen, int begin) {
    Optional<Part> best = Optional.empty();
    long least = Long.MAX_VALUE;
    for (int d = from[n]; d < from[n + 1]; d++) {
      if (!suits(choice, d) || isAmong(d, chosen.subList(begin, chosen.size()))) {
        continue;
      }
      var part = part(choice, d, promised, chosen);
      long free = Long.MAX_VALUE - 1;
      if (part.isPresent() && part.get().whole) {
        free = choice.capacity().isEmpty() ? -1 : free;
      } else if (part.isPresent()) {
        int c = Math.max(0, memory(d));
        free = names[d].length == 0 ? free : free(d, c, promised, chosen);
      }
      if (part.isPresent() && free < least) {
        best = part;
        least = free;
      }
      if (least < 0) {
        return best;
      }
    }
    return best;
  }

  /// What one more allocation of a device would take; empty = there is no room for it.
  private Optional<Part> part(Choice choice, int d, boolean promised, List<Part> chosen) {
    if (state[d] != FREE || !promised && leaving[d] || !hasCounters(d, promised, chosen)) {
      return Optional.empty();
    }
    var device = items.get(d).device;
    for (var asked : choice.capacity().entrySet()) {
      var capacity = device.capacity().get(asked.getKey());
      if (capacity == null || asked.getValue() > capacity.value()) {
        return Optional.empty();
      }
    }
    if (!device.shared()) {
      return isAmong(d, chosen) ? Optional.empty() : Optional.of(Part.whole(d));
    }
    var amounts = new long[names[d].length];
    for (int c = 0; c < amounts.length; c++) {
      var capacity = capacity(d, c);
      Long asked = choice.capacity().get(names[d][c]);
      amounts[c] = asked == null ? capacity.usual() : capacity.consumedBy(asked);
      if (amounts[c] == DeviceCapacity.NEVER) {
        return Optional.empty();
      }
    }
    var part = new Part(d, false, amounts);
    return hasRoom(part, promised, chosen) ? Optional.of(part) : Optional.empty();
  }

  /// Whether what devices of its GPU consume leaves enough for one more.
  private boolean hasCounters(int d, boolean promised, List<Part> chosen) {
    if (partitions.whole(d) < 0) {
      return true;
    }
    var sum = partitions.sum(d);
    int n = items.get(d).node;
    for (int e = from[n]; e < from[n + 1]; e++) {
      if (e != d && partitions.whole(e) >= 0 && isInUse(e, promised, chosen)) {
        sum.add(e);
      }
    }
    return sum.isEnough();
  }

  private boolean isInUse(int d, boolean promised, List<Part> chosen) {
    return state[d] != FREE
        || Arrays.stream(used[d]).anyMatch(amount -> amount > 0)
        || !promised && (leaving[d] || Arrays.stream(left[d]).anyMatch(amount -> amount > 0))
        || isAmong(d, chosen);
  }

  private boolean hasRoom(Part part, boolean promised, List<Part> chosen) {
    for (int c = 0; c < part.amounts.length; c++) {
      if (part.amounts[c] > free(part.device, c, promised, chosen)) {
        return false;
      }
    }
    return true;
  }

  private long free(int d, int c, boolean promised, List<Part> chosen) {
    long free = value(d, c) - used[d][c] - (promised ? 0 : left[d][c]);
    for (Part other : chosen) {
      free -= other.device == d && !other.whole ? other.amounts[c] : 0;
    }
    return free;
  }

  private static boolean isAmong(int device, List<Part> parts) {
    for (Part part : parts) {
      if (part.device == device) {
        return true;
      }
    }
    return false;
  }

  private DeviceCapacity capacity(int d, int c) {
    return Objects.requireNonNull(items.get(d).device.capacity().get(names[d][c]));
  }

  private long value(int d, int c) {
    return capacity(d, c).value();
  }

  /// The number of a device's memory among its capacities; -1 = it tells of none.
  private int memory(int d) {
    for (int c = 0; c < names[d].length; c++) {
      if (DeviceCapacity.isMemory(names[d][c])) {
        return c;
      }
    }
    return -1;
  }

  /// What devices of a node lack for a claim on memory, in numbers; empty = the claim asks for
  /// none, or the node has no device that it may be allocated.
  String lack(DeviceClaim claim, int n) {
    for (Ask ask : claim.asks()) {
      var choice = ask.choices().getFirst();
      long asked = choice.memoryBytes();
      long freest = -1;
      long of = 0;
      for (int d = from[n]; d < from[n + 1] && asked > 0; d++) {
        int c = memory(d);
        if (c >= 0 && suits(choice, d)) {
          long free = state[d] == FREE ? Math.max(0, free(d, c, false, List.of())) : 0;
          of = free > freest ? value(d, c) : of;
          freest = Math.max(freest, free);
        }
      }
      if (freest >= 0) {
        return (choice.count() > 1 ? choice.count() + " GPUs with " : "no GPU has ")
            + (-Math.floorDiv(-asked, MIB) + " MiB free")
            + (choice.count() > 1 ? " each are asked for" : "")
            + (", the freest has " + freest / MIB + " of " + of / MIB + " MiB");
      }
    }
    return "";
  }

  boolean areFree(List<Part> parts) {
    for (Part part : parts) {
      if (state[part.device] != FREE
          || !hasCounters(part.device, true, parts)
          || !part.whole && !hasRoom(part, true, List.of())) {
        return false;
      }
    }
    return !parts.isEmpty();
  }

  void take(List<Part> parts) {
    parts.forEach(part -> set(part, TAKEN, 1));
  }

  void free(List<Part> parts) {
    parts.forEach(part -> set(part, FREE, -1));
  }

  /// Parts that are taken.
  ///
  /// @param goes whether who holds them is on his way out
  void hold(List<Part> parts, boolean goes) {
    for (Part part : parts) {
      int d = part.device;
      changes[node(d)]++;
      if (part.whole) {
        state[d] = goes ? FREE : HELD;
        leaving[d] = goes;
      } else if (goes) {
        set(part, FREE, -1);
        for (int c = 0; c < part.amounts.length; c++) {
          left[d][c] += part.amounts[c];
        }
      } else {
        heldMillis[d] = Math.min(1000, heldMillis[d] + millis(part));
      }
    }
  }

  private int millis(Part part) {
    int c = memory(part.device);
    return c < 0 ? 0 : ClaimedGpus.millis(part.amounts[c], value(part.device, c));
  }

  private void set(Part part, byte to, int sign) {
    changes[node(part.device)]++;
    if (part.whole) {
      state[part.device] = to;
      return;
    }
    for (int c = 0; c < part.amounts.length; c++) {
      used[part.device][c] += sign * part.amounts[c];
    }
  }

  void fingerprint(StringBuilder into) {
    into.append("devices ").append(Arrays.toString(state));
    into.append(Arrays.deepToString(used)).append('\n');
  }
}
