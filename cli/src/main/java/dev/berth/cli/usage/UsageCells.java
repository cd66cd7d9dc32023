package dev.berth.cli.usage;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;

/// Adds up GPU-time by what it is grouped by.
final class UsageCells {
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long DAY = Duration.ofDays(1).toMillis();

  /// What is added up under one key.
  static final class Cell {
    private UsageAmounts amounts = UsageAmounts.NONE;
    private final HashSet<GroupKey> workloads = new HashSet<>(); // counted only
    private final HashSet<PodUid> pods = new HashSet<>(); // counted only

    UsageRow row(List<String> keys) {
      return new UsageRow(keys, amounts, workloads.size(), pods.size());
    }

    private void add(GpuHold hold, UsageAmounts more) {
      amounts = amounts.plus(more);
      if (more.allocated() > 0) {
        workloads.add(hold.workload());
        pods.add(hold.uid());
      }
    }

    void evicted(long time) {
      amounts = amounts.plus(new UsageAmounts(0, 0, 0, 0, time, 0));
    }
  }

  private final List<UsageDimension> by;
  private final long bucket; // milliseconds; 0 = time is not divided
  private final TreeMap<String, Cell> cells = new TreeMap<>();
  private final TreeMap<String, List<String>> keys = new TreeMap<>(); // as above
  private final Cell all = new Cell();

  UsageCells(List<UsageDimension> by) {
    this.by = List.copyOf(by);
    long smallest = 0;
    for (UsageDimension each : by) {
      switch (each.kind()) {
        case HOUR -> smallest = HOUR;
        case DAY -> smallest = smallest == 0 ? DAY : smallest;
        case QUEUE, NAMESPACE, WORKLOAD, POOL, MODEL, LABEL -> {}
      }
    }
    bucket = smallest;
  }

  /// The end of the part of time that a moment is in.
  long endOfBucket(long moment) {
    return bucket == 0 ? Long.MAX_VALUE : (Math.floorDiv(moment, bucket) + 1) * bucket;
  }

  /// @param moment in a part of time that contains all of it
  /// @return where it was added, besides the sum of all
  Cell add(GpuHold hold, long moment, UsageAmounts more) {
    var key = key(hold, moment);
    var cell =
        cells.computeIfAbsent(
            String.join("\0", key),
            joined -> {
              keys.put(joined, key);
              return new Cell();
            });
    cell.add(hold, more);
    all.add(hold, more);
    return cell;
  }

  /// What a pod held that was evicted then.
  void evicted(Cell cell, long time) {
    cell.evicted(time);
    all.evicted(time);
  }

  private List<String> key(GpuHold hold, long moment) {
    var key = new ArrayList<String>(by.size());
    for (UsageDimension each : by) {
      key.add(
          switch (each.kind()) {
            case QUEUE -> hold.account().queue().value();
            case NAMESPACE -> hold.workload().namespace();
            case WORKLOAD -> hold.workload().toString();
            case POOL -> hold.isWaiting() ? GpuHold.NO_NODE : hold.account().pool();
            case MODEL -> hold.isWaiting() ? GpuHold.NO_NODE : hold.model();
            case DAY -> text(moment, DAY).substring(0, "2026-01-31".length());
            case HOUR -> text(moment, HOUR);
            case LABEL -> hold.labels().getOrDefault(each.label(), "");
          });
    }
    return key;
  }

  private static String text(long moment, long part) {
    return Instant.ofEpochMilli(Math.floorDiv(moment, part) * part)
        .truncatedTo(ChronoUnit.SECONDS)
        .toString();
  }

  /// In the order of their keys.
  List<UsageRow> rows() {
    var rows = new ArrayList<UsageRow>();
    cells.forEach((joined, cell) -> rows.add(cell.row(keys.getOrDefault(joined, List.of()))));
    return rows;
  }

  UsageRow all() {
    return all.row(List.of());
  }
}
