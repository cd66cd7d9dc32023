package dev.berth.simulator.check;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.KeptRoom;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/// No queue takes more devices than its limit, and none that may not be asked to leave beyond its
/// quota, on every level: judged with each binding, in thousandths of a device. Leaving pods do not
/// count, nor a share of memory on a node that is gone: how much of a device it was stands nowhere
/// any more. A binding breaks only a bound that it adds to: a queue may be above one already, since
/// its limit was lowered, or since a queue below it was deleted and made again.
///
/// A pod counts as what its plan charges it with, from its binding to its end, whatever its labels,
/// owners and PodGroup say later; without a plan that says so, as what its labels say when it is
/// bound. What an administrator changed of a queue less than `blind` ago may not be known yet: the
/// larger bound counts, and while a queue is just made or deleted nothing above it is judged.
///
/// What kube-scheduler keeps for pods that it waits with for volumes counts towards limits as if it
/// were bound, from `blind` after it began to wait: each pod that is bound, or for which it begins
/// to keep room, must fit a limit beside that. (Not beside pods that were just bound, or that are
/// to leave for it.)
///
/// A deleted pod counts towards limits until it is gone, but on a node that does not answer: it may
/// be there for ever. A new leader does not know for which pods the plans wait that it finds.
public final class QueueWatch {
  private static final long MILLIS = 1000;
  private static final int FIRM = 100;
  private static final String MEMORY = "nvidia.com/gpu.memory";
  private static final String CHARGE = "charge=";
  private static final String BESIDE_KEPT = " and what else kube-scheduler keeps for volumes";

  /// As long as plans of the last leader may stand.
  private static final Duration OLD_PLANS = Duration.ofMinutes(2);

  /// @param sizedBy the node whose devices say how much it is; empty = it is as much anywhere
  private record Taken(String queue, String sizedBy, long millis, boolean firm) {}

  private record Ending(Taken taken, String node) {}

  /// What kube-scheduler keeps for a pod.
  private record Kept(Taken taken, Instant since) {}

  private final Duration blind;
  private final QueueHistory queues;
  private final TreeMap<String, Map<String, Object>> nodes = new TreeMap<>();
  private final TreeMap<ObjectRef, Taken> taken = new TreeMap<>();
  private final TreeMap<ObjectRef, Instant> boundAt = new TreeMap<>();

  /// As kube-scheduler waits for volumes of pods, and may wait no more.
  private final TreeMap<ObjectRef, Kept> kept = new TreeMap<>();

  private Supplier<List<KeptRoom>> keeper = List::of;
  private Instant wentBack = Instant.MIN;

  /// Deleted pods, and where they are.
  private final TreeMap<ObjectRef, Ending> ending = new TreeMap<>();

  /// When a node did not answer for the last time.
  private final TreeMap<String, Instant> silent = new TreeMap<>();

  private final List<String> broken = new ArrayList<>();

  /// Pods that were bound by a process that could not know what their queue has.
  private final TreeSet<ObjectRef> astray = new TreeSet<>();

  private Instant forgetfulUntil = Instant.MIN;

  /// @param blind how late a change of a queue may be known
  public QueueWatch(Duration blind) {
    this.blind = blind;
    this.queues = new QueueHistory(blind);
  }

  /// Something changed.
  public void changed(
      ObjectRef ref,
      Optional<Map<String, Object>> before,
      Optional<Map<String, Object>> after,
      Instant now) {
    switch (ref.kind()) {
      case QUEUE -> queues.changed(ref.name(), after, now, nodes.isEmpty());
      case NODE -> {
        keep(nodes, ref, after);
        if (after.isPresent() && !isReady(after.get())) {
          silent.put(ref.name(), now);
        }
      }
      case POD -> podChanged(ref, after.map(PodView::of), now);
      case NAMESPACE,
          JOB,
          PRIORITY_CLASS,
          DISRUPTION_BUDGET,
          POD_GROUP,
          TOPOLOGY,
          RESOURCE_CLAIM,
          RESOURCE_SLICE,
          DEVICE_CLASS,
          VOLUME_CLAIM,
          VOLUME,
          STORAGE_CLASS -> {}
    }
  }

