package dev.berth.engine.ledger;

import dev.berth.engine.model.Fact.JobSeen;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.GroupSpec.SubGroup;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup.Member;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Members that have completed and that their Jobs make no more, of groups of which completed
/// members count: those that users wrote a PodGroup for, and the roles of JobSets.
///
/// A Job makes no pod in the stead of one that completes, also while it is evicted. As long as the
/// group runs, it is excused; when all of it has left, the others have to start without that one.
/// This follows from the statuses of the Jobs: a new leader sees the same.
///
/// A Job lowers the minimum of the group alone that its template names, or its owners do: a pod of
/// it that was moved into another group by its labels is none of those that the other waits for.
final class JobCompletions {
  /// Jobs that run fewer pods at once than in the beginning; others are not there.
  private final Map<OwnerUid, JobSeen> fewer = new HashMap<>();

  private final SetsByKey<OwnerUid, PodRecord> members = new SetsByKey<>();

  void joins(PodRecord pod) {
    var owner = pod.pod.belonging().owner();
    if (owner.isJob()) {
      members.add(owner.uid(), pod);
    }
  }

  /// @param was the pod as it was when it joined
  void parts(PodRecord pod, Pod was) {
    members.remove(was.belonging().owner().uid(), pod);
  }

  /// @return its pods, if that is news
  List<PodRecord> seen(JobSeen now) {
    boolean runsFewer = now.fewer() > 0;
    JobSeen before = runsFewer ? fewer.put(now.job(), now) : fewer.remove(now.job());
    boolean isNews = runsFewer ? !now.equals(before) : before != null;
    return isNews ? List.copyOf(members.of(now.job())) : List.of();
  }

  /// A group with minimums that its members can meet yet, as far as any lack.
  GroupSpec lowered(GroupSpec said, List<PodRecord> all) {
    if (!said.completions().isNone() || all.stream().noneMatch(each -> ofFewer(each) != null)) {
      return said;
    }
    if (said.subGroups().isEmpty()) {
      return said.withMinimum(lowered(said.minMember(), all));
    }
    var byLeaf = new HashMap<String, List<PodRecord>>();
    for (PodRecord member : all) {
      byLeaf.computeIfAbsent(member.pod.belonging().subGroup(), _ -> new ArrayList<>()).add(member);
    }
    var subGroups = new ArrayList<SubGroup>(said.subGroups().size());
    for (SubGroup each : said.subGroups()) {
      var theirs = byLeaf.getOrDefault(each.name(), List.of());
      subGroups.add(each.withMinimum(lowered(each.minMember(), theirs)));
    }
    return said.withSubGroups(subGroups);
  }

  /// The Job that made a member, if it is one of those that run fewer.
  private @Nullable JobSeen ofFewer(PodRecord member) {
    JobSeen job = fewer.get(member.own.owner().uid());
    return job != null && job.makes(member.own) && !member.membership.joins() ? job : null;
  }

  private int lowered(int minimum, List<PodRecord> members) {
    var jobs = new LinkedHashSet<JobSeen>();
    int there = 0;
    for (PodRecord record : members) {
      Member member = record.member();
      JobSeen job = ofFewer(record);
      if (job != null) {
        jobs.add(job);
      }
      there += GroupRun.isLive(member) || member.standing().endedWell() ? 1 : 0;
    }
    int ended = jobs.stream().mapToInt(JobSeen::fewer).sum();
    int missing = Math.max(0, minimum - there);
    return missing == 0 ? minimum : Math.max(1, minimum - Math.min(ended, missing));
  }
}
