package dev.berth.engine.session;

import dev.berth.engine.model.ClaimKey;
import dev.berth.engine.model.DeviceClaim;
import dev.berth.engine.model.DeviceClaim.Ask;
import dev.berth.engine.model.DynamicResources;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Standing;
import dev.berth.engine.session.ClaimedDevices.DevicePortion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Devices that pods claim (DRA), as they would be: counted here, chosen by kube-scheduler.
///
/// A claim takes as many free devices of its classes as it asks for, all on the node of its first
/// user; every pod that shares it goes there too, and nothing more is taken. It is free to go
/// elsewhere when its last user has left. Devices that terminating pods still hold are taken, but
/// for the pods to which they were promised.
///
/// Of a device with consumable capacity a claim takes what it asks of each capacity, of several
/// devices of the one that is fullest. Kube-scheduler may choose another device of the node; what
/// it chose is read from the claim.
///
/// In queues GPUs that are allocated count as `gpu`, parts of them by memory in thousandths;
/// before, the dearest that kube-scheduler may allocate for each request. That is once for each
/// claim, but for users of unlike preemptibility ([ClaimUse#isChargedTo]). Pods of other queues
/// than that which is charged do not start with it, whatever the label of the claim says by then.
public final class ClaimAllocation {
  private final DeviceInventory inventory;
  private final ClaimedDevices devices;
  private final DeviceAllocator allocator;
  private final ClaimCharges charges;
  private final ClaimFits fits;
  private final List<DeviceClaim> claims;
  private final TreeMap<ClaimKey, ClaimUse> uses = new TreeMap<>();
  private final List<MemberState> planned =
      new ArrayList<>(0); // with claims that have no devices yet

  private static final Problem BEYOND =
      new Problem(
          "spec.devices.requests",
          "more than one plan looks for",
          "the claims of a namespace that ask for different things are bounded together, and"
              + " namespaces take turns. Let pods ask alike, by one template, or wait until others"
              + " have their devices.");

  ClaimAllocation(DynamicResources known, FreeCapacity room) {
    inventory = new DeviceInventory(known, room);
    devices = new ClaimedDevices(inventory, room.nodes());
    allocator = new DeviceAllocator(inventory, devices);
    charges = new ClaimCharges(inventory);
    fits = new ClaimFits(devices, allocator, room.nodes());
    claims = known.claims();
    for (DeviceClaim claim : claims) {
      var use = new ClaimUse(claim);
      uses.put(claim.key(), use);
      var allocation = claim.allocation();
      if (!allocation.isNone()) {
        use.atHome = devices.find(allocation.results());
        use.home =
            use.atHome.isEmpty()
                ? room.indexOf(allocation.node())
                : inventory.node(use.atHome.getFirst().device());
        take(use, use.home, use.atHome);
      }
    }
  }

  /// Charges the pods that have a place, and finds out which claims are looked for in this session.
  /// To be called once, first of all.
  ///
  /// @param mayStart whether the queue of a group takes it
  /// @return when others will be; empty = all are
  Optional<Instant> billAndBound(List<PodGroup> groups, Predicate<PodGroup> mayStart, Instant now) {
    if (claims.isEmpty()) {
      return Optional.empty();
    }
    var placed = new ArrayList<ClaimUse>();
    var waiting = new TreeMap<ClaimKey, ClaimUse>();
    for (PodGroup group : groups) {
      for (PodGroup.Member member : group.members()) {
        if (asksNothing(member.pod())) {
          continue;
        }
        placed.addAll(bill(group, member));
        if (member.standing() instanceof Standing.Waiting && mayStart.test(group)) {
          uses(member.pod()).forEach(use -> waiting.put(use.claim.key(), use));
        }
      }
    }
    return ClaimLookBound.apply(inventory, fits, placed, waiting.values(), now);
  }

  private Optional<ClaimUse> use(Pod pod, Pod.ClaimRef ref) {
    return Optional.ofNullable(uses.get(new ClaimKey(pod.key().namespace(), ref.claim())));
  }

  private List<ClaimUse> uses(Pod pod) {
    var refs = pod.traits().claims();
    var found = new ArrayList<ClaimUse>(refs.size());
    for (Pod.ClaimRef ref : refs) {
      use(pod, ref).filter(use -> !found.contains(use)).ifPresent(found::add);
    }
    return found;
  }

  private static boolean asksNothing(Pod pod) {
    return pod.traits().claims().isEmpty();
  }

  // ---- which pod is charged

  /// As at first, of a group that comes later.
  void bill(PodGroup group) {
    for (PodGroup.Member member : group.members()) {
      var _ = bill(group, member);
    }
  }

