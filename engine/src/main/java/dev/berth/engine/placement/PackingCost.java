package dev.berth.engine.placement;

import dev.berth.engine.model.Demand;
import dev.berth.engine.model.Demand.ArrivalClass;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.PodClass;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// How much value the free capacity of a node loses by a pod, for the pods that usually arrive: the
/// strategy `adaptive`.
///
/// The value of a node is what [FillTable] expects to be filled of its GPUs with the CPU that it
/// has, and a little for each larger request that its wholly free GPUs could take; and what places
/// are worth there that few nodes still have ([Scarcity]). A pod that may use several models pays
/// [ModelPrices] besides.
///
/// A function of [Demand] and what is free on the node. For one thread at a time.
final class PackingCost {
  /// In a smaller cluster there is little to choose between, and of each class too few pods have
  /// room for averages to mean much.
  private static final int FEWEST_NODES = 16;

  /// What room for a request of several whole GPUs is worth, as a part of what it would fill.
  private static final double GROUPS = 0.08;

  private static final int MOST_GPUS = 64;

  /// Smaller differences, in GPUs, do not count: equal scores keep pods together.
  private static final double GRAIN = 0.003;

  private static final long MIDDLE = 1 << 19;
  private static final int LEFT_BITS = 17;
  private static final int CPU_BITS = 20;

  private final FreeCapacity room;
  private final Demand demand;
  private final double cpuPerGpu; // millicores that pods with GPUs ask for, per GPU
  private final double[] groups; // by wholly free GPUs
  private final ModelPrices prices;
  private final Scarcity scarcity;
  private final List<Priced> tables = new ArrayList<>();
  private final List<Optional<OnKind>> kinds = new ArrayList<>(); // by number of the kind
  private final FreeOnNode free;
  private final double[] sums = new double[FillTable.PRICES];

  /// Kinds of nodes with the same offers share a table.
  private record Priced(FillTable.Offers offers, FillTable table) {}

  /// What holds for one kind of node.
  private record OnKind(FillTable table, double price, Scarcity.OnKind scarcity) {}

  private PackingCost(Demand demand, FreeCapacity room) {
    this.room = room;
    this.demand = demand;
    this.free = new FreeOnNode(room);
    double cpu = 0;
    double gpus = 0;
    var classes = demand.classes();
    var millis = new double[classes.size()];
    for (int c = 0; c < millis.length; c++) {
      var asks = classes.get(c);
      millis[c] =
          (double) asks.count()
              * asks.devices().count()
              * asks.millisOn(room.hardware().largestMemoryMib());
      if (millis[c] > 0) {
        gpus += millis[c] / 1000;
        cpu += (double) asks.count() * asks.cpuMillis();
      }
    }
    cpuPerGpu = gpus > 0 && cpu > 0 ? cpu / gpus : 1;
    groups = groups(classes, gpus);
    prices = new ModelPrices(demand, millis);
    scarcity = new Scarcity(demand, room.hardware().largestMemoryMib());
  }

  /// Empty where too little is known, or the cluster is too small.
  static Optional<PackingCost> of(Demand demand, FreeCapacity room) {
    return demand.isNone() || room.nodes() < FEWEST_NODES
        ? Optional.empty()
        : Optional.of(new PackingCost(demand, room));
  }

  private static double[] groups(List<ArrivalClass> classes, double gpus) {
    var groups = new double[MOST_GPUS + 1];
    for (ArrivalClass asks : classes) {
      if (isGroup(asks)) {
        int size = asks.devices().count();
        double part = asks.count() * size / gpus;
        for (int free = size; free < groups.length; free++) {
          groups[free] += GROUPS * part * size * Math.floorDiv(free, size);
        }
      }
    }
    return groups;
  }

  private static boolean isGroup(ArrivalClass asks) {
    return asks.devices() instanceof DeviceRequest.Whole(_, int count) && count > 1;
  }

  private OnKind on(int kind) {
    while (kinds.size() <= kind) {
      kinds.add(Optional.empty());
    }
    var known = kinds.get(kind);
    if (known.isPresent()) {
      return known.get();
    }
    var nodes = room.hardware().kinds().get(kind);
    String model = nodes.model();
    var made =
        new OnKind(
            table(offers(kind, model)), prices.price(model), scarcity.on(model, nodes.memoryMib()));
    kinds.set(kind, Optional.of(made));
    return made;
  }

  private FillTable.Offers offers(int kind, String model) {
    var classes = demand.classes();
    var chances = new double[classes.size()];
    var sizes = new int[chances.length];
    var cpu = new double[chances.length];
    double pods = 0;
    for (int c = 0; c < chances.length; c++) {
      var asks = classes.get(c);
      pods += asks.count();
      sizes[c] = isGroup(asks) ? 0 : asks.millisOn(room.hardware().kinds().get(kind).memoryMib());
      if (sizes[c] > 0 && asks.models().accepts(model)) {
        int gpus = asks.devices().count();
        chances[c] = (double) asks.count() * gpus * prices.rate(c, model);
        cpu[c] = asks.cpuMillis() / cpuPerGpu / gpus;
      }
    }
    for (int c = 0; c < chances.length; c++) {
      chances[c] /= pods;
    }
    return new FillTable.Offers(chances, sizes, cpu);
  }

  private FillTable table(FillTable.Offers offers) {
    for (Priced each : tables) {
      if (each.offers.isSame(offers)) {
        return each.table;
      }
    }
    var table = new FillTable(offers);
    tables.add(new Priced(offers, table));
    return table;
  }

  /// Larger is better, 0 … 2⁵⁷ − 1. From the top: little value lost; few GPUs left; for pods
  /// without GPUs little CPU left.
  ///
  /// @param n a node that has room
  long score(PodClass podClass, int n) {
    boolean gpu = podClass.usesDevices();
    long steps = MIDDLE + Math.round(Math.clamp(change(podClass, n) / GRAIN, -MIDDLE, MIDDLE - 1));
    long gpuLeft = most(LEFT_BITS) - Math.min(most(LEFT_BITS), FreeOnNode.devicesLeft(room, n));
    long cpuLeft =
        gpu ? 0 : Math.clamp(most(CPU_BITS) - room.freeSoon(n, room.cpu()), 0, most(CPU_BITS));
    return (steps << LEFT_BITS | gpuLeft) << CPU_BITS | cpuLeft;
  }

  private static long most(int bits) {
    return (1L << bits) - 1;
  }

  /// In GPUs: the value of a node after the pod has come, less that before.
  private double change(PodClass podClass, int n) {
    var on = on(room.kind(n));
    free.read(n);
    double before = worth(on);
    free.take(podClass, n);
    double paid = on.price * podClass.devices().count() * podClass.millisOn(room.kind(n)) / 1000;
    return worth(on) - before - paid;
  }

  /// In GPUs: of what is free on the node that was read.
  private double worth(OnKind on) {
    Arrays.fill(sums, 0);
    for (int i = 0; i < free.shared(); i++) {
      on.table.addTo(sums, 1, free.parts()[i]);
    }
    on.table.addTo(sums, free.whole(), 1000);
    return FillTable.least(sums, free.cpu() / cpuPerGpu)
        + group(free.whole())
        + on.scarcity.worth(free);
  }

  private double group(long free) {
    return groups[Math.clamp(free, 0, MOST_GPUS)];
  }
}
