package dev.berth.engine.session;

import dev.berth.engine.model.DeviceClaim;
import dev.berth.engine.model.DeviceClaim.Ask;
import dev.berth.engine.model.DeviceClaim.Choice;
import dev.berth.engine.model.DeviceClaim.DeviceId;
import dev.berth.engine.model.DeviceClaim.Result;
import dev.berth.engine.model.DeviceClass;
import dev.berth.engine.model.Reason;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The GPUs that queues are charged for a claim: those that are allocated; before, of each request
/// the dearest alternative that some node could give.
final class ClaimCharges {
  private static final long SMALL = 1; // memory of a GPU of which each part is all

  private final DeviceInventory devices;

  ClaimCharges(DeviceInventory devices) {
    this.devices = devices;
  }

  /// Before devices are allocated of each request the dearest alternative that some node could
  /// give; then what is allocated.
  ClaimedGpus charge(DeviceClaim claim) {
    var sum = new ClaimedGpus.Sum();
    if (claim.allocation().isNone()) {
      for (Ask ask : claim.asks()) {
        sum.dearest(givable(ask).stream().map(this::charge).toList());
      }
      return sum.sum();
    }
    for (Result result : claim.allocation().results()) {
      if (isGpu(result.device(), claim)) {
        sum.add(charge(result));
      }
    }
    return sum.sum();
  }

  private ClaimedGpus charge(Result result) {
    if (devices.isListed(result.device())) {
      return devices.shapes().charge(devices.shape(result.device()), result);
    }
    long part = result.isShare() ? result.memoryBytes() : 0;
    return part > 0 ? ClaimedGpus.of(1, part, 0) : ClaimedGpus.of(1);
  }

  /// Of a claim for which no devices are looked: whatever it asks may be GPUs.
  static ClaimedGpus chargeUnseen(DeviceClaim claim) {
    var sum = new ClaimedGpus.Sum();
    for (Ask ask : claim.asks()) {
      sum.whole(ask.choices().stream().mapToInt(ClaimCharges::most).max().orElse(0));
    }
    return sum.sum();
  }

  private static int most(Choice choice) {
    return choice.all() ? DeviceClaim.MOST_DEVICES : choice.count();
  }

  /// The alternatives of which some node has enough devices, taken or not; all of them, where there
  /// is none.
  private List<Choice> givable(Ask ask) {
    var givable = ask.choices().stream().filter(devices::hasEnough).toList();
    return givable.isEmpty() ? ask.choices() : givable;
  }

  /// A class that may mean GPUs means them. Of all devices of a node so many are meant as the node
  /// has that has most, and each may be the dearest that suits.
  private ClaimedGpus charge(Choice choice) {
    var suiting = devices.suiting(choice);
    boolean areGpus = DeviceClass.isGpu(choice.deviceClass()) || suiting.gpus() > 0;
    if (!areGpus || choice.shared()) {
      return ClaimedGpus.NONE;
    }
    return devices.shapes().charge(suiting.shapes(), choice, count(choice));
  }

  private int count(Choice choice) {
    return choice.all() ? Math.max(1, devices.suiting(choice).gpus()) : choice.count();
  }

  /// The first request of which kube-scheduler may choose less than is charged.
  Optional<Reason.CountedClaim> counted(DeviceClaim claim) {
    for (Ask ask : claim.asks()) {
      int alternatives = ask.choices().size();
      var dearest =
          givable(ask).stream()
              .max(Comparator.comparingLong(choice -> charge(choice).millisOn(SMALL)))
              .filter(choice -> !charge(choice).isNone() && claim.allocation().isNone())
              .filter(choice -> choice.all() || alternatives > 1);
      if (dearest.isPresent()) {
        var choice = dearest.get();
        return Optional.of(
            new Reason.CountedClaim(
                claim.key(), choice.deviceClass(), count(choice), alternatives, choice.all()));
      }
    }
    return Optional.empty();
  }

  /// Of a device that no slice names its driver decides, and else what was asked.
  private boolean isGpu(DeviceId device, DeviceClaim claim) {
    if (devices.isListed(device)) {
      return devices.isGpu(device);
    }
    return DeviceClass.isGpu(device.driver())
        || !claim.problems().isEmpty()
        || claim.asks().stream()
            .flatMap(ask -> ask.choices().stream())
            .anyMatch(choice -> !charge(choice).isNone());
  }
}
