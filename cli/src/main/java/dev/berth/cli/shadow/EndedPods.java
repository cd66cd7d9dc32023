package dev.berth.cli.shadow;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Pods that have ended or are gone since the snapshot before. A snapshot does not show a group of
/// which no pod goes on; of these it shows each pod once more, with how it ended. A pod that is
/// gone without an end was deleted: it counts as failed, with a deletion timestamp. What is gone
/// with its node is left out: that is told by the node.
public final class EndedPods {
  private EndedPods() {}

  /// @param last with what was added to it
  /// @param over pods of the cluster that succeeded or failed
  public static Snapshot shown(Snapshot last, Snapshot now, Map<PodUid, Pod> over) {
    var there = new HashSet<PodUid>();
    now.groups().forEach(group -> group.members().forEach(each -> there.add(each.pod().uid())));
    boolean any = false;
    var all = new TreeMap<GroupKey, PodGroup>();
    now.groups().forEach(group -> all.put(group.key(), group));
    for (PodGroup group : last.groups()) {
      var ended = new ArrayList<Member>();
      for (Member member : group.members()) {
        if (!there.contains(member.pod().uid()) && hasEnded(member, now, over)) {
          ended.add(ended(member, over));
        }
      }
      if (!ended.isEmpty()) {
        any = true;
        all.merge(group.key(), group.of(ended), (shown, more) -> shown.of(both(shown, more)));
      }
    }
    return any
        ? new Snapshot(
            now.version(),
            now.now(),
            now.nodes(),
            now.queues(),
            List.copyOf(all.values()),
            now.topologies(),
            now.past(),
            now.strangers(),
            now.devices(),
            now.budgets())
        : now;
  }

  private static List<Member> both(PodGroup shown, PodGroup more) {
    var members = new ArrayList<>(shown.members());
    members.addAll(more.members());
    return members;
  }

  /// One that waited may have run and ended meanwhile.
  private static boolean hasEnded(Member member, Snapshot now, Map<PodUid, Pod> over) {
    return switch (member.standing()) {
      case Standing.Bound(var at) -> now.node(at.node()).isPresent();
      case Standing.Leaving(var at, _, _) -> now.node(at.node()).isPresent();
      case Standing.Waiting _, Standing.Planned _ -> over.containsKey(member.pod().uid());
      case Standing.Awaited _, Standing.Over _ -> false;
    };
  }

  private static Member ended(Member ran, Map<PodUid, Pod> over) {
    var pod = over.get(ran.pod().uid());
    return pod == null
        ? new Member(deleted(ran.pod()), new Standing.Over(false), ran.vetoes())
        : new Member(
            pod, new Standing.Over(pod.life().phase() == Pod.Phase.SUCCEEDED), ran.vetoes());
  }

  private static Pod deleted(Pod pod) {
    var life = pod.life();
    return new Pod(
        pod.uid(),
        pod.key(),
        pod.version(),
        pod.created(),
        pod.scheduler(),
        new Pod.Lifecycle(
            Pod.Phase.FAILED,
            life.node(),
            life.gates(),
            true,
            life.refusal(),
            life.started(),
            life.allocated(),
            false,
            Instant.MAX),
        pod.asks(),
        pod.belonging(),
        pod.written(),
        pod.holding(),
        pod.traits(),
        pod.problems());
  }
}
