package dev.berth.simulator.world;

import dev.berth.controllers.client.Watcher;
import dev.berth.simulator.world.Extender.Filtered;
import dev.berth.simulator.world.SchedulingQueue.Entry;
import dev.berth.simulator.world.SchedulingQueue.Place;
import dev.berth.simulator.world.VolumeClaims.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/// A stock kube-scheduler with one profile, in small: serial scheduling cycles, assumed pods, bind
/// beside the cycle, its queues, backoff and wording, and what of volumes is in [VolumeBinding] and
/// [VolumeClaims]. What it does not model: preemption of its own (so it never asks the extender's
/// preempt), preferences.
///
/// Lives in the world's time alone; only the extender's bind may answer from another thread.
public final class KubeScheduler implements Watcher {
  /// Between two looks whether volumes are there.
  private static final Duration LOOK_AT_VOLUMES = Duration.ofSeconds(1);

  private static final String IN_PRE_BIND =
      "running PreBind plugin \"VolumeBinding\": binding volumes: ";

  private final World world;
  private final Time time;
  private final SchedulerSettings settings;
  private final Optional<Extender> extender;
  private final Chance chance;

  private SchedulingQueue queue;
  private final TreeMap<String, NodeState> nodes = new TreeMap<>();
  private final PodTopologyFilters peers = new PodTopologyFilters(nodes);
  private final DynamicResourcesPlugin claims;
  private final VolumeBinding volumes;
  private final VolumeClaims volumeClaims;
  private final TreeMap<String, String> nodeOfPod = new TreeMap<>();

  /// Pods that are on nodes in its memory alone, by UID.
  private final TreeMap<String, Assumed> assumed = new TreeMap<>();

  /// What it keeps for those of them that it waits with for volumes, by UID.
  private final TreeMap<String, KeptRoom> kept = new TreeMap<>();

  private Consumer<KeptRoom> keeper = _ -> {};
  private Instant nextCycle = Instant.MAX;
  private int incarnation;
  private long attempts;

  /// One attempt that has found a node.
  private record Assumed(Entry entry, String node, long attempt) {}

  /// @param extender one that is asked for every pod, or none
  public KubeScheduler(World world, SchedulerSettings settings, Optional<Extender> extender) {
    this.world = world;
    this.time = world.time();
    this.settings = settings;
    this.extender = extender;
    this.chance = new Chance(world.settings().seed(), "kube-scheduler " + settings.name());
    this.queue = emptyQueue();
    this.claims = new DynamicResourcesPlugin(world);
    this.volumes = new VolumeBinding(world, settings.waitsForVolumes());
    this.volumeClaims = new VolumeClaims(world);
  }

  private SchedulingQueue emptyQueue() {
    return new SchedulingQueue(settings.firstBackoff(), settings.longestBackoff());
  }

  public void start() {
    world.watch(EnumSet.of(Kind.NODE, Kind.POD), this);
  }

  /// Comes up again with an empty memory: assumed pods and open binds are forgotten.
  public void restart() {
    world.unwatch(this);
    incarnation++;
    queue = emptyQueue();
    nodes.clear();
    nodeOfPod.clear();
    assumed.clear();
    kept.clear();
    nextCycle = Instant.MAX;
    start();
  }

  /// Who hears that it begins to wait for volumes of a pod.
  public void whenKept(Consumer<KeptRoom> next) {
    keeper = next;
  }

  /// The room that it keeps now for pods whose volumes it waits for.
  public List<KeptRoom> kept() {
    return kept.values().stream()
        .filter(room -> volumeClaims.isAwaited(room.pod(), room.node()))
        .toList();
  }

  /// Scheduling cycles so far.
  public long attempts() {
    return attempts;
  }

  // What it sees

  @Override
  public void seen(Kind kind, Map<String, ?> object) {
    if (kind == Kind.NODE) {
      nodeSeen(object);
    } else if (PodRules.isOver(object)) {
      podGone(object);
    } else if (!PodRules.node(object).isEmpty()) {
      podPlaced(object);
    } else if (isOurs(object)) {
      if (PodRules.isLeaving(object)) {
        queue.forget(ObjectTree.uid(object));
      } else {
        queue.seen(object, time.instant());
      }
    }
    wakeUp();
  }

