package dev.berth.engine.ledger;

import dev.berth.engine.ledger.objects.LatestObjects;
import dev.berth.engine.ledger.objects.SemanticEquality;
import dev.berth.engine.ledger.view.Provisioning;
import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.Operator;
import dev.berth.engine.model.Constraints.Term;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PersistentVolume;
import dev.berth.engine.model.PersistentVolumeClaim;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Pod.VolumeRef;
import dev.berth.engine.model.StorageClass;
import dev.berth.engine.model.VolumeKind;
import dev.berth.engine.model.VolumeLack;
import dev.berth.engine.model.WrittenPlan;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// What keeps pods from nodes by their volumes, as kube-scheduler's VolumeBinding judges it: a
/// bound claim's volume is reached from some nodes alone; one that is not bound waits for its pod
/// or its pod waits for it, as its StorageClass says.
///
/// What depends on how many volumes there are (which of them suits a claim, of a class without a
/// provisioner; how many a node can attach) is not here: kube-scheduler refuses that.
///
/// What changes is noted, and costs the pods of the claim once for each snapshot, some at a time.
///
/// Where a kind may not be read, or a dump of a cluster leaves it out, nothing of it is missing.
final class Volumes {
  private static final String NODE_NAME = "metadata.name";
  private static final List<Term> FROM_EVERYWHERE = List.of();

  private final LatestObjects<PersistentVolumeClaim.Key, PersistentVolumeClaim> claims =
      new LatestObjects<>(SemanticEquality::of);
  private final LatestObjects<String, PersistentVolume> volumes =
      new LatestObjects<>(SemanticEquality::of);
  private final LatestObjects<String, StorageClass> classes =
      new LatestObjects<>(SemanticEquality::of);
  private final SetsByKey<PersistentVolumeClaim.Key, PodRecord> users = new SetsByKey<>();
  private final SetsByKey<String, PersistentVolumeClaim.Key> claimsByVolume = new SetsByKey<>();
  private final FreeVolumes free = new FreeVolumes();
  private final ProvisioningClaims askedFor = new ProvisioningClaims(claims::find);
  private final FormerNodes formerNodes = new FormerNodes();
  private final UnsettledVolumes unsettled = new UnsettledVolumes(users);
  private final OnePodClaims onePodClaims = new OnePodClaims(users);

  /// Whether kinds may be read, as far as it is known.
  private final Map<VolumeKind, Boolean> read = new EnumMap<>(VolumeKind.class);

  // Each of these returns whether it may mean something for a pod.

  boolean seen(PersistentVolumeClaim claim) {
    boolean wasKnown = isKnown(VolumeKind.CLAIM);
    var before = claims.find(claim.key());
    if (!claims.seen(claim.key(), claim, claim.version())) {
      return false;
    }
    before.ifPresent(this::was);
    if (!claim.volume().isEmpty()) {
      claimsByVolume.add(claim.volume(), claim.key());
    }
    askedFor.note(claim.key());
    return wasKnown ? unsettled.changed(claim.key()) : unsettled.allChanged();
  }

  boolean gone(PersistentVolumeClaim.Key key, long version) {
    var before = claims.find(key);
    if (!claims.gone(key, version)) {
      return false;
    }
    before.ifPresent(this::was);
    askedFor.note(key);
    return isKnown(VolumeKind.CLAIM) ? unsettled.changed(key) : unsettled.allChanged();
  }

  /// A claim is not any more what it was. If a node was selected for it, kube-scheduler may wait on
  /// for pods that are planned there.
  private void was(PersistentVolumeClaim claim) {
    onePodClaims.forget(claim.key());
    claimsByVolume.remove(claim.volume(), claim.key());
    if (claim.selectedNode().isNone() || hasItsVolume(claim)) {
      return;
    }
    for (PodRecord user : users.of(claim.key())) {
      WrittenPlan plan = user.plan();
      if (plan.placement().node().equals(claim.selectedNode())) {
        formerNodes.changed(user, plan);
      }
    }
  }

  boolean read(VolumeKind kind, boolean isRead) {
    boolean isNews = !Boolean.valueOf(isRead).equals(read.put(kind, isRead));
    return isNews && unsettled.allChanged(); // of it objects may be missing, or not any more
  }

  /// Whether what is not there is missing.
  private boolean isKnown(VolumeKind kind) {
    return read.getOrDefault(
        kind,
        switch (kind) {
          case CLAIM -> !claims.isEmpty();
          case VOLUME -> !volumes.isEmpty();
          case CLASS -> true;
        });
  }

  boolean seen(PersistentVolume volume) {
    boolean wasKnown = isKnown(VolumeKind.VOLUME);
    var before = volumes.find(volume.name());
    if (!volumes.seen(volume.name(), volume, volume.version())) {
      return false;
    }
    return volumeChanged(volume.name(), before, Optional.of(volume), wasKnown);
  }

