package dev.berth.extender.rest.state;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Evictions that are kept: the latest, up to a number and to an amount of memory. Where there are
/// more, the oldest of the namespace goes that has most of what there is too much of: a tenant that
/// has many of its own pods evicted drops those of no other. Guarded by its owner.
final class KeptEvictions {
  /// Namespaces of which it is remembered since when all of theirs are kept. Where there are more,
  /// those of which one was dropped longest ago count as beginning then for all.
  private static final int MOST_NAMESPACES = 10_000;

  /// An eviction, and what becomes of the workload for which it was.
  record Kept(EvictionEntry entry, Gain gain) {}

  /// Of the pods of one namespace.
  private static final class OfNamespace {
    private final ArrayDeque<Kept> oldestFirst = new ArrayDeque<>();
    private final PlanBytes plans = new PlanBytes();
    private long bytes; // without plans

    long number() {
      return oldestFirst.size();
    }

    long bytes() {
      return bytes + plans.bytes();
    }
  }

  private final int most;
  private final long mostBytes;
  private final TreeMap<Long, Kept> byNumber = new TreeMap<>();
  private final TreeMap<String, OfNamespace> byNamespace = new TreeMap<>();
  private final LinkedHashMap<String, Instant> dropped = new LinkedHashMap<>(); // the last of each
  private final PlanBytes plans = new PlanBytes();
  private long bytes; // without plans
  private Instant begin;

  /// @param begin since when evictions are told
  KeptEvictions(int most, long mostBytes, Instant begin) {
    this.most = most;
    this.mostBytes = mostBytes;
    this.begin = begin;
  }

  /// What was evicted before is not told.
  void begin(Instant now) {
    begin = now;
  }

  /// One more, with a higher number than all before.
  ///
  /// @return those that are dropped for it
  List<Kept> add(Kept kept) {
    var entry = kept.entry();
    var namespace =
        byNamespace.computeIfAbsent(entry.victim().pod().namespace(), _ -> new OfNamespace());
    namespace.oldestFirst.add(kept);
    namespace.bytes += entry.bytes();
    namespace.plans.add(entry.plan());
    byNumber.put(entry.number(), kept);
    bytes += entry.bytes();
    plans.add(entry.plan());
    var gone = new ArrayList<Kept>();
    while (byNumber.size() > most) {
      gone.add(dropOf(Comparator.comparingLong(OfNamespace::number)));
    }
    while (bytes + plans.bytes() > mostBytes) {
      gone.add(dropOf(Comparator.comparingLong(OfNamespace::bytes)));
    }
    return gone;
  }

  private Kept dropOf(Comparator<OfNamespace> which) {
    var largest =
        byNamespace.entrySet().stream().max(Map.Entry.comparingByValue(which)).orElseThrow();
    String name = largest.getKey();
    var namespace = largest.getValue();
    var oldest = namespace.oldestFirst.remove();
    var entry = oldest.entry();
    namespace.bytes -= entry.bytes();
    namespace.plans.remove(entry.plan());
    byNumber.remove(entry.number());
    bytes -= entry.bytes();
    plans.remove(entry.plan());
    if (namespace.oldestFirst.isEmpty()) {
      byNamespace.remove(name);
    }
    dropped.putLast(name, entry.at());
    if (dropped.size() > MOST_NAMESPACES) {
      Optional.ofNullable(dropped.remove(dropped.sequencedKeySet().getFirst()))
          .filter(longestAgo -> longestAgo.isAfter(begin))
          .ifPresent(this::begin);
    }
    return oldest;
  }

  List<Kept> newestFirst() {
    return List.copyOf(byNumber.sequencedValues().reversed());
  }

  KeptSince since() {
    var since = new LinkedHashMap<String, Instant>();
    dropped.forEach((name, last) -> {
      var next = byNamespace.get(name);
      since.put(name, next == null ? last.plusMillis(1) : next.oldestFirst.getFirst().entry().at());
    });
    return new KeptSince(begin, since);
  }

  /// Memory that they take with their plans; estimated.
  long bytes() {
    return bytes + plans.bytes();
  }
}