  private List<ClaimUse> bill(PodGroup group, PodGroup.Member member) {
    var now = member.standing();
    boolean hasPlace = now instanceof Standing.Bound || now instanceof Standing.Planned;
    boolean asks = hasPlace && !asksNothing(member.pod());
    var billed = asks ? uses(member.pod()) : List.<ClaimUse>of();
    billed.forEach(use -> use.bill(group, member.pod().key()));
    return billed;
  }

  /// Devices of GPU classes that a member is charged for.
  ClaimedGpus gpus(PodGroup group, Pod pod) {
    if (asksNothing(pod)) {
      return ClaimedGpus.NONE;
    }
    var sum = new ClaimedGpus.Sum();
    for (ClaimUse use : uses(pod)) {
      if (use.isChargedTo(group, pod.key())) {
        sum.add(use.charge(charges));
      }
    }
    return sum.sum();
  }

  /// What a pod by itself would be charged for: claims that are charged to another pod already cost
  /// nothing.
  ClaimedGpus gpus(Pod pod) {
    var sum = new ClaimedGpus.Sum();
    for (ClaimUse use : uses(pod)) {
      if (use.payer.isNone() || use.payer.equals(pod.key())) {
        sum.add(use.charge(charges));
      }
    }
    return sum.sum();
  }

  /// A reason about a queue, with the first claim that may get less than it is counted as.
  Reason told(Group group, Reason reason) {
    return switch (reason) {
      case Reason.OverLimit over when isOfGpus(over.excesses()) -> over.counting(counted(group));
      case Reason.NonPreemptibleOverQuota over when isOfGpus(over.excesses()) ->
          over.counting(counted(group));
      default -> reason;
    };
  }

  private static boolean isOfGpus(List<Reason.ExceededResource> excesses) {
    return excesses.stream().anyMatch(each -> each.resource().equals(Resource.GPU));
  }

  private List<Reason.CountedClaim> counted(Group group) {
    for (MemberState seat : claims.isEmpty() ? List.<MemberState>of() : group.seats()) {
      if (seat.isWaiting() && !asksNothing(seat.pod())) {
        for (ClaimUse use : uses(seat.pod())) {
          var counted = charges.counted(use.claim);
          if (counted.isPresent()) {
            return List.of(counted.get());
          }
        }
      }
    }
    return List.of();
  }

  /// Thousandths of the GPUs of a node that are there to be claimed, without what strangers hold.
  public long millisToClaim(int n) {
    return devices.gpuMillis(n);
  }

  // ---- what is invalid

