package dev.berth.engine.ledger;

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

/// Members that have completed and that their Jobs make no more, of groups of which completed
/// members count: those that users wrote a PodGroup for, and the roles of JobSets.
///
/// A Job makes no pod in the stead of one that completes, also while it is evicted. As long as the
/// group runs, it is excused; when all of it has left, the others have to start without that one.
/// This follows from the statuses of the Jobs: a new leader sees the same.
final class JobCompletions {
  /// How many fewer pods a Job may run at once than in the beginning; others are not there.
  private final Map<OwnerUid, Integer> fewer = new HashMap<>();

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

  /// @param now 0 = as many as in the beginning, or it is over or gone
  /// @return its pods, if that is news
  List<PodRecord> seen(OwnerUid job, int now) {
    Integer before = now > 0 ? fewer.put(job, now) : fewer.remove(job);
    boolean isNews = now != (before == null ? 0 : before);
    return isNews ? List.copyOf(members.of(job)) : List.of();
  }

  /// A group with minimums that its members can meet yet, as far as any lack.
  GroupSpec lowered(GroupSpec said, List<Member> all) {
    if (!said.completions().isNone() || all.stream().noneMatch(this::isOfFewer)) {
      return said;
    }
    if (said.subGroups().isEmpty()) {
      return said.withMinimum(lowered(said.minMember(), all));
    }
    var byLeaf = new HashMap<String, List<Member>>();
    for (Member member : all) {
      byLeaf
          .computeIfAbsent(member.pod().belonging().subGroup(), _ -> new ArrayList<>())
          .add(member);
    }
    var subGroups = new ArrayList<SubGroup>(said.subGroups().size());
    for (SubGroup each : said.subGroups()) {
      var theirs = byLeaf.getOrDefault(each.name(), List.of());
      subGroups.add(each.withMinimum(lowered(each.minMember(), theirs)));
    }
    return said.withSubGroups(subGroups);
  }

  private boolean isOfFewer(Member member) {
    return fewer.containsKey(member.pod().belonging().owner().uid());
  }

  private int lowered(int minimum, List<Member> members) {
    var jobs = new LinkedHashSet<OwnerUid>();
    int there = 0;
    for (Member member : members) {
      jobs.add(member.pod().belonging().owner().uid());
      there += GroupRun.isLive(member) || member.standing().endedWell() ? 1 : 0;
    }
    int ended = jobs.stream().mapToInt(job -> fewer.getOrDefault(job, 0)).sum();
    int missing = Math.max(0, minimum - there);
    return missing == 0 ? minimum : Math.max(1, minimum - Math.min(ended, missing));
  }
}
