package dev.berth.engine.session;

import dev.berth.engine.model.ClaimKey;
import dev.berth.engine.model.DeviceClaim;
import dev.berth.engine.model.DeviceClaim.Ask;
import dev.berth.engine.model.DynamicResources;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Standing;
import dev.berth.engine.session.ClaimedDevices.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Devices that pods claim (DRA), as they would be: counted here, chosen by kube-scheduler.
///
/// A claim takes as many free devices of its classes as it asks for, all on the node of its first
/// user; whoever shares it goes there too, and nothing more is taken. It is free to go elsewhere
/// when its last user has left. Devices that pods on their way out still hold are taken, but for
/// those who were promised them.
///
/// Of a device with consumable capacity a claim takes what it asks of each capacity, of several
/// devices of the one that is fullest. Kube-scheduler may choose another device of the node; what
/// it chose is read from the claim.
///
/// In queues GPUs that are allocated count as `gpu`, parts of them by memory in thousandths;
/// before, the dearest that kube-scheduler may allocate for each request. That is once for each
/// claim: by the first of its users that has a place; as long as none has, by the first of each
/// group.
public final class ClaimAllocation {
  private final DeviceInventory inventory;
  private final ClaimedDevices devices;
  private final DeviceAllocator allocator;
  private final ClaimCharges charges;
  private final List<DeviceClaim> claims;
  private final TreeMap<ClaimKey, Use> uses = new TreeMap<>();
  private final List<MemberState> planned =
      new ArrayList<>(0); // with claims that have no devices yet
  private final HashMap<Kind, Integer> kinds = new HashMap<>(); // looked up only
  private final HashMap<Question, Answers> answers = new HashMap<>(); // looked up only
  private final int nodes;
  private long tables; // of answers

  private static final long MOST_ANSWERS = 4_000_000;

  /// Looks at devices for claims that have none yet, were each kind of them the only one.
  private static final long MOST_LOOKS = 20_000_000;

  private static final Problem BEYOND =
      new Problem(
          "spec.devices.requests",
          "more than one plan looks for",
          "the claims of a namespace that ask for different things are bounded together. Let pods"
              + " ask alike, by one template, or wait until others have their devices.");

  /// Claims of one kind ask alike.
  private record Kind(List<DeviceClaim.Ask> asks, boolean distinct) {
    Kind(DeviceClaim claim) {
      this(claim.asks(), claim.distinct());
    }
  }

  /// Whether claims of these kinds fit a node together.
  private record Question(List<Integer> kinds, boolean promised) {}

  /// By node; beyond a bound of memory the last one alone.
  private static final class Answers {
    private int[] changes = {};
    private final BitSet fits = new BitSet();
    private boolean last;

    boolean isMade() {
      return changes.length > 0;
    }

    void make(int nodes) {
      changes = new int[nodes];
      Arrays.fill(changes, -1);
    }

    boolean has(int n, int now) {
      return isMade() && changes[n] == now;
    }

    void put(int n, int now, boolean answer) {
      last = answer;
      if (isMade()) {
        changes[n] = now;
        fits.set(n, answer);
      }
    }

    boolean fits(int n) {
      return isMade() ? fits.get(n) : last;
    }
  }

  /// A claim, and who uses it.
  private static final class Use {
    final DeviceClaim claim;
    int node = DeviceInventory.NOWHERE;
    List<Part> taken = List.of();
    int home = DeviceInventory.NOWHERE;
    List<Part> atHome = List.of();
    int users;
    int leavers;
    PodKey payer = PodKey.NONE;
    GroupKey askedBy = GroupKey.NONE;
    int kind = -1; // not looked up yet
    boolean isBeyond; // the part of its namespace of what is looked at
    private Optional<ClaimedGpus> charge = Optional.empty();

    Use(DeviceClaim claim) {
      this.claim = claim;
    }

    String namespace() {
      return claim.key().namespace();
    }

    ClaimedGpus charge(ClaimCharges charges) {
      var known =
          charge.orElseGet(
              () -> isBeyond ? ClaimCharges.chargeUnseen(claim) : charges.charge(claim));
      charge = Optional.of(known);
      return known;
    }
  }

