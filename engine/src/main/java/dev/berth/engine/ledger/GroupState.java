package dev.berth.engine.ledger;

import dev.berth.engine.model.ChargedTo;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.Idleness;
import dev.berth.engine.model.Membership;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Standing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A group while it is kept: its object, if that has been seen, and its members in their order.
final class GroupState {
  private static final int MOST_ENDED = 16;

  /// Once is ordinary: a leaving pod changes the shares, and so the queue order. A group that gives
  /// way again and again does so to a group that takes the room in turn.
  private static final int MOST_WAYS_GIVEN = 2;

  /// For pods that belong to no group: those of other schedulers, and holders.
  static final GroupState NONE = new GroupState(GroupKey.NONE, false, _ -> {});

  final GroupKey key;
  final boolean single;
  final TreeMap<Rank, PodRecord> members = new TreeMap<>();
  private Optional<GroupSpec> object = Optional.empty();
  private Membership said = Membership.UNTOLD;
  private Optional<PodGroup> shown = Optional.empty();
  private boolean stale = true;

  /// How often its plans were withdrawn for a group that precedes it, since it was bound last.
  private int waysGiven;

  private boolean movedOthers;

  private final GroupRun run = new GroupRun();

  /// How many members are here because their owners say so.
  private int broughtByOwners;

  /// How many members that have a place are charged as what, whatever their priorities.
  private final LinkedHashMap<ChargedTo, Integer> charges = new LinkedHashMap<>(0);

  /// How many members are planned in blocks and not bound.
  private int inBlocks;

  private int held;

  /// Blocks that were given back. A patch that was under way may still write such a plan on a
  /// member later: it counts no more.
  private final LinkedHashSet<String> endedGangs = new LinkedHashSet<>(0);

  private final Consumer<GroupState> sorter;
  private boolean unsorted;

  /// @param sorter shows each member where its charge puts it: in this group, or alone
  GroupState(GroupKey key, boolean single, Consumer<GroupState> sorter) {
    this.key = key;
    this.single = single;
    this.sorter = sorter;
  }

  /// The order of members: task-priority, larger first, then name.
  record Rank(int taskPriority, PodKey key) implements Comparable<Rank> {
    static Rank of(Pod pod) {
      return new Rank(pod.belonging().taskPriority(), pod.key());
    }

    @Override
    public int compareTo(Rank other) {
      int byPriority = Integer.compare(other.taskPriority, taskPriority);
      return byPriority != 0 ? byPriority : key.compareTo(other.key);
    }
  }

  /// A member is charged as something else, or not any more.
  void settles(ChargedTo before, ChargedTo now) {
    if (!before.isNone()) {
      charges.computeIfPresent(
          before.withoutPriority(), (_, count) -> count > 1 ? count - 1 : null);
    }
    if (!now.isNone()) {
      charges.merge(now.withoutPriority(), 1, Integer::sum);
    }
  }

  /// A member is planned in a block, or not any more.
  void countsInBlock(boolean planned) {
    inBlocks += planned ? 1 : -1;
  }

  /// kube-scheduler still keeps room for a member whose block is over, or not any more.
  void countsAsHeld(boolean isHeld) {
    held += isHeld ? 1 : -1;
  }

  /// Whether others of it wait until kube-scheduler lets go of one: together with that they were to
  /// start, and it will not start.
  boolean waitsForHeld() {
    return held > 0;
  }

  /// Whether a block of it is to start yet: its surplus members wait for that.
  boolean hasBlockToStart() {
    return inBlocks > 0;
  }

  /// Its members may have to be shown elsewhere. That costs a look at each of them, so it waits
  /// until it is asked where one is shown: thousands may change before that.
  void markUnsorted() {
    unsorted = true;
  }

  void sortOut() {
    if (unsorted) {
      unsorted = false;
      sorter.accept(this);
    }
  }

  /// Whether members that have a place are charged as different things.
  boolean isMixed() {
    return charges.size() > 1;
  }

  /// As what most members that have a place are charged, whatever their priorities; of equally
  /// many, the first of them.
  ChargedTo usualCharge() {
    ChargedTo usual = ChargedTo.NONE;
    int most = 0;
    for (PodRecord member : members.values()) {
      var charge = member.settled.withoutPriority();
      int count = charges.getOrDefault(charge, 0);
      if (count > most) {
        usual = charge;
        most = count;
      }
    }
    return usual;
  }

  /// A block is no more.
  void ended(String gang) {
    endedGangs.add(gang);
    if (endedGangs.size() > MOST_ENDED) {
      endedGangs.removeFirst();
    }
  }

  boolean hasEnded(String gang) {
    return endedGangs.contains(gang);
  }

