package dev.berth.cli.demo;

import dev.berth.cli.demo.Scene.Counts;
import dev.berth.cli.demo.Scene.Happening;
import dev.berth.cli.demo.Scene.Heading;
import dev.berth.cli.demo.Scene.NodeRow;
import dev.berth.cli.demo.Scene.Pulse;
import dev.berth.cli.demo.Scene.QueueRow;
import dev.berth.cli.demo.Scene.WaitRow;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/// Makes scenes of snapshots. Remembers where each pod was drawn, so that nothing jumps from one
/// scene to the next. One thread.
public final class Scenes {
  private final Supplier<String> title;
  private final Instant began;
  private final DeviceCells cells = new DeviceCells();

  /// @param title asked for each scene
  public Scenes(Supplier<String> title, Instant began) {
    this.title = title;
    this.began = began;
  }

  /// @param why sentences of the last plan, by waiting group
  /// @param recent the latest first
  public Scene scene(
      Snapshot snapshot, SortedMap<GroupKey, String> why, List<Happening> recent, Pulse pulse) {
    var usage = new Usage(snapshot);
    var heading =
        new Heading(
            title.get(),
            snapshot.now(),
            Duration.between(began, snapshot.now()),
            new Counts(usage.running, usage.starting, usage.waiting, usage.gangs),
            usage.usedMillis,
            usage.plannedMillis,
            usage.deviceMillis,
            pulse);
    return new Scene(
        heading, nodes(snapshot), queues(snapshot, usage), waits(snapshot, why), recent);
  }

  private List<NodeRow> nodes(Snapshot snapshot) {
    var occupants = Occupant.byNode(snapshot);
    var rows = new ArrayList<NodeRow>();
    for (var room : snapshot.nodes()) {
      var labels = room.node().labels();
      rows.add(
          new NodeRow(
              labels.getOrDefault(DemoCluster.RACK, ""),
              room.name().value(),
              room.node().accelerator().model(),
              cells.of(room, occupants.getOrDefault(room.name(), List.of()))));
    }
    cells.forgetAllBut(occupants);
    rows.sort(Comparator.comparing(NodeRow::rack).thenComparing(NodeRow::name));
    return rows;
  }

  private static List<QueueRow> queues(Snapshot snapshot, Usage usage) {
    var rows = new ArrayList<QueueRow>();
    addBelow(QueueName.NONE, 0, snapshot, usage, rows);
    return rows;
  }

  private static void addBelow(
      QueueName parent, int depth, Snapshot snapshot, Usage usage, List<QueueRow> rows) {
    for (var queue : snapshot.queues()) {
      if (queue.parent().equals(parent) && depth < 8) {
        var of = usage.of(queue.name());
        long limit = queue.limitOf(Resource.GPU);
        long quota = queue.quota().of(Resource.GPU);
        rows.add(
            new QueueRow(
                queue.name().value(),
                depth,
                of.millis,
                quota == Queue.UNLIMITED ? -1 : quota,
                limit == Queue.UNLIMITED ? -1 : limit,
                of.running,
                of.pending));
        addBelow(queue.name(), depth + 1, snapshot, usage, rows);
      }
    }
  }

  private static List<WaitRow> waits(Snapshot snapshot, SortedMap<GroupKey, String> why) {
    var rows = new ArrayList<WaitRow>();
    var waiting = new ArrayList<PodGroup>();
    for (var group : snapshot.groups()) {
      if (group.members().stream().anyMatch(m -> m.standing() instanceof Standing.Waiting)) {
        waiting.add(group);
      }
    }
    waiting.sort(Comparator.comparing(PodGroup::created).thenComparing(PodGroup::key));
    for (var group : waiting) {
      rows.add(
          new WaitRow(
              group.key().name(),
              group.queue().value(),
              asks(group),
              Duration.between(group.created(), snapshot.now()),
              why.getOrDefault(group.key(), "")));
    }
    return rows;
  }

  /// `4 × 2 GPU`, `0.5 GPU`, `2 × 0.3 GPU`, `8Gi of a GPU`: what each waiting member asks for.
  private static String asks(PodGroup group) {
    long members =
        group.members().stream().filter(m -> m.standing() instanceof Standing.Waiting).count();
    var first = group.members().getFirst().pod();
    var request = first.asks().request().devices();
    String each =
        switch (request) {
          case DeviceRequest.None() -> first.problems().isEmpty() ? "no GPU" : "?";
          case DeviceRequest.Whole(_, int count) -> count + " GPU";
          case DeviceRequest.Fraction(int millis, _, int count) ->
              (count > 1 ? count + "×" : "") + decimal(millis) + " GPU";
          case DeviceRequest.Memory(long mib, _, int count) ->
              (count > 1 ? count + "×" : "") + (mib + 512) / 1024 + "Gi GPU";
        };
    return members > 1 ? members + " × " + each : each;
  }

  private static String decimal(int millis) {
    return BigDecimal.valueOf(millis, 3).stripTrailingZeros().toPlainString();
  }

  /// Sums over all pods, and by queue with its ancestors.
  private static final class Usage {
    private static final class OfQueue {
      private long millis;
      private int running;
      private int pending;
    }

    private final TreeMap<QueueName, OfQueue> byQueue = new TreeMap<>();
    private final TreeMap<QueueName, QueueName> parents = new TreeMap<>();
    private int running;
    private int starting;
    private int waiting;
    private int gangs;
    private long usedMillis;
    private long plannedMillis;
    private long deviceMillis;

    private Usage(Snapshot snapshot) {
      snapshot.queues().forEach(queue -> parents.put(queue.name(), queue.parent()));
      var memory = new TreeMap<String, Long>();
      for (var room : snapshot.nodes()) {
        var accelerator = room.node().accelerator();
        deviceMillis += 1000L * accelerator.count();
        memory.put(room.name().value(), accelerator.memoryMib());
      }
      for (var group : snapshot.groups()) {
        int there = 0;
        for (var member : group.members()) {
          there += count(group, member, memory) ? 1 : 0;
        }
        gangs += there > 1 ? 1 : 0;
      }
    }

    private OfQueue of(QueueName name) {
      return byQueue.computeIfAbsent(name, _ -> new OfQueue());
    }

    private boolean count(PodGroup group, PodGroup.Member member, TreeMap<String, Long> memory) {
      var devices = member.pod().asks().request().devices();
      var place = member.standing().placement();
      long millis =
          place.isNone()
              ? 0
              : (long) devices.count()
                  * devices.millisOn(memory.getOrDefault(place.node().value(), 0L));
      boolean bound = false;
      switch (member.standing()) {
        case Standing.Bound _, Standing.Leaving _ -> {
          bound = true;
          running++;
          usedMillis += millis;
        }
        case Standing.Planned _ -> {
          starting++;
          plannedMillis += millis;
        }
        case Standing.Waiting() -> waiting++;
        case Standing.Awaited _, Standing.Over _ -> {
          return false;
        }
      }
      var queue = group.queue();
      for (int i = 0; i < 8 && !queue.isNone(); i++) {
        var of = of(queue);
        of.millis += millis;
        of.running += bound ? 1 : 0;
        of.pending += bound ? 0 : 1;
        queue = parents.getOrDefault(queue, QueueName.NONE);
      }
      return bound;
    }
  }
}