  ClaimAllocation(DynamicResources known, FreeCapacity room) {
    inventory = new DeviceInventory(known, room);
    devices = new ClaimedDevices(inventory, room.nodes());
    allocator = new DeviceAllocator(inventory, devices);
    charges = new ClaimCharges(inventory);
    nodes = room.nodes();
    claims = known.claims();
    for (DeviceClaim claim : claims) {
      var use = new Use(claim);
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
    bound();
  }

  /// Namespaces share what is looked at for claims that have no devices yet; claims of one kind
  /// count once. What comes first in its namespace, by name, is looked for.
  private void bound() {
    var costs = new TreeMap<String, LinkedHashMap<Integer, Long>>(); // by namespace, of kinds
    var waiting = uses.values().stream().filter(use -> use.claim.allocation().isNone()).toList();
    for (Use use : waiting) {
      costs
          .computeIfAbsent(use.namespace(), _ -> new LinkedHashMap<>())
          .computeIfAbsent(kind(use), _ -> inventory.cost(use.claim));
    }
    long part =
        NamespaceShares.part(
            MOST_LOOKS, costs.values().stream().map(ClaimAllocation::sum).toList());
    if (part == Long.MAX_VALUE) {
      return;
    }
    for (var ofKinds : costs.values()) {
      long[] left = {part};
      ofKinds
          .values()
          .removeIf(cost -> {
            boolean isBeyond = cost > left[0];
            left[0] -= isBeyond ? 0 : cost;
            return isBeyond;
          });
    }
    for (Use use : waiting) {
      var looked = costs.getOrDefault(use.namespace(), new LinkedHashMap<>());
      use.isBeyond = !looked.containsKey(kind(use));
    }
  }

  private static long sum(LinkedHashMap<Integer, Long> costs) {
    return costs.values().stream().mapToLong(cost -> cost).sum();
  }

  private Optional<Use> use(Pod pod, Pod.ClaimRef ref) {
    return Optional.ofNullable(uses.get(new ClaimKey(pod.key().namespace(), ref.claim())));
  }

  private List<Use> uses(Pod pod) {
    var refs = pod.traits().claims();
    var found = new ArrayList<Use>(refs.size());
    for (Pod.ClaimRef ref : refs) {
      use(pod, ref).filter(use -> !found.contains(use)).ifPresent(found::add);
    }
    return found;
  }

  private static boolean asksNothing(Pod pod) {
    return pod.traits().claims().isEmpty();
  }

  // ---- who pays

  /// Those who have a place pay first.
  void bill(PodGroup group) {
    for (PodGroup.Member member : group.members()) {
      boolean placed =
          member.standing() instanceof Standing.Bound
              || member.standing() instanceof Standing.Planned;
      if (placed && !asksNothing(member.pod())) {
        for (Use use : uses(member.pod())) {
          use.payer = use.payer.isNone() ? member.pod().key() : use.payer;
        }
      }
    }
  }

  /// Devices of GPU classes that a member is charged for.
  ClaimedGpus gpus(PodGroup group, Pod pod) {
    if (asksNothing(pod)) {
      return ClaimedGpus.NONE;
    }
    var sum = new ClaimedGpus.Sum();
    for (Use use : uses(pod)) {
      boolean first = !use.askedBy.equals(group.key());
      if (use.payer.equals(pod.key()) || use.payer.isNone() && first) {
        use.askedBy = group.key();
        sum.add(use.charge(charges));
      }
    }
    return sum.sum();
  }

  /// What a pod by itself would be charged for: claims that somebody pays for already cost nothing.
  ClaimedGpus gpus(Pod pod) {
    var sum = new ClaimedGpus.Sum();
    for (Use use : uses(pod)) {
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

  private static boolean isOfGpus(List<Reason.Excess> excesses) {
    return excesses.stream().anyMatch(each -> each.resource().equals(Resource.GPU));
  }

  private List<Reason.CountedClaim> counted(Group group) {
    for (MemberState seat : claims.isEmpty() ? List.<MemberState>of() : group.seats()) {
      if (seat.isWaiting() && !asksNothing(seat.pod())) {
        for (Use use : uses(seat.pod())) {
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

  // ---- what cannot be meant

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
    if (ref.template().isEmpty() && !use.get().charge(charges).isNone()) {
      if (!claim.queue().equals(queue)) {
        return Optional.of(new Reason.ClaimOfOtherQueue(claim.key(), claim.queue(), queue));
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
    for (Use use : uses(seat.pod())) {
      boolean has = use.node != DeviceInventory.NOWHERE;
      use.leavers += seat.was() == MemberState.Was.LEAVING ? 1 : 0;
      use.users += here && has ? 1 : 0;
      if (here && !has && !planned.contains(seat)) {
        planned.add(seat);
      }
    }
  }

  /// All have begun: what nobody of ours uses stays where it is; then those who are planned take
  /// what they were promised.
  void settle() {
    for (DeviceClaim claim : claims) {
      var use = uses.getOrDefault(claim.key(), new Use(claim));
      if (use.users == 0 && use.node != DeviceInventory.NOWHERE) {
        use.users = 1; // somebody whom we do not know, or who is on his way out
        devices.hold(use.taken, use.leavers > 0);
      }
    }
    for (MemberState seat : planned) {
      for (Use use : uses(seat.pod())) {
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
    var free = new ArrayList<Use>(1);
    for (Use use : uses(seat.pod())) {
      boolean bound = use.users > 0;
      if (bound && use.node != n && use.node != DeviceInventory.UNKNOWN) {
        return false;
      }
      if (!bound) {
        free.add(use);
      }
    }
    return free.isEmpty() || fits(free, n, promised);
  }

  /// What fits a node does so until something is taken of its devices, or given back.
  private boolean fits(List<Use> free, int n, boolean promised) {
    var numbers = new ArrayList<Integer>(free.size());
    free.forEach(use -> numbers.add(kind(use)));
    var known = answers.computeIfAbsent(new Question(numbers, promised), _ -> new Answers());
    if (!known.has(n, devices.changes(n))) {
      if (!known.isMade() && tables * nodes < MOST_ANSWERS) {
        known.make(nodes);
        tables++;
      }
      known.put(n, devices.changes(n), choose(free, n, promised));
    }
    return known.fits(n);
  }

  private int kind(Use use) {
    if (use.kind < 0) {
      use.kind = kinds.computeIfAbsent(new Kind(use.claim), _ -> kinds.size());
    }
    return use.kind;
  }

  private boolean choose(List<Use> free, int n, boolean promised) {
    var chosen = new ArrayList<Part>();
    for (Use use : free) {
      if (!allocator.choose(use.claim, n, promised, chosen)) {
        return false;
      }
    }
    return true;
  }

  /// What a node lacks for the claims of a member, in numbers where they ask for memory of GPUs.
  public String lack(MemberState seat, int n) {
    boolean beyond = false;
    for (Use use : uses(seat.pod())) {
      String lack = use.users > 0 ? "" : allocator.lack(use.claim, n);
      if (!lack.isEmpty()) {
        return lack;
      }
      beyond |= use.users == 0 && !inventory.hasEnough(use.claim, n);
    }
    return beyond ? Reason.Shortfall.WHOEVER_LEAVES : "";
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
    for (Use use : uses(seat.pod())) {
      place(use, n, seat.was() == MemberState.Was.TENTATIVE);
    }
  }

  private void place(Use use, int n, boolean promised) {
    if (use.users == 0 && use.node == DeviceInventory.NOWHERE) {
      boolean home = n == use.home && devices.areFree(use.atHome);
      take(use, n, home ? use.atHome : some(use, n, promised));
    }
    use.users++;
  }

  /// As many as there are: whoever is put on a node is on it.
  private List<Part> some(Use use, int n, boolean promised) {
    var chosen = new ArrayList<Part>();
    allocator.chooseSome(use.claim, n, promised, chosen);
    return chosen;
  }

  private void take(Use use, int n, List<Part> chosen) {
    use.node = n < 0 ? DeviceInventory.UNKNOWN : n;
    use.taken = chosen;
    devices.take(chosen);
  }

  void leave(MemberState seat) {
    if (asksNothing(seat.pod())) {
      return;
    }
    for (Use use : uses(seat.pod())) {
      if (--use.users == 0) {
        devices.free(use.taken);
        use.taken = List.of();
        use.node = DeviceInventory.NOWHERE;
      }
    }
  }

  void fingerprint(StringBuilder into) {
    for (DeviceClaim claim : claims) {
      var use = uses.getOrDefault(claim.key(), new Use(claim));
      into.append(claim.key()).append(" on ").append(use.node);
      into.append(" by ").append(use.users).append('\n');
    }
    devices.fingerprint(into);
  }
}
