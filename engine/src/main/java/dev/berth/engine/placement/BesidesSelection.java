package dev.berth.engine.placement;

import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.placement.NodeRules.Objection;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.NodeChanges;
import dev.berth.engine.session.PodClass;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;

/// What stands in the way of pods whose selector or affinity chooses no node, besides that: else
/// they would hear of it only once that is mended. Looks again only at nodes that changed.
final class BesidesSelection {
  private static final long NEVER = -1;

  private final FreeCapacity room;
  private final NodeChanges changes;
  private final PodClass podClass;
  private final IntFunction<Objection> lasting;
  private final long[] stamps; // of the nodes when they were asked
  private final TreeMap<Objection, TreeMap<Objection, Integer>> counts =
      new TreeMap<>(Shortfalls.ORDER); // by what the selection says of the node
  private final TreeMap<Integer, Objection> bySelection = new TreeMap<>(); // by node
  private final TreeMap<Integer, Objection> byNode = new TreeMap<>(); // besides; none = room
  private int roomy; // nodes that would take such a pod

  /// @param lasting what a node says first
  BesidesSelection(FreeCapacity room, PodClass podClass, IntFunction<Objection> lasting) {
    this.room = room;
    this.changes = room.changes();
    this.podClass = podClass;
    this.lasting = lasting;
    stamps = new long[room.nodes()];
    Arrays.fill(stamps, NEVER);
  }

  /// The same shortfalls, with what else stands in the way; where some node would have room, as
  /// they are.
  List<Shortfall> told(List<Shortfall> shortfalls) {
    for (int n = changes.nextChanged(stamps, 0); n >= 0; n = changes.nextChanged(stamps, n + 1)) {
      forget(n);
      look(n);
      stamps[n] = changes.stamp(n);
    }
    if (roomy > 0) {
      return shortfalls;
    }
    return shortfalls.stream().map(this::told).toList();
  }

  private Shortfall told(Shortfall shortfall) {
    var besides = counts.get(new Objection(shortfall.obstacle(), shortfall.detail()));
    return besides == null ? shortfall : shortfall.besides(Shortfalls.list(besides));
  }

  private void look(int n) {
    var first = lasting.apply(n);
    if (first.obstacle() != Obstacle.NODE_SELECTOR && first.obstacle() != Obstacle.NODE_AFFINITY) {
      return;
    }
    if (Shortfalls.isClosed(room, podClass, n)) {
      return; // cordoned, tainted or out of reach of a volume: it is not meant
    }
    bySelection.put(n, first);
    var besides = Shortfalls.besidesSelection(room, podClass, n);
    if (besides.isEmpty()) {
      roomy++;
    } else {
      byNode.put(n, besides.get());
      counts
          .computeIfAbsent(first, _ -> new TreeMap<>(Shortfalls.ORDER))
          .merge(besides.get(), 1, Integer::sum);
    }
  }

  private void forget(int n) {
    var first = Optional.ofNullable(bySelection.remove(n));
    if (first.isEmpty()) {
      return;
    }
    var besides = Optional.ofNullable(byNode.remove(n));
    if (besides.isEmpty()) {
      roomy--;
    } else {
      counts.computeIfPresent(
          first.get(),
          (_, said) -> {
            said.computeIfPresent(besides.get(), (_, c) -> c > 1 ? c - 1 : null);
            return said.isEmpty() ? null : said;
          });
    }
  }
}
