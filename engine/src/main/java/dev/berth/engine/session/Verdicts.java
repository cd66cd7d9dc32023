package dev.berth.engine.session;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Reason;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Why groups wait: for what is wrong with them, which stands as long as they do, or for what was
/// said of them since the snapshot.
final class Verdicts {
  private final TreeMap<GroupKey, Reason> flaws = new TreeMap<>();
  private final TreeMap<GroupKey, Reason> reasons = new TreeMap<>();
  private final LinkedHashSet<Group> refused = new LinkedHashSet<>(); // by identity

  void flawed(Group group, Reason flaw) {
    flaws.put(group.key(), flaw);
  }

  boolean isFlawed(Group group) {
    return flaws.containsKey(group.key());
  }

  /// The group is gone.
  void leave(Group group) {
    flaws.remove(group.key());
  }

  /// The last word counts.
  void waits(Group group, Reason reason) {
    reasons.put(group.key(), reason);
    refused.add(group);
  }

  /// Those who were told why, in the order in which they were told first.
  List<Group> refused() {
    return List.copyOf(refused);
  }

  /// As far as anybody said.
  Optional<Reason> reason(Group group) {
    return Optional.ofNullable(flaws.getOrDefault(group.key(), reasons.get(group.key())));
  }

  /// Back to the snapshot.
  void rewind() {
    reasons.clear();
    refused.clear();
  }

  /// What was said since the snapshot.
  String said() {
    return reasons.toString();
  }
}