  @Override
  public void gone(Kind kind, Map<String, ?> object) {
    if (kind == Kind.NODE) {
      node(ObjectTree.name(object)).forgetObject();
      queue.wakeAll(time.instant());
    } else {
      podGone(object);
    }
    wakeUp();
  }

  @Override
  public void synced(Kind kind) {}

  private boolean isOurs(Map<String, ?> pod) {
    return ObjectTree.text(pod, "spec", "schedulerName").equals(settings.name());
  }

  private NodeState node(String name) {
    return nodes.computeIfAbsent(name, _ -> new NodeState());
  }

  private void nodeSeen(Map<String, ?> object) {
    var node = node(ObjectTree.name(object));
    boolean changed = !sameForScheduling(node.object(), object);
    node.update(object);
    if (changed) {
      queue.wakeAll(time.instant());
    }
  }

  private static boolean sameForScheduling(Map<String, ?> a, Map<String, ?> b) {
    for (var path :
        List.of(
            new String[] {"status", "allocatable"},
            new String[] {"metadata", "labels"},
            new String[] {"metadata", "annotations"},
            new String[] {"spec"})) {
      if (!ObjectTree.map(a, path).equals(ObjectTree.map(b, path))) {
        return false;
      }
    }
    return true;
  }

  private void podPlaced(Map<String, ?> pod) {
    String uid = ObjectTree.uid(pod);
    forgetAssumed(uid);
    forgetPlace(uid);
    node(PodRules.node(pod)).put(pod, RequestedAmounts.of(pod));
    peers.came(pod);
    nodeOfPod.put(uid, PodRules.node(pod));
    queue.forget(uid);
    queue.wakeAll(time.instant());
  }

  private void podGone(Map<String, ?> pod) {
    String uid = ObjectTree.uid(pod);
    forgetAssumed(uid);
    if (forgetPlace(uid)) {
      claims.release(pod);
      queue.wakeAll(time.instant());
    }
    queue.forget(uid);
  }

  private void forgetAssumed(String uid) {
    assumed.remove(uid);
    kept.remove(uid);
  }

  private boolean forgetPlace(String uid) {
    String node = nodeOfPod.remove(uid);
    peers.went(uid);
    return node != null && node(node).remove(uid);
  }

  // When it runs

  private void wakeUp() {
    schedule(time.instant().plus(settings.cycle()));
  }

  private void schedule(Instant when) {
    if (when.isBefore(nextCycle)) {
      nextCycle = when;
      int mine = incarnation;
      time.at(
          when,
          () -> {
            if (mine == incarnation && when.equals(nextCycle)) {
              nextCycle = Instant.MAX;
              cycle();
            }
          });
    }
  }

  private void cycle() {
    var next = queue.pop(time.instant());
    if (next.isEmpty()) {
      return;
    }
    attempts++;
    attempt(next.get());
    Instant look = queue.nextLook();
    wakeUp();
    if (look.isAfter(time.instant()) && look.isBefore(Instant.MAX)) {
      time.at(look, this::wakeUp);
    }
  }

  // One scheduling cycle

  private void attempt(Entry entry) {
    var diagnosis = new Diagnosis();
    List<String> feasible = List.of();
    if (node(entry.nominated()).isKnown()) {
      feasible = feasible(entry, List.of(entry.nominated()), new Diagnosis());
    }
    if (feasible.isEmpty()) {
      feasible = feasible(entry, known(), diagnosis);
    }
    if (feasible.isEmpty()) {
      refuse(entry, diagnosis);
    } else {
      String node = feasible.size() == 1 ? feasible.getFirst() : best(entry, feasible);
      assume(entry, node);
    }
  }

  private List<String> known() {
    var known = new ArrayList<String>();
    nodes.forEach((name, node) -> {
      if (node.isKnown()) {
        known.add(name);
      }
    });
    return known;
  }

  private List<String> feasible(Entry entry, List<String> candidates, Diagnosis diagnosis) {
    var passed = new ArrayList<String>();
    for (String name : candidates) {
      var verdict = judge(entry, name);
      if (verdict.passes()) {
        passed.add(name);
      } else {
        diagnosis.refused(verdict.reasons());
      }
    }
    if (passed.isEmpty() || extender.isEmpty()) {
      return passed;
    }
    Filtered answer = extender.get().filter(entry.pod(), List.copyOf(passed));
    if (!answer.error().isEmpty()) {
      diagnosis.error = answer.error();
      return List.of();
    }
    answer.failed().values().forEach(words -> diagnosis.refused(List.of(words)));
    answer
        .unresolvable()
        .forEach((node, words) -> {
          if (!answer.failed().containsKey(node)) {
            diagnosis.refused(List.of(words));
          }
        });
    return answer.nodes();
  }

