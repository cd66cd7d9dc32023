package dev.berth.cli.demo;

import dev.berth.cli.demo.Scene.Happening;
import dev.berth.controllers.client.Watcher;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.request.GroupNames;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import dev.berth.simulator.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// Writes down what becomes of the demo's pods and gangs, as `kubectl get -w` shows it. Written by
/// the world's thread, read by any.
public final class DemoJournal implements Watcher {
  private static final int KEPT = 100;

  /// What has come to pass so far.
  ///
  /// @param waits from creation to binding of every pod that was placed, sorted
  public record Totals(
      int pods,
      int shares,
      int wholes,
      int gangs,
      int finished,
      int evicted,
      List<Duration> waits) {
    public Totals {
      waits = List.copyOf(waits);
    }

    /// The wait that this part of the pods did not exceed; zero where none was placed.
    public Duration wait(double part) {
      return waits.isEmpty()
          ? Duration.ZERO
          : waits.get((int) Math.min(waits.size() - 1L, (long) (part * waits.size())));
    }
  }

  private static final class Track {
    private final Instant created;
    private boolean bound;
    private boolean running;
    private boolean over;
    private boolean leaving;

    private Track(Instant created) {
      this.created = created;
    }
  }

  private static final class Gang {
    private final TreeSet<String> bound = new TreeSet<>();
    private boolean placed;
  }

  private final World world;

  // All below: guarded by this.
  private final TreeMap<String, Track> pods = new TreeMap<>();
  private final TreeMap<String, Gang> gangs = new TreeMap<>();
  private final TreeMap<String, Integer> minimums = new TreeMap<>();
  private final Deque<Happening> recent = new ArrayDeque<>();
  private final ArrayList<Duration> waits = new ArrayList<>();
  private int podsPlaced;
  private int sharesPlaced;
  private int wholesPlaced;
  private int gangsPlaced;
  private int finished;
  private int evicted;

  public DemoJournal(World world) {
    this.world = world;
  }

  /// Begins to write.
  public void start() {
    world.watch(EnumSet.of(Kind.POD, Kind.POD_GROUP), this);
  }

  public synchronized Totals tally() {
    var sorted = new ArrayList<>(waits);
    sorted.sort(null);
    return new Totals(
        podsPlaced, sharesPlaced, wholesPlaced, gangsPlaced, finished, evicted, sorted);
  }

  /// The latest first.
  public synchronized List<Happening> recent() {
    return List.copyOf(recent);
  }

  @Override
  public synchronized void seen(Kind kind, Map<String, ?> object) {
    if (kind == Kind.POD_GROUP) {
      minimums.put(key(object), (int) ObjectTree.number(object, 0, "spec", "minMember"));
      return;
    }
    var pod = PodView.of(object);
    if (pod.isHolder()) {
      return;
    }
    var track = pods.computeIfAbsent(pod.uid(), _ -> new Track(world.time().instant()));
    if (!pod.node().isEmpty() && !track.bound) {
      track.bound = true;
      placed(pod, track);
    }
    if (pod.phase().equals("Running") && !track.running) {
      track.running = true;
      tell(Happening.Kind.STARTED, pod, "runs", groupOf(pod).isEmpty());
    }
    if (pod.phase().equals("Succeeded") && !track.over) {
      track.over = true;
      finished++;
      tell(Happening.Kind.FINISHED, pod, "is done", groupOf(pod).isEmpty());
    }
    if (pod.takesRoom() && pod.isLeaving() && !track.leaving) {
      track.leaving = true;
      evicted++;
      tell(Happening.Kind.EVICTED, pod, "leaves for others", true);
    }
  }

  @Override
  public synchronized void gone(Kind kind, Map<String, ?> object) {
    if (kind == Kind.POD_GROUP) {
      minimums.remove(key(object));
      gangs.remove(key(object));
    } else {
      pods.remove(ObjectTree.uid(object));
    }
  }

  @Override
  public void synced(Kind kind) {}

  private void placed(PodView pod, Track track) {
    podsPlaced++;
    waits.add(Duration.between(track.created, world.time().instant()));
    if (pod.isShare()) {
      sharesPlaced++;
    } else if (pod.amounts().containsKey("nvidia.com/gpu")) {
      wholesPlaced++;
    }
    String group = groupOf(pod);
    if (group.isEmpty()) {
      tell(Happening.Kind.PLACED, pod, "→ " + pod.node(), true);
      return;
    }
    var gang = gangs.computeIfAbsent(group, _ -> new Gang());
    gang.bound.add(pod.uid());
    if (gang.bound.size() >= minimums.getOrDefault(group, Integer.MAX_VALUE) && !gang.placed) {
      gang.placed = true;
      gangsPlaced++;
      happened(
          Happening.Kind.PLACED,
          ObjectTree.label(pod.tree(), "berth.dev/queue"),
          group + " → " + gang.bound.size() + " pods together");
    }
  }

  private void tell(Happening.Kind kind, PodView pod, String what, boolean worthIt) {
    if (worthIt) {
      happened(kind, ObjectTree.label(pod.tree(), "berth.dev/queue"), pod.name() + " " + what);
    }
  }

  private void happened(Happening.Kind kind, String queue, String what) {
    if (recent.size() == KEPT) {
      recent.removeLast();
    }
    recent.addFirst(new Happening(world.time().instant(), kind, queue, what));
  }

  private static String key(Map<String, ?> object) {
    return ObjectTree.text(object, "metadata", "namespace") + "/" + ObjectTree.name(object);
  }

  /// The gang that a pod belongs to: named on it, or that of its job; empty = none.
  private String groupOf(PodView pod) {
    String namespace = ObjectTree.text(pod.tree(), "metadata", "namespace");
    if (!pod.group().isEmpty()) {
      return namespace + "/" + pod.group();
    }
    if (ObjectTree.annotation(pod.tree(), "berth.dev/min-member").isEmpty()) {
      return "";
    }
    for (var owner : ObjectTree.maps(pod.tree(), "metadata", "ownerReferences")) {
      return GroupNames.of(
              namespace,
              ObjectTree.text(owner, "name"),
              new OwnerUid(ObjectTree.text(owner, "uid")))
          .toString();
    }
    return "";
  }
}
