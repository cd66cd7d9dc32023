package dev.berth.engine.session;

import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.WrittenPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Plans whose gates are still closed, in line for room by their deadlines, then by key, as the
/// ledger keeps them: a later one does not keep an earlier one from its room.
final class PlanQueue {
  private final FreeCapacity room;
  private final TreeMap<Integer, List<Place>> byNode = new TreeMap<>();

  private record Place(WrittenPlan plan, PodKey pod, PodClass podClass, Assignment assignment) {
    boolean isBehind(WrittenPlan other, PodKey key) {
      int byDeadline = plan.until().compareTo(other.until());
      return byDeadline != 0 ? byDeadline > 0 : pod.compareTo(key) > 0;
    }
  }

  PlanQueue(FreeCapacity room) {
    this.room = room;
  }

  void add(WrittenPlan plan, Pod pod, PodClass podClass, Assignment assignment) {
    if (assignment.isOnTheMap()) {
      byNode
          .computeIfAbsent(assignment.node(), _ -> new ArrayList<>())
          .add(new Place(plan, pod.key(), podClass, assignment));
    }
  }

  /// Whether the room of a plan is there without anything that is still being left, beside those
  /// that stand before it.
  boolean holdsNow(WrittenPlan plan, Assignment assignment, Pod pod) {
    if (!assignment.isOnTheMap()) {
      return true;
    }
    int n = assignment.node();
    var free = new long[room.width()];
    boolean crowded = false;
    for (int r = 0; r < free.length; r++) {
      free[r] = room.free(n, r);
      crowded |= free[r] < 0;
    }
    var slots = new int[room.slots().count(n)];
    for (int slot = 0; slot < slots.length; slot++) {
      slots[slot] = room.slots().free(n, slot);
      crowded |= slots[slot] < 0;
    }
    if (!crowded) {
      return true;
    }
    for (Place other : byNode.getOrDefault(n, List.of())) {
      if (other.isBehind(plan, pod.key())) {
        for (int i = 0; i < other.podClass.needs(); i++) {
          free[other.podClass.resource(i)] += other.podClass.need(i);
        }
        for (int slot : other.assignment.slots()) {
          slots[slot] += other.assignment.millis();
        }
      }
    }
    boolean holds = true;
    for (long left : free) {
      holds &= left >= 0;
    }
    for (int slot : assignment.slots()) {
      holds &= slots[slot] >= 0;
    }
    return holds;
  }
}
