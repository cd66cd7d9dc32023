package dev.berth.engine.ledger;

import dev.berth.engine.ledger.objects.SemanticEquality;
import dev.berth.engine.ledger.objects.SortedCopy;
import dev.berth.engine.model.ChargedTo;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.Idleness;
import dev.berth.engine.model.Membership;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.Standing;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Which pods belong together.
///
/// A pod belongs to the group that it names; else to the one that its owners say; else it is a
/// group of one, which bears the pod's key. Should a PodGroup bear that key too, the single pod's
/// group is shown as `<name>/pod`, which no object can be called.
///
/// Where members that have a place are charged as different things, since they were planned as
/// members of other groups, the group is charged as most of them are, and each of the others is
/// shown as a group of one, charged by its own plan: what a tenant edits afterwards (owners, say)
/// changes no account. Priorities alone do not split a group: the lowest counts ([GroupView]).
final class GroupStates {
  private static final String ALONE = "/pod";

  private final TreeMap<GroupKey, GroupState> groups = new TreeMap<>();
  private final TreeMap<GroupKey, GroupState> singles = new TreeMap<>();
  private final SortedCopy<GroupKey, PodGroup> copies = new SortedCopy<>(PodGroup::key);
  private final ClusterDefaults defaults;
  private final JobCompletions completions = new JobCompletions();

  /// Groups that are to be sorted out before anything is shown.
  private final LinkedHashSet<GroupState> unsorted = new LinkedHashSet<>();

  private long sorted;
  private boolean isMeasured; // what GPUs do

  GroupStates(ClusterDefaults defaults) {
    this.defaults = defaults;
  }

  /// Puts a pod where it belongs now.
  void join(PodRecord pod, Optional<Pod> before) {
    GroupState left = before.map(was -> takeOut(pod, was)).orElse(GroupState.NONE);
    GroupState group = groupOf(pod.pod);
    group.join(pod);
    completions.joins(pod);
    pod.group = group;
    if (group.single) {
      group.say(pod.membership);
    }
    touch(group);
    endIfEmpty(left);
  }

  /// Takes a pod out of its group.
  ///
  /// @param was the pod as it was when it joined
  void part(PodRecord pod, Pod was) {
    endIfEmpty(takeOut(pod, was));
  }

  /// @return the group that it was in
  private GroupState takeOut(PodRecord pod, Pod was) {
    GroupState group = pod.group;
    if (group != GroupState.NONE) {
      settle(pod, ChargedTo.NONE);
      block(pod, false);
      hold(pod, false);
      comeBack(pod);
      group.part(pod, was);
      completions.parts(pod, was);
      pod.group = GroupState.NONE;
      touch(group);
    }
    return group;
  }

  /// What owners say of a group is forgotten with the last of their pods, even if other pods name
  /// the group; an object that outlives them speaks for itself.
  private void endIfEmpty(GroupState group) {
    if (group != GroupState.NONE && group.hasNoOwnedPod()) {
      group.say(Membership.UNTOLD);
      touch(group);
      forgetIfEmpty(group);
    }
  }

  /// One member of each block of which others have neither a plan nor a node, and members that are
  /// planned alone in a group of which no member runs and that has too few plans to start.
  List<PodRecord> incomplete() {
    var incomplete = new ArrayList<PodRecord>(0);
    for (GroupState group : List.copyOf(groups.values())) {
      incomplete.addAll(group.ofIncompleteBlocks());
      var alone = group.plannedAlone();
      if (!alone.isEmpty()
          && find(group.key).filter(GroupStates::startsBelowItsMinimum).isPresent()) {
        incomplete.addAll(alone);
      }
    }
    return incomplete;
  }

  private static boolean startsBelowItsMinimum(PodGroup group) {
    int there = 0;
    for (Member member : group.members()) {
      if (CoreStart.runs(member)) {
        return false;
      }
      var standing = member.standing();
      there += standing.endedWell() || standing instanceof Standing.Planned ? 1 : 0;
    }
    return there < group.spec().required();
  }

