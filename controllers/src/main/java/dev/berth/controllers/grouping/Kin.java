package dev.berth.controllers.grouping;

import dev.berth.controllers.grouping.kinds.Thing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Pods that have owners, and who owns them. Guarded by [Grouping].
final class Kin {
  private final TreeMap<String, Entry> pods = new TreeMap<>();

  /// UIDs of pods by the UID of each of their owners, as far as these are known.
  private final TreeMap<String, TreeSet<String>> podsOf = new TreeMap<>();

  /// Owners as they were read last, by UID. All their pods share one object.
  private final TreeMap<String, Thing> owners = new TreeMap<>();

  /// UIDs of pods that name a group themselves and whose owners are not all known, by the UID of
  /// each owner that is.
  private final TreeMap<String, TreeSet<String>> namedOf = new TreeMap<>();

  /// Those of them that one of these owners has, if any.
  List<Entry> namedOf(List<Thing> chain) {
    var entries = new ArrayList<Entry>(0);
    for (Thing owner : namedOf.isEmpty() ? List.<Thing>of() : chain) {
      for (String uid : namedOf.getOrDefault(owner.uid(), new TreeSet<>())) {
        find(uid).ifPresent(entries::add);
      }
    }
    return entries;
  }

  /// What was read last of an owner.
  Optional<Thing> known(String owner) {
    return Optional.ofNullable(owners.get(owner));
  }

  /// An owner is so now.
  void learn(Thing owner) {
    owners.put(owner.uid(), owner);
  }

  Optional<Entry> find(String uid) {
    return Optional.ofNullable(pods.get(uid));
  }

  void add(Entry entry) {
    pods.put(entry.uid(), entry);
  }

  Optional<Entry> remove(String uid) {
    var gone = Optional.ofNullable(pods.remove(uid));
    gone.ifPresent(entry -> {
      for (String owner : entry.listed) {
        forgetNamed(owner, uid);
        podsOf.computeIfPresent(
            owner, (_, uids) -> uids.remove(uid) && uids.isEmpty() ? null : uids);
        if (!has(owner)) {
          owners.remove(owner);
        }
      }
    });
    return gone;
  }

  /// Its owners are known now.
  void listAll(Entry entry) {
    for (Thing each : entry.member.others()) {
      list(entry, each.uid());
    }
    entry.listed.forEach(owner -> forgetNamed(owner, entry.uid()));
  }

  private void forgetNamed(String owner, String pod) {
    namedOf.computeIfPresent(owner, (_, uids) -> uids.remove(pod) && uids.isEmpty() ? null : uids);
  }

  /// That one of its owners is known by UID.
  void list(Entry entry, String owner) {
    entry.listed.add(owner);
    podsOf.computeIfAbsent(owner, _ -> new TreeSet<>()).add(entry.uid());
    if (entry.isNamed() && !entry.climbed) {
      namedOf.computeIfAbsent(owner, _ -> new TreeSet<>()).add(entry.uid());
    }
  }

  /// Whether it owns anybody.
  boolean has(String owner) {
    return podsOf.containsKey(owner);
  }

  /// In the order of their UIDs.
  List<Entry> of(String owner) {
    var entries = new ArrayList<Entry>();
    for (String uid : podsOf.getOrDefault(owner, new TreeSet<>())) {
      find(uid).ifPresent(entries::add);
    }
    return entries;
  }
}
