package dev.berth.controllers.idle;

import dev.berth.controllers.client.MetricSeries;
import dev.berth.engine.model.DeviceSlice;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/// Which GPUs of which pods series are of, as far as they can be believed.
///
/// 1. A UUID of a shared GPU: every pod that has a share of it. The exporter sees the holder there.
/// 2. Namespace and pod: that pod.
/// 3. A UUID that a pod is known to have: that pod.
///
/// Any pod that is scraped can export series, so these say nothing:
///
/// * a series that names another node than the one that the pod, or the shared GPU, is on; and
///   where other series of the pod name its node, one that names no node;
/// * a UUID that the pod does not have, where its devices are known; else one that its node does
///   not have, where all devices of that are known;
/// * all series of a pod that are of more GPUs than it has: which are true is not told.
public final class GpuSeries {
  private static final String GPU = "GPU-"; // how UUIDs of physical GPUs begin
  private static final String UUID = "/uuid"; // how the attribute of a device ends that tells it

  /// A GPU of a pod, as far as it was measured.
  ///
  /// @param sharers pods that have a share of it; 0 = it is the pod's alone
  /// @param series all that are of it: of several the busier counts
  public record Gpu(int sharers, List<MetricSeries> series) {}

  /// A bound pod.
  private record Bound(Pod pod, Placement at) {
    /// The UUIDs of its GPUs, where all of them are known; else empty.
    Set<String> known() {
      var known = new HashSet<String>(); // looked up only
      for (String each : pod.life().allocated()) {
        if (each.startsWith(GPU)) {
          known.add(each);
        }
      }
      known.addAll(pod.written().devices());
      int has = pod.asks().request().devices().count();
      return has > 0 && known.size() >= has ? known : Set.of();
    }
  }

  private static final class OfPod {
    private final TreeMap<String, List<MetricSeries>> onNode = new TreeMap<>();
    private final TreeMap<String, List<MetricSeries>> anywhere = new TreeMap<>();
    private final TreeMap<String, Integer> sharers = new TreeMap<>();
  }

  private final SeriesLabels labels;
  private final HashMap<String, List<PodKey>> sharers = new HashMap<>(); // looked up only
  private final HashMap<PodKey, Bound> pods = new HashMap<>(); // looked up only
  private final HashMap<String, PodKey> owners = new HashMap<>(); // by UUID; looked up only
  private final HashMap<String, Set<String>> devices = new HashMap<>(); // by node; looked up only
  private final HashSet<String> nodes = new HashSet<>(); // looked up only
  private final HashMap<PodKey, OfPod> found = new HashMap<>(); // looked up only
  private int strangers;
  private int disbelieved;

  private GpuSeries(Snapshot snapshot, SeriesLabels labels) {
    this.labels = labels;
    var ofSlots = new TreeMap<String, List<PodKey>>();
    for (PodGroup group : snapshot.groups()) {
      for (Member member : group.members()) {
        if (member.standing() instanceof Standing.Bound(var at)) {
          enter(new Bound(member.pod(), at), ofSlots);
        }
      }
    }
    for (NodeView node : snapshot.nodes()) {
      enter(node, ofSlots, snapshot.devices().slices());
    }
  }

  private void enter(Bound bound, TreeMap<String, List<PodKey>> ofSlots) {
    var key = bound.pod().key();
    pods.put(key, bound);
    for (int slot : bound.at().slots()) {
      ofSlots.computeIfAbsent(bound.at().node() + "/" + slot, _ -> new ArrayList<>()).add(key);
    }
    if (bound.at().slots().isEmpty()) {
      bound.pod().life().allocated().forEach(uuid -> owners.put(uuid, key));
    }
  }

