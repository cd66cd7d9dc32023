package dev.berth.controllers.grouping;

import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.grouping.kinds.Member;
import dev.berth.controllers.grouping.kinds.Ref;
import dev.berth.controllers.grouping.kinds.Thing;
import dev.berth.controllers.grouping.kinds.Verdicts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The way from a pod to the object that says what it belongs to.
///
/// It goes from owner to owner until an object has none, or may not be read, or has several: that
/// is an error, which is told. Where the pod names a group of another scheduler, that group takes
/// the place of its owners.
sealed interface Climb {
  /// As far as it goes.
  record Done(Member member) implements Climb {}

  /// Something on the way is not there, or not read yet.
  ///
  /// @param watched its watch will tell when it is there
  record Short(Ref lacking, boolean watched) implements Climb {}

  /// Where objects are looked up.
  interface Looking {
    Look look(Ref ref) throws DoorException;
  }

  sealed interface Look {
    record Here(Thing thing) implements Look {}

    /// May not be read.
    record Barred() implements Look {}

    record Lacking(boolean watched) implements Look {}
  }

  /// Longer chains are circles.
  int MOST_OWNERS = 16;

  /// @param pod as last seen, whatever is known of its owners
  static Climb from(Member pod, Verdicts verdicts, Looking looking) throws DoorException {
    var named = Verdicts.named(pod.pod());
    if (named.isPresent()) {
      return add(pod.withOwners(List.of()), List.of(named.get()), looking);
    }
    var owners = new ArrayList<Thing>(4);
    Thing at = pod.pod();
    for (var next = first(at); next.isPresent(); next = above(at)) {
      switch (looking.look(next.get())) {
        case Look.Here(Thing thing) -> {
          owners.add(thing);
          at = thing;
        }
        case Look.Lacking(boolean watched) -> {
          if (!pod.state().leaving()) {
            return new Short(next.get(), watched);
          }
          return new Done(pod.withOwners(owners)); // it goes with its owner
        }
        case Look.Barred() -> {
          return add(pod.withOwners(owners), verdicts, looking);
        }
      }
      if (owners.size() >= MOST_OWNERS) {
        break;
      }
    }
    return add(pod.withOwners(owners), verdicts, looking);
  }

  private static Climb add(Member pod, Verdicts verdicts, Looking looking) throws DoorException {
    var bare = pod.with(List.of());
    return add(bare, verdicts.wants(bare), looking);
  }

  private static Climb add(Member pod, List<Ref> wanted, Looking looking) throws DoorException {
    var further = new ArrayList<Thing>(wanted.size());
    for (Ref ref : wanted) {
      switch (looking.look(ref)) {
        case Look.Here(Thing thing) -> further.add(thing);
        case Look.Barred() -> {}
        case Look.Lacking(boolean watched) -> {
          if (!pod.state().leaving()) {
            return new Short(ref, watched);
          }
        }
      }
    }
    return new Done(pod.with(further));
  }

  /// The controller of a pod, else its first owner.
  private static Optional<Ref> first(Thing pod) {
    for (Ref owner : pod.owners()) {
      if (owner.controller()) {
        return Optional.of(owner);
      }
    }
    return pod.owners().stream().findFirst();
  }

  private static Optional<Ref> above(Thing owner) {
    return owner.owners().size() == 1 ? Optional.of(owner.owners().getFirst()) : Optional.empty();
  }
}
