package dev.berth.engine.ledger;

import dev.berth.engine.model.Constraints.Term;
import dev.berth.engine.model.PersistentVolume;
import dev.berth.engine.model.PersistentVolumeClaim;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Pod.VolumeLack;
import dev.berth.engine.model.Pod.VolumeRef;
import dev.berth.engine.model.StorageClass;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What keeps pods from nodes by their volumes, as kube-scheduler's VolumeBinding judges it: a
/// bound claim's volume is reached from some nodes alone; one that is not bound waits for its pod
/// or its pod waits for it, as its StorageClass says.
///
/// What depends on how many volumes there are (a volume to be found for a claim, of a class without
/// a provisioner; how many a node can attach) is not here: kube-scheduler refuses that.
///
/// What changes is noted, and costs the pods of the claim once for each snapshot.
final class Volumes {
  private static final List<Term> FROM_EVERYWHERE = List.of();

  private final Latest<PersistentVolumeClaim.Key, PersistentVolumeClaim> claims =
      new Latest<>(Sameness::of);
  private final Latest<String, PersistentVolume> volumes = new Latest<>(Sameness::of);
  private final Latest<String, StorageClass> classes = new Latest<>(Sameness::of);
  private final Map<PersistentVolumeClaim.Key, Set<PodEntry>> users = new HashMap<>();
  private final Map<String, Set<PersistentVolumeClaim.Key>> claimsByVolume = new HashMap<>();

  /// Claims whose pods are to be judged anew, before the next snapshot: one claim may be that of
  /// thousands of pods, and be deleted and made again by anybody who may.
  private final LinkedHashSet<PersistentVolumeClaim.Key> changed = new LinkedHashSet<>();

  // Each of these returns whether it may mean something for a pod.

  boolean seen(PersistentVolumeClaim claim) {
    boolean isFirst = claims.isEmpty();
    var before = claims.find(claim.key());
    if (!claims.seen(claim.key(), claim, claim.version())) {
      return false;
    }
    before.ifPresent(it -> remove(claimsByVolume, it.volume(), it.key()));
    if (!claim.volume().isEmpty()) {
      add(claimsByVolume, claim.volume(), claim.key());
    }
    return isFirst ? allChanged() : changed(claim.key());
  }

  boolean gone(PersistentVolumeClaim.Key key, long version) {
    var before = claims.find(key);
    if (!claims.gone(key, version)) {
      return false;
    }
    before.ifPresent(it -> remove(claimsByVolume, it.volume(), key));
    return claims.isEmpty() ? allChanged() : changed(key);
  }

  /// From then on claims may be missing, or not any more.
  private boolean allChanged() {
    changed.addAll(users.keySet());
    return !users.isEmpty();
  }

  private static <K, V> void add(Map<K, Set<V>> sets, K key, V value) {
    sets.computeIfAbsent(key, _ -> new LinkedHashSet<>(2)).add(value);
  }

  private static <K, V> void remove(Map<K, Set<V>> sets, K key, V value) {
    var set = sets.get(key);
    if (set != null && set.remove(value) && set.isEmpty()) {
      sets.remove(key);
    }
  }

  boolean seen(PersistentVolume volume) {
    return volumes.seen(volume.name(), volume, volume.version()) && volumeChanged(volume.name());
  }

  boolean volumeGone(String name, long version) {
    return volumes.gone(name, version) && volumeChanged(name);
  }

  private boolean volumeChanged(String name) {
    boolean any = false;
    for (var claim : claimsByVolume.getOrDefault(name, Collections.emptySet())) {
      any |= changed(claim);
    }
    return any;
  }

  boolean seen(StorageClass storageClass) {
    return classes.seen(storageClass.name(), storageClass, storageClass.version())
        && classChanged(storageClass.name());
  }

  boolean classGone(String name, long version) {
    return classes.gone(name, version) && classChanged(name);
  }

  /// Classes change seldom: all claims are looked at.
  private boolean classChanged(String name) {
    boolean any = false;
    for (var claim : claims.all()) {
      any |= claim.storageClass().equals(name) && changed(claim.key());
    }
    return any;
  }

  private boolean changed(PersistentVolumeClaim.Key claim) {
    boolean isUsed = users.containsKey(claim);
    if (isUsed) {
      changed.add(claim);
    }
    return isUsed;
  }

  /// Pods of claims of which something has changed since this was last asked.
  Collection<PodEntry> settle() {
    if (changed.isEmpty()) {
      return List.of();
    }
    var using = new LinkedHashSet<PodEntry>();
    changed.forEach(claim -> using.addAll(users.getOrDefault(claim, Collections.emptySet())));
    changed.clear();
    return using;
  }

  void enters(PodEntry entry) {
    for (VolumeRef volume : entry.pod.traits().volumes()) {
      add(users, key(entry.pod, volume), entry);
    }
  }

  void leaves(PodEntry entry) {
    for (VolumeRef volume : entry.pod.traits().volumes()) {
      remove(users, key(entry.pod, volume), entry);
    }
  }

  private static PersistentVolumeClaim.Key key(Pod pod, VolumeRef volume) {
    return new PersistentVolumeClaim.Key(pod.key().namespace(), volume.claim());
  }

  /// The same pod, with what its volumes mean for it now.
  Pod judge(Pod pod) {
    if (pod.traits().volumes().isEmpty()) {
      return pod;
    }
    var refs = new ArrayList<VolumeRef>();
    var reach = new LinkedHashSet<List<Term>>();
    for (VolumeRef ref : pod.traits().volumes()) {
      var claim = claims.find(key(pod, ref));
      var lack = claim.map(this::lack).orElseGet(this::missing);
      refs.add(new VolumeRef(ref.claim(), ref.ephemeral(), lack));
      List<Term> nodes = claim.map(this::reach).orElse(FROM_EVERYWHERE);
      if (!nodes.isEmpty()) {
        reach.add(nodes);
      }
    }
    return pod.with(refs, pod.asks().constraints().with(List.copyOf(reach)));
  }

  /// Where claims may not be read, or a dump of a cluster leaves them out, there are none, and none
  /// is missing.
  private VolumeLack missing() {
    return claims.isEmpty() ? VolumeLack.NONE : VolumeLack.MISSING;
  }

  private VolumeLack lack(PersistentVolumeClaim claim) {
    return switch (claim.state()) {
      case BOUND -> VolumeLack.NONE;
      case NOT_BOUND -> waitsForPod(claim) ? VolumeLack.NONE : VolumeLack.NOT_BOUND;
      case LOST -> VolumeLack.LOST;
      case DELETED -> VolumeLack.DELETED;
    };
  }

  private boolean waitsForPod(PersistentVolumeClaim claim) {
    return classes.find(claim.storageClass()).filter(StorageClass::waitsForPod).isPresent();
  }

  /// A volume that has not been seen may be anywhere.
  private List<Term> reach(PersistentVolumeClaim claim) {
    return claim.volume().isEmpty()
        ? classes.find(claim.storageClass()).map(StorageClass::nodes).orElse(FROM_EVERYWHERE)
        : volumes.find(claim.volume()).map(PersistentVolume::nodes).orElse(FROM_EVERYWHERE);
  }
}
