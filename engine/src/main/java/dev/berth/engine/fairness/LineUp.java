package dev.berth.engine.fairness;

import dev.berth.engine.session.Charge;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;

/// Everybody who waits, leaf by leaf in [WorkloadOrder], each with what its next step asks for.
/// Made once for many orders over it; told when a group changes.
public final class LineUp {
  private final Session session;
  private final List<Group> waiting;
  private final TreeMap<Integer, ArrayList<Place>> leaves = new TreeMap<>();
  private boolean linedUp;

  /// @param step what its next step counts as long as it waits
  record Place(Group group, Charge step) {}

  /// @param waiting in any order
  public LineUp(Session session, List<Group> waiting) {
    this.session = session;
    this.waiting = waiting;
  }

  /// Makes sure that all stand in line as they are now: before anybody is moved on trial.
  public void lineUp() {
    if (linedUp) {
      return;
    }
    linedUp = true;
    for (Group group : waiting) {
      leaves.computeIfAbsent(group.queue(), _ -> new ArrayList<>()).add(place(group));
    }
    leaves.values().forEach(LineUp::sort);
  }

  private Place place(Group group) {
    return new Place(
        group, group.next().map(step -> step.asked()).orElseGet(session.queues()::nothing));
  }

  private static void sort(List<Place> places) {
    places.sort((a, b) -> WorkloadOrder.FIRST_TO_LAST.compare(a.group, b.group));
  }

  /// A group got a place, or lost one: it stands where it belongs now, if it still waits.
  ///
  /// @param stands whether it is one of those who wait for themselves
  public void changed(Group group, boolean stands) {
    lineUp();
    var places = leaves.computeIfAbsent(group.queue(), _ -> new ArrayList<>());
    places.removeIf(place -> place.group.equals(group));
    if (stands) {
      places.add(place(group));
      sort(places);
    }
  }

  /// The leaves in which somebody waits, by number.
  List<Integer> queues() {
    lineUp();
    return List.copyOf(leaves.keySet());
  }

  /// Those who wait in a leaf, first to last.
  List<Place> in(int queue) {
    lineUp();
    return Collections.unmodifiableList(leaves.getOrDefault(queue, NOBODY));
  }

  private static final ArrayList<Place> NOBODY = new ArrayList<>(0);
}