  private NodeFilters.Verdict judge(Entry entry, String name) {
    var verdict = NodeFilters.judge(entry.pod(), entry.demand(), node(name), reserved(entry, name));
    if (verdict.passes()) {
      verdict = peers.judge(entry.pod(), node(name));
    }
    if (verdict.passes()) {
      String elsewhere = volumes.objection(entry.pod(), node(name).object());
      verdict = elsewhere.isEmpty() ? verdict : new NodeFilters.Verdict(List.of(elsewhere), false);
    }
    String claimed = verdict.passes() ? claims.objection(entry.pod(), name) : "";
    return claimed.isEmpty() ? verdict : new NodeFilters.Verdict(List.of(claimed), true);
  }

  /// Room of nominated pods of equal or higher priority, gated ones included.
  private List<RequestedAmounts> reserved(Entry entry, String node) {
    var reserved = new ArrayList<RequestedAmounts>();
    for (var other : queue.nominatedTo(node)) {
      boolean assumed = nodeOfPod.containsKey(other.uid());
      if (other != entry && other.priority() >= entry.priority() && !assumed) {
        reserved.add(other.demand());
      }
    }
    return reserved;
  }

  /// The extender's scores, weighted as kube-scheduler does, over a coarse score of its own: the
  /// least allocated. Ties by chance, as there.
  private String best(Entry entry, List<String> feasible) {
    Map<String, Integer> scores =
        extender.isEmpty() ? Map.of() : extender.get().prioritize(entry.pod(), feasible);
    var best = new ArrayList<String>();
    long highest = Long.MIN_VALUE;
    for (String name : feasible) {
      long score =
          scores.getOrDefault(name, 0) * 10L * settings.weight() + leastAllocated(node(name));
      if (score > highest) {
        best.clear();
        highest = score;
      }
      if (score == highest) {
        best.add(name);
      }
    }
    return chance.of(best);
  }

  private static long leastAllocated(NodeState node) {
    long capacity = node.capacity("cpu");
    return capacity == 0 ? 0 : 100 * node.free("cpu") / capacity;
  }

  private void refuse(Entry entry, Diagnosis diagnosis) {
    boolean error = !diagnosis.error.isEmpty();
    if (error) {
      queue.failed(entry, time.instant());
    } else {
      queue.unschedulable(entry, time.instant());
    }
    String message = error ? diagnosis.error : diagnosis.sentence(known().size());
    var status =
        ObjectTree.of(
            "nominatedNodeName",
            ObjectTree.ABSENT,
            "conditions",
            List.of(
                Conditions.condition(
                    "PodScheduled", false, error ? "SchedulerError" : "Unschedulable", message)));
    later(() -> patchStatus(entry.pod(), status));
  }

  private void later(Runnable write) {
    time.after(settings.write(), write);
  }

  private void patchStatus(Map<String, ?> pod, Map<String, ?> status) {
    try {
      world.patchStatus(
          ObjectRef.to(Kind.POD, pod),
          ObjectTree.of("metadata", ObjectTree.of("uid", ObjectTree.uid(pod)), "status", status));
    } catch (ApiRefusal refusal) {
      if (refusal.status() != 404 && refusal.status() != 409) {
        throw refusal;
      }
    }
  }

  // The binding, beside the cycle

  private void assume(Entry entry, String node) {
    node(node).put(entry.pod(), entry.demand());
    peers.came(entry.pod());
    nodeOfPod.put(entry.uid(), node);
    claims.reserve(entry.pod(), node);
    var attempt = new Assumed(entry, node, attempts);
    assumed.put(entry.uid(), attempt);
    var unbound =
        settings.waitsForVolumes()
            ? volumeClaims.unbound(entry.pod())
            : List.<Map<String, Object>>of();
    if (unbound.isEmpty()) {
      bind(attempt);
    } else {
      later(() -> select(attempt, unbound));
    }
  }

  private boolean isStill(Assumed attempt) {
    return attempt.equals(assumed.get(attempt.entry().uid()));
  }

