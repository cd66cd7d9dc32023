package dev.berth.controllers.grouping;

import dev.berth.controllers.grouping.kinds.AssignedPod;
import dev.berth.controllers.grouping.kinds.KubeObject;
import dev.berth.controllers.grouping.kinds.ShapedGang;
import dev.berth.controllers.grouping.kinds.Trait;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.Membership;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// A gang while it is known: its members, and what was said of it.
///
/// Its spec depends on the subject and on the first member of each trait. As long as these stay the
/// same it is not computed anew, whatever events its members have.
final class Gang {
  /// By UID.
  private final TreeMap<String, AssignedPod> members = new TreeMap<>();

  /// UIDs of the members of each trait. Iterated over by the first UIDs only, see [#firsts].
  private final Map<Trait, TreeSet<String>> byTrait = new HashMap<>();

  private Map<?, ?> subject = Map.of();
  private boolean changed = true;
  private boolean scheduled;
  private int next = Integer.MAX_VALUE;
  private int enough;
  private Instant due = Instant.EPOCH;

  /// As the rule of its kind said last.
  GroupSpec shaped = Membership.UNTOLD.said();

  /// The same, complete.
  GroupSpec spec = Membership.UNTOLD.said();

  /// What the ledger has heard.
  GroupSpec told = Membership.UNTOLD.said();

  /// A pod by its age.
  private record Age(Instant created, String uid) implements Comparable<Age> {
    static Age of(GroupedPod entry) {
      return new Age(entry.created, entry.uid());
    }

    @Override
    public int compareTo(Age other) {
      int order = created.compareTo(other.created);
      return order != 0 ? order : uid.compareTo(other.uid);
    }
  }

  /// Members that name a group themselves, oldest first.
  private final TreeMap<Age, GroupedPod> named = new TreeMap<>();

  /// All others, oldest first.
  private final TreeMap<Age, GroupedPod> unnamed = new TreeMap<>();

  private Optional<GroupedPod> oldestNamed = Optional.empty();

  void join(GroupedPod entry, AssignedPod seated) {
    String uid = entry.uid();
    (entry.isNamed() ? named : unnamed).put(Age.of(entry), entry);
    var before = members.put(uid, seated);
    setSubject(seated.subject());
    if (before == null) {
      add(uid, seated.trait());
    } else if (!before.trait().equals(seated.trait())) {
      remove(uid, before.trait());
      add(uid, seated.trait());
    }
    changed |= members.size() >= next;
  }

  private void setSubject(KubeObject now) {
    if (subject != now.fields() && !subject.equals(now.fields())) {
      changed = true;
    }
    subject = now.fields();
  }

  private void add(String uid, Trait trait) {
    var uids = byTrait.computeIfAbsent(trait, _ -> new TreeSet<>());
    uids.add(uid);
    changed |= uids.first().equals(uid);
  }

  void leave(GroupedPod entry) {
    String uid = entry.uid();
    (entry.isNamed() ? named : unnamed).remove(Age.of(entry));
    var gone = members.remove(uid);
    if (gone != null) {
      remove(uid, gone.trait());
      changed |= members.size() < enough && next == Integer.MAX_VALUE; // too few for its tree
    }
  }

  private void remove(String uid, Trait trait) {
    var uids = byTrait.getOrDefault(trait, new TreeSet<>());
    boolean wasFirst = !uids.isEmpty() && uids.first().equals(uid);
    changed |= wasFirst;
    uids.remove(uid);
    if (uids.isEmpty()) {
      byTrait.remove(trait);
    }
  }

  /// Whether its spec may be another than it was when it was shaped last.
  boolean isChanged() {
    return changed;
  }

  /// Whether it may be shaped again: at once where what it was told to be would let it start.
  boolean isDue(Instant now) {
    return !due.isAfter(now) || members.size() >= next;
  }

  Instant due() {
    return due;
  }

  /// @param again not before
  void setShaped(Instant again, ShapedGang shaped) {
    changed = false;
    due = again;
    next = shaped.next();
    enough = shaped.enough();
    scheduled = false;
  }

  /// Once until it is shaped again.
  boolean startScheduling() {
    boolean was = scheduled;
    scheduled = true;
    return !was;
  }

  /// The group that a member joins: one that is younger than the oldest that names a group itself
  /// joins that group.
  ///
  /// @param own the group that the owners say
  GroupKey groupOf(GroupedPod entry, GroupKey own) {
    return oldestNamed
        .filter(named -> named.created.isBefore(entry.created))
        .map(named -> named.named)
        .orElse(own);
  }

  /// Those that belong elsewhere now, since the oldest that names a group came or went.
  List<GroupedPod> moved() {
    var now =
        named.isEmpty() ? Optional.<GroupedPod>empty() : Optional.of(named.firstEntry().getValue());
    boolean same =
        now.map(entry -> entry.named).equals(oldestNamed.map(entry -> entry.named))
            && now.map(entry -> entry.created).equals(oldestNamed.map(entry -> entry.created));
    oldestNamed = now;
    return same ? List.of() : new ArrayList<>(unnamed.values());
  }

  /// The oldest member that is in the group that its owners say.
  Optional<GroupedPod> firstOfOwn() {
    return Optional.ofNullable(unnamed.firstEntry())
        .map(Map.Entry::getValue)
        .filter(entry -> groupOf(entry, GroupKey.NONE).isNone());
  }

  /// The youngest member, if it joined the group that older ones name.
  Optional<GroupedPod> lastOfJoined() {
    return Optional.ofNullable(unnamed.lastEntry())
        .map(Map.Entry::getValue)
        .filter(entry -> !groupOf(entry, GroupKey.NONE).isNone());
  }

  AssignedPod seated(GroupedPod entry) {
    return members.getOrDefault(entry.uid(), first());
  }

  /// The first member of each trait, in the order of their UIDs.
  List<AssignedPod> firsts() {
    var uids = new ArrayList<String>(byTrait.size());
    byTrait.values().forEach(all -> uids.add(all.first()));
    uids.sort(null);
    var firsts = new ArrayList<AssignedPod>(uids.size());
    uids.forEach(uid -> firsts.add(members.get(uid)));
    return firsts;
  }

  /// Members that name no group themselves, oldest first.
  List<GroupedPod> unnamed() {
    return List.copyOf(unnamed.values());
  }

  int size() {
    return members.size();
  }

  private AssignedPod first() {
    return members.firstEntry().getValue();
  }

  boolean isEmpty() {
    return members.isEmpty();
  }

  /// Whether any member neither has finished nor leaves.
  boolean isAlive() {
    return members.values().stream().anyMatch(seated -> seated.member().isAlive());
  }
}
