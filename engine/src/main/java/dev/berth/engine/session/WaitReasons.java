package dev.berth.engine.session;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Reason;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Why groups wait: for what is wrong with them, which stands as long as they do, or for what was
/// said of them since the snapshot.
final class WaitReasons {
  private final TreeMap<GroupKey, Reason> flaws = new TreeMap<>();
  private final IdentityHashMap<Group, Reason> reasons = new IdentityHashMap<>(); // looked up only
  private final ArrayList<Group> refused = new ArrayList<>();

  void flawed(Group group, Reason flaw) {
    flaws.put(group.key(), flaw);
  }

  boolean isFlawed(Group group) {
    return !flaws.isEmpty() && flaws.containsKey(group.key());
  }

  /// The group is gone.
  void leave(Group group) {
    flaws.remove(group.key());
  }

  /// The last word counts.
  void waits(Group group, Reason reason) {
    if (reasons.put(group, reason) == null) {
      refused.add(group);
    }
  }

  /// The groups with a reason, in the order in which they first got one.
  List<Group> refused() {
    return List.copyOf(refused);
  }

  /// As far as it is known.
  Optional<Reason> reason(Group group) {
    var flaw = flaws.isEmpty() ? null : flaws.get(group.key());
    return Optional.ofNullable(flaw == null ? reasons.get(group) : flaw);
  }

  /// Back to the snapshot.
  void rewind() {
    reasons.clear();
    refused.clear();
  }

  /// What was said since the snapshot.
  String said() {
    var said = new TreeMap<GroupKey, Reason>();
    refused.forEach(group -> said.put(group.key(), reasons.get(group)));
    return said.toString();
  }
}