  private void enter(
      NodeView node, TreeMap<String, List<PodKey>> ofSlots, List<DeviceSlice> slices) {
    nodes.add(node.name().value());
    var known = new HashSet<String>(); // looked up only
    for (NodeView.Slot slot : node.slots()) {
      if (!slot.uuid().isEmpty()) {
        known.add(slot.uuid());
        sharers.put(slot.uuid(), ofSlots.getOrDefault(node.name() + "/" + slot.index(), List.of()));
      }
    }
    for (DeviceSlice slice : slices) {
      if (slice.node().equals(node.name())) {
        slice
            .devices()
            .forEach(device ->
                device
                    .attributes()
                    .forEach((name, value) -> {
                      if (name.endsWith(UUID)) {
                        known.add(value);
                      }
                    }));
      }
    }
    int has = node.node().accelerator().count();
    if (has > 0 && known.size() >= has) {
      devices.put(node.name().value(), known);
    }
  }

  /// @param snapshot of now: which pods are where
  public static GpuSeries of(Snapshot snapshot, List<MetricSeries> series, SeriesLabels labels) {
    var all = new GpuSeries(snapshot, labels);
    series.forEach(all::add);
    return all;
  }

  private void add(MetricSeries series) {
    String uuid = series.label(labels.uuid());
    String instance = labels.instance(series);
    if (instance.isEmpty() && sharers.containsKey(uuid)) {
      var all = sharers.getOrDefault(uuid, List.of());
      all.forEach(pod -> add(pod, uuid, all.size(), series));
      return;
    }
    var named = new PodKey(labels.namespace(series), labels.pod(series));
    String gpu = uuid.isEmpty() ? series.labels().toString() : uuid + "/" + instance;
    if (pods.containsKey(named)) {
      if (hasDevice(named, uuid)) {
        add(named, gpu, 0, series);
      } else {
        disbelieved++;
      }
    } else if (owners.containsKey(uuid) && named.isNone()) {
      add(owners.getOrDefault(uuid, PodKey.NONE), gpu, 0, series);
    } else {
      strangers++;
    }
  }

  private boolean hasDevice(PodKey key, String uuid) {
    var bound = pods.get(key);
    if (bound == null) {
      return false;
    }
    var known = bound.known();
    var ofNode = devices.getOrDefault(bound.at().node().value(), Set.of());
    return known.isEmpty() ? ofNode.isEmpty() || ofNode.contains(uuid) : known.contains(uuid);
  }

  private void add(PodKey key, String gpu, int sharing, MetricSeries series) {
    var bound = pods.get(key);
    if (bound == null) {
      return;
    }
    boolean isThere = false;
    for (String name : labels.nodes(series)) {
      if (nodes.contains(name)) {
        if (!new NodeName(name).equals(bound.at().node())) {
          disbelieved++;
          return;
        }
        isThere = true;
      }
    }
    var ofPod = found.computeIfAbsent(key, _ -> new OfPod());
    (isThere ? ofPod.onNode : ofPod.anywhere)
        .computeIfAbsent(gpu, _ -> new ArrayList<>(1))
        .add(series);
    ofPod.sharers.put(gpu, sharing);
  }

  /// The GPUs of a pod that were measured; none where they would be more than it has.
  public List<Gpu> of(PodKey key) {
    var ofPod = found.get(key);
    var bound = pods.get(key);
    if (ofPod == null || bound == null) {
      return Collections.emptyList();
    }
    var believed = ofPod.onNode.isEmpty() ? ofPod.anywhere : ofPod.onNode;
    int has = bound.pod().asks().request().gpus();
    if (has > 0 && believed.size() > has) {
      return Collections.emptyList();
    }
    var gpus = new ArrayList<Gpu>();
    believed.forEach((gpu, series) ->
        gpus.add(new Gpu(ofPod.sharers.getOrDefault(gpu, 0), List.copyOf(series))));
    return gpus;
  }

  /// Series that are of no pod of Berth.
  public int strangers() {
    return strangers;
  }

  /// Series that are of a pod of Berth by what they say, and cannot be true; those of too many GPUs
  /// and those that name no node are not counted.
  public int disbelieved() {
    return disbelieved;
  }
}
