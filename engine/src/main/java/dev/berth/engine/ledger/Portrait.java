package dev.berth.engine.ledger;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.GroupSpec.Patience;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.PodGroup.Origin;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A group as a snapshot shows it, with everything resolved.
///
/// What the object says counts. Where there is none, the owner's workload and the members say it:
/// size, queue, topology and durations of the first that says something, in the order of members.
final class Portrait {
  private final Groups groups;
  private final GroupEntry group;
  private final List<Member> members;

  Portrait(Groups groups, GroupEntry group) {
    this.groups = groups;
    this.group = group;
    var list = new ArrayList<Member>(group.members.size());
    for (PodEntry member : group.members.values()) {
      list.add(member.member());
    }
    this.members = list;
  }

  PodGroup of(GroupKey shownAs) {
    Optional<Workload> workload = workload();
    Instant created = created();
    GroupSpec spec = group.object().orElseGet(() -> madeUp(shownAs, workload, created));
    int priority = priority(spec);
    return new PodGroup(
        shownAs,
        spec,
        queue(spec, workload),
        priority,
        preemptibility(spec).at(priority),
        spec.created().equals(Instant.EPOCH) ? created : spec.created(),
        members,
        group.single,
        origin(workload, spec));
  }

  /// The workload that forms this group; of a single pod, that of its owner.
  private Optional<Workload> workload() {
    for (Member member : members) {
      Optional<Workload> workload = groups.workloadOf(member.pod());
      if (workload.filter(owner -> group.single || owner.group().equals(group.key)).isPresent()) {
        return workload;
      }
    }
    return Optional.empty();
  }

  private Origin origin(Optional<Workload> workload, GroupSpec spec) {
    if (group.object().isPresent()) {
      return Origin.OBJECT;
    }
    if (group.single) {
      return workload.isEmpty() && isOfJob() ? Origin.POD_OF_UNKNOWN_OWNER : Origin.POD;
    }
    return workload.isPresent() || spec.minMember() > 0 ? Origin.MEMBERS : Origin.NAME_ONLY;
  }

  /// Only a Job may say, by an annotation of its own, that its pods are a gang; other kinds are
  /// known by the group that their pods name.
  private boolean isOfJob() {
    for (Member member : members) {
      Pod.Owner owner = member.pod().belonging().owner();
      if (owner.kind().equals("Job") && owner.apiVersion().startsWith("batch/")) {
        return true;
      }
    }
    return false;
  }

  private GroupSpec madeUp(GroupKey key, Optional<Workload> workload, Instant created) {
    var topology = TopologyAsk.NONE;
    var patience = Patience.NONE;
    int minMember = workload.map(owner -> Math.max(1, owner.minMember())).orElse(0);
    for (Member member : members) {
      Pod.Belonging belonging = member.pod().belonging();
      topology = topology.isNone() ? belonging.topology() : topology;
      patience = patience.equals(Patience.NONE) ? belonging.patience() : patience;
      if (workload.isEmpty()) {
        minMember = Math.max(minMember, belonging.minMember());
      }
    }
    return new GroupSpec(
        key,
        "",
        0,
        created,
        QueueName.NONE,
        group.single ? 1 : minMember,
        0,
        List.of(),
        topology,
        "",
        Preemptibility.BY_PRIORITY,
        patience,
        Instant.EPOCH,
        group.single ? List.of() : workload.map(Workload::problems).orElse(List.<Problem>of()));
  }

  private QueueName queue(GroupSpec spec, Optional<Workload> workload) {
    if (!spec.queue().isNone()) {
      return spec.queue();
    }
    for (Member member : members) {
      QueueName named = member.pod().belonging().queue();
      if (!named.isNone()) {
        return named;
      }
    }
    QueueName ofOwner = workload.map(Workload::queue).orElse(QueueName.NONE);
    if (!ofOwner.isNone()) {
      return ofOwner;
    }
    QueueName ofNamespace = groups.queueOf(group.key.namespace());
    return ofNamespace.isNone() ? groups.defaultQueue() : ofNamespace;
  }

  private int priority(GroupSpec spec) {
    return groups
        .priorityOf(spec.priorityClass())
        .orElseGet(() -> {
          int highest = Integer.MIN_VALUE;
          for (Member member : members) {
            highest = Math.max(highest, member.pod().asks().priority());
          }
          return members.isEmpty() ? 0 : highest;
        });
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

  private Instant created() {
    Instant first = Instant.MAX;
    for (Member member : members) {
      first = member.pod().created().isBefore(first) ? member.pod().created() : first;
    }
    return members.isEmpty() ? Instant.EPOCH : first;
  }
}
