package dev.berth.engine.fairness;

import dev.berth.engine.session.Group;
import dev.berth.engine.session.Session;
import java.util.List;
import java.util.TreeMap;

/// All waiting groups, leaf by leaf in [WorkloadOrder], each with what its next step asks for. Made
/// once for many orders over it; told when a group changes.
public final class PendingGroups {
  private final Session session;
  private final List<Group> waiting;
  private final TreeMap<Integer, PendingRuns> leaves = new TreeMap<>();
  private boolean linedUp;

  /// @param waiting in any order
  public PendingGroups(Session session, List<Group> waiting) {
    this.session = session;
    this.waiting = waiting;
  }

  /// Makes sure that all groups are lined up as they are now: before any pod is moved on trial.
  public void lineUp() {
    if (linedUp) {
      return;
    }
    linedUp = true;
    waiting.stream().sorted(WorkloadOrder.FIRST_TO_LAST).forEach(this::add);
  }

  private void add(Group group) {
    var step = group.next().map(next -> next.asked()).orElseGet(session.queues()::nothing);
    in(group.queue()).add(group, step);
  }

  /// A group got a place, or lost one: it stands where it belongs now, if it still waits.
  ///
  /// @param stands whether it is one of the groups that wait for themselves
  public void changed(Group group, boolean stands) {
    lineUp();
    in(group.queue()).remove(group);
    if (stands) {
      add(group);
    }
  }

  /// The leaves in which a group waits, by number.
  List<Integer> queues() {
    lineUp();
    return List.copyOf(leaves.keySet());
  }

  /// The groups that wait in a leaf.
  PendingRuns in(int queue) {
    return leaves.computeIfAbsent(queue, _ -> new PendingRuns());
  }
}
