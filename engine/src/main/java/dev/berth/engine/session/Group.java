package dev.berth.engine.session;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.GroupSpec.SubGroup;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Spelling;
import dev.berth.engine.model.Standing;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// A PodGroup as it would be: its tree of roles and a seat for every member.
public final class Group {
  private static final Optional<Reason> NOTHING = Optional.empty();

  private final PodGroup group;
  private final int queue;
  private final List<MemberState> seats = new ArrayList<>();
  private final TreeMap<String, Role> roles = new TreeMap<>();
  private final Role root;
  private final List<Reason> flaws = new ArrayList<>();
  private boolean touched;
  private boolean hasOrphans;
  private boolean isTentative;
  private boolean isMoving;

  /// @param queue its dense number; [QueueTree#NONE] without queues
  Group(PodGroup group, int queue) {
    this.group = group;
    this.queue = queue;
    var spec = group.spec();
    boolean flat = spec.subGroups().isEmpty();
    // a group without a word on its minimum is one that starts with one
    int minimum = flat ? Math.max(1, spec.minMember()) : spec.minSubGroup();
    root = new Role("", minimum, spec.topology(), spec.completions());
    roles.put("", root);
    growTree(spec);
  }

  /// A group on its own, without a cluster round it: for questions about its members alone.
  public static Group outside(PodGroup podGroup) {
    var group = new Group(podGroup, QueueTree.NONE);
    for (PodGroup.Member member : podGroup.members()) {
      group.seat(new MemberState(group, member, PodClass.NONE, Assignment.UNKNOWN));
    }
    return group;
  }

  private void growTree(GroupSpec spec) {
    var children = spec.children(); // of equal names the first
    for (List<SubGroup> below : children.values()) {
      for (SubGroup sub : below) {
        roles.put(sub.name(), role(sub, children.containsKey(sub.name())));
      }
    }
    var reached = new HashSet<String>(); // looked up only
    var next = new ArrayDeque<String>(List.of(""));
    while (!next.isEmpty()) {
      String parent = next.remove();
      for (SubGroup sub : children.getOrDefault(parent, List.of())) {
        role(parent).add(role(sub.name()));
        reached.add(sub.name());
        next.add(sub.name());
      }
    }
    for (SubGroup sub : spec.subGroups()) {
      if (!reached.contains(sub.name())) {
        var problem =
            new Problem(
                "spec.subGroups.parent", sub.parent(), "no path leads from it to the group");
        flaws.add(new Reason.BadRequest("PodGroup " + key(), problem));
      }
    }
  }

  private static Role role(SubGroup sub, boolean inner) {
    return new Role(sub.name(), inner ? sub.minSubGroup() : sub.minMember(), sub.topology());
  }

  private Role role(String name) {
    return roles.getOrDefault(name, root);
  }

  void seat(MemberState seat) {
    seats.add(seat);
    isTentative |= seat.was() == MemberState.Was.TENTATIVE;
    isMoving |= seat.was() == MemberState.Was.MOVED;
    hasOrphans |= seat.isPlaced() && seat.isOrphan();
    var name = seat.pod().belonging().subGroup();
    // a flat group has no roles to choose from: whatever its members call theirs, they are members
    var leaf = root.isLeaf() ? root : role(name);
    if (!leaf.isLeaf() || (!root.isLeaf() && !roles.containsKey(name))) {
      if (seat.isPlaced() || seat.isWaiting()) {
        flaws.add(noSuchRole(seat, name));
      }
      leaf = new Role(name, 0, TopologyAsk.NONE); // beside the tree: it counts for no role
    }
    seat.belong(leaf);
  }

  private Reason noSuchRole(MemberState seat, String name) {
    var leaves = roles.keySet().stream().filter(each -> role(each).isLeaf()).toList();
    var near = name.isEmpty() ? "" : Spelling.nearest(name, leaves).orElse("");
    return new Reason.NoSuchSubGroup(seat.pod().key(), name, leaves, near);
  }

  /// Whether it has pods without a controller, which are not created again after an eviction.
  public boolean hasOrphans() {
    return hasOrphans;
  }

  public PodGroup group() {
    return group;
  }

  public GroupKey key() {
    return group.key();
  }

