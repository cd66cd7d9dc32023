package dev.berth.engine.session;

import dev.berth.engine.model.DeviceClaim;
import dev.berth.engine.model.DeviceClaim.Ask;
import dev.berth.engine.model.DeviceClaim.Choice;
import dev.berth.engine.session.ClaimedDevices.DevicePortion;
import java.util.BitSet;
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

  /// What is looked for on a node, and found: it is put among what is taken.
  ///
  /// @param promised whether devices that are being left will do
  /// @param distinct whether none is chosen twice
  /// @param begin how many of other claims are chosen
  /// @param own devices that are chosen for this claim
  private record Search(
      int n,
      boolean promised,
      boolean distinct,
      List<DevicePortion> chosen,
      int begin,
      BitSet own) {
    int left() {
      return DeviceClaim.MOST_DEVICES - (chosen.size() - begin);
    }
  }

  /// Adds free devices of a node for all that a claim asks, and puts them among what is taken.
  ///
  /// @param promised whether devices that are being left will do
  /// @param chosen for other claims, put as well; and what is found
  /// @return false where there are too few; then some may have been added
  boolean choose(DeviceClaim claim, int n, boolean promised, List<DevicePortion> chosen) {
    var search = search(claim, n, promised, chosen);
    for (Ask ask : claim.asks()) {
      if (!choose(ask, search)) {
        return false;
      }
    }
    return true;
  }

  /// The same, with what there is for the other requests where one is not met.
  void chooseSome(DeviceClaim claim, int n, boolean promised, List<DevicePortion> chosen) {
    var search = search(claim, n, promised, chosen);
    for (Ask ask : claim.asks()) {
      var _ = choose(ask, search);
    }
  }

  private static Search search(
      DeviceClaim claim, int n, boolean promised, List<DevicePortion> chosen) {
    return new Search(n, promised, claim.distinct(), chosen, chosen.size(), new BitSet());
  }

  private boolean choose(Ask ask, Search search) {
    for (Choice choice : ask.choices()) {
      if (choose(choice, search)) {
        return true;
      }
    }
    return false;
  }

  private boolean choose(Choice choice, Search search) {
    var chosen = search.chosen;
    int before = chosen.size();
    boolean isEnough =
        choice.shared()
            ? areThere(choice, search.n)
            : choice.all() ? takesAll(choice, search) : takesSome(choice, search);
    boolean mayBeElsewhere = inventory.roams(choice) && choice.least() <= DeviceClaim.MOST_DEVICES;
    if (!isEnough && !mayBeElsewhere) {
      var vain = chosen.subList(before, chosen.size());
      vain.forEach(part -> search.own.clear(part.device()));
      claimed.putBack(vain);
      vain.clear();
      return false;
    }
    return true;
  }

  private boolean areThere(Choice choice, int n) {
    int found = 0;
    for (int d = inventory.from(n); d < inventory.to(n); d++) {
      found += inventory.suits(choice, d) ? 1 : 0;
    }
    return found >= choice.least();
  }

  private boolean takesAll(Choice choice, Search search) {
    boolean any = false;
    boolean all = true;
    for (int d = inventory.from(search.n); d < inventory.to(search.n); d++) {
      if (inventory.suits(choice, d)) {
        boolean isTwice = search.distinct && search.own.get(d);
        var part = isTwice ? Optional.<DevicePortion>empty() : part(choice, d, search.promised);
        boolean isTaken = part.isPresent() && search.left() > 0;
        part.filter(_ -> isTaken).ifPresent(found -> take(found, search));
        any |= isTaken;
        all &= isTaken;
      }
    }
    return any && all;
  }

  private boolean takesSome(Choice choice, Search search) {
    for (int found = 0; found < choice.count(); found++) {
      var part = search.left() > 0 ? fullest(choice, search) : Optional.<DevicePortion>empty();
      if (part.isEmpty()) {
        return false;
      }
      take(part.get(), search);
    }
    return true;
  }

  private void take(DevicePortion part, Search search) {
    claimed.put(part);
    search.chosen.add(part);
    search.own.set(part.device());
  }

  /// Of the devices that have room the one with the least; where nothing is asked of the capacity,
  /// devices of one claim at a time come first. Then by number.
  private Optional<DevicePortion> fullest(Choice choice, Search search) {
    Optional<DevicePortion> best = Optional.empty();
    long least = Long.MAX_VALUE;
    for (int d = inventory.from(search.n); d < inventory.to(search.n); d++) {
      if (!inventory.suits(choice, d) || search.distinct && search.own.get(d)) {
        continue;
      }
      var part = part(choice, d, search.promised);
      long free = Long.MAX_VALUE - 1;
      if (part.isPresent() && part.get().whole()) {
        free = choice.capacity().isEmpty() ? -1 : free;
      } else if (part.isPresent()) {
        int c = Math.max(0, inventory.memory(d));
        free = inventory.capacities(d).length == 0 ? free : claimed.free(d, c, search.promised);
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
  private Optional<DevicePortion> part(Choice choice, int d, boolean promised) {
    if (!claimed.isFree(d, promised) || !claimed.hasCounters(d, promised)) {
      return Optional.empty();
    }
    var amounts = inventory.shapes().consumed(inventory.shape(d), choice);
    return inventory.device(d).shared()
        ? amounts
            .map(consumed -> new DevicePortion(d, false, consumed))
            .filter(part -> claimed.hasRoom(part, promised))
        : amounts.map(_ -> DevicePortion.whole(d));
  }

  /// What devices of a node lack for a claim on memory, in numbers, of the first request that finds
  /// no room by itself; empty = there is no such, or the node has no device that it may be
  /// allocated.
  String lack(DeviceClaim claim, int n) {
    for (Ask ask : claim.asks()) {
      var choice = ask.choices().getFirst();
      long asked = choice.memoryBytes();
      long freest = -1;
      long of = 0;
      int enough = 0; // devices
      for (int d = inventory.from(n); d < inventory.to(n) && asked > 0; d++) {
        int c = inventory.memory(d);
        if (c >= 0 && inventory.suits(choice, d)) {
          long free = claimed.isFree(d, true) ? Math.max(0, claimed.free(d, c, false)) : 0;
          of = free > freest ? inventory.capacity(d, c).value() : of;
          freest = Math.max(freest, free);
          enough += free >= asked ? 1 : 0;
        }
      }
      boolean mayBeMet = enough >= choice.count() || mayBeAnother(claim, ask);
      if (freest >= 0 && !mayBeMet) {
        return (choice.count() > 1 ? choice.count() + " GPUs with " : "no GPU has ")
            + (-Math.floorDiv(-asked, MIB) + " MiB free")
            + (choice.count() > 1 ? " each are asked for" : "")
            + (", the freest has " + freest / MIB + " of " + of / MIB + " MiB");
      }
    }
    return "";
  }

  /// Whether devices of another kind may do for a request that is not the only one.
  private static boolean mayBeAnother(DeviceClaim claim, Ask ask) {
    return claim.asks().size() > 1 && ask.choices().size() > 1;
  }
}
