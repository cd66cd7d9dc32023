package dev.berth.engine.session;

import dev.berth.engine.model.DeviceClaim;
import dev.berth.engine.model.DeviceClaim.Ask;
import dev.berth.engine.model.DeviceClaim.Choice;
import dev.berth.engine.model.DeviceClaim.DeviceId;
import dev.berth.engine.model.DeviceClass;
import dev.berth.engine.model.DeviceMatch;
import dev.berth.engine.model.DeviceSlice;
import dev.berth.engine.model.Devices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.TreeMap;

/// The devices of all ResourceSlices, each free, taken, or held by somebody who is leaving.
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

  private final List<Item> items = new ArrayList<>();
  private final List<Item> roaming = new ArrayList<>();
  private final TreeMap<String, List<DeviceMatch>> classes = new TreeMap<>();
  private final HashMap<DeviceId, Integer> numbers = new HashMap<>(); // looked up only
  private final int[] from;
  private final byte[] state;
  private final boolean[] leaving; // somebody on his way out has it still
  private final boolean[] gpu;

  private record Item(DeviceSlice slice, DeviceSlice.Device device, int node) {}

  ClaimedDevices(Devices known, Room room) {
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
    for (int n = 0; n < room.nodes(); n++) {
      items.addAll(byNode.getOrDefault(n, List.of()));
      from[n + 1] = items.size();
    }
    state = new byte[items.size()];
    leaving = new boolean[items.size()];
    gpu = new boolean[items.size()];
    for (DeviceClass each : known.classes()) {
      classes.put(each.name(), meaning(each, known.slices()));
    }
    for (int d = 0; d < gpu.length; d++) {
      var item = items.get(d);
      numbers.put(new DeviceId(item.slice.driver(), item.slice.pool(), item.device.name()), d);
      gpu[d] = isGpu(item);
    }
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

  private boolean isGpu(Item item) {
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

  private boolean suits(Choice choice, Item item) {
    var matches = classes.get(choice.deviceClass());
    return matches != null && accept(matches, item) && accept(choice.matches(), item);
  }

  int node(int device) {
    return items.get(device).node;
  }

  /// The numbers of these devices, as far as they are known.
  int[] find(List<DeviceId> devices) {
    var found = new int[devices.size()];
    int size = 0;
    for (DeviceId device : devices) {
      int number = numbers.getOrDefault(device, NOWHERE);
      if (number >= 0) {
        found[size++] = number;
      }
    }
    return Arrays.copyOf(found, size);
  }

  /// GPUs of a node, without those that are held by somebody we do not know.
  int gpus(int n) {
    int gpus = 0;
    for (int d = from[n]; d < from[n + 1]; d++) {
      gpus += gpu[d] && state[d] != HELD ? 1 : 0;
    }
    return gpus;
  }

  /// Whether there is a device anywhere that one of the choices would take.
  boolean hasAny(Ask ask) {
    for (Choice choice : ask.choices()) {
      for (Item item : items) {
        if (suits(choice, item)) {
          return true;
        }
      }
      if (roams(choice)) {
        return true;
      }
    }
    return false;
  }

  private boolean roams(Choice choice) {
    for (Item item : roaming) {
      if (suits(choice, item)) {
        return true;
      }
    }
    return false;
  }

  /// Adds free devices of a node for all that a claim asks.
  ///
  /// @param promised whether devices that are being left will do
  /// @param chosen taken already, and what is found
  /// @return false where there are too few; then some may have been added
  boolean choose(DeviceClaim claim, int n, boolean promised, List<Integer> chosen) {
    boolean all = true;
    for (Ask ask : claim.asks()) {
      boolean any = false;
      for (Choice choice : ask.choices()) {
        any = any || choose(choice, n, promised, chosen);
      }
      all &= any;
    }
    return all;
  }

  private boolean choose(Choice choice, int n, boolean promised, List<Integer> chosen) {
    int before = chosen.size();
    int wanted = choice.count();
    int found = 0;
    boolean missing = false;
    for (int d = from[n]; d < from[n + 1]; d++) {
      if ((!choice.all() && found == wanted) || !suits(choice, items.get(d))) {
        continue;
      }
      boolean free = state[d] == FREE && (promised || !leaving[d]);
      if (choice.shared()) {
        found++;
      } else if (free && !chosen.contains(d)) {
        chosen.add(d);
        found++;
      } else {
        missing = true;
      }
    }
    boolean enough = found >= wanted && !(choice.all() && missing);
    if (!enough && !roams(choice)) {
      chosen.subList(before, chosen.size()).clear();
      return false;
    }
    return true;
  }

  boolean areFree(int[] devices) {
    for (int device : devices) {
      if (state[device] != FREE) {
        return false;
      }
    }
    return devices.length > 0;
  }

  void take(int[] devices) {
    set(devices, TAKEN);
  }

  void free(int[] devices) {
    set(devices, FREE);
  }

  /// @param goes whether who holds them is on his way out
  void hold(int[] devices, boolean goes) {
    set(devices, goes ? FREE : HELD);
    for (int device : devices) {
      leaving[device] = goes;
    }
  }

  private void set(int[] devices, byte to) {
    for (int device : devices) {
      state[device] = to;
    }
  }

  void fingerprint(StringBuilder into) {
    into.append("devices ").append(Arrays.toString(state)).append('\n');
  }
}
