package dev.berth.engine.ledger;

import dev.berth.engine.ledger.objects.NamedObjects;
import dev.berth.engine.ledger.objects.SemanticEquality;
import dev.berth.engine.model.ClaimKey;
import dev.berth.engine.model.DeviceClaim;
import dev.berth.engine.model.Pod;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Claims of devices, and whether they still ask for what a plan was made for: one that is deleted
/// and made anew by its name, for more, would take what no queue was asked for.
final class PlannedClaims {
  /// Of plans that are older than this process, or that are made in one step.
  static final long AS_THEY_ARE = Long.MAX_VALUE;

  private final NamedObjects<ClaimKey, DeviceClaim> claims =
      new NamedObjects<>(DeviceClaim::key, DeviceClaim::version, SemanticEquality::of);

  /// The version of the ledger from which on each asks for what it does.
  private final TreeMap<ClaimKey, Long> since = new TreeMap<>();

  /// The version of the ledger from which on each has the devices that it has.
  private final TreeMap<ClaimKey, Long> allocatedSince = new TreeMap<>();

  private long allocatedLast; // version of the ledger
  private long charged; // version of the ledger up to which limits were asked for what is allocated

  /// @param version of the ledger that shows it, if it is news
  boolean seen(DeviceClaim claim, long version) {
    var before = claims.find(claim.key());
    boolean news = claims.seen(claim);
    var now = claims.find(claim.key());
    if (news && now.isPresent() && !before.filter(was -> asksAlike(was, now.get())).isPresent()) {
      since.put(claim.key(), version);
    }
    if (news && now.isPresent()) {
      var allocation = now.get().allocation();
      if (allocation.isNone()) {
        allocatedSince.remove(claim.key());
      } else if (!before.filter(was -> was.allocation().equals(allocation)).isPresent()) {
        allocatedSince.put(claim.key(), version);
        allocatedLast = version;
      }
    }
    return news;
  }

  private static boolean asksAlike(DeviceClaim one, DeviceClaim other) {
    return one.asks().equals(other.asks())
        && one.distinct() == other.distinct()
        && one.problems().equals(other.problems());
  }

  boolean gone(ClaimKey key, long at) {
    boolean news = claims.gone(key, at);
    if (claims.find(key).isEmpty()) {
      since.remove(key);
      allocatedSince.remove(key);
    }
    return news;
  }

  List<DeviceClaim> list() {
    return claims.list();
  }

  /// Whether the claims of a pod are those that a snapshot of this version showed.
  boolean areThoseOf(Pod pod, long planned) {
    return planned == AS_THEY_ARE
        || all(
            pod,
            claim ->
                claim
                    .filter(each -> since.getOrDefault(each.key(), planned) <= planned)
                    .isPresent());
  }

  /// What decisions are of.
  ///
  /// @param version of the snapshot that they were made for
  record Basis(PlannedClaims claims, long version) {
    boolean stillHoldsFor(Pod pod) {
      return claims.areThoseOf(pod, version);
    }
  }

  /// Whether they have their devices, which kube-scheduler writes before it asks for a Binding:
  /// else what is known of them is of before.
  boolean areAllocated(Pod pod) {
    return all(
        pod,
        claim ->
            claim.filter(each -> each.asks().isEmpty() || !each.allocation().isNone()).isPresent());
  }

  /// Plans that are beyond what their queues may have have been given back, as claims were in this
  /// version of the ledger.
  ///
  /// @return whether that was not so for one of them
  boolean areCharged(long version) {
    boolean isNew = charged < allocatedLast && version > charged;
    charged = Math.max(charged, version);
    return isNew;
  }

  /// Whether limits have been asked for the devices that they have: more may be allocated than the
  /// plan was charged for.
  boolean areCharged(Pod pod) {
    return all(
        pod,
        claim ->
            claim
                .filter(each -> allocatedSince.getOrDefault(each.key(), 0L) <= charged)
                .isPresent());
  }

  private boolean all(Pod pod, Predicate<Optional<DeviceClaim>> holds) {
    for (Pod.ClaimRef ref : pod.traits().claims()) {
      if (!holds.test(claims.find(new ClaimKey(pod.key().namespace(), ref.claim())))) {
        return false;
      }
    }
    return true;
  }
}
