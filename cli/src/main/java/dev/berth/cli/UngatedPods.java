package dev.berth.cli;

import dev.berth.engine.PlannerSettings;
import dev.berth.engine.SinglePodPlanner;
import dev.berth.engine.explain.Sentences;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import dev.berth.extender.verbs.UngatedPodPlanner;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/// The extender's access to the engine for pods that come without a gate: one view, which follows
/// the versions of the ledger, and one question at a time. (kube-scheduler asks one after the
/// other; what is bound meanwhile waits for a question of a millisecond.)
final class UngatedPods implements UngatedPodPlanner {
  private final SinglePodPlanner alone;

  UngatedPods(PlannerSettings settings) {
    this.alone = SinglePodPlanner.over(Snapshot.empty(Instant.EPOCH), settings);
  }

  private SinglePodPlanner over(Snapshot snapshot) {
    alone.see(snapshot);
    return alone;
  }

  @Override
  public synchronized List<Judgement> judge(Snapshot snapshot, Pod pod, List<NodeName> nodes) {
    var judgements = new ArrayList<Judgement>(nodes.size());
    switch (over(snapshot).judge(pod, nodes)) {
      case SinglePodPlanner.Verdict.Refused(Reason reason) -> {
        for (int i = 0; i < nodes.size(); i++) {
          judgements.add(new Judgement.Refused(i == 0 ? words(reason) : reason.code(), false));
        }
      }
      case SinglePodPlanner.Verdict.Judged(_, var refusals) -> {
        var refused = HashMap.<NodeName, Judgement>newHashMap(refusals.size());
        for (var refusal : refusals) {
          refused.put(refusal.node(), new Judgement.Refused(words(refusal), !refusal.lasting()));
        }
        for (NodeName node : nodes) {
          judgements.add(refused.getOrDefault(node, new Judgement.Fits()));
        }
      }
    }
    return judgements;
  }

  /// What is wrong with the object itself, in full: it stays the same until it is mended, and no
  /// other message tells it of a pod without a gate. Numbers that change at every attempt would
  /// make kube-scheduler write, and try, without end.
  private static String words(Reason reason) {
    return switch (reason) {
      case Reason.BadRequest _,
          Reason.NoSuchQueue _,
          Reason.NotALeaf _,
          Reason.BrokenQueue _,
          Reason.QueueNotAllowed _,
          Reason.NamespaceTerminating _ ->
          Sentences.of(reason);
      case Reason.NoSuchGroup _,
          Reason.NoSuchSubGroup _,
          Reason.NoSuchTopology _,
          Reason.OwnerUnknown _,
          Reason.NoSuchClaim _,
          Reason.VolumeNotReady _,
          Reason.NoSuchDevices _,
          Reason.ClaimOfOtherQueue _,
          Reason.TooFewMembers _,
          Reason.OverLimit _,
          Reason.NonPreemptibleOverQuota _,
          Reason.NoRoom _,
          Reason.FairShareReached _,
          Reason.NothingToTakeBack _,
          Reason.VictimsProtected _,
          Reason.BudgetsForbid _,
          Reason.PreemptionDelayed _,
          Reason.NeverPreempts _,
          Reason.EvictionBackoff _,
          Reason.BorrowingBackoff _,
          Reason.VolumesOverdue _,
          Reason.NeverFits _,
          Reason.MovesSpent _,
          Reason.WouldDelay _,
          Reason.HeldForHead _,
          Reason.NoSuchPool _,
          Reason.NotProven _,
          Reason.Starting _ ->
          reason.code();
    };
  }

  /// What a NUMA zone lacks is told in full: it stays the same as long as the node is what it is.
  private static String words(SinglePodPlanner.Refusal refusal) {
    String name = refusal.obstacle().name();
    return refusal.obstacle() == Reason.Obstacle.NUMA ? name + ": " + refusal.detail() : name;
  }

  @Override
  public synchronized List<Integer> scores(Snapshot snapshot, Pod pod, List<NodeName> nodes) {
    var scores = new ArrayList<Integer>(nodes.size());
    for (int score : over(snapshot).scores(pod, nodes)) {
      scores.add(score);
    }
    return scores;
  }

  @Override
  public synchronized Optional<Placement> placeOn(Snapshot snapshot, Pod pod, NodeName node) {
    return over(snapshot).placeOn(pod, node);
  }

  @Override
  public synchronized boolean fitsWithout(
      Snapshot snapshot, Pod pod, NodeName node, SortedSet<PodUid> victims) {
    return over(snapshot).fitsWithout(pod, node, victims);
  }
}
