package dev.berth.engine.ledger;

import dev.berth.engine.model.ChargedTo;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.GroupSpec.Patience;
import dev.berth.engine.model.Membership;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.PodGroup.Origin;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.PreemptibilitySource;
import dev.berth.engine.model.PreemptibilitySource.By;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A group as a snapshot shows it, with everything resolved.
///
/// What must start together is what the owners say. All else is what the object says; where there
/// is none, what owners and members say: queue, topology and durations of the first that says
/// something, in the order of members. As what it is charged (queue, priority, preemptibility) was
/// settled by the plans of its members that have them still, or a node by them: later edits apply
/// once no member has either. Members that are charged otherwise are shown alone ([GroupStates]).
///
/// What its priority buys is each member's to enjoy, so it is never above what any of them may
/// have: the lowest counts, gated members and those that are on their way out included, until they
/// are over.
final class GroupView {
  private final GroupDefaults defaults;
  private final JobCompletions completions;
  private final GroupState group;
  private final List<PodRecord> charged;
  private final List<Member> members;

  GroupView(GroupDefaults defaults, JobCompletions completions, GroupState group) {
    this.defaults = defaults;
    this.completions = completions;
    this.group = group;
    this.charged = new ArrayList<>(group.members.size());
    var list = new ArrayList<Member>(group.members.size());
    for (PodRecord member : group.members.values()) {
      if (member.account() == group) {
        charged.add(member);
        list.add(member.member());
      }
    }
    this.members = list;
  }

  PodGroup of(GroupKey shownAs) {
    Instant created = created();
    GroupSpec said = group.object().map(this::reshaped).orElseGet(() -> madeUp(shownAs, created));
    GroupSpec told = group.single ? said : completions.lowered(said, charged);
    GroupSpec spec = group.remembered(told, members);
    ChargedTo settled = settled();
    int priority = settled.isNone() ? priority(spec) : entitled();
    return new PodGroup(
        shownAs,
        spec,
        settled.isNone() ? queue(spec) : settled.queue(),
        priority,
        settled.isNone() ? preemptibility(spec).at(priority) : settled.preemptibility(),
        source(spec, settled, priority),
        spec.created().equals(Instant.EPOCH) ? created : spec.created(),
        members,
        group.single,
        origin(spec),
        takesVictims(spec),
        group.standsFast() || isResumed(Standing.Planned.class),
        isResumed(Standing.Waiting.class),
        defaults.home(group.key.namespace()).labels(),
        defaults.home(group.key.namespace()).terminates());
  }

  private boolean isResumed(Class<? extends Standing> standing) {
    for (PodRecord member : charged) {
      if (member.resumed && standing.isInstance(member.standing)) {
        return true;
      }
    }
    return false;
  }

  private ChargedTo settled() {
    for (PodRecord member : charged) {
      if (!member.settled.isNone()) {
        return group.single ? asSurplus(member.settled) : member.settled;
      }
    }
    return ChargedTo.NONE;
  }

  /// A pod alone that was planned as one of a semi-preemptible gang was, or may have been, of its
  /// surplus, which others may reclaim; it has no minimum of its own now.
  private static ChargedTo asSurplus(ChargedTo settled) {
    return settled.preemptibility() == Preemptibility.SEMI_PREEMPTIBLE
        ? new ChargedTo(settled.queue(), settled.priority(), Preemptibility.PREEMPTIBLE)
        : settled;
  }

  /// What must start together is the owners' to say, and follows them; the object says all else.
  private GroupSpec reshaped(GroupSpec object) {
    return said().isGang() && !said().joins() ? object.shapedLike(said().said()) : object;
  }

  private Membership said() {
    return group.said();
  }

  private Origin origin(GroupSpec spec) {
    if (group.object().isPresent()) {
      return Origin.OBJECT;
    }
    if (group.single) {
      return !said().isTold() && hasOwner() ? Origin.POD_OF_UNKNOWN_OWNER : Origin.POD;
    }
    if (said().isGang()) {
      return Origin.OWNERS;
    }
    return spec.minMember() > 0 ? Origin.MEMBERS : Origin.NAME_ONLY;
  }

  private boolean hasOwner() {
    for (Member member : members) {
      if (!member.pod().belonging().owner().isNone()) {
        return true;
      }
    }
    return false;
  }

  /// Levels that pods name are those of the whole group, unless it is a tree: then their owners say
  /// which role they are about.
  private GroupSpec madeUp(GroupKey key, Instant created) {
    GroupSpec owners = said().said();
    var topology = owners.topology();
    var patience = owners.patience();
    String priorityClass = owners.priorityClass();
    int minMember = 0;
    for (Member member : members) {
      Pod.Belonging belonging = member.pod().belonging();
      boolean flat = owners.subGroups().isEmpty();
      topology = topology.isNone() && flat ? belonging.topology() : topology;
      patience = patience.equals(Patience.NONE) ? belonging.patience() : patience;
      priorityClass = priorityClass.isEmpty() ? belonging.priorityClass() : priorityClass;
      minMember = Math.max(minMember, belonging.minMember());
    }
    if (group.single) {
      minMember = 1;
    } else if (said().isGang()) {
      minMember = owners.minMember();
    }
    return new GroupSpec(
            key,
            "",
            0,
            created,
            named(),
            minMember,
            group.single ? 0 : owners.minSubGroup(),
            group.single ? List.of() : owners.subGroups(),
            topology,
            priorityClass,
            owners.preemptibility(),
            patience,
            Instant.EPOCH,
            owners.problems())
        .with(owners.completions());
  }

