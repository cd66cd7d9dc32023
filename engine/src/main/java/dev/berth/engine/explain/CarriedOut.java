package dev.berth.engine.explain;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Optional;

/// A snapshot as of a plan of it: places are kept for those that get them, and victims leave. What
/// is charged to queues is true of it; what nodes have free is not told anew.
final class CarriedOut {
  private final Snapshot snapshot;
  private final HashMap<PodUid, Placement> placed = new HashMap<>(); // looked up only
  private final HashMap<PodUid, Victim> victims = new HashMap<>(); // looked up only
  private final HashSet<PodUid> withdrawn = new HashSet<>(); // looked up only

  private CarriedOut(Snapshot snapshot, Plan plan) {
    this.snapshot = snapshot;
    for (Decision decision : plan.decisions()) {
      switch (decision) {
        case Decision.Reserve reserve -> {
          reserve.block().forEach(this::place);
          reserve.surplus().forEach(this::place);
          reserve.victims().forEach(each -> victims.put(each.uid(), each));
        }
        case Decision.Evict(_, var leaving) ->
            leaving.forEach(each -> victims.put(each.uid(), each));
        case Decision.Withdraw(_, var plans, _) -> plans.forEach(each -> withdrawn.add(each.uid()));
        case Decision.Wait _ -> {}
      }
    }
  }

  static Snapshot of(Snapshot snapshot, Plan plan) {
    return new CarriedOut(snapshot, plan).snapshot();
  }

  private void place(Reserved reserved) {
    placed.put(reserved.uid(), reserved.placement());
  }

  private Snapshot snapshot() {
    var groups = new ArrayList<PodGroup>();
    for (PodGroup group : snapshot.groups()) {
      groups.add(
          group.members().stream().anyMatch(this::isConcerned)
              ? group.of(group.members().stream().map(this::then).toList())
              : group);
    }
    return snapshot.of(snapshot.nodes(), snapshot.queues(), groups);
  }

  private boolean isConcerned(Member member) {
    var uid = member.pod().uid();
    return placed.containsKey(uid) || victims.containsKey(uid) || withdrawn.contains(uid);
  }

  private Member then(Member member) {
    return new Member(member.pod(), standing(member), member.vetoes());
  }

  private Standing standing(Member member) {
    var uid = member.pod().uid();
    var place = Optional.ofNullable(placed.get(uid));
    var victim = Optional.ofNullable(victims.get(uid));
    if (place.isPresent()) {
      var plan = new WrittenPlan(place.get(), "", 1, snapshot.now());
      return new Standing.Planned(plan, false);
    }
    if (victim.isPresent()) {
      var again = victim.get().again();
      return member.standing() instanceof Standing.Bound(var placement)
          ? new Standing.Leaving(placement, again, !again.isNone())
          : member.standing() instanceof Standing.Leaving
              ? member.standing()
              : new Standing.Waiting();
    }
    return withdrawn.contains(uid) ? new Standing.Waiting() : member.standing();
  }
}