  /// The store went back to an earlier state, in which this was so: no pod is judged by it.
  public void restored(
      ObjectRef ref,
      Optional<Map<String, Object>> before,
      Optional<Map<String, Object>> after,
      Instant now) {
    wentBack = now;
    astray.add(ref);
    changed(ref, before, after, now);
    astray.remove(ref);
  }

  /// A pod is about to be bound by a process that does not know yet that the store went back.
  public void goesAstray(ObjectRef pod) {
    astray.add(pod);
  }

  /// Another process leads from now on.
  public void anotherLeads(Instant now) {
    forgetfulUntil = now.plus(OLD_PLANS);
  }

  /// @param rooms what kube-scheduler keeps now
  public void keeper(Supplier<List<KeptRoom>> rooms) {
    keeper = rooms;
  }

  /// kube-scheduler begins to wait for volumes of a pod.
  public void keeps(KeptRoom room, Instant now) {
    var pod = PodView.of(room.pod());
    var ref = ObjectRef.to(Kind.POD, room.pod());
    var its = taken(pod, room.node());
    boolean forgotten = wentBack.isAfter(now.minus(blind));
    kept.put(ref, new Kept(its, room.since()));
    if (!its.queue().isEmpty() && !taken.containsKey(ref) && !forgotten) {
      judgeKept(its, ref, now);
    }
  }

  /// What was broken since this was last asked.
  public List<String> broken() {
    var found = List.copyOf(broken);
    broken.clear();
    return found;
  }

  private static void keep(
      TreeMap<String, Map<String, Object>> map,
      ObjectRef ref,
      Optional<Map<String, Object>> object) {
    object.ifPresentOrElse(it -> map.put(ref.name(), it), () -> map.remove(ref.name()));
  }

  private void podChanged(ObjectRef ref, Optional<PodView> after, Instant now) {
    var pod =
        after
            .filter(PodView::takesRoom)
            .filter(one -> !one.isLeaving())
            .filter(one -> taken.containsKey(ref) || !taken(one, one.node()).queue().isEmpty());
    var leaves = after.filter(PodView::takesRoom).filter(PodView::isLeaving);
    if (leaves.isEmpty()) {
      ending.remove(ref);
    } else if (taken.containsKey(ref)) {
      ending.put(ref, new Ending(taken.get(ref), leaves.get().node()));
    }
    if (pod.isEmpty()) {
      taken.remove(ref);
      boundAt.remove(ref);
      if (after.isEmpty()) {
        kept.remove(ref);
        astray.remove(ref);
      }
    } else if (!taken.containsKey(ref)) {
      var its = taken(pod.get(), pod.get().node());
      taken.put(ref, its);
      boundAt.put(ref, now);
      if (!astray.contains(ref)) {
        judge(its, pod.get().name(), now);
      }
    }
  }

  private Taken taken(PodView pod, String node) {
    if (!ObjectTree.text(pod.tree(), "spec", "schedulerName").equals("berth")) {
      return new Taken("", "", 0, false);
    }
    String sizedBy = pod.isShareOfMemory() ? node : "";
    long millis = pod.amounts().getOrDefault("nvidia.com/gpu", 0L) * MILLIS;
    if (pod.isShare() && isSized(sizedBy)) {
      var devices = nodes.getOrDefault(sizedBy, Map.of());
      long memory = sizedBy.isEmpty() ? 0 : Long.parseLong(ObjectTree.label(devices, MEMORY));
      millis += (long) pod.deviceCount() * pod.shareMillis(memory);
    }
    for (String word : ObjectTree.annotation(pod.tree(), "berth.dev/plan").split(" ", -1)) {
      String[] charge = word.startsWith(CHARGE) ? word.substring(CHARGE.length()).split("/") : null;
      if (charge != null && charge.length == 3) {
        boolean firm = charge[2].toLowerCase(Locale.ROOT).equals("non-preemptible");
        return new Taken(charge[0], sizedBy, millis, firm);
      }
    }
    String said = ObjectTree.label(pod.tree(), "berth.dev/preemptibility");
    boolean firm =
        said.isEmpty()
            ? ObjectTree.number(pod.tree(), 0, "spec", "priority") >= FIRM
            : said.equals("non-preemptible");
    return new Taken(ObjectTree.label(pod.tree(), "berth.dev/queue"), sizedBy, millis, firm);
  }

