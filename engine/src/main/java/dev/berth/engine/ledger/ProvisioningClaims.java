package dev.berth.engine.ledger;

import dev.berth.engine.model.PersistentVolume;
import dev.berth.engine.model.PersistentVolumeClaim;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Claims whose volume kube-scheduler has asked for and that are not bound: it has selected a node
/// for them, or has chosen a volume that was there (`spec.claimRef`).
final class ProvisioningClaims {
  private final Set<PersistentVolumeClaim.Key> askedFor = new LinkedHashSet<>();

  /// Volumes that are meant for a claim, by that, bound or not.
  private final SetsByKey<PersistentVolumeClaim.Key, String> chosen = new SetsByKey<>();

  private final Function<PersistentVolumeClaim.Key, Optional<PersistentVolumeClaim>> claims;

  /// @param claims as they are now
  ProvisioningClaims(Function<PersistentVolumeClaim.Key, Optional<PersistentVolumeClaim>> claims) {
    this.claims = claims;
  }

  /// The claim may have changed, or is gone.
  void note(PersistentVolumeClaim.Key key) {
    askedFor.remove(key);
    if (claims.apply(key).filter(this::isAskedFor).isPresent()) {
      askedFor.add(key);
    }
  }

  private boolean isAskedFor(PersistentVolumeClaim claim) {
    return claim.state() != PersistentVolumeClaim.State.BOUND
        && (!claim.selectedNode().isNone() || chosen.has(claim.key()));
  }

  /// A volume is seen.
  ///
  /// @param now empty = it is gone
  void seen(Optional<PersistentVolume> before, Optional<PersistentVolume> now) {
    before.ifPresent(this::volumeFreed);
    now.ifPresent(this::volumeChosen);
    before.flatMap(PersistentVolume::claim).ifPresent(this::note);
    now.flatMap(PersistentVolume::claim).ifPresent(this::note);
  }

  private void volumeChosen(PersistentVolume volume) {
    volume.claim().ifPresent(claim -> chosen.add(claim, volume.name()));
  }

  private void volumeFreed(PersistentVolume volume) {
    volume.claim().ifPresent(claim -> chosen.remove(claim, volume.name()));
  }

  boolean has(PersistentVolumeClaim.Key claim) {
    return askedFor.contains(claim);
  }

  Iterable<PersistentVolumeClaim.Key> all() {
    return askedFor;
  }
}