  /// For each block of which some members have neither a plan nor a node, one of those members that
  /// still have a plan: the process that wrote it was stopped in the middle.
  List<PodRecord> ofIncompleteBlocks() {
    var there = new TreeMap<String, Integer>();
    var planned = new TreeMap<String, PodRecord>();
    for (PodRecord member : members.values()) {
      var plan = member.isPlanned() ? member.plan() : member.pod.written().plan();
      there.merge(plan.gang(), 1, Integer::sum);
      if (member.isPlanned() && plan.size() > 1) {
        planned.putIfAbsent(plan.gang(), member);
      }
    }
    var incomplete = new ArrayList<PodRecord>(0);
    planned.forEach((gang, member) -> {
      if (there.getOrDefault(gang, 0) < member.plan().size()) {
        incomplete.add(member);
      }
    });
    return incomplete;
  }

  /// Members with plans of their own, in no block.
  List<PodRecord> plannedAlone() {
    var alone = new ArrayList<PodRecord>(0);
    for (PodRecord member : members.values()) {
      if (member.isPlanned() && !member.inBlock) {
        alone.add(member);
      }
    }
    return alone;
  }

  /// Whether its plans stand, though they wait for room ([PodGroup#standsFast]).
  boolean standsFast() {
    return movedOthers || waysGiven >= MOST_WAYS_GIVEN;
  }

  void gaveWay() {
    waysGiven++;
  }

  void moved() {
    movedOthers = true;
  }

  /// What it says, as its members are now and with what is remembered of them.
  ///
  /// @param told with what its status said when the object was seen first
  GroupSpec remembered(GroupSpec told, List<Member> now) {
    if (told.completions().isNone()) {
      return run.remembered(told, now);
    }
    int ofWorkload = 0;
    for (PodRecord member : members.values()) {
      ofWorkload += member.standing.endedWell() && member.broughtByOwner ? 1 : 0;
    }
    return run.remembered(run.completing(told, now, ofWorkload), now);
  }

  /// What its GPUs do was measured.
  ///
  /// @return whether that is news
  boolean idle(Idleness idleness) {
    return run.idle(idleness);
  }

  /// A relocated member is gone, and its successor is not bound yet.
  void awaits(PodRecord moved) {
    run.awaits(moved.pod.uid());
    stale = true;
  }

  void awaitsNoMore(PodRecord moved) {
    run.awaitsNoMore(moved.pod.uid());
    stale = true;
  }

  /// One that ended well is gone.
  void loses(PodRecord completed) {
    run.loses(completed.broughtByOwner);
    stale = true;
  }

  void memberBound() {
    waysGiven = 0;
    movedOthers = false;
  }

  Optional<GroupSpec> object() {
    return object;
  }

  void become(Optional<GroupSpec> spec) {
    object = spec;
    stale = true;
  }

  /// What the owners of its members said last; nothing where it has none.
  Membership said() {
    return said;
  }

  void say(Membership membership) {
    said = membership;
    stale = true;
  }

  /// Whether object, owners or members name that priority class.
  boolean names(String priorityClass) {
    if (object.filter(spec -> spec.priorityClass().equals(priorityClass)).isPresent()
        || said.said().priorityClass().equals(priorityClass)
        || said.usualClass().equals(priorityClass)) {
      return true;
    }
    for (PodRecord member : members.values()) {
      if (member.pod.belonging().priorityClass().equals(priorityClass)) {
        return true;
      }
    }
    return false;
  }

  void join(PodRecord pod) {
    members.put(Rank.of(pod.pod), pod);
    pod.broughtByOwner = pod.membership.isTold();
    broughtByOwners += pod.broughtByOwner ? 1 : 0;
  }

  /// @param was the pod as it was when it joined
  void part(PodRecord pod, Pod was) {
    if (members.remove(Rank.of(was), pod)) {
      broughtByOwners -= pod.broughtByOwner ? 1 : 0;
    }
  }

  /// Whether no owner put any of its members here.
  boolean hasNoOwnedPod() {
    return broughtByOwners == 0;
  }

  boolean isForgettable() {
    return members.isEmpty() && object.isEmpty();
  }

  /// With an object, or a member that is not over.
  boolean isShown() {
    if (object.isPresent()) {
      return true;
    }
    for (PodRecord member : members.values()) {
      if (member.account() == this && !(member.standing instanceof Standing.Over)) {
        return true;
      }
    }
    return false;
  }

  void changed() {
    stale = true;
  }

  /// What was shown last, made anew only if something changed; the same object if it came out the
  /// same.
  PodGroup shown(Supplier<PodGroup> anew) {
    if (stale || shown.isEmpty()) {
      PodGroup group = anew.get();
      if (!shown.equals(Optional.of(group))) {
        shown = Optional.of(group);
      }
      stale = false;
    }
    return shown.orElseThrow();
  }
}
