package dev.berth.simulator.world;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.engine.model.DeviceSlice;
import dev.berth.engine.request.Quantities;
import dev.berth.engine.request.SliceManifest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// kube-scheduler's plugin for dynamic resources, in small: chooses devices for the claims of a pod
/// on a node, first fit by slice and device, and writes them into the claims when the pod is
/// assumed. Of devices with consumable capacity it keeps the sum of what claims consume. What it
/// does not model: partitions, and CEL beyond the driver.
///
/// It reads the store itself: its picture is never late.
final class DynamicResourcesPlugin {
  private final World world;

  DynamicResourcesPlugin(World world) {
    this.world = world;
  }

  private static boolean hasNone(Map<String, ?> pod) {
    return ObjectTree.list(pod, "spec", "resourceClaims").isEmpty();
  }

  /// Why a node will not do; empty = it will.
  String objection(Map<String, ?> pod, String node) {
    if (hasNone(pod)) {
      return "";
    }
    if (names(pod).size() < ObjectTree.list(pod, "spec", "resourceClaims").size()) {
      return "waiting for the resource claim controller";
    }
    for (String name : names(pod)) {
      if (find(pod, name).isEmpty()) {
        return "resourceclaim \"" + name + "\" not found";
      }
    }
    return choose(pod, node).isEmpty() ? "cannot allocate all claims" : "";
  }

  /// Names of the pod's claims, as far as they are made.
  static List<String> names(Map<String, ?> pod) {
    var names = new ArrayList<String>();
    for (var claim : ObjectTree.maps(pod, "spec", "resourceClaims")) {
      String name = ObjectTree.text(claim, "resourceClaimName");
      for (var made : ObjectTree.maps(pod, "status", "resourceClaimStatuses")) {
        if (ObjectTree.text(made, "name").equals(ObjectTree.text(claim, "name"))) {
          name = ObjectTree.text(made, "resourceClaimName");
        }
      }
      if (!name.isEmpty()) {
        names.add(name);
      }
    }
    return names;
  }

  private static ObjectRef ref(Map<String, ?> pod, String claim) {
    return new ObjectRef(Kind.RESOURCE_CLAIM, ObjectTree.text(pod, "metadata", "namespace"), claim);
  }

  private Optional<Map<String, Object>> find(Map<String, ?> pod, String claim) {
    return world.find(ref(pod, claim));
  }

  /// For each claim that has no devices yet those it would get there; empty = it cannot be.
  private Optional<Map<String, List<Map<String, Object>>>> choose(Map<String, ?> pod, String node) {
    var chosen = new TreeMap<String, List<Map<String, Object>>>();
    var use = use();
    for (String name : names(pod)) {
      var claim = find(pod, name).orElse(Map.of());
      if (ObjectTree.has(claim, "status", "allocation")) {
        if (!nodeOf(claim).isEmpty() && !nodeOf(claim).equals(node)) {
          return Optional.empty();
        }
        continue;
      }
      var devices = new ArrayList<Map<String, Object>>();
      for (var request : ObjectTree.maps(claim, "spec", "devices", "requests")) {
        boolean distinct =
            ObjectTree.maps(claim, "spec", "devices", "constraints").stream()
                .anyMatch(constraint -> constraint.containsKey("distinctAttribute"));
        if (!add(request, node, use, devices, distinct)) {
          return Optional.empty();
        }
      }
      chosen.put(name, devices);
    }
    return Optional.of(chosen);
  }

  private boolean add(
      Map<String, ?> request,
      String node,
      Use use,
      List<Map<String, Object>> devices,
      boolean distinct) {
    var choices = new ArrayList<>(ObjectTree.maps(request, "firstAvailable"));
    if (choices.isEmpty()) {
      choices.add(ObjectTree.map(request, "exactly"));
    }
    for (var choice : choices) {
      int wanted = (int) ObjectTree.number(choice, 1, "count");
      var found = new ArrayList<Map<String, Object>>();
      while (found.size() < wanted) {
        var mine = new ArrayList<>(devices);
        mine.addAll(found);
        var device = first(choice, node, use, distinct ? mine : List.of());
        if (device.isEmpty()) {
          break;
        }
        use.add(device.get());
        found.add(device.get());
      }
      if (found.size() == wanted) {
        found.forEach(device -> device.put("request", ObjectTree.text(request, "name")));
        devices.addAll(found);
        return true;
      }
      found.forEach(use::remove);
    }
    return false;
  }

  /// The first device that has room, as a result of an allocation.
  private Optional<Map<String, Object>> first(
      Map<String, ?> choice, String node, Use use, List<Map<String, Object>> but) {
    var named =
        world.find(
            new ObjectRef(Kind.DEVICE_CLASS, "", ObjectTree.text(choice, "deviceClassName")));
    for (var slice : world.list(Kind.RESOURCE_SLICE)) {
      String driver = ObjectTree.text(slice, "spec", "driver");
      boolean here = ObjectTree.text(slice, "spec", "nodeName").equals(node);
      if (named.isEmpty() || !here || !accepts(named.get(), driver)) {
        continue;
      }
      var read = SliceManifest.read(slice).orElseThrow();
      for (var device : read.devices()) {
        var result = ObjectTree.of("driver", driver, "pool", read.pool(), "device", device.name());
        boolean again = but.stream().anyMatch(other -> id(other).equals(id(result)));
        if (!again && use.hasRoom(device, result, ObjectTree.map(choice, "capacity", "requests"))) {
          return Optional.of(result);
        }
      }
    }
    return Optional.empty();
  }

  /// What claims have of the devices.
  private static final class Use {
    private final TreeSet<String> taken = new TreeSet<>();
    private final TreeMap<String, TreeMap<String, Long>> consumed = new TreeMap<>();
    private int shares;