  /// The number of its queue; [QueueTree#NONE] without queues.
  public int queue() {
    return queue;
  }

  public Role root() {
    return root;
  }

  /// Members in their order, those last that are terminating to start again elsewhere.
  public List<MemberState> seats() {
    return Collections.unmodifiableList(seats);
  }

  public boolean isPreemptible() {
    return group.preemptibility() != Preemptibility.NON_PREEMPTIBLE;
  }

  /// Whether any member is to be placed.
  public boolean isWaiting() {
    return root.waiting() > 0;
  }

  /// Whether any member has no place, whether or not it is Berth's to give.
  boolean wantsMore() {
    return isMoving() || lacksPlaces();
  }

  /// The same, without members that are still terminating elsewhere.
  public boolean lacksPlaces() {
    for (MemberState seat : seats) {
      boolean lacks = seat.was() == MemberState.Was.UNPLANNABLE && isOurs(seat);
      if (lacks || seat.isWaiting() && seat.was() != MemberState.Was.MOVED) {
        return true;
      }
    }
    return false;
  }

  /// Not left to the extender, and not about to go.
  private boolean isOurs(MemberState seat) {
    return (!group.single() || seat.pod().isGated()) && !seat.pod().life().leaving();
  }

  /// Whether its next step may go beyond quota. What is never taken back must be its queue's own:
  /// non-preemptible work, and the minimum of semi-preemptible work.
  public boolean mayBorrow() {
    return switch (group.preemptibility()) {
      case PREEMPTIBLE, BY_PRIORITY -> true;
      case SEMI_PREEMPTIBLE -> !isBelowMinimum();
      case NON_PREEMPTIBLE -> false;
    };
  }

  boolean isSemiPreemptible() {
    return group.preemptibility() == Preemptibility.SEMI_PREEMPTIBLE;
  }

  /// Since when it runs with its minimum; a member without a start time begins now. Members that
  /// were created anew do not renew it, as long as others ran on.
  public Instant runsSince(Instant now) {
    var before = group.spec().run().since();
    var since = root.runsSince(now);
    boolean ranOn = !before.equals(Instant.EPOCH) && before.isBefore(since) && root.runs();
    return ranOn ? before : since;
  }

  public boolean isBelowMinimum() {
    return !root.isSatisfied();
  }

  /// What it tries next; empty where no member waits, or too few.
  public Optional<PlacementStep> next() {
    return root.next();
  }

  /// Notes whether it was touched.
  ///
  /// @return whether that is news
  boolean touch(boolean isTouched) {
    boolean news = touched != isTouched;
    touched = isTouched;
    return news;
  }

  /// Whether any member has a plan behind a gate that is still closed.
  boolean isInLine() {
    for (MemberState seat : seats) {
      if (seat.member().standing() instanceof Standing.Planned(_, var released) && !released) {
        return true;
      }
    }
    return false;
  }

  /// Whether any member has a plan and no Binding yet.
  public boolean hasPlans() {
    for (MemberState seat : seats) {
      if (seat.was() == MemberState.Was.PLANNED) {
        return true;
      }
    }
    return false;
  }

  /// Whether any member has a plan that is made again in this round.
  public boolean isTentative() {
    return isTentative;
  }

  /// Whether any member is placed again, first where an earlier plan placed it.
  public boolean hasPromises() {
    return isTentative || isMoving;
  }

  /// Whether any member is terminating to start again elsewhere.
  public boolean isMoving() {
    return isMoving;
  }

  /// Whether any member loses the room that it was promised.
  public boolean isBroken() {
    for (MemberState seat : seats) {
      if (seat.isBroken()) {
        return true;
      }
    }
    return false;
  }

  /// Whether any member gets a place in this session.
  public boolean hasNewPlaces() {
    for (MemberState seat : seats) {
      if (seat.isNew() || seat.was() == MemberState.Was.TENTATIVE && seat.isPlaced()) {
        return true;
      }
    }
    return false;
  }

  /// Whether any member was chosen as a victim in this session, or lost its plan, and has no other
  /// place.
  public boolean isLosing() {
    for (MemberState seat : seats) {
      if ((seat.isVictim() || seat.isWithdrawn()) && !seat.isPlaced()) {
        return true;
      }
    }
    return false;
  }

