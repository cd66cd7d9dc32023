package dev.berth.engine.placement;

import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.Largest;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.PlacementStep;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// How many members of a block the nodes would hold at most, were they empty: says of a block that
/// found no room whether it ever could.
final class BlockCapacity {
  private final NodePicker places;
  private final Domains domains;
  private final Domain cluster;

  BlockCapacity(BlockSearch search) {
    this.places = search.places();
    this.domains = search.domains();
    this.cluster = search.cluster();
  }

  /// Of a block with a member that may be on no node, whatever leaves and whatever its minimum.
  static Reason toldNowhere(PlacementStep step, NoRoom reason) {
    return isTooLarge(reason) && !mayOthersDo(step) ? new Reason.NeverFits(reason, 0) : reason;
  }

  /// Whether it could ever have room: said only where no other members of the group could start in
  /// place of these.
  Reason told(PlacementStep step, boolean alike, NoRoom reason) {
    Optional<Reason> never =
        isTooLarge(reason)
            ? Optional.of(new Reason.NeverFits(reason, 0))
            : alike ? neverAlike(step, reason) : never(step, reason);
    return never.filter(_ -> !mayOthersDo(step)).orElse(reason);
  }

  private Optional<Reason> neverAlike(PlacementStep step, NoRoom reason) {
    var seats = step.all();
    var first = seats.getFirst();
    if (seats.size() < 2 || first.podClass().asksPartitions() || !claimsNothing(first)) {
      return Optional.empty();
    }
    long most = mostOf(seats, cluster);
    return most > 0 && most < seats.size()
        ? Optional.of(never(step, reason, most, apart(List.of(seats), cluster)))
        : Optional.empty();
  }

  /// Of the whole cluster.
  ///
  /// @param apart how many domains their own anti-affinity needs; empty = it is not that
  private static Reason never(PlacementStep step, NoRoom reason, long most, String apart) {
    var never = new Reason.NeverFits(reason, most, Largest.NONE, apart);
    boolean keepsApart =
        !step.all().getFirst().podClass().constraints().interPod().apart().isEmpty();
    return isOfDevices(step) && keepsApart != apart.isEmpty() ? never.startingSmaller() : never;
  }

  /// Whether all that matters for room beside the nodes that its members may be on is whole
  /// devices, and that they keep apart from each other: then fewer of them need so many devices
  /// less.
  private static boolean isOfDevices(PlacementStep step) {
    var first = step.all().getFirst().podClass();
    var others = first.constraints().interPod();
    return step.parts().isEmpty()
        && first.devices() instanceof DeviceRequest.Whole
        && others.near().isEmpty()
        && others.spread().isEmpty()
        && step.all().stream()
            .allMatch(seat ->
                seat.podClass().id() == first.id()
                    && seat.member().vetoes().isEmpty()
                    && claimsNothing(seat));
  }

  /// Whether no node is large enough for a member that found no room, of those that are of its
  /// kind.
  private static boolean isTooLarge(NoRoom reason) {
    boolean isTooLarge = false;
    for (Shortfall shortfall : reason.shortfalls()) {
      if (Shortfalls.passes(shortfall.obstacle(), shortfall.detail())) {
        return false;
      }
      switch (shortfall.obstacle()) {
        case TOO_SMALL, DEVICE_TOO_SMALL -> isTooLarge = true;
        case NO_DEVICES, TAINT, NODE_SELECTOR, NODE_AFFINITY, DEVICE_MODEL -> {}
        default -> {
          return false;
        }
      }
    }
    return isTooLarge;
  }

  /// Whether other members wait that are not all alike: the minimum may be met with smaller ones.
  private static boolean mayOthersDo(PlacementStep step) {
    var first = step.all().getFirst();
    int waiting = 0;
    boolean areAlike = true;
    for (MemberState seat : first.group().seats()) {
      if (seat.isWaiting()) {
        waiting++;
        areAlike &= seat.podClass().id() == first.podClass().id();
      }
    }
    return waiting > step.all().size() && !areAlike;
  }

  /// Where all nodes, or all of one domain that its members must share, hold fewer than the step
  /// has. That is an upper bound: each shape is counted as if the others were not there.
  private Optional<Reason> never(PlacementStep step, NoRoom reason) {
    if (step.all().size() < 2) {
      return Optional.empty();
    }
    var byClass = byClass(step);
    long most = mostOf(step, byClass, cluster);
    if (most > 0 && most < step.all().size()) {
      return Optional.of(never(step, reason, most, apart(byClass, cluster)));
    }
    if (step.role().standing().isEmpty()) {
      var largest =
          domains
              .largestEmpty(step, domain -> mostOf(step, byClass, domain))
              .filter(it -> it.holds() > 0 && it.holds() < it.members());
      if (largest.isPresent()) {
        return Optional.of(new Reason.NeverFits(reason, largest.get().holds(), largest.get(), ""));
      }
    }
    for (PlacementStep part : step.parts()) {
      var never = part.asksTopology() ? never(part, reason) : Optional.<Reason>empty();
      if (never.isPresent()) {
        return never;
      }
    }
    return Optional.empty();
  }

  /// How many members of a step the nodes of a domain would hold at the most, were they empty.
  private long mostOf(PlacementStep step, Collection<List<MemberState>> byClass, Domain within) {
    long most = step.all().size() - byClass.stream().mapToLong(List::size).sum();
    for (var alike : byClass) { // of what the others claim nothing is known here
      most += mostOf(alike, within);
    }
    return most;
  }

  /// Of some that are alike.
  private long mostOf(List<MemberState> alike, Domain within) {
    long most = Math.min(alike.size(), places.capacity(alike.getFirst(), within));
    return places.ownDomains(alike, within).map(own -> Math.min(most, own.there())).orElse(most);
  }

  /// Members that claim nothing, by what they ask for.
  private static Collection<List<MemberState>> byClass(PlacementStep step) {
    var members = new LinkedHashMap<Integer, List<MemberState>>();
    for (MemberState seat : step.all()) {
      if (claimsNothing(seat) && !seat.podClass().asksPartitions()) {
        members.computeIfAbsent(seat.podClass().id(), _ -> new ArrayList<>()).add(seat);
      }
    }
    return members.values();
  }

  /// How many domains members that keep apart from each other need, and how many there are, where
  /// their nodes would hold them all otherwise; empty = none do.
  private String apart(Collection<List<MemberState>> byClass, Domain within) {
    for (var alike : byClass) {
      var own = places.ownDomains(alike, within).filter(it -> it.there() < alike.size());
      if (own.isPresent() && places.capacity(alike.getFirst(), within) >= alike.size()) {
        return own.get().needs(alike.size());
      }
    }
    return "";
  }

  private static boolean claimsNothing(MemberState seat) {
    return seat.pod().traits().claims().isEmpty();
  }
}