  private QueueName queue(GroupSpec spec) {
    if (!spec.queue().isNone()) {
      return spec.queue();
    }
    QueueName named = named();
    if (!named.isNone()) {
      return named;
    }
    QueueName ofNamespace = defaults.home(group.key.namespace()).queue();
    return ofNamespace.isNone() ? defaults.defaultQueue() : ofNamespace;
  }

  /// The queue that its pods name, or else their owners.
  private QueueName named() {
    for (Member member : members) {
      QueueName named = member.pod().belonging().queue();
      if (!named.isNone()) {
        return named;
      }
    }
    return said().said().queue();
  }

  /// A class that a label or an object names lowers a priority and never raises it: what a pod may
  /// have is what it was admitted with, past quotas of resources and the rights to classes.
  private int priority(GroupSpec spec) {
    var named = defaults.rankOf(spec.priorityClass()).map(PriorityRank::priority);
    if (members.isEmpty()) {
      return named.orElse(0);
    }
    int entitled = entitled();
    return named.map(priority -> Math.min(priority, entitled)).orElse(entitled);
  }

  /// What each of its members may have.
  private int entitled() {
    int ofLive = Integer.MAX_VALUE;
    int ofAll = Integer.MAX_VALUE;
    for (PodRecord member : charged) {
      int entitled = entitled(member);
      ofAll = Math.min(ofAll, entitled);
      ofLive = member.pod.isOver() ? ofLive : Math.min(ofLive, entitled);
    }
    return ofLive == Integer.MAX_VALUE ? ofAll : ofLive;
  }

  /// The priority that it was admitted with; without a class, that of its kind, which every pod may
  /// have. A member that has a place keeps what was settled, and not more than it was admitted
  /// with.
  private int entitled(PodRecord member) {
    int admitted = member.pod.asks().priority();
    if (member.settled.isNone()) {
      return admitted == 0 ? usualPriority() : admitted;
    }
    int settled = member.settled.priority();
    return admitted == 0 ? settled : Math.min(settled, admitted);
  }

  /// Where a pod has no class, that of its kind.
  private int usualPriority() {
    return defaults.rankOf(said().usualClass()).map(PriorityRank::priority).orElse(0);
  }

  /// Not if its priority class or any of its pods says so.
  private boolean takesVictims(GroupSpec spec) {
    boolean takes =
        defaults.rankOf(spec.priorityClass()).map(PriorityRank::takesVictims).orElse(true);
    for (Member member : members) {
      takes &= member.pod().asks().manners().takesVictims();
    }
    return takes;
  }

  private Preemptibility preemptibility(GroupSpec spec) {
    if (spec.preemptibility() != Preemptibility.BY_PRIORITY) {
      return spec.preemptibility();
    }
    for (Member member : members) {
      Preemptibility said = member.pod().asks().preemptibility();
      if (said != Preemptibility.BY_PRIORITY) {
        return said;
      }
    }
    return Preemptibility.BY_PRIORITY;
  }

  /// What decides whether it is preemptible. Where a plan settled that and it is something else by
  /// now, nothing is told.
  private PreemptibilitySource source(GroupSpec spec, ChargedTo settled, int priority) {
    var now = preemptibility(spec);
    if (!settled.isNone() && now.at(priority) != settled.preemptibility()) {
      return PreemptibilitySource.UNTOLD;
    }
    if (now == Preemptibility.BY_PRIORITY) {
      return priorityFrom(spec, priority);
    }
    boolean isOfObject =
        group.object().isPresent()
            && spec.preemptibility() == now
            && said().said().preemptibility() != now; // else the object was written after the label
    return PreemptibilitySource.of(isOfObject ? By.OBJECT : By.LABEL);
  }

  private PreemptibilitySource priorityFrom(GroupSpec spec, int priority) {
    var named = defaults.rankOf(spec.priorityClass());
    if (named.isPresent() && named.get().priority() == priority) {
      return new PreemptibilitySource(By.NAMED_CLASS, spec.priorityClass());
    }
    for (Member member : members) {
      if (member.pod().asks().priority() == 0 && usualPriority() == priority) {
        return new PreemptibilitySource(By.KIND, said().usualClass());
      }
    }
    return PreemptibilitySource.of(By.POD_PRIORITY);
  }

  private Instant created() {
    Instant first = Instant.MAX;
    for (Member member : members) {
      first = member.pod().created().isBefore(first) ? member.pod().created() : first;
    }
    return members.isEmpty() ? Instant.EPOCH : first;
  }
}
