package dev.berth.engine.session;

import dev.berth.engine.model.DeviceClaim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.session.ClaimedDevices.DevicePortion;
import java.util.List;
import java.util.Optional;

/// A claim, where its devices are, and the pods that use it.
final class ClaimUse {
  final DeviceClaim claim;
  int node = DeviceInventory.NOWHERE; // of its devices
  List<DevicePortion> taken = List.of();
  int home = DeviceInventory.NOWHERE; // of those that were allocated when the session began
  List<DevicePortion> atHome = List.of();
  int users; // that are on a node
  int leavers; // that are on their way out
  PodKey payer = PodKey.NONE; // of the users that have a place
  QueueName payingQueue = QueueName.NONE;
  QueueName queueInPlace = QueueName.NONE; // of the pods that have a place in this session
  private GroupKey payingGroup = GroupKey.NONE;
  private Preemptibility paying = Preemptibility.PREEMPTIBLE;
  private GroupKey askedBy = GroupKey.NONE; // the latest that is charged beside the payer
  int kind = -1; // not looked up yet
  boolean isBeyond; // the part of its namespace of what is looked at
  private Optional<ClaimedGpus> charge = Optional.empty();

  ClaimUse(DeviceClaim claim) {
    this.claim = claim;
  }

  /// A user has a place. The first one is charged, but for a later one that is less preemptible:
  /// the claim stays with it when the others are evicted.
  void bill(PodGroup group, PodKey pod) {
    var user = preemptibility(group);
    if (payer.isNone() || firmness(user) > firmness(paying)) {
      payer = pod;
      payingGroup = group.key();
      payingQueue = group.queue();
      paying = user;
    }
  }

  /// Whether a user is charged. Where another one is that has a place, it is so only if it may keep
  /// the claim when that one must leave. As long as none has, each group is charged once.
  boolean isChargedTo(PodGroup group, PodKey pod) {
    if (payer.equals(pod)) {
      return true;
    }
    boolean isCovered =
        !payer.isNone()
            && (payingGroup.equals(group.key())
                || paying == Preemptibility.NON_PREEMPTIBLE
                || preemptibility(group) == Preemptibility.PREEMPTIBLE);
    if (isCovered || askedBy.equals(group.key())) {
      return false;
    }
    askedBy = group.key();
    return true;
  }

  private static Preemptibility preemptibility(PodGroup group) {
    return group.preemptibility().at(group.priority());
  }

  private static int firmness(Preemptibility user) {
    return switch (user) {
      case BY_PRIORITY, PREEMPTIBLE -> 0;
      case SEMI_PREEMPTIBLE -> 1;
      case NON_PREEMPTIBLE -> 2;
    };
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