  boolean volumeGone(String name, long version) {
    var before = volumes.find(name);
    if (!volumes.gone(name, version)) {
      return false;
    }
    return volumeChanged(name, before, Optional.empty(), isKnown(VolumeKind.VOLUME));
  }

  /// It may be the first or last free one of its class, be meant for a claim, or be named by some.
  private boolean volumeChanged(
      String name,
      Optional<PersistentVolume> before,
      Optional<PersistentVolume> now,
      boolean isKnown) {
    askedFor.seen(before, now);
    boolean any = !isKnown && unsettled.allChanged();
    for (String storageClass : free.seen(before, now)) {
      any |= classChanged(storageClass);
    }
    for (var volume : List.of(before, now)) {
      any |= volume.flatMap(PersistentVolume::claim).filter(unsettled::changed).isPresent();
    }
    for (var claim : claimsByVolume.of(name)) {
      any |= unsettled.changed(claim);
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
      any |= claim.storageClass().equals(name) && unsettled.changed(claim.key());
    }
    return any;
  }

  /// Pods of claims of which something has changed since they were last among these, as many as one
  /// snapshot looks at.
  Collection<PodRecord> settle() {
    return unsettled.settle();
  }

  /// Whether the next snapshot has pods to look at, though nothing else comes.
  boolean isUnsettled() {
    return !unsettled.isEmpty();
  }

  void enters(PodRecord entry) {
    for (VolumeRef volume : entry.pod.traits().volumes()) {
      users.add(key(entry.pod, volume), entry);
    }
    changes(entry);
  }

  /// The pod has come, or was seen again.
  void changes(PodRecord entry) {
    for (VolumeRef volume : entry.pod.traits().volumes()) {
      var key = key(entry.pod, volume);
      if (claims.find(key).filter(PersistentVolumeClaim::onePod).isPresent()) {
        unsettled.changed(onePodClaims.seen(key, entry));
      }
    }
  }

  void leaves(PodRecord entry) {
    formerNodes.forget(entry);
    for (VolumeRef volume : entry.pod.traits().volumes()) {
      var key = key(entry.pod, volume);
      users.remove(key, entry);
      unsettled.changed(onePodClaims.gone(key, entry));
    }
    unsettled.leaves(entry);
  }

  /// Plans whose pods kube-scheduler binds once a volume is there.
  List<Provisioning> provisioning() {
    var all = new ArrayList<Provisioning>(0);
    for (var key : askedFor.all()) {
      var claim = claims.find(key).orElseThrow();
      if (claim.state() != PersistentVolumeClaim.State.NOT_BOUND || claim.selectedNode().isNone()) {
        continue;
      }
      for (PodRecord user : users.of(key)) {
        if (user.isPlanned()) {
          all.add(
              new Provisioning(
                  user.account().key,
                  user.pod.uid(),
                  key,
                  claim.storageClass(),
                  claim.selectedNode()));
        }
      }
    }
    return all;
  }

  /// Pods for which kube-scheduler waits so.
  Collection<PodRecord> awaited() {
    var all = new ArrayList<PodRecord>(0);
    for (var key : askedFor.all()) {
      for (PodRecord user : users.of(key)) {
        if (user.isPlanned() && isAwaited(user, user.plan())) {
          all.add(user);
        }
      }
    }
    return all;
  }

  /// Whether kube-scheduler waits for a volume of a pod on the node of its plan. It has chosen that
  /// node for the pod then, and keeps the room until the volume is there, or it gives up. It waits
  /// on where the claim is being deleted, or names a volume that does not exist.
  boolean isAwaited(PodRecord entry, WrittenPlan plan) {
    return !entry.pod.isGated() && anyAskedFor(entry, plan, claim -> !hasItsVolume(claim));
  }

  /// Whether it waited there, and may not have seen yet what has become of the claim.
  boolean mayBeAwaited(PodRecord entry, WrittenPlan plan) {
    return !entry.pod.isGated() && formerNodes.has(entry, plan);
  }

  /// Whether it waits there, or waited until a claim named that node no more, and a volume of the
  /// pod is still not there.
  boolean wasAwaited(PodRecord entry, WrittenPlan plan) {
    return isAwaited(entry, plan) || mayBeAwaited(entry, plan) && !hasAll(entry);
  }

