package dev.berth.extender.verbs;

import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Snapshot;
import dev.berth.extender.verbs.UngatedPodPlanner.Judgement.Fits;
import dev.berth.extender.verbs.UngatedPodPlanner.Judgement.Refused;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;

/// An engine that says what a test told it to.
public final class StubUngated implements UngatedPodPlanner {
  /// Nodes that refuse, and how; all others take every pod.
  public final Map<NodeName, Refused> refusing = new TreeMap<>();

  /// Nodes that score 10; all others 3.
  public final SortedSet<NodeName> good = new TreeSet<>();

  /// The pods that must leave a node that refuses before it takes a pod.
  public final Map<NodeName, SortedSet<PodUid>> inTheWay = new TreeMap<>();

  /// Whether it makes a mistake.
  public volatile boolean broken;

  /// What judgements wait for.
  public volatile CountDownLatch pause = new CountDownLatch(0);

  @Override
  public List<Judgement> judge(Snapshot snapshot, Pod pod, List<NodeName> nodes) {
    if (broken) {
      throw new IllegalStateException("a mistake");
    }
    try {
      pause.await();
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
    return nodes.stream().map(this::judge).toList();
  }

  private Judgement judge(NodeName node) {
    Refused refused = refusing.get(node);
    return refused == null ? new Fits() : refused;
  }

  @Override
  public List<Integer> scores(Snapshot snapshot, Pod pod, List<NodeName> nodes) {
    return nodes.stream().map(node -> good.contains(node) ? 10 : 3).toList();
  }

  @Override
  public Optional<Placement> placeOn(Snapshot snapshot, Pod pod, NodeName node) {
    if (refusing.containsKey(node)) {
      return Optional.empty();
    }
    return Optional.of(
        pod.asks().request().devices() instanceof DeviceRequest.Fraction(int millis, _, _)
            ? new Placement(node, List.of(0), millis)
            : Placement.on(node));
  }

  @Override
  public boolean fitsWithout(Snapshot snapshot, Pod pod, NodeName node, SortedSet<PodUid> victims) {
    return !refusing.containsKey(node)
        || inTheWay.containsKey(node) && victims.containsAll(inTheWay.get(node));
  }
}
