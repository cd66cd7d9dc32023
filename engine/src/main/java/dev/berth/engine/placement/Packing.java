package dev.berth.engine.placement;

import dev.berth.engine.model.Demand;
import dev.berth.engine.model.Demand.PodClass;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.session.Room;
import dev.berth.engine.session.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// How much value the free capacity of a node loses by a pod, for the pods that usually arrive: the
/// strategy `adaptive`.
///
/// The value of a node is what [FillTable] expects to be filled of its GPUs with the CPU that it
/// has, and a little for each larger request that its wholly free GPUs could take. A pod that may
/// use several models pays [ModelPrices] besides.
///
/// A function of [Demand] and what is free on the node. For one thread at a time.
final class Packing {
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

  private final Room room;
  private final Demand demand;
  private final double cpuPerGpu; // millicores that pods with GPUs ask for, per GPU
  private final double[] groups; // by wholly free GPUs
  private final ModelPrices prices;
  private final List<Priced> tables = new ArrayList<>();
  private final List<Optional<OnKind>> kinds = new ArrayList<>(); // by number of the kind
  private final double[] before = new double[FillTable.PRICES];
  private final double[] after = new double[FillTable.PRICES];

  /// Kinds of nodes with the same offers share a table.
  private record Priced(FillTable.Offers offers, FillTable table) {}

  /// What holds for one kind of node.
  private record OnKind(FillTable table, double price) {}

  private Packing(Demand demand, Room room) {
    this.room = room;
    this.demand = demand;
    double cpu = 0;
    double gpus = 0;
    var classes = demand.classes();
    var millis = new double[classes.size()];
    for (int c = 0; c < millis.length; c++) {
      var asks = classes.get(c);
      millis[c] =
          (double) asks.count() * asks.devices().count() * each(asks, room.largestMemoryMib());
      if (millis[c] > 0) {
        gpus += millis[c] / 1000;
        cpu += (double) asks.count() * asks.cpuMillis();
      }
    }
    cpuPerGpu = gpus > 0 && cpu > 0 ? cpu / gpus : 1;
    groups = groups(classes, gpus);
    prices = new ModelPrices(demand, millis);
  }

  /// Empty where too little is known, or the cluster is too small.
  static Optional<Packing> of(Demand demand, Room room) {
    return demand.isNone() || room.nodes() < FEWEST_NODES
        ? Optional.empty()
        : Optional.of(new Packing(demand, room));
  }

  /// Thousandths of each of its GPUs; 0 where they can never be had.
  private static int each(PodClass asks, long memoryMib) {
    int millis = asks.devices().millisOn(memoryMib);
    return millis > 1000 ? 0 : millis;
  }

  private static double[] groups(List<PodClass> classes, double gpus) {
    var groups = new double[MOST_GPUS + 1];
    for (PodClass asks : classes) {
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

  private static boolean isGroup(PodClass asks) {
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
    String model = room.kinds().get(kind).model();
    var made = new OnKind(table(offers(kind, model)), prices.price(model));
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
      sizes[c] = isGroup(asks) ? 0 : each(asks, room.kinds().get(kind).memoryMib());
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
  long score(Shape shape, int n) {
    boolean gpu = shape.usesDevices();
    double change = room.device(n) < 0 ? 0 : change(shape, n);
    long steps = MIDDLE + Math.round(Math.clamp(change / GRAIN, -MIDDLE, MIDDLE - 1));
    long gpuLeft = most(LEFT_BITS) - Math.min(most(LEFT_BITS), Score.devicesLeft(room, n));
    long cpuLeft =
        gpu ? 0 : Math.clamp(most(CPU_BITS) - room.freeSoon(n, room.cpu()), 0, most(CPU_BITS));
    return (steps << LEFT_BITS | gpuLeft) << CPU_BITS | cpuLeft;
  }

  private static long most(int bits) {
    return (1L << bits) - 1;
  }

  /// In GPUs: the value of a node after the pod has come, less that before.
  private double change(Shape shape, int n) {
    var on = on(room.kind(n));
    long whole = Math.max(0, room.freeSoon(n, room.device(n)));
    Arrays.fill(before, 0);
    for (int slot = 0; slot < room.slots(n); slot++) {
      if (room.isShared(n, slot)) {
        on.table.addTo(before, 1, room.slotFreeSoon(n, slot));
      }
    }
    System.arraycopy(before, 0, after, 0, before.length);
    int millis = shape.isShare() ? shape.millisOn(room.kind(n)) : 1000;
    long taken = shape.isShare() ? 0 : shape.devices().count();
    if (shape.isShare()) {
      for (int slot : Sharing.spot(room, shape, n).slots()) {
        boolean shared = room.isShared(n, slot);
        int free = shared ? room.slotFreeSoon(n, slot) : 1000;
        if (shared) {
          on.table.addTo(after, -1, free);
        }
        on.table.addTo(after, 1, free - millis);
        taken += shared ? 0 : 1;
      }
    }
    on.table.addTo(before, whole, 1000);
    on.table.addTo(after, whole - taken, 1000);
    double cpu = Math.max(0, room.freeSoon(n, room.cpu()));
    double cpuAfter = Math.max(0, cpu - cpu(shape));
    return FillTable.least(after, cpuAfter / cpuPerGpu)
        - FillTable.least(before, cpu / cpuPerGpu)
        + group(whole - taken)
        - group(whole)
        - on.price * shape.devices().count() * millis / 1000;
  }

  private long cpu(Shape shape) {
    for (int i = 0; i < shape.needs(); i++) {
      if (shape.resource(i) == room.cpu()) {
        return shape.need(i);
      }
    }
    return 0;
  }

  private double group(long free) {
    return groups[Math.clamp(free, 0, MOST_GPUS)];
  }
}