  /// Why the claims of a waiting member cannot be met by any node, if so.
  Optional<Reason> flaw(Group group) {
    for (MemberState seat : group.seats()) {
      if (seat.isWaiting() && !asksNothing(seat.pod())) {
        for (Pod.ClaimRef ref : seat.pod().traits().claims()) {
          var flaw = flaw(seat.pod(), ref, group.group().queue());
          if (flaw.isPresent()) {
            return flaw;
          }
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Reason> flaw(Pod pod, Pod.ClaimRef ref, QueueName queue) {
    var use = use(pod, ref);
    if (use.isEmpty()) {
      return Optional.of(new Reason.NoSuchClaim(pod.key(), ref.claim(), ref.template()));
    }
    var claim = use.get().claim;
    if (claim.allocation().isNone() && !claim.problems().isEmpty()) {
      return Optional.of(
          new Reason.BadRequest("claim " + claim.key(), claim.problems().getFirst()));
    }
    if (use.get().isBeyond) {
      return Optional.of(new Reason.BadRequest("claim " + claim.key(), BEYOND));
    }
    if (!use.get().charge(charges).isNone()) {
      var user = use.get().payer;
      if (!user.isNone() && !use.get().payingQueue.equals(queue)) {
        return Optional.of(
            new Reason.ClaimOfOtherQueue(claim.key(), use.get().payingQueue, queue, user));
      }
      if (ref.template().isEmpty() && !claim.queue().equals(queue)) {
        return Optional.of(
            new Reason.ClaimOfOtherQueue(claim.key(), claim.queue(), queue, PodKey.NONE));
      }
    }
    for (Ask ask : claim.asks()) {
      if (claim.allocation().isNone() && !inventory.hasAny(ask)) {
        return Optional.of(
            new Reason.NoSuchDevices(claim.key(), ask.choices().getFirst().deviceClass()));
      }
    }
    return Optional.empty();
  }

  // ---- the devices

  /// A seat as it is when the session begins.
  void begin(MemberState seat) {
    if (asksNothing(seat.pod())) {
      return;
    }
    boolean here = seat.now().isOnTheMap();
    for (ClaimUse use : uses(seat.pod())) {
      boolean has = use.node != DeviceInventory.NOWHERE;
      use.leavers += seat.was() == MemberState.Was.LEAVING ? 1 : 0;
      use.users += here && has ? 1 : 0;
      use.queueInPlace = here ? queue(seat) : use.queueInPlace;
      if (here && !has && !planned.contains(seat)) {
        planned.add(seat);
      }
    }
  }

  /// All are added: what no pod of Berth uses stays where it is; then planned pods take what they
  /// were promised.
  void settle() {
    for (DeviceClaim claim : claims) {
      var use = uses.getOrDefault(claim.key(), new ClaimUse(claim));
      if (use.users == 0 && use.node != DeviceInventory.NOWHERE) {
        use.users = 1; // an unknown or a terminating pod
        devices.hold(use.taken, use.leavers > 0);
      }
    }
    for (MemberState seat : planned) {
      for (ClaimUse use : uses(seat.pod())) {
        if (use.claim.allocation().isNone()) {
          place(use, seat.now().node(), true);
        }
      }
    }
  }

  /// Whether the devices that a member claims are free on a node.
  public boolean fits(MemberState seat, int n) {
    if (asksNothing(seat.pod())) {
      return true;
    }
    boolean promised = seat.was() == MemberState.Was.TENTATIVE;
    var free = new ArrayList<ClaimUse>(1);
    for (ClaimUse use : uses(seat.pod())) {
      boolean bound = use.users > 0;
      if (bound && (isElsewhere(use, n) || isOfOtherQueue(use, seat))) {
        return false;
      }
      if (!bound) {
        free.add(use);
      }
    }
    return free.isEmpty() || fits.fit(free, n, promised);
  }

  private static boolean isElsewhere(ClaimUse use, int n) {
    return use.node != n && use.node != DeviceInventory.UNKNOWN;
  }

  /// Two groups that wait may both be allowed a claim, as one has it by a template: the first that
  /// gets a place decides whose it is.
  private boolean isOfOtherQueue(ClaimUse use, MemberState seat) {
    return !use.queueInPlace.isNone()
        && !use.queueInPlace.equals(queue(seat))
        && !use.charge(charges).isNone();
  }

  private static QueueName queue(MemberState seat) {
    return seat.group().group().queue();
  }

  /// What a node lacks for the claims of a member, in numbers where they ask for memory of GPUs.
  public String lack(MemberState seat, int n) {
    boolean beyond = false;
    for (ClaimUse use : uses(seat.pod())) {
      String lack = use.users > 0 ? "" : allocator.lack(use.claim, n);
      if (!lack.isEmpty()) {
        return lack;
      }
      beyond |= use.users == 0 && !inventory.hasEnough(use.claim, n);
    }
    return beyond ? Reason.Shortfall.EVEN_IF_FREE : "";
  }

  /// Devices that were looked at to find out what fits where.
  public long looks() {
    return inventory.looks();
  }

  /// Whether a member has claims at all.
  public static boolean concern(MemberState seat) {
    return !asksNothing(seat.pod());
  }

  void place(MemberState seat, int n) {
    if (asksNothing(seat.pod())) {
      return;
    }
    for (ClaimUse use : uses(seat.pod())) {
      place(use, n, seat.was() == MemberState.Was.TENTATIVE);
      use.queueInPlace = queue(seat);
    }
  }

  private void place(ClaimUse use, int n, boolean promised) {
    if (use.users == 0 && use.node == DeviceInventory.NOWHERE) {
      boolean home = n == use.home && devices.areFree(use.atHome);
      take(use, n, home ? use.atHome : some(use, n, promised));
    }
    use.users++;
  }

  /// As many as there are: every pod that is put on a node is on it.
  private List<DevicePortion> some(ClaimUse use, int n, boolean promised) {
    var chosen = new ArrayList<DevicePortion>();
    allocator.chooseSome(use.claim, n, promised, chosen);
    devices.putBack(chosen);
    return chosen;
  }

  private void take(ClaimUse use, int n, List<DevicePortion> chosen) {
    use.node = n < 0 ? DeviceInventory.UNKNOWN : n;
    use.taken = chosen;
    devices.take(chosen);
  }

  void leave(MemberState seat) {
    if (asksNothing(seat.pod())) {
      return;
    }
    for (ClaimUse use : uses(seat.pod())) {
      if (--use.users == 0) {
        devices.free(use.taken);
        use.taken = List.of();
        use.node = DeviceInventory.NOWHERE;
        use.queueInPlace = QueueName.NONE;
      }
    }
  }

  void fingerprint(StringBuilder into) {
    for (DeviceClaim claim : claims) {
      var use = uses.getOrDefault(claim.key(), new ClaimUse(claim));
      into.append(claim.key()).append(" on ").append(use.node);
      into.append(" by ").append(use.users).append('\n');
    }
    devices.fingerprint(into);
  }
}