  private boolean isSized(String node) {
    return node.isEmpty() || nodes.containsKey(node);
  }

  private void judge(Taken its, String pod, Instant now) {
    if (its.millis() == 0 || queues.isTreeUnsettled(now)) {
      return;
    }
    for (String queue = its.queue(); queues.isThere(queue); queue = queues.parent(queue)) {
      String level = queue;
      long all = 0;
      long firm = 0;
      for (var one : taken.values()) {
        if (isSized(one.sizedBy()) && queues.isBelow(one.queue(), level)) {
          all += one.millis();
          firm += one.firm() ? one.millis() : 0;
        }
      }
      var limit = queues.most(queue, "limit", Long.MAX_VALUE, now);
      limit.check(all + ending(level, now), pod, broken);
      limit.check(all + kept(level, now), pod + BESIDE_KEPT, broken);
      if (its.firm()) {
        queues.most(queue, "quota", 0, now).check(firm, pod, broken);
      }
    }
  }

  /// A pod that was bound a moment ago may have been bound before the kept room was known.
  private void judgeKept(Taken its, ObjectRef pod, Instant now) {
    if (its.millis() == 0 || queues.isTreeUnsettled(now)) {
      return;
    }
    for (String queue = its.queue(); queues.isThere(queue); queue = queues.parent(queue)) {
      String level = queue;
      long all = its.millis();
      for (var one : taken.entrySet()) {
        boolean isKnown = !boundAt.getOrDefault(one.getKey(), now).isAfter(now.minus(blind));
        if (isKnown
            && isSized(one.getValue().sizedBy())
            && queues.isBelow(one.getValue().queue(), level)) {
          all += one.getValue().millis();
        }
      }
      queues
          .most(queue, "limit", Long.MAX_VALUE, now)
          .check(
              all + kept(level, now),
              pod.namespace()
                  + "/"
                  + pod.name()
                  + ", for which kube-scheduler keeps room,"
                  + BESIDE_KEPT,
              broken);
    }
  }

  /// What kube-scheduler has kept of a queue for long enough to be known.
  private long kept(String queue, Instant now) {
    long all = 0;
    for (var room : keeper.get()) {
      var ref = ObjectRef.to(Kind.POD, room.pod());
      var known = kept.get(ref);
      if (known != null
          && !known.since().isAfter(now.minus(blind))
          && !taken.containsKey(ref)
          && isSized(known.taken().sizedBy())
          && queues.isBelow(known.taken().queue(), queue)) {
        all += known.taken().millis();
      }
    }
    return all;
  }

  /// What deleted pods still take of a queue.
  private long ending(String queue, Instant now) {
    long all = 0;
    for (var one : ending.values()) {
      var its = one.taken();
      if (!now.isBefore(forgetfulUntil)
          && answers(one.node(), now)
          && isSized(its.sizedBy())
          && queues.isBelow(its.queue(), queue)) {
        all += its.millis();
      }
    }
    return all;
  }

  /// Whether a node answers, as all components know by now.
  private boolean answers(String node, Instant now) {
    return nodes.containsKey(node)
        && isReady(nodes.get(node))
        && silent.getOrDefault(node, Instant.MIN).isBefore(now.minus(blind));
  }

  /// One that says nothing of it is.
  private static boolean isReady(Map<String, Object> node) {
    return ObjectTree.maps(node, "status", "conditions").stream()
        .filter(condition -> ObjectTree.text(condition, "type").equals("Ready"))
        .allMatch(condition -> ObjectTree.text(condition, "status").equals("True"));
  }
}
