package dev.berth.engine.request;

import dev.berth.engine.model.DeviceCapacity;
import dev.berth.engine.model.DeviceSlice;
import dev.berth.engine.model.DeviceSlice.Device;
import dev.berth.engine.model.NodeName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// A `resource.k8s.io` ResourceSlice. Drivers write them, not users: what cannot be read counts as
/// not there.
public final class SliceManifest {
  private SliceManifest() {}

  /// Empty only for a tree without `metadata.name`.
  public static Optional<DeviceSlice> read(Map<?, ?> tree) {
    return Manifest.open(tree).map(SliceManifest::slice);
  }

  private static DeviceSlice slice(Manifest manifest) {
    ObjectMeta head = manifest.head();
    ManifestTree spec = manifest.spec();
    String driver = spec.text("driver");
    String node = spec.text("nodeName");
    var devices = new ArrayList<Device>();
    for (ManifestTree device : spec.objects("devices")) {
      devices.add(
          new Device(
              device.text("name"),
              attributes(device, driver),
              device.flag("allowMultipleAllocations"),
              capacity(device),
              counters(device.objects("consumesCounters"), "counterSet")));
    }
    ManifestTree pool = spec.object("pool");
    return new DeviceSlice(
        head.name(),
        head.version(),
        driver,
        pool.text("name"),
        pool.number("generation", 0).orElse(0),
        node.isEmpty() ? NodeName.NONE : new NodeName(node),
        devices,
        counters(spec.objects("sharedCounters"), "name"));
  }

  /// Amounts by counter, by counter set.
  private static TreeMap<String, SortedMap<String, Long>> counters(
      List<ManifestTree> sets, String name) {
    var counters = new TreeMap<String, SortedMap<String, Long>>();
    for (ManifestTree set : sets) {
      var amounts = new TreeMap<String, Long>();
      set.object("counters")
          .eachObject((counter, told) -> amounts.put(counter, amount(told, "value", 0)));
      counters.put(set.text(name), amounts);
    }
    return counters;
  }

  /// A name without a domain is of the driver's domain.
  private static TreeMap<String, String> attributes(ManifestTree device, String driver) {
    var attributes = new TreeMap<String, String>();
    device
        .object("attributes")
        .eachObject((name, value) -> {
          String text = value.text("string", "bool");
          if (text.isEmpty()) {
            text = value.text("int", "version");
          }
          attributes.put(name.contains("/") ? name : driver + "/" + name, text);
        });
    return attributes;
  }

  /// Claims name a capacity as the driver does: kube-scheduler compares the names as they are.
  private static TreeMap<String, DeviceCapacity> capacity(ManifestTree device) {
    var capacity = new TreeMap<String, DeviceCapacity>();
    device
        .object("capacity")
        .eachObject((name, told) -> {
          long value = amount(told, "value", 0);
          ManifestTree policy = told.object("requestPolicy");
          ManifestTree range = policy.object("validRange");
          var choices = new ArrayList<Long>();
          for (String choice : policy.texts("validValues")) {
            choices.add(Quantities.units(choice).orElse(Long.MAX_VALUE));
          }
          capacity.put(
              name,
              new DeviceCapacity(
                  value,
                  amount(policy, "default", value),
                  amount(range, "min", 0),
                  amount(range, "step", 0),
                  amount(range, "max", Long.MAX_VALUE),
                  choices));
        });
    return capacity;
  }

  private static long amount(ManifestTree tree, String key, long otherwise) {
    return tree.has(key) ? Quantities.units(tree.text(key)).orElse(otherwise) : otherwise;
  }
}