  /// What a pod is charged as, and whether it is planned in a block, may have changed.
  void settle(PodRecord pod) {
    if (pod.group != GroupState.NONE) {
      settle(pod, pod.chargedTo());
      block(pod, pod.isPlanned() && pod.plan().size() > 1);
      hold(pod, pod.isHeld() && pod.plan().size() > 1);
    }
  }

  private static void hold(PodRecord pod, boolean isHeld) {
    if (isHeld != pod.countsAsHeld) {
      pod.countsAsHeld = isHeld;
      pod.group.countsAsHeld(isHeld);
    }
  }

  private static void block(PodRecord pod, boolean planned) {
    if (planned != pod.inBlock) {
      pod.inBlock = planned;
      pod.group.countsInBlock(planned);
    }
  }

  private void settle(PodRecord pod, ChargedTo now) {
    if (now.equals(pod.settled)) {
      return;
    }
    GroupState group = pod.group;
    boolean wasMixed = group.isMixed();
    group.settles(pod.settled, now);
    pod.settled = now;
    if (!group.single && (wasMixed || group.isMixed())) {
      group.markUnsorted();
      unsorted.add(group);
    }
    touch(group);
  }

  private void sortOut() {
    unsorted.forEach(GroupState::sortOut);
    unsorted.clear();
  }

  /// A member that is charged otherwise than most is shown alone, whatever its priority.
  private void sortOut(GroupState group) {
    ChargedTo usual = group.usualCharge();
    sorted += group.members.size();
    for (PodRecord member : group.members.values()) {
      if (member.settled.isNone() || member.settled.withoutPriority().equals(usual)) {
        comeBack(member);
      } else {
        stepOut(member);
      }
    }
  }

  /// How many members were looked at to sort out groups whose members are charged differently.
  long sorted() {
    return sorted;
  }

  private void stepOut(PodRecord pod) {
    if (pod.alone == GroupState.NONE) {
      pod.alone = single(pod.pod);
      pod.alone.members.put(GroupState.Rank.of(pod.pod), pod);
      touch(pod.alone);
    }
  }

  private void comeBack(PodRecord pod) {
    GroupState alone = pod.alone;
    if (alone != GroupState.NONE) {
      alone.members.values().removeIf(member -> member == pod); // its rank may be another by now
      pod.alone = GroupState.NONE;
      touch(alone);
      forgetIfEmpty(alone);
    }
  }

  /// A pod's standing changed, or what is seen of it.
  void touch(PodRecord pod) {
    touch(pod.group);
    touch(pod.alone);
  }

  /// Something that is said of a group changed.
  void touch(GroupState group) {
    if (group == GroupState.NONE) {
      return;
    }
    group.changed();
    copies.touch(group.key);
    if (groups.containsKey(group.key) && singles.containsKey(group.key)) {
      copies.touch(alone(group.key));
    }
  }

  private static GroupKey alone(GroupKey key) {
    return new GroupKey(key.namespace(), key.name() + ALONE);
  }

  private void forgetIfEmpty(GroupState group) {
    if (group.isForgettable()) {
      if (group.single) {
        singles.remove(group.key);
      } else {
        groups.remove(group.key);
        namesakeOf(group.key);
      }
    }
  }

  /// A group of the same name as a single pod came or went: the single pod is shown otherwise.
  private void namesakeOf(GroupKey key) {
    var single = singles.get(key);
    if (single != null) {
      single.changed();
      copies.touch(key);
      copies.touch(alone(key));
    }
  }

  private GroupState groupOf(Pod pod) {
    GroupKey named = pod.belonging().group();
    if (!named.isNone()) {
      return group(named);
    }
    return single(pod);
  }

  private GroupState single(Pod pod) {
    var key = new GroupKey(pod.key().namespace(), pod.key().name());
    return singles.computeIfAbsent(key, single -> measuring(new GroupState(single, true, _ -> {})));
  }

  private GroupState group(GroupKey key) {
    var group = groups.get(key);
    if (group == null) {
      group = measuring(new GroupState(key, false, this::sortOut));
      groups.put(key, group);
      namesakeOf(key);
    }
    return group;
  }