  private boolean hasAll(PodRecord entry) {
    for (VolumeRef volume : entry.pod.traits().volumes()) {
      if (claims.find(key(entry.pod, volume)).filter(this::hasItsVolume).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /// Whether nothing has become of its claims, for which it was awaited, since this was last asked.
  boolean isAsLastSeen(PodRecord entry) {
    return formerNodes.isAsLastSeen(entry);
  }

  /// Whether a volume is there for which kube-scheduler has chosen the node of a pod's plan.
  boolean hasCome(PodRecord entry) {
    return anyAskedFor(entry, entry.plan(), this::hasItsVolume);
  }

  private boolean anyAskedFor(
      PodRecord entry, WrittenPlan plan, Predicate<PersistentVolumeClaim> that) {
    NodeName node = plan.placement().node();
    if (node.isNone()) {
      return false;
    }
    for (VolumeRef volume : entry.pod.traits().volumes()) {
      var claim = claims.find(key(entry.pod, volume));
      if (claim.filter(it -> isFor(it, node)).filter(that).isPresent()) {
        return true;
      }
    }
    return false;
  }

  /// Whether kube-scheduler has chosen the node for the claim, as far as is known: a volume that
  /// was there, and is not bound yet, does not tell for which node it was chosen.
  private boolean isFor(PersistentVolumeClaim claim, NodeName node) {
    boolean isChosen = claim.selectedNode().isNone() && askedFor.has(claim.key());
    return isChosen || claim.selectedNode().equals(node);
  }

  private boolean hasItsVolume(PersistentVolumeClaim claim) {
    return switch (claim.state()) {
      case NOT_BOUND, LOST, DELETED_UNBOUND -> false;
      case BOUND, DELETED -> !claim.volume().isEmpty() && isThere(claim.volume());
    };
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
      var lack = claim.map(it -> lack(it, pod)).orElseGet(this::missing);
      String storageClass = claim.map(PersistentVolumeClaim::storageClass).orElse("");
      refs.add(ref.known(storageClass, lack));
      List<Term> nodes = claim.map(this::reach).orElse(FROM_EVERYWHERE);
      if (!nodes.isEmpty()) {
        reach.add(nodes);
      }
    }
    return pod.with(refs, pod.asks().constraints().with(List.copyOf(reach)));
  }

  private VolumeLack missing() {
    return isKnown(VolumeKind.CLAIM) ? VolumeLack.MISSING : VolumeLack.NONE;
  }

  private VolumeLack lack(PersistentVolumeClaim claim, Pod pod) {
    var lack = lack(claim);
    boolean isOthers =
        !lack.keepsFromAllNodes()
            && claim.onePod()
            && onePodClaims.isOthers(claim.key(), pod.uid());
    return isOthers ? VolumeLack.OTHER_POD : lack;
  }

  private VolumeLack lack(PersistentVolumeClaim claim) {
    return switch (claim.state()) {
      case BOUND -> isThere(claim.volume()) ? VolumeLack.NONE : VolumeLack.NO_VOLUME;
      case NOT_BOUND -> notBound(claim);
      case LOST -> VolumeLack.LOST;
      case DELETED, DELETED_UNBOUND -> VolumeLack.DELETED;
    };
  }

  private boolean isThere(String volume) {
    return !isKnown(VolumeKind.VOLUME) || volumes.find(volume).isPresent();
  }

  /// One that names a volume waits for that, whatever its class says.
  private VolumeLack notBound(PersistentVolumeClaim claim) {
    if (!claim.volume().isEmpty()) {
      return VolumeLack.NAMES_VOLUME;
    }
    if (claim.storageClass().isEmpty()) {
      return VolumeLack.NOT_BOUND;
    }
    return classes
        .find(claim.storageClass())
        .map(it -> it.waitsForPod() ? toCome(it, claim) : VolumeLack.NOT_BOUND)
        .orElse(isKnown(VolumeKind.CLASS) ? VolumeLack.NO_CLASS : VolumeLack.TO_COME);
  }

  /// Whether a volume that is free is one for the claim, kube-scheduler judges.
  private VolumeLack toCome(StorageClass storageClass, PersistentVolumeClaim claim) {
    boolean isAny =
        storageClass.provisions()
            || !isKnown(VolumeKind.VOLUME)
            || free.has(storageClass.name())
            || askedFor.has(claim.key());
    return isAny ? VolumeLack.TO_COME : VolumeLack.NO_FREE_VOLUME;
  }

  /// Where volumes are not known they may be anywhere. A claim for which a node is selected and
  /// that names no volume yet keeps its pods from other nodes, as in kube-scheduler
  /// (`FindPodVolumes`).
  private List<Term> reach(PersistentVolumeClaim claim) {
    if (claim.state() == PersistentVolumeClaim.State.NOT_BOUND
        && claim.volume().isEmpty()
        && !claim.selectedNode().isNone()) {
      String node = claim.selectedNode().value();
      return List.of(
          new Term(List.of(new Expression(true, NODE_NAME, Operator.IN, List.of(node)))));
    }
    return claim.volume().isEmpty()
        ? classes.find(claim.storageClass()).map(StorageClass::nodes).orElse(FROM_EVERYWHERE)
        : volumes.find(claim.volume()).map(PersistentVolume::nodes).orElse(FROM_EVERYWHERE);
  }
}
