package dev.berth.cli;

import dev.berth.engine.Alone;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import dev.berth.extender.verbs.Ungated;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/// The extender's door to the engine for pods that come without a gate. Keeps what the engine made
/// of the last version of the ledger, since filter and prioritize ask about the same one.
final class UngatedPods implements Ungated {
  private final PlannerSettings settings;
  private volatile Made made;

  private record Made(long version, Alone alone) {}

  UngatedPods(PlannerSettings settings) {
    this.settings = settings;
    this.made = new Made(-1, Alone.over(Snapshot.empty(java.time.Instant.EPOCH), settings));
  }

  private Alone over(Snapshot snapshot) {
    var last = made;
    if (last.version != snapshot.version()) {
      last = new Made(snapshot.version(), Alone.over(snapshot, settings));
      made = last;
    }
    return last.alone;
  }

  @Override
  public List<Judgement> judge(Snapshot snapshot, Pod pod, List<NodeName> nodes) {
    var judgements = new ArrayList<Judgement>(nodes.size());
    switch (over(snapshot).judge(pod, nodes)) {
      case Alone.Verdict.Refused(Reason reason) -> {
        for (int i = 0; i < nodes.size(); i++) {
          judgements.add(new Judgement.Refused(reason.code(), false));
        }
      }
      case Alone.Verdict.Judged(_, var refusals) -> {
        var refused = HashMap.<NodeName, Judgement>newHashMap(refusals.size());
        for (var refusal : refusals) {
          refused.put(
              refusal.node(), new Judgement.Refused(refusal.obstacle().name(), !refusal.lasting()));
        }
        for (NodeName node : nodes) {
          judgements.add(refused.getOrDefault(node, new Judgement.Fits()));
        }
      }
    }
    return judgements;
  }

  @Override
  public List<Integer> scores(Snapshot snapshot, Pod pod, List<NodeName> nodes) {
    var scores = new ArrayList<Integer>(nodes.size());
    for (int score : over(snapshot).scores(pod, nodes)) {
      scores.add(score);
    }
    return scores;
  }

  @Override
  public Optional<Placement> placeOn(Snapshot snapshot, Pod pod, NodeName node) {
    return over(snapshot).placeOn(pod, node);
  }

  @Override
  public boolean fitsWithout(Snapshot snapshot, Pod pod, NodeName node, SortedSet<PodUid> victims) {
    return over(snapshot).fitsWithout(pod, node, victims);
  }
}
