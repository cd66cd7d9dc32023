package dev.berth.engine.session;

import dev.berth.engine.model.DeviceClaim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.session.ClaimedDevices.Part;
import java.util.List;
import java.util.Optional;

/// A claim, where its devices are, and the pods that use it.
final class ClaimUse {
  final DeviceClaim claim;
  int node = DeviceInventory.NOWHERE; // of its devices
  List<Part> taken = List.of();
  int home = DeviceInventory.NOWHERE; // of those that were allocated when the session began
  List<Part> atHome = List.of();
  int users; // that are on a node
  int leavers; // that are on their way out
  PodKey payer = PodKey.NONE; // the first user that has a place
  GroupKey askedBy = GroupKey.NONE; // the latest that is charged though no user has a place
  int kind = -1; // not looked up yet
  boolean isBeyond; // the part of its namespace of what is looked at
  private Optional<ClaimedGpus> charge = Optional.empty();

  ClaimUse(DeviceClaim claim) {
    this.claim = claim;
  }

  String namespace() {
    return claim.key().namespace();
  }

  ClaimedGpus charge(ClaimCharges charges) {
    var known =
        charge.orElseGet(() -> isBeyond ? ClaimCharges.chargeUnseen(claim) : charges.charge(claim));
    charge = Optional.of(known);
    return known;
  }
}
