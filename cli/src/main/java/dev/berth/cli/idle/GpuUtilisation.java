package dev.berth.cli.idle;

import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which GPUs of which pods series are of.
///
/// 1. A UUID of a shared GPU: every pod that has a share of it. The exporter sees the holder there.
/// 2. Namespace and pod: that pod.
/// 3. A UUID that a pod is known to have: that pod.
final class GpuUtilisation {
  /// More is no utilisation: the exporter writes very large numbers for what it cannot read.
  private static final double MOST = 100;

  /// A GPU of a pod, as far as it was measured.
  ///
  /// @param sharers pods that have a share of it; 0 = it is the pod's alone
  /// @param percent by time
  record MeasuredGpu(int sharers, SortedMap<Instant, Double> percent) {}

  private final IdleSettings settings;
  private final HashMap<String, List<PodKey>> sharers = new HashMap<>(); // looked up only
  private final HashMap<PodKey, Boolean> pods = new HashMap<>(); // looked up only
  private final HashMap<String, PodKey> known = new HashMap<>(); // by UUID; looked up only
  private final TreeMap<PodKey, TreeMap<String, MeasuredGpu>> gpus = new TreeMap<>();
  private int strangers;

  private GpuUtilisation(Snapshot snapshot, IdleSettings settings) {
    this.settings = settings;
    var ofSlots = new TreeMap<String, List<PodKey>>();
    for (PodGroup group : snapshot.groups()) {
      for (Member member : group.members()) {
        if (member.standing() instanceof Standing.Bound(var at)) {
          var pod = member.pod();
          pods.put(pod.key(), true);
          at.slots()
              .forEach(slot ->
                  ofSlots
                      .computeIfAbsent(at.node() + "/" + slot, _ -> new ArrayList<>())
                      .add(pod.key()));
          if (at.slots().isEmpty()) {
            pod.life().allocated().forEach(uuid -> known.put(uuid, pod.key()));
          }
        }
      }
    }
    for (NodeView node : snapshot.nodes()) {
      for (NodeView.Slot slot : node.slots()) {
        if (!slot.uuid().isEmpty()) {
          sharers.put(
              slot.uuid(), ofSlots.getOrDefault(node.name() + "/" + slot.index(), List.of()));
        }
      }
    }
  }

  static GpuUtilisation of(Snapshot snapshot, List<MetricSeries> series, IdleSettings settings) {
    var utilisation = new GpuUtilisation(snapshot, settings);
    series.forEach(utilisation::add);
    return utilisation;
  }

  private void add(MetricSeries series) {
    String uuid = series.label(settings.labels().uuid());
    String instance = series.label("GPU_I_ID"); // of a MIG instance
    String gpu = uuid.isEmpty() ? series.labels().toString() : uuid + "/" + instance;
    if (instance.isEmpty() && sharers.containsKey(uuid)) {
      var all = sharers.getOrDefault(uuid, List.of());
      all.forEach(pod -> add(pod, gpu, all.size(), series));
      return;
    }
    var named = new PodKey(settings.labels().namespace(series), settings.labels().pod(series));
    if (pods.containsKey(named)) {
      add(named, gpu, 0, series);
    } else if (known.containsKey(uuid) && named.isNone()) {
      add(known.getOrDefault(uuid, PodKey.NONE), gpu, 0, series);
    } else {
      strangers++;
    }
  }

  private void add(PodKey pod, String gpu, int sharing, MetricSeries series) {
    var percent = new TreeMap<Instant, Double>();
    var ofPod = gpus.computeIfAbsent(pod, _ -> new TreeMap<>());
    var before = ofPod.get(gpu);
    if (before != null) {
      percent.putAll(before.percent);
    }
    series
        .samples()
        .forEach((moment, value) -> {
          double scaled = value * settings.scale();
          boolean isAsked = moment.isAfter(settings.begin()) && !moment.isAfter(settings.end());
          if (isAsked && scaled >= 0 && scaled <= MOST) {
            percent.merge(moment, scaled, Math::max);
          }
        });
    ofPod.put(gpu, new MeasuredGpu(sharing, Collections.unmodifiableSortedMap(percent)));
  }

  /// The GPUs of a pod that were measured.
  List<MeasuredGpu> of(PodKey pod) {
    var ofPod = gpus.get(pod);
    return ofPod == null ? List.of() : List.copyOf(ofPod.values());
  }

  /// Series that are of no pod of Berth.
  int strangers() {
    return strangers;
  }
}
