package dev.berth.engine.session;

import dev.berth.engine.model.GroupKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// The groups of a session by key, and of which of them a plan may have something to say: those
/// with a member that has no place or may lose it to others, and those that were touched.
public final class GroupIndex {
  private ArrayList<Group> all = new ArrayList<>();
  private final TreeMap<GroupKey, Group> open = new TreeMap<>();
  private final TreeMap<GroupKey, Group> inLine = new TreeMap<>();
  private final TreeMap<GroupKey, Group> outside = new TreeMap<>();
  private final TreeMap<GroupKey, Group> timed = new TreeMap<>();
  private final TreeMap<GroupKey, Group> unasked = new TreeMap<>();
  private final ArrayList<Group> touched = new ArrayList<>();

  /// By key.
  List<Group> all() {
    return Collections.unmodifiableList(all);
  }

  /// Adds the last one by key.
  void append(Group group) {
    all.add(group);
  }

  /// New groups are told by [#enter], removed ones by [#leave].
  void become(List<Group> gone, List<Group> come) {
    var changes = new TreeMap<GroupKey, Optional<Group>>();
    gone.forEach(group -> changes.put(group.key(), Optional.empty()));
    come.forEach(group -> changes.put(group.key(), Optional.of(group)));
    if (changes.isEmpty()) {
      return;
    }
    var before = all;
    var after = new ArrayList<Group>(before.size() + come.size());
    int from = 0;
    for (var entry : changes.entrySet()) {
      int at = indexOf(entry.getKey());
      int to = at < 0 ? -1 - at : at;
      after.addAll(before.subList(from, to));
      entry.getValue().ifPresent(after::add);
      from = at < 0 ? to : to + 1;
    }
    after.addAll(before.subList(from, before.size()));
    all = after;
  }

  /// @param isOutside whether it is in no queue that counts
  void enter(Group group, boolean isOutside) {
    if (group.wantsMore() || group.isTentative()) {
      open.put(group.key(), group);
    }
    if (group.isInLine()) {
      inLine.put(group.key(), group);
    }
    if (!group.group().spec().patience().expectedRuntime().isZero()) {
      timed.put(group.key(), group);
    }
    if (group.seats().stream().anyMatch(MemberState::isToBeAsked)) {
      unasked.put(group.key(), group);
    }
    if (isOutside) {
      outside.put(group.key(), group);
    }
  }

  void leave(Group group) {
    open.remove(group.key());
    inLine.remove(group.key());
    outside.remove(group.key());
    timed.remove(group.key());
    unasked.remove(group.key());
  }

  /// Groups with a victim that is still to be evicted, for plans that were made before, by key.
  public List<Group> unasked() {
    return List.copyOf(unasked.values());
  }

  /// Groups with plans whose gates are still closed.
  List<Group> inLine() {
    return List.copyOf(inLine.values());
  }

  /// Groups in no queue, or in a broken one, by key.
  public List<Group> outside() {
    return List.copyOf(outside.values());
  }

  /// Groups with an expected runtime, by key.
  public List<Group> timed() {
    return List.copyOf(timed.values());
  }

  void touch(Group group) {
    if (group.touch(true)) {
      touched.add(group);
    }
  }

  /// Groups of which anything was changed, even if undone by now.
  public List<Group> touched() {
    return Collections.unmodifiableList(touched);
  }

  void forgetTouched() {
    touched.forEach(group -> group.touch(false));
    touched.clear();
  }

  /// All groups of which a plan may have something to say, by key: a member has no place, or may
  /// lose it to others, or something was changed here.
  public List<Group> involved() {
    if (touched.isEmpty()) {
      return List.copyOf(open.values());
    }
    var involved = new TreeMap<>(open);
    for (Group group : touched) {
      involved.put(group.key(), group);
    }
    return List.copyOf(involved.values());
  }

  /// The index of a key; −1 − where it would stand if there is none.
  int indexOf(GroupKey key) {
    int low = 0;
    int high = all.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = all.get(middle).key().compareTo(key);
      if (order == 0) {
        return middle;
      }
      low = order < 0 ? middle + 1 : low;
      high = order < 0 ? high : middle - 1;
    }
    return -1 - low;
  }
}
