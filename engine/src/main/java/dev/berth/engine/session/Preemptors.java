package dev.berth.engine.session;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.MinRuntimeWait;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// Groups for which others leave, in the order in which their plans were made: each counts on what
/// those before it left.
public final class Preemptors {
  private final GroupIndex roll;
  private final LinkedHashSet<Group> all = new LinkedHashSet<>(); // by identity
  private final HashMap<Group, BitSet> delayed = new HashMap<>(); // by identity; for each victim
  private boolean newPlacesLost; // since the last plan, even in a trial

  Preemptors(GroupIndex roll) {
    this.roll = roll;
  }

  /// A pod lost a place that it did not have in the snapshot.
  void loseNewPlace() {
    newPlacesLost = true;
  }

  /// A plan with victims was kept for this group. Victims for a group that lost its place to it
  /// leave for it now.
  public void add(Group group) {
    all.remove(group);
    if (newPlacesLost) {
      for (Group other : all()) {
        if (!other.hasNewPlaces()) {
          all.remove(other);
          inherit(other.key(), group.key());
        }
      }
      newPlacesLost = false;
    }
    all.add(group);
  }

  private void inherit(GroupKey from, GroupKey to) {
    for (Group group : roll.touched()) {
      for (MemberState seat : group.seats()) {
        if (seat.isVictim() && seat.beneficiary().equals(from)) {
          seat.mark(seat.isInBlock(), seat.cause(), to);
        }
      }
    }
  }

  /// A min-runtime keeps a pod of `queue` from being evicted for this group.
  ///
  /// @param queue by its number
  public void addMinRuntimeWait(Group group, int queue) {
    delayed.computeIfAbsent(group, _ -> new BitSet()).set(queue);
  }

  /// Groups of which that is so, those that got room by other pods included; a copy.
  public SortedSet<MinRuntimeWait> minRuntimeWaits(QueueTree queues) {
    var waits = new TreeSet<MinRuntimeWait>();
    delayed.forEach((group, of) ->
        of.stream()
            .forEach(q -> waits.add(new MinRuntimeWait(group.key(), queues.queue(q).name()))));
    return waits;
  }

  /// Whether others leave for the group.
  public boolean contains(Group group) {
    return all.contains(group);
  }

  /// In the order of their plans; a copy.
  public List<Group> all() {
    return List.copyOf(all);
  }

  /// Back to the snapshot.
  void rewind() {
    all.clear();
    delayed.clear();
    newPlacesLost = false;
  }
}
