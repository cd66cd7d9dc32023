package dev.berth.engine.ledger;

import dev.berth.engine.model.Demand;
import dev.berth.engine.model.Demand.ArrivalClass;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.ModelChoice;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Counts which classes of pods arrive. Bounded: all counts are halved when there are too many
/// pods, so that old arrivals lose weight, and of too many classes the rarest are dropped.
///
/// The [Demand] is a new object only after a quarter more pods arrived, or a thousand, because
/// plans score all nodes again then. Not counted in are holders and pods of other schedulers.
final class ArrivalCounts {
  /// Fewer pods say nothing about the next.
  private static final long FEWEST = 8;

  /// What is free does not wait for more: in a cluster that has run for weeks a quarter more pods
  /// are weeks away.
  private static final long MOST_UNTIL_NEXT = 1000;

  private static final long MOST_PODS = 1 << 16;
  private static final int MOST_CLASSES = 1 << 10;

  /// Classes beyond are not handed out.
  private static final int SHOWN = 256;

  /// The part of all pods that the classes handed out cover, in hundredths.
  private static final long COVERED = 98;

  private final LinkedHashMap<Key, Count> counts = new LinkedHashMap<>(); // by first arrival
  private long pods; // weight of all counts
  private long arrived;
  private long due = FEWEST;
  private long givenBackMillis; // of GPUs, since the demand was counted
  private Demand demand = Demand.NONE;

  private record Key(long cpuMillis, DeviceRequest devices, ModelChoice models) {}

  private static final class Count {
    private long value;
  }

  void add(Pod pod) {
    var request = pod.asks().request();
    var key =
        new Key(
            Math.max(0, request.amounts().of(Resource.CPU)),
            withoutLimit(request.devices()),
            request.devices().count() == 0
                ? ModelChoice.ANY
                : ModelChoice.of(request, pod.asks().constraints()));
    counts.computeIfAbsent(key, _ -> new Count()).value++;
    pods++;
    arrived++;
    if (pods >= MOST_PODS) {
      halve();
    }
    if (counts.size() > MOST_CLASSES) {
      dropRarest();
    }
  }

  /// What a pod had is free again.
  void gaveBack(Pod pod) {
    var place = pod.written().plan().placement();
    givenBackMillis += pod.asks().request().devices().millisAt(place);
  }

  /// Two shares of one size are one class, whatever they may burst to.
  private static DeviceRequest withoutLimit(DeviceRequest devices) {
    return switch (devices) {
      case DeviceRequest.None _, DeviceRequest.Whole _ -> devices;
      case DeviceRequest.Fraction(int millis, _, int count) ->
          new DeviceRequest.Fraction(millis, millis, count);
      case DeviceRequest.Memory(long mib, _, int count) ->
          new DeviceRequest.Memory(mib, mib, count);
    };
  }

  private void halve() {
    pods = 0;
    for (Count count : counts.values()) {
      count.value /= 2;
      pods += count.value;
    }
    counts.values().removeIf(count -> count.value == 0);
  }

  /// Half of the classes: a flood of odd pods takes nothing from those that come often.
  private void dropRarest() {
    var rarest = new ArrayList<>(counts.entrySet());
    rarest.sort(Comparator.comparingLong(each -> each.getValue().value));
    for (Map.Entry<Key, Count> each : rarest.subList(0, rarest.size() / 2)) {
      pods -= each.getValue().value;
      counts.remove(each.getKey());
    }
  }

  boolean isDue() {
    return arrived >= due;
  }

  Demand demand() {
    return demand;
  }

  /// Counts anew.
  void publish(List<NodeView> nodes) {
    due = Math.max(arrived + 1, Math.min(arrived + MOST_UNTIL_NEXT, (arrived * 5 + 3) / 4));
    var frequent = new ArrayList<>(counts.entrySet());
    frequent.sort(Comparator.comparingLong(each -> -each.getValue().value));
    var capacity = new AvailableCapacity(nodes);
    var classes = new ArrayList<ArrivalClass>();
    long covered = 0;
    for (Map.Entry<Key, Count> each : frequent) {
      if (classes.size() == SHOWN || covered * 100 >= pods * COVERED) {
        break;
      }
      covered += each.getValue().value;
      var key = each.getKey();
      var asks = new ArrivalClass(key.cpuMillis, key.devices, key.models, each.getValue().value, 0);
      capacity.places(asks).ifPresent(places -> classes.add(asks.with(places)));
    }
    demand = new Demand(pods, classes, capacity.supply(givenBackMillis));
    givenBackMillis = 0;
  }
}
