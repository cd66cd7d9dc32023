package dev.berth.controllers.autoscaling;

import dev.berth.controllers.client.CapacityClient.CapacityUnit;
import dev.berth.controllers.client.CapacityClient.Want;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.request.GroupNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/// What autoscalers are to be asked for. Pure functions.
///
/// A group waits for capacity when nodes have no room for it and its queue may have more: a new
/// node would help. It does not where the queue may not grow, members or objects are missing, room
/// is being left or reserved in time, or the search was cut short.
///
/// Of a gang all that lack to its minimum are asked for together. A share is no resource that an
/// autoscaler knows: shares that fit on one device are asked for as one whole device.
final class Shortage {
  private static final int DEVICE = 1000;

  /// The devices that there are.
  ///
  /// @param smallestMib memory of the smallest; 0 = of none is it known
  private record Devices(Resource kind, long smallestMib) {
    static Devices of(Snapshot snapshot) {
      var kind = Resource.NVIDIA;
      boolean isFirst = true;
      long smallest = Long.MAX_VALUE;
      for (var room : snapshot.nodes()) {
        var accelerator = room.node().accelerator();
        if (accelerator.count() > 0 && isFirst) {
          kind = accelerator.resource();
          isFirst = false;
        }
        if (accelerator.memoryMib() > 0) {
          smallest = Math.min(smallest, accelerator.memoryMib());
        }
      }
      return new Devices(kind, smallest == Long.MAX_VALUE ? 0 : smallest);
    }
  }

  private Shortage() {}

  /// Whether a new node could end this wait.
  static boolean isOfCapacity(Reason reason) {
    return switch (reason) {
      case Reason.NoRoom _,
          Reason.FairShareReached _,
          Reason.NothingToTakeBack _,
          Reason.VictimsProtected _,
          Reason.BudgetsForbid _,
          Reason.NeverPreempts _,
          Reason.MovesSpent _ ->
          true;
      case Reason.NeverFits never -> never.besides().isEmpty(); // its queue may have as much
      case Reason.BadRequest _,
          Reason.NoSuchQueue _,
          Reason.NotALeaf _,
          Reason.BrokenQueue _,
          Reason.QueueNotAllowed _,
          Reason.NamespaceTerminating _,
          Reason.NoSuchGroup _,
          Reason.NoSuchSubGroup _,
          Reason.NoSuchTopology _,
          Reason.OwnerUnknown _,
          Reason.NoSuchClaim _,
          Reason.VolumeNotReady _,
          Reason.NoSuchDevices _,
          Reason.ClaimOfOtherQueue _,
          Reason.TooFewMembers _,
          Reason.OverLimit _,
          Reason.NonPreemptibleOverQuota _,
          Reason.PreemptionDelayed _,
          Reason.EvictionBackoff _,
          Reason.BorrowingBackoff _,
          Reason.VolumesOverdue _,
          Reason.WouldDelay _,
          Reason.HeldForHead _,
          Reason.NoSuchPool _,
          Reason.NotProven _,
          Reason.Starting _ ->
          false;
    };
  }

  /// In order of priority, then age, until there are `most` pieces; what does not fit whole is left
  /// out.
  ///
  /// @param groups that have waited for capacity long enough
  static List<Want> wants(Snapshot snapshot, List<PodGroup> groups, int most) {
    var inOrder = new ArrayList<>(groups);
    inOrder.sort(
        Comparator.comparingInt(PodGroup::priority)
            .reversed()
            .thenComparing(PodGroup::created)
            .thenComparing(PodGroup::key));
    var devices = Devices.of(snapshot);
    var wants = new ArrayList<Want>();
    var singles = new ArrayList<Pod>();
    for (PodGroup group : inOrder) {
      var lacking = lacking(group);
      if (lacking.stream().anyMatch(pod -> !pod.traits().claims().isEmpty())) {
        continue; // its devices are kube-scheduler's to find
      }
      if (lacking.size() > 1) {
        var units = units(devices, lacking);
        wants.add(new Want(name(lacking.getFirst()), true, units));
      } else {
        singles.addAll(lacking);
      }
    }
    for (Bin bin : bins(devices, singles)) {
      wants.add(new Want(name(bin.lead), false, List.of(bin.unit(devices))));
    }
    int left = most;
    var kept = new ArrayList<Want>();
    for (Want want : wants) {
      if (want.units().size() <= left) {
        kept.add(want);
        left -= want.units().size();
      }
    }
    return kept;
  }

  /// Members that wait, no more of them than are missing to the minimum; of a group that has its
  /// minimum, the next one.
  private static List<Pod> lacking(PodGroup group) {
    var waiting = new ArrayList<Pod>();
    int placed = 0;
    for (Member member : group.members()) {
      switch (member.standing()) {
        case Standing.Waiting _ -> waiting.add(member.pod());
        case Standing.Planned _, Standing.Bound _ -> placed++;
        case Standing.Leaving _, Standing.Awaited _, Standing.Over _ -> {}
      }
    }
    int missing = Math.max(1, group.spec().required() - placed);
    return waiting.subList(0, Math.min(missing, waiting.size()));
  }

  private static List<CapacityUnit> units(Devices devices, List<Pod> pods) {
    return bins(devices, pods).stream().map(bin -> bin.unit(devices)).toList();
  }

  /// First fit, in order: shares of pods that may be on the same nodes join on one device.
  private static List<Bin> bins(Devices devices, List<Pod> pods) {
    var bins = new ArrayList<Bin>();
    for (Pod pod : pods) {
      var ask = pod.asks().request().devices();
      boolean joins = ask.isShare() && ask.count() == 1;
      int millis = joins ? Math.min(DEVICE, ask.millisOn(devices.smallestMib())) : DEVICE;
      var open =
          bins.stream()
              .filter(bin -> joins && bin.millis + millis <= DEVICE && bin.takes(pod))
              .findFirst();
      if (open.isPresent()) {
        open.get().add(pod, millis);
      } else {
        bins.add(new Bin(pod, millis));
      }
    }
    return bins;
  }

  private static String name(Pod lead) {
    var uid = new OwnerUid(lead.uid().value());
    return GroupNames.of(lead.key().namespace(), "room-for-" + lead.key().name(), uid).name();
  }

  /// Pods that a placeholder stands for.
  private static final class Bin {
    private final Pod lead;
    private int millis;
    private Amounts amounts;

    Bin(Pod lead, int millis) {
      this.lead = lead;
      this.millis = millis;
      this.amounts = lead.asks().request().amounts();
    }

    boolean takes(Pod pod) {
      return lead.asks().constraints().equals(pod.asks().constraints())
          && lead.asks().request().models().equals(pod.asks().request().models());
    }

    void add(Pod pod, int share) {
      millis += share;
      amounts = amounts.plus(pod.asks().request().amounts());
    }

    CapacityUnit unit(Devices devices) {
      var request = lead.asks().request();
      var requests = new TreeMap<String, String>();
      amounts
          .toMap()
          .forEach((resource, amount) -> requests.put(resource.name(), resource.text(amount)));
      requests.remove(Resource.PODS.name());
      if (request.devices().isShare()) {
        requests.put(devices.kind().name(), Integer.toString(request.devices().count()));
      }
      return new CapacityUnit(lead.key(), lead.asks().constraints(), request.models(), requests);
    }
  }
}