  /// Asks for the volumes of a pod on its node, and waits for them.
  private void select(Assumed attempt, List<Map<String, Object>> unbound) {
    if (!isStill(attempt)) {
      return;
    }
    try {
      volumeClaims.select(unbound, attempt.node());
    } catch (ApiRefusal refusal) {
      notBound(attempt, IN_PRE_BIND + refusal.getMessage());
      return;
    }
    var room = new KeptRoom(attempt.entry().pod(), attempt.node(), time.instant());
    kept.put(attempt.entry().uid(), room);
    keeper.accept(room);
    lookLater(attempt, unbound, time.instant().plus(settings.bindTimeout()));
  }

  private void lookLater(Assumed attempt, List<Map<String, Object>> unbound, Instant until) {
    time.after(
        LOOK_AT_VOLUMES,
        () -> {
          if (isStill(attempt)) {
            look(attempt, unbound, until);
          }
        });
  }

  private void look(Assumed attempt, List<Map<String, Object>> unbound, Instant until) {
    var node = node(attempt.node());
    if (!node.isKnown()) {
      notBound(attempt, IN_PRE_BIND + "failed to get node \"" + attempt.node() + "\"");
      return;
    }
    switch (volumeClaims.look(unbound, node.object())) {
      case Progress.AreBound() -> {
        kept.remove(attempt.entry().uid());
        bind(attempt);
      }
      case Progress.Failed(String words) -> notBound(attempt, IN_PRE_BIND + words);
      case Progress.AreAwaited() -> {
        if (time.instant().isBefore(until)) {
          lookLater(attempt, unbound, until);
        } else {
          notBound(attempt, IN_PRE_BIND + "context deadline exceeded");
        }
      }
    }
  }

  private void bind(Assumed attempt) {
    var pod = attempt.entry().pod();
    Consumer<String> answer =
        error ->
            time.at(
                time.instant(),
                () -> {
                  if (!error.isEmpty()) {
                    notBound(attempt, error);
                  }
                });
    var binding =
        new Extender.Binding(
            ObjectTree.text(pod, "metadata", "namespace"),
            ObjectTree.name(pod),
            attempt.entry().uid(),
            attempt.node());
    if (extender.isPresent()) {
      time.at(time.instant(), () -> extender.get().bind(binding, answer));
    } else {
      later(() -> bindItself(binding, answer));
    }
  }

  private void bindItself(Extender.Binding binding, Consumer<String> answer) {
    try {
      world.bind(
          ObjectRef.pod(binding.namespace(), binding.name()),
          binding.uid(),
          binding.node(),
          Map.of());
    } catch (ApiRefusal refusal) {
      answer.accept(String.valueOf(refusal.getMessage()));
    }
  }

  /// Only what is still assumed is given back: the watch may have shown it bound meanwhile. A pod
  /// that is being deleted is tried no more.
  private void notBound(Assumed attempt, String error) {
    if (!isStill(attempt)) {
      return;
    }
    var entry = attempt.entry();
    forgetAssumed(entry.uid());
    forgetPlace(entry.uid());
    claims.release(entry.pod());
    if (queue.find(entry.uid()).filter(e -> e.place() == Place.IN_FLIGHT).isPresent()) {
      queue.failed(entry, time.instant());
    }
    queue.wakeAll(time.instant());
    var status =
        ObjectTree.of(
            "conditions",
            List.of(Conditions.condition("PodScheduled", false, "SchedulerError", error)));
    later(() -> patchStatus(entry.pod(), status));
    schedule(time.instant().plus(settings.cycle()));
    time.at(queue.nextLook(), this::wakeUp);
  }

  /// Why no node passed, counted by words.
  private static final class Diagnosis {
    private final SortedMap<String, Integer> nodesByReason = new TreeMap<>();
    private String error = "";

    private void refused(List<String> reasons) {
      reasons.forEach(reason -> nodesByReason.merge(reason, 1, Integer::sum));
    }

    /// `0/3 nodes are available: 1 Insufficient cpu, 2 Too many pods. preemption: …`
    private String sentence(int nodes) {
      var counted = new TreeSet<String>();
      nodesByReason.forEach((reason, count) -> counted.add(count + " " + reason));
      String start = "0/" + nodes + " nodes are available";
      return nodes == 0
          ? "no nodes available to schedule pods"
          : start
              + ": "
              + String.join(", ", counted)
              + ". preemption: "
              + start
              + ": "
              + nodes
              + " Preemption is not helpful for scheduling.";
    }
  }
}
