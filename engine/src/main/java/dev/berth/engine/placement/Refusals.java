package dev.berth.engine.placement;

import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.placement.NodeRules.Objection;
import dev.berth.engine.session.Room;
import dev.berth.engine.session.Shape;
import java.util.List;
import java.util.TreeMap;

/// Why nodes do not take pods of one shape that mind nothing else, counted, and kept true by
/// looking again only at nodes that changed.
final class Refusals {
  private final Room room;
  private final Shape shape;
  private final long[] stamps; // of the nodes when they were asked
  private final Objection[] byNode;
  private final TreeMap<Objection, Integer> counts = new TreeMap<>(Shortfalls.ORDER);
  private long seen = -1;
  private long described = -1;

  Refusals(Room room, Shape shape) {
    this.room = room;
    this.shape = shape;
    stamps = new long[room.nodes()];
    byNode = new Objection[room.nodes()];
  }

  /// Most frequent first.
  List<Shortfall> list() {
    refresh();
    return Shortfalls.list(counts);
  }

  private void refresh() {
    if (described != room.described()) {
      counts.clear();
      for (int n = 0; n < byNode.length; n++) {
        stamps[n] = room.stamp(n);
        byNode[n] = Shortfalls.objection(room, shape, n);
        counts.merge(byNode[n], 1, Integer::sum);
      }
      described = room.described();
    } else if (seen != room.version()) {
      for (int n = room.nextChanged(stamps, 0); n >= 0; n = room.nextChanged(stamps, n + 1)) {
        update(n);
      }
    }
    seen = room.version();
  }

  private void update(int n) {
    stamps[n] = room.stamp(n);
    var objection = Shortfalls.objection(room, shape, n);
    if (!objection.equals(byNode[n])) {
      counts.merge(byNode[n], -1, (was, by) -> was + by == 0 ? null : was + by);
      counts.merge(objection, 1, Integer::sum);
      byNode[n] = objection;
    }
  }
}
