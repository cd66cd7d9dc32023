package dev.berth.controllers.grouping;

import dev.berth.controllers.grouping.kinds.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Pods that have owners, and their owners. Guarded by [Grouping].
final class PodsByOwner {
  private final TreeMap<String, GroupedPod> pods = new TreeMap<>();

  /// UIDs of pods by each of their owners, as far as these are known.
  private final TreeMap<OwnerInNamespace, TreeSet<String>> podsOf = new TreeMap<>();

  /// Owners as they were read last. All their pods of a namespace share one object.
  private final TreeMap<OwnerInNamespace, KubeObject> owners = new TreeMap<>();

  /// UIDs of pods that name a group themselves and whose owners are not all known, by each owner
  /// that is.
  private final TreeMap<OwnerInNamespace, TreeSet<String>> namedOf = new TreeMap<>();

  private static OwnerInNamespace owner(GroupedPod pod, String uid) {
    return new OwnerInNamespace(pod.namespace(), uid);
  }

  /// Those of them that one of the owners of a pod has, if any.
  List<GroupedPod> namedWith(GroupedPod pod) {
    var entries = new ArrayList<GroupedPod>(0);
    for (KubeObject owner : namedOf.isEmpty() ? List.<KubeObject>of() : pod.member.others()) {
      for (String uid : namedOf.getOrDefault(owner(pod, owner.uid()), new TreeSet<>())) {
        find(uid).ifPresent(entries::add);
      }
    }
    return entries;
  }

  /// What was read last of an owner.
  Optional<KubeObject> known(OwnerInNamespace owner) {
    return Optional.ofNullable(owners.get(owner));
  }

  /// An owner is so now.
  void learn(OwnerInNamespace owner, KubeObject now) {
    owners.put(owner, now);
  }

  Optional<GroupedPod> find(String uid) {
    return Optional.ofNullable(pods.get(uid));
  }

  void add(GroupedPod entry) {
    pods.put(entry.uid(), entry);
  }

  Optional<GroupedPod> remove(String uid) {
    var gone = Optional.ofNullable(pods.remove(uid));
    gone.ifPresent(entry -> {
      for (OwnerInNamespace owner : entry.listed) {
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
  void listAll(GroupedPod entry) {
    for (KubeObject each : entry.member.others()) {
      list(entry, each.uid());
    }
    entry.listed.forEach(owner -> forgetNamed(owner, entry.uid()));
  }

  private void forgetNamed(OwnerInNamespace owner, String pod) {
    namedOf.computeIfPresent(owner, (_, uids) -> uids.remove(pod) && uids.isEmpty() ? null : uids);
  }

  /// That one of its owners is known by UID.
  void list(GroupedPod entry, String uid) {
    var owner = owner(entry, uid);
    entry.listed.add(owner);
    podsOf.computeIfAbsent(owner, _ -> new TreeSet<>()).add(entry.uid());
    if (entry.isNamed() && !entry.climbed) {
      namedOf.computeIfAbsent(owner, _ -> new TreeSet<>()).add(entry.uid());
    }
  }

  /// Whether it owns any pod.
  boolean has(OwnerInNamespace owner) {
    return podsOf.containsKey(owner);
  }

  /// In the order of their UIDs.
  List<GroupedPod> of(OwnerInNamespace owner) {
    var entries = new ArrayList<GroupedPod>();
    for (String uid : podsOf.getOrDefault(owner, new TreeSet<>())) {
      find(uid).ifPresent(entries::add);
    }
    return entries;
  }
}
