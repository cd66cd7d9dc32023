package dev.berth.engine.placement;

import dev.berth.engine.model.Reason.Free;
import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.placement.NodeRules.Objection;
import dev.berth.engine.session.Room;
import dev.berth.engine.session.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/// Why nodes do not take pods of one shape that mind nothing else, counted, with what is free of
/// devices, and kept true by looking again only at nodes that changed.
final class Refusals {
  private final Room room;
  private final Shape shape;
  private final long[] stamps; // of the nodes when they were asked
  private final char[] byNode; // the number of what it said
  private final FreeDevices free;
  private final ArrayList<Objection> said = new ArrayList<>(4);
  private int[] nodes = new int[4]; // that said it, by its number
  private long seen = -1;
  private long described = -1;
  private long[] capacities = {}; // by node
  private long capacity = -1; // not counted yet
  private long counted = -1; // for the nodes as they were described then

  Refusals(Room room, Shape shape) {
    this.room = room;
    this.shape = shape;
    stamps = new long[room.nodes()];
    byNode = new char[room.nodes()];
    free = new FreeDevices(room, shape);
  }

  /// Most frequent first.
  List<Shortfall> list() {
    refresh();
    var counts = new TreeMap<Objection, Integer>(Shortfalls.ORDER);
    for (int i = 0; i < said.size(); i++) {
      if (nodes[i] > 0) {
        counts.put(said.get(i), nodes[i]);
      }
    }
    return Shortfalls.list(counts);
  }

  Free free() {
    refresh();
    return free.told();
  }

  /// How many pods of the shape all nodes of a domain that it may be on would hold, were they
  /// empty.
  long capacity(Domain within) {
    if (counted != room.described()) {
      capacities = new long[byNode.length];
      capacity = 0;
      for (int n = 0; n < byNode.length; n++) {
        capacities[n] = Shortfalls.most(room, shape, n);
        capacity += capacities[n];
      }
      counted = room.described();
    }
    return within.isWhole() ? capacity : sum(within);
  }

  private long sum(Domain within) {
    long sum = 0;
    for (int n = 0; n < capacities.length; n++) {
      sum += within.contains(n) ? capacities[n] : 0;
    }
    return sum;
  }

  private void refresh() {
    if (described != room.described()) {
      Arrays.fill(nodes, 0);
      said.clear();
      free.clear();
      for (int n = 0; n < byNode.length; n++) {
        stamps[n] = room.stamp(n);
        byNode[n] = number(objection(n));
        nodes[byNode[n]]++;
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
    char objection = number(objection(n));
    if (objection != byNode[n]) {
      nodes[byNode[n]]--;
      nodes[objection]++;
      byNode[n] = objection;
    }
  }

  private Objection objection(int n) {
    var lasting = Shortfalls.lasting(room, shape, n);
    free.see(n, lasting.isEmpty());
    return lasting.isPresent() ? lasting.get() : Shortfalls.lacking(room, shape, n);
  }

  /// No more are said than there are nodes, taints and labels: few, and each is kept once.
  private char number(Objection objection) {
    int at = said.indexOf(objection);
    if (at < 0) {
      at = said.size();
      said.add(objection);
      nodes = at < nodes.length ? nodes : Arrays.copyOf(nodes, at * 2);
    }
    return (char) at;
  }
}
