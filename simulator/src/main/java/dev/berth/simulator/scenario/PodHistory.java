package dev.berth.simulator.scenario;

import dev.berth.controllers.client.Watcher;
import dev.berth.simulator.world.PodView;
import dev.berth.simulator.world.Time;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Writes down what becomes of the pods, as `kubectl get -w` shows it. Holders come and go for
/// others' sake and are left out.
public final class PodHistory implements Watcher {
  /// A pod that was asked to leave its node.
  public record Eviction(Instant when, String pod, String uid) {}

  /// What was last seen of an incarnation.
  private record LastSeen(String node, boolean leaving, String phase) {}

  private final Time time;
  private final TreeMap<String, LastSeen> sights = new TreeMap<>();
  private final TreeMap<String, Integer> byPod = new TreeMap<>();
  private final List<Eviction> evictions = new ArrayList<>();
  private Instant lastChange;
  private boolean begun;
  private int mostOfOnePod;

  PodHistory(Time time) {
    this.time = time;
    this.lastChange = time.instant();
  }

  /// When a pod last came, was bound, was asked to leave, ended or went.
  Instant lastChange() {
    return lastChange;
  }

  List<Eviction> evictions() {
    return List.copyOf(evictions);
  }

  /// How often the one that had to leave most often had to, whatever its incarnation.
  int mostEvictionsOfOnePod() {
    return mostOfOnePod;
  }

  @Override
  public void seen(Kind kind, Map<String, ?> object) {
    var pod = PodView.of(object);
    if (pod.isHolder()) {
      return;
    }
    var cluster = new LastSeen(pod.node(), pod.isLeaving(), pod.phase());
    var before = sights.put(pod.uid(), cluster);
    if (cluster.equals(before)) {
      return;
    }
    lastChange = time.instant();
    if (!begun) {
      return;
    }
    boolean stayed = before != null && !before.node().isEmpty() && !before.leaving();
    if (stayed && cluster.leaving()) {
      evictions.add(new Eviction(lastChange, pod.name(), pod.uid()));
      mostOfOnePod = Math.max(mostOfOnePod, byPod.merge(pod.name(), 1, Integer::sum));
    }
  }

  @Override
  public void gone(Kind kind, Map<String, ?> object) {
    if (sights.remove(PodView.of(object).uid()) != null) {
      lastChange = time.instant();
    }
  }

  /// What was there at the start is no news.
  @Override
  public void synced(Kind kind) {
    begun = true;
  }
}
