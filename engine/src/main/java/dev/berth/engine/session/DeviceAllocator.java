package dev.berth.engine.session;

import dev.berth.engine.model.DeviceCapacity;
import dev.berth.engine.model.DeviceClaim;
import dev.berth.engine.model.DeviceClaim.Ask;
import dev.berth.engine.model.DeviceClaim.Choice;
import dev.berth.engine.session.ClaimedDevices.Part;
import java.util.List;
import java.util.Optional;

/// Chooses devices of one node for a claim among those that are free. Kube-scheduler's allocator
/// may choose others of the node.
final class DeviceAllocator {
  private static final long MIB = 1 << 20;

  private final DeviceInventory inventory;
  private final ClaimedDevices claimed;

  DeviceAllocator(DeviceInventory inventory, ClaimedDevices claimed) {
    this.inventory = inventory;
    this.claimed = claimed;
  }

  /// Adds free devices of a node for all that a claim asks.
  ///
  /// @param promised whether devices that are being left will do
  /// @param chosen taken already, and what is found
  /// @return false where there are too few; then some may have been added
  boolean choose(DeviceClaim claim, int n, boolean promised, List<Part> chosen) {
    int begin = chosen.size();
    for (Ask ask : claim.asks()) {
      if (!choose(ask, claim.distinct(), n, promised, chosen, begin)) {
        return false;
      }
    }
    return true;
  }

  /// The same, with what there is for the other requests where one is not met.
  void chooseSome(DeviceClaim claim, int n, boolean promised, List<Part> chosen) {
    int begin = chosen.size();
    for (Ask ask : claim.asks()) {
      var _ = choose(ask, claim.distinct(), n, promised, chosen, begin);
    }
  }

  private boolean choose(
      Ask ask, boolean distinct, int n, boolean promised, List<Part> chosen, int begin) {
    for (Choice choice : ask.choices()) {
      if (choose(choice, n, promised, chosen, begin, distinct)) {
        return true;
      }
    }
    return false;
  }

  private boolean choose(
      Choice choice, int n, boolean promised, List<Part> chosen, int begin, boolean distinct) {
    int before = chosen.size();
    int found = 0;
    boolean missing = false;
    if (choice.all() || choice.shared()) {
      for (int d = inventory.from(n); d < inventory.to(n); d++) {
        if (inventory.suits(choice, d)) {
          var part = choice.shared() ? Optional.<Part>empty() : part(choice, d, promised, chosen);
          part.ifPresent(chosen::add);
          found += choice.shared() || part.isPresent() ? 1 : 0;
          missing |= !choice.shared() && part.isEmpty();
        }
      }
    } else {
      while (found < choice.count()) {
        var part = fullest(choice, n, promised, chosen, distinct ? begin : chosen.size());
        if (part.isEmpty()) {
          break;
        }
        chosen.add(part.get());
        found++;
      }
    }
    boolean enough = found >= choice.count() && !(choice.all() && missing);
    if (!enough && !inventory.roams(choice)) {
      chosen.subList(before, chosen.size()).clear();
      return false;
    }
    return true;
  }

  /// Of the devices that have room the one with the least; where nothing is asked of the capacity,
  /// devices of one claim at a time come first. Then by number.
  ///
  /// @param begin devices that are chosen from here on are not chosen again
  private Optional<Part> fullest(
      Choice choice, int n, boolean promised, List<Part> chosen, int begin) {
    Optional<Part> best = Optional.empty();
    long least = Long.MAX_VALUE;
    for (int d = inventory.from(n); d < inventory.to(n); d++) {
      if (!inventory.suits(choice, d)
          || ClaimedDevices.isAmong(d, chosen.subList(begin, chosen.size()))) {
        continue;
      }
      var part = part(choice, d, promised, chosen);
      long free = Long.MAX_VALUE - 1;
      if (part.isPresent() && part.get().whole()) {
        free = choice.capacity().isEmpty() ? -1 : free;
      } else if (part.isPresent()) {
        int c = Math.max(0, inventory.memory(d));
        free = inventory.capacities(d).length == 0 ? free : claimed.free(d, c, promised, chosen);
      }
      if (part.isPresent() && free < least) {
        best = part;
        least = free;
      }
      if (least < 0) {
        return best;
      }
    }
    return best;
  }

  /// What one more allocation of a device would take; empty = there is no room for it.
  private Optional<Part> part(Choice choice, int d, boolean promised, List<Part> chosen) {
    if (!claimed.isFree(d, promised) || !claimed.hasCounters(d, promised, chosen)) {
      return Optional.empty();
    }
    var device = inventory.device(d);
    for (var asked : choice.capacity().entrySet()) {
      var capacity = device.capacity().get(asked.getKey());
      if (capacity == null || asked.getValue() > capacity.value()) {
        return Optional.empty();
      }
    }
    if (!device.shared()) {
      return ClaimedDevices.isAmong(d, chosen) ? Optional.empty() : Optional.of(Part.whole(d));
    }
    var amounts = new long[inventory.capacities(d).length];
    for (int c = 0; c < amounts.length; c++) {
      var capacity = inventory.capacity(d, c);
      Long asked = choice.capacity().get(inventory.capacities(d)[c]);
      amounts[c] = asked == null ? capacity.usual() : capacity.consumedBy(asked);
      if (amounts[c] == DeviceCapacity.NEVER) {
        return Optional.empty();
      }
    }
    var part = new Part(d, false, amounts);
    return claimed.hasRoom(part, promised, chosen) ? Optional.of(part) : Optional.empty();
  }

  /// What devices of a node lack for a claim on memory, in numbers; empty = the claim asks for
  /// none, or the node has no device that it may be allocated.
  String lack(DeviceClaim claim, int n) {
    for (Ask ask : claim.asks()) {
      var choice = ask.choices().getFirst();
      long asked = choice.memoryBytes();
      long freest = -1;
      long of = 0;
      for (int d = inventory.from(n); d < inventory.to(n) && asked > 0; d++) {
        int c = inventory.memory(d);
        if (c >= 0 && inventory.suits(choice, d)) {
          long free =
              claimed.isFree(d, true) ? Math.max(0, claimed.free(d, c, false, List.of())) : 0;
          of = free > freest ? inventory.capacity(d, c).value() : of;
          freest = Math.max(freest, free);
        }
      }
      if (freest >= 0) {
        return (choice.count() > 1 ? choice.count() + " GPUs with " : "no GPU has ")
            + (-Math.floorDiv(-asked, MIB) + " MiB free")
            + (choice.count() > 1 ? " each are asked for" : "")
            + (", the freest has " + freest / MIB + " of " + of / MIB + " MiB");
      }
    }
    return "";
  }
}