    void add(Map<String, ?> result) {
      count(result, 1);
    }

    void remove(Map<String, ?> result) {
      count(result, -1);
    }

    private void count(Map<String, ?> result, int sign) {
      if (ObjectTree.text(result, "shareID").isEmpty()) {
        boolean _ = sign > 0 ? taken.add(id(result)) : taken.remove(id(result));
        return;
      }
      shares++;
      var sums = consumed.computeIfAbsent(id(result), _ -> new TreeMap<>());
      ObjectTree.map(result, "consumedCapacity")
          .forEach((name, amount) -> sums.merge(name, sign * amount(amount), Long::sum));
    }

    /// Whether the device has room for one more allocation; that becomes a part of the result.
    boolean hasRoom(
        DeviceSlice.Device device, Map<String, Object> result, Map<String, ?> requests) {
      if (taken.contains(id(result))
          || !device.capacity().keySet().containsAll(requests.keySet())) {
        return false;
      }
      var sums = consumed.getOrDefault(id(result), new TreeMap<>());
      var mine = new TreeMap<String, Object>();
      for (var each : device.capacity().entrySet()) {
        var capacity = each.getValue();
        var asked = requests.get(each.getKey());
        long takes = asked == null ? capacity.usual() : capacity.consumedBy(amount(asked));
        long before = device.shared() ? sums.getOrDefault(each.getKey(), 0L) : 0;
        if (takes < 0 || takes > capacity.value() - before) {
          return false;
        }
        mine.put(each.getKey(), Long.toString(takes));
      }
      if (device.shared()) {
        result.put("shareID", "share-" + shares);
        result.put("consumedCapacity", mine);
      }
      return true;
    }

    private static long amount(Object quantity) {
      return Quantities.units(String.valueOf(quantity)).orElse(Long.MAX_VALUE);
    }
  }

  /// A class without selectors means every device; where a driver bears its name, that driver's.
  private boolean accepts(Map<String, ?> named, String driver) {
    var selectors = ObjectTree.maps(named, "spec", "selectors");
    for (var selector : selectors) {
      String expression = ObjectTree.text(selector, "cel", "expression");
      if (expression.contains("device.driver")
          && !expression.contains("\"" + driver + "\"")
          && !expression.contains("'" + driver + "'")) {
        return false;
      }
    }
    boolean isDriver =
        world.list(Kind.RESOURCE_SLICE).stream()
            .anyMatch(
                slice -> ObjectTree.text(slice, "spec", "driver").equals(ObjectTree.name(named)));
    return !selectors.isEmpty() || !isDriver || driver.equals(ObjectTree.name(named));
  }

  private static String id(Map<String, ?> device) {
    return ObjectTree.text(device, "driver")
        + "/"
        + ObjectTree.text(device, "pool")
        + "/"
        + ObjectTree.text(device, "device");
  }

  private Use use() {
    var use = new Use();
    for (var claim : world.list(Kind.RESOURCE_CLAIM)) {
      ObjectTree.maps(claim, "status", "allocation", "devices", "results").forEach(use::add);
    }
    return use;
  }

  private static String nodeOf(Map<String, ?> claim) {
    for (var term :
        ObjectTree.maps(claim, "status", "allocation", "nodeSelector", "nodeSelectorTerms")) {
      for (var field : ObjectTree.maps(term, "matchFields")) {
        return String.valueOf(ObjectTree.list(field, "values").getFirst());
      }
    }
    return "";
  }

  /// The pod is assumed on a node: its claims are allocated there, and reserved for it.
  void reserve(Map<String, ?> pod, String node) {
    if (hasNone(pod)) {
      return;
    }
    var chosen = choose(pod, node).orElse(Map.of());
    for (String name : names(pod)) {
      var claim = find(pod, name).orElse(Map.of());
      var users = new ArrayList<>(ObjectTree.list(claim, "status", "reservedFor"));
      users.add(
          ObjectTree.of(
              "resource", "pods", "name", ObjectTree.name(pod), "uid", ObjectTree.uid(pod)));
      var status = ObjectTree.of("reservedFor", users);
      if (chosen.containsKey(name)) {
        status.put("allocation", allocation(chosen.getOrDefault(name, List.of()), node));
      }
      world.patchStatus(ref(pod, name), ObjectTree.of("status", status));
    }
  }

  private static Map<String, Object> allocation(List<Map<String, Object>> devices, String node) {
    var field = ObjectTree.of("key", "metadata.name", "operator", "In", "values", List.of(node));
    return ObjectTree.of(
        "devices",
        ObjectTree.of("results", devices),
        "nodeSelector",
        ObjectTree.of("nodeSelectorTerms", List.of(ObjectTree.of("matchFields", List.of(field)))));
  }

  /// The pod is gone, or was not bound: the last user of a claim gives its devices back.
  void release(Map<String, ?> pod) {
    for (String name : names(pod)) {
      var claim = find(pod, name).orElse(Map.of());
      var users = new ArrayList<Object>();
      boolean any = false;
      for (var user : ObjectTree.maps(claim, "status", "reservedFor")) {
        if (ObjectTree.text(user, "uid").equals(ObjectTree.uid(pod))) {
          any = true;
        } else {
          users.add(user);
        }
      }
      if (any) {
        var status = ObjectTree.of("reservedFor", users.isEmpty() ? ObjectTree.ABSENT : users);
        if (users.isEmpty()) {
          status.put("allocation", ObjectTree.ABSENT);
        }
        world.patchStatus(ref(pod, name), ObjectTree.of("status", status));
      }
    }
  }
}