  /// Whether some of its members run while its tree does not meet its minimum: the same test as for
  /// starting, so a leaf of a child that is not needed does not count. Terminating members count as
  /// running, failed ones do not; a group with a completed member that counts, even if it is gone,
  /// is never stale, nor is one of which members were moved and are not back.
  public boolean isStale() {
    if (group.spec().isExcused()) {
      return false;
    }
    boolean completedCount = group.spec().completions().isNone();
    boolean runs = false;
    for (MemberState seat : seats) {
      if (completedCount && seat.was() == MemberState.Was.SUCCEEDED) {
        return false;
      }
      runs |= seat.was() == MemberState.Was.BOUND && seat.isPlaced();
    }
    return runs && !root.isHeld();
  }

  /// Why it cannot be tried at all, if so: something in it is invalid, or it has too few pods.
  Optional<Reason> flaw() {
    if (group.namespaceTerminates()) {
      return Optional.of(new Reason.NamespaceTerminating(key().namespace()));
    }
    switch (group.origin()) {
      case NAME_ONLY -> {
        return Optional.of(new Reason.NoSuchGroup(key()));
      }
      case POD_OF_UNKNOWN_OWNER -> {
        var pod = group.members().getFirst().pod();
        var owner = pod.belonging().owner();
        return Optional.of(new Reason.OwnerUnknown(pod.key(), owner.kind(), owner.name()));
      }
      case OBJECT, OWNERS, MEMBERS, POD -> {}
    }
    if (!group.spec().problems().isEmpty()) {
      return Optional.of(
          new Reason.BadRequest("PodGroup " + key(), group.spec().problems().getFirst()));
    }
    for (MemberState seat : seats) {
      if (seat.isWaiting() && !seat.pod().problems().isEmpty()) {
        return Optional.of(
            new Reason.BadRequest("pod " + seat.pod().key(), seat.pod().problems().getFirst()));
      }
    }
    var lack = lackOfVolume(MemberState::isWaiting);
    if (lack.isPresent() || !flaws.isEmpty()) {
      return lack.or(() -> Optional.of(flaws.getFirst()));
    }
    var tooFew = root.lacking().map(Group::tooFew);
    return isWaiting() && tooFew.isEmpty()
        ? tooFew
        : lackOfVolume(MemberState::waitsForOtherPod).or(() -> tooFew);
  }

  private Optional<Reason> lackOfVolume(Predicate<MemberState> which) {
    for (MemberState seat : seats) {
      var lack = which.test(seat) ? seat.lackOfVolume() : NOTHING;
      if (lack.isPresent()) {
        return lack;
      }
    }
    return NOTHING;
  }

  /// Whether it starts only when members have come back that are still terminating elsewhere, and
  /// the reason for the members that wait for them.
  public Optional<Reason> awaited() {
    for (MemberState seat : seats) {
      if (seat.was() == MemberState.Was.MOVED && seat.isPlaced() && seat.isInBlock()) {
        var role = seat.role();
        int moved = 0;
        for (MemberState each : role.seats()) {
          moved += each.was() == MemberState.Was.MOVED && each.isPlaced() ? 1 : 0;
        }
        return Optional.of(
            new Reason.TooFewMembers(role.name(), role.met() - moved, role.minimum()));
      }
    }
    return Optional.empty();
  }

  private static Reason tooFew(Role role) {
    if (!role.isLeaf()) {
      int can = (int) role.children().stream().filter(Role::canBeSatisfied).count();
      return new Reason.TooFewMembers(role.name(), can, role.minimum());
    }
    int heldBack = 0;
    var gates = new TreeSet<String>();
    var creator = Reason.Creator.NONE;
    for (MemberState seat : role.seats()) {
      creator = creator.isNone() ? Reason.Creator.of(seat.pod()) : creator;
      if (seat.was() == MemberState.Was.UNPLANNABLE && !seat.pod().life().leaving()) {
        heldBack++;
        gates.addAll(seat.pod().life().gates());
      }
    }
    gates.remove(Pod.Lifecycle.GATE);
    int have = role.met() + role.waiting();
    return new Reason.TooFewMembers(
        role.name(), have, role.minimum(), heldBack, List.copyOf(gates), creator);
  }
}