  private GroupState measuring(GroupState fresh) {
    boolean _ = isMeasured && fresh.idle(Idleness.NONE);
    return fresh;
  }

  boolean seen(GroupSpec spec) {
    GroupState group = group(spec.key());
    if (group.object().filter(known -> SemanticEquality.of(known, spec)).isPresent()) {
      return false;
    }
    group.become(Optional.of(spec));
    touch(group);
    return true;
  }

  boolean gone(GroupKey key) {
    var group = groups.get(key);
    if (group == null || group.object().isEmpty()) {
      return false;
    }
    group.become(Optional.empty());
    touch(group);
    forgetIfEmpty(group);
    return true;
  }

  /// What GPUs do was measured for the first time: groups that come are not idle until it is.
  void measured() {
    isMeasured = true;
  }

  /// Whether that is news of the group that is shown so.
  boolean idle(GroupKey shownAs, Idleness idleness) {
    var group = under(shownAs);
    if (group == null || !group.idle(idleness)) {
      return false;
    }
    touch(group);
    return true;
  }

  boolean jobSeen(Fact.JobSeen job) {
    var members = completions.seen(job);
    members.forEach(this::touch);
    return !members.isEmpty();
  }

  /// @param home unknown = the namespace is gone
  boolean namespace(String name, NamespaceDefaults home) {
    if (!defaults.namespace(name, home)) {
      return false;
    }
    touchAllIn(name, groups);
    touchAllIn(name, singles);
    return true;
  }

  private void touchAllIn(String namespace, TreeMap<GroupKey, GroupState> entries) {
    entries
        .subMap(new GroupKey(namespace, ""), new GroupKey(namespace + "\0", ""))
        .values()
        .forEach(this::touch);
  }

  /// @param rank empty = the class is gone
  boolean priorityClass(String name, Optional<PriorityRank> rank) {
    if (!defaults.priorityClass(name, rank)) {
      return false;
    }
    groups.values().stream().filter(group -> group.names(name)).forEach(this::touch);
    singles.values().stream().filter(group -> group.names(name)).forEach(this::touch);
    return true;
  }

  Optional<GroupSpec> object(GroupKey key) {
    return Optional.ofNullable(groups.get(key)).flatMap(GroupState::object);
  }

  Optional<PodGroup> find(GroupKey key) {
    sortOut();
    return shownUnder(key);
  }

  List<PodGroup> list() {
    sortOut();
    return copies.list(this::shownUnder);
  }

  private Optional<PodGroup> shownUnder(GroupKey key) {
    return shown(under(key));
  }

  private @Nullable GroupState under(GroupKey key) {
    String name = key.name();
    if (name.endsWith(ALONE)) {
      var pod = new GroupKey(key.namespace(), name.substring(0, name.length() - ALONE.length()));
      return groups.containsKey(pod) ? singles.get(pod) : null;
    }
    var group = groups.get(key);
    return group != null ? group : singles.get(key);
  }

  private Optional<PodGroup> shown(@Nullable GroupState group) {
    return group != null && group.isShown() ? Optional.of(show(group)) : Optional.empty();
  }

  /// What a pod is charged as that is planned now, or would be.
  ///
  /// The minimum of a semi-preemptible pod alone is all of it. It is charged as what that means,
  /// and so told from the surplus of a gang whose pod was taken out of it.
  ChargedTo chargedTo(PodRecord pod) {
    PodGroup shown = show(pod.account());
    var preemptibility = shown.preemptibility();
    boolean stays = shown.single() && preemptibility == Preemptibility.SEMI_PREEMPTIBLE;
    return new ChargedTo(
        shown.queue(), shown.priority(), stays ? Preemptibility.NON_PREEMPTIBLE : preemptibility);
  }

  PodGroup show(GroupState group) {
    sortOut();
    return group.shown(() -> {
      boolean namesake = group.single && groups.containsKey(group.key);
      return new GroupView(defaults, completions, group)
          .of(namesake ? alone(group.key) : group.key);
    });
  }
}
