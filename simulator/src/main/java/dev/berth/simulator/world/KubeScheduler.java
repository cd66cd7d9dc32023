package dev.berth.simulator.world;

import dev.berth.controllers.client.Watcher;
import dev.berth.simulator.world.SchedulingQueue.Entry;
import dev.berth.simulator.world.SchedulingQueue.Place;
import dev.berth.simulator.world.VolumeClaims.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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

  private SchedulingQueue queue;
  private final SchedulerCache cache = new SchedulerCache();
  private final DynamicResourcesPlugin claims;
  private final NodeSelection selection;
  private final VolumeClaims volumeClaims;

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
    this.queue = emptyQueue();
    this.claims = new DynamicResourcesPlugin(world);
    var chance = new Chance(world.settings().seed(), "kube-scheduler " + settings.name());
    this.selection =
        new NodeSelection(
            cache,
            () -> queue,
            new VolumeBinding(world, settings.waitsForVolumes()),
            claims,
            extender,
            new NodeSelection.Scoring(settings.weight(), chance));
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
    cache.clear();
    assumed.clear();
    kept.clear();
    nextCycle = Instant.MAX;
    start();
  }

  /// Sets what is told when it begins to wait for volumes of a pod.
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
    return cache.node(name);
  }

  private void nodeSeen(Map<String, ?> object) {
    var node = node(ObjectTree.name(object));
    boolean changed = !node.isSameForScheduling(object);
    node.update(object);
    if (changed) {
      queue.wakeAll(time.instant());
    }
  }

  private void podPlaced(Map<String, ?> pod) {
    String uid = ObjectTree.uid(pod);
    forgetAssumed(uid);
    cache.forget(uid);
    cache.place(pod, PodRules.node(pod), RequestedAmounts.of(pod));
    queue.forget(uid);
    queue.wakeAll(time.instant());
  }

  private void podGone(Map<String, ?> pod) {
    String uid = ObjectTree.uid(pod);
    forgetAssumed(uid);
    if (cache.forget(uid)) {
      claims.release(pod);
      queue.wakeAll(time.instant());
    }
    queue.forget(uid);
  }

  private void forgetAssumed(String uid) {
    assumed.remove(uid);
    kept.remove(uid);
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
    selection
        .select(entry, diagnosis)
        .ifPresentOrElse(node -> assume(entry, node), () -> refuse(entry, diagnosis));
  }

  private void refuse(Entry entry, Diagnosis diagnosis) {
    boolean error = !diagnosis.error.isEmpty();
    if (error) {
      queue.failed(entry, time.instant());
    } else {
      queue.unschedulable(entry, time.instant());
    }
    String message = error ? diagnosis.error : diagnosis.sentence(cache.known().size());
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
    cache.place(entry.pod(), node, entry.demand());
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
    cache.forget(entry.uid());
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
}
