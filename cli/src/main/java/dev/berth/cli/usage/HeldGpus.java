package dev.berth.cli.usage;

import dev.berth.cli.usage.GpuHold.QuotaAccount;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/// What pods of one snapshot hold, and wait for, in the numbers that queues are charged.
final class HeldGpus {
  private static final int DEVICE = 1000;

  private final Snapshot snapshot;
  private final String poolLabel;
  private final QueueName defaultQueue;
  private Optional<HashMap<PodUid, Long>> charged = Optional.empty(); // until it is asked for
  private long smallestMib = -1; // as above

  /// @param poolLabel that divides nodes into pools; empty = it does not
  /// @param defaultQueue of pods that name none
  HeldGpus(Snapshot snapshot, String poolLabel, QueueName defaultQueue) {
    this.snapshot = snapshot;
    this.poolLabel = poolLabel;
    this.defaultQueue = defaultQueue;
  }

  /// Those of its members that hold GPUs or wait for some.
  List<GpuHold> of(PodGroup group) {
    var holds = new ArrayList<GpuHold>();
    int stay = group.preemptibility() == Preemptibility.SEMI_PREEMPTIBLE ? minimum(group) : 0;
    for (Member member : group.members()) {
      var place = place(member.standing());
      if (place.isEmpty() && !waits(member)) {
        continue;
      }
      long shared = sharedMillis(member.pod(), place);
      long own = UsageAmounts.sum(shared, whole(member.pod()));
      long claims = place.isEmpty() ? 0 : claimed(member, own);
      long millis = UsageAmounts.sum(own, claims);
      if (millis > 0) {
        boolean stays = place.isPresent() && stay-- > 0;
        var node = place.flatMap(at -> snapshot.node(at.node())).map(NodeView::node);
        holds.add(
            new GpuHold(
                member.pod().uid(),
                group.key(),
                new QuotaAccount(
                    group.queue(),
                    node.map(it -> it.labels().getOrDefault(poolLabel, "")).orElse("")),
                node.map(it -> it.accelerator().model()).orElse(""),
                place.isEmpty(),
                group.preemptibility() != Preemptibility.NON_PREEMPTIBLE && !stays,
                group.priority(),
                millis,
                shared + claims % DEVICE,
                member.pod().traits().labels()));
      }
    }
    return holds;
  }

  /// Members of a semi-preemptible group that stay: the first ones.
  private static int minimum(PodGroup group) {
    var spec = group.spec();
    return spec.minMember() > 0
        ? spec.minMember()
        : spec.subGroups().stream().mapToInt(GroupSpec.SubGroup::minMember).sum();
  }

  /// Where a pod is bound; empty = it is not, or not any more.
  private static Optional<Placement> place(Standing standing) {
    return switch (standing) {
      case Standing.Bound(var at) -> Optional.of(at);
      case Standing.Leaving leaving -> Optional.of(leaving.placement());
      case Standing.Waiting _, Standing.Planned _, Standing.Awaited _, Standing.Over _ ->
          Optional.empty();
    };
  }

  /// Behind a gate of others it does not wait for GPUs yet.
  private static boolean waits(Member member) {
    return (member.standing() instanceof Standing.Waiting
            || member.standing() instanceof Standing.Planned)
        && member.pod().life().gates().stream().allMatch(Pod.Lifecycle.GATE::equals);
  }

  private static long whole(Pod pod) {
    return pod.asks().request().devices() instanceof DeviceRequest.Whole(_, int count)
        ? (long) DEVICE * count
        : 0;
  }

  /// Shares, and MIG instances by their compute slices.
  private long sharedMillis(Pod pod, Optional<Placement> place) {
    var request = pod.asks().request();
    long millis = 0;
    for (int i = 0; i < request.amounts().size(); i++) {
      long slices = (long) DEVICE * request.amounts().resource(i).migSlices();
      millis = UsageAmounts.sum(millis, UsageAmounts.times(slices, request.amounts().value(i)));
    }
    var devices = request.devices();
    if (!devices.isShare()) {
      return millis;
    }
    long share =
        place
            .filter(at -> !at.slots().isEmpty())
            .map(devices::millisAt)
            .orElseGet(() -> {
              var node = place.flatMap(at -> snapshot.node(at.node()));
              long memory =
                  node.map(it -> it.node().accelerator().memoryMib()).orElseGet(this::small);
              return (long) devices.count() * Math.min(DEVICE, devices.millisOn(memory));
            });
    return UsageAmounts.sum(millis, share);
  }

  /// By which a share of memory counts as long as it waits.
  private long small() {
    if (smallestMib < 0) {
      smallestMib =
          snapshot.nodes().stream()
              .mapToLong(view -> view.node().accelerator().memoryMib())
              .filter(mib -> mib > 0)
              .min()
              .orElse(0);
    }
    return smallestMib;
  }

  /// By dynamic resource allocation: several pods may use one claim, and one of them is charged.
  ///
  /// @param others that the pod is charged besides
  private long claimed(Member member, long others) {
    if (member.pod().traits().claims().isEmpty()) {
      return 0;
    }
    if (charged.isEmpty()) {
      charged = Optional.of(charged());
    }
    return Math.max(0, charged.get().getOrDefault(member.pod().uid(), 0L) - others);
  }

  /// What queues are charged for pods with claims, as the planner counts it.
  private HashMap<PodUid, Long> charged() {
    var charges = new HashMap<PodUid, Long>(); // looked up only
    var session = Session.over(snapshot, defaultQueue);
    for (Group group : session.groups()) {
      for (MemberState seat : group.seats()) {
        if (!seat.pod().traits().claims().isEmpty()) {
          var charge =
              seat.isToBeAsked()
                  ? session.charges().untilAsked(seat)
                  : seat.member().standing() instanceof Standing.Leaving
                      ? session.charges().untilGone(seat)
                      : session.charges().now(seat);
          charges.put(seat.pod().uid(), charge.of(session.queues().gpu()));
        }
      }
    }
    return charges;
  }

  /// Whether what a member of the group is charged depends on pods of others.
  static boolean claims(PodGroup group) {
    return group.members().stream().anyMatch(each -> !each.pod().traits().claims().isEmpty());
  }
}
