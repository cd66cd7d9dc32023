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
/// quota, on every level: judged with each binding, in thousandths of a device. Who leaves does not
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
/// to keep room, must fit a limit beside that. (Beside who was just bound, or is to leave for it,
/// not.)
///
/// A deleted pod counts towards limits until it is gone, but on a node that does not answer: it may
/// be there for ever. Who leads anew does not know for whom the plans wait that it finds.
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

  /// What a queue was, and until when.
  private record Was(Map<String, Object> queue, Instant until) {}

  private final Duration blind;
  private final TreeMap<String, Map<String, Object>> queues = new TreeMap<>();
  private final TreeMap<String, List<Was>> history = new TreeMap<>();
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

  /// Pods that were bound by who could not know what their queue has.
  private final TreeSet<ObjectRef> astray = new TreeSet<>();

  private Instant treeChanged = Instant.MIN;
  private Instant forgetfulUntil = Instant.MIN;

  /// @param blind how late a change of a queue may be known
  public QueueWatch(Duration blind) {
    this.blind = blind;
  }

  /// Something changed.
  public void changed(
      ObjectRef ref,
      Optional<Map<String, Object>> before,
      Optional<Map<String, Object>> after,
      Instant now) {
    switch (ref.kind()) {
      case QUEUE -> queueChanged(ref, after, now);
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

  /// The store went back to an earlier state, in which this was so: nobody is judged by it.
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

  /// A pod is about to be bound by who was not told yet that the store went back.
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

  private void queueChanged(ObjectRef ref, Optional<Map<String, Object>> after, Instant now) {
    var was = Optional.ofNullable(queues.get(ref.name()));
    boolean sameSpec =
        was.map(queue -> ObjectTree.map(queue, "spec"))
            .equals(after.map(queue -> ObjectTree.map(queue, "spec")));
    if (sameSpec) {
      return;
    }
    was.ifPresent(queue ->
        history.computeIfAbsent(ref.name(), _ -> new ArrayList<>()).add(new Was(queue, now)));
    boolean first = queues.isEmpty() || nodes.isEmpty(); // the tree is planted
    boolean sameTree =
        was.isPresent()
            && after.isPresent()
            && ObjectTree.text(was.get(), "spec", "parent")
                .equals(ObjectTree.text(after.get(), "spec", "parent"));
    if (!first && !sameTree) {
      treeChanged = now;
    }
    keep(queues, ref, after);
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
    if (its.millis() == 0 || treeChanged.isAfter(now.minus(blind))) {
      return;
    }
    for (String queue = its.queue(); queues.containsKey(queue); queue = parent(queue)) {
      String level = queue;
      long all = 0;
      long firm = 0;
      for (var one : taken.values()) {
        if (isSized(one.sizedBy()) && isBelow(one.queue(), level)) {
          all += one.millis();
          firm += one.firm() ? one.millis() : 0;
        }
      }
      var limit = most(queue, "limit", Long.MAX_VALUE, now);
      limit.check(all + ending(level, now), pod, broken);
      limit.check(all + kept(level, now), pod + BESIDE_KEPT, broken);
      if (its.firm()) {
        most(queue, "quota", 0, now).check(firm, pod, broken);
      }
    }
  }

  /// Who was bound a moment ago may have been bound for want of knowing it.
  private void judgeKept(Taken its, ObjectRef pod, Instant now) {
    if (its.millis() == 0 || treeChanged.isAfter(now.minus(blind))) {
      return;
    }
    for (String queue = its.queue(); queues.containsKey(queue); queue = parent(queue)) {
      String level = queue;
      long all = its.millis();
      for (var one : taken.entrySet()) {
        boolean isKnown = !boundAt.getOrDefault(one.getKey(), now).isAfter(now.minus(blind));
        if (isKnown
            && isSized(one.getValue().sizedBy())
            && isBelow(one.getValue().queue(), level)) {
          all += one.getValue().millis();
        }
      }
      most(queue, "limit", Long.MAX_VALUE, now)
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
          && isBelow(known.taken().queue(), queue)) {
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
          && isBelow(its.queue(), queue)) {
        all += its.millis();
      }
    }
    return all;
  }

  /// Whether a node answers, as everybody knows by now.
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

  private String parent(String queue) {
    return ObjectTree.text(queues.getOrDefault(queue, Map.of()), "spec", "parent");
  }

  private boolean isBelow(String leaf, String queue) {
    String at = leaf;
    while (!at.isEmpty() && !at.equals(queue)) {
      at = parent(at);
    }
    return !at.isEmpty();
  }

  /// A bound of a queue, in thousandths.
  private record Most(String queue, String what, long millis) {
    private void check(long used, String pod, List<String> broken) {
      if (used > millis) {
        broken.add(
            "queue "
                + queue
                + " takes "
                + used
                + " thousandths with "
                + pod
                + ", beyond its "
                + what
                + " of "
                + millis);
      }
    }
  }

  /// The largest that it was since others may be blind.
  private Most most(String queue, String what, long otherwise, Instant now) {
    long most = millis(queues.getOrDefault(queue, Map.of()), what, otherwise);
    var since = now.minus(blind);
    for (Was was : history.getOrDefault(queue, List.of())) {
      if (was.until().isAfter(since)) {
        most = Math.max(most, millis(was.queue(), what, otherwise));
      }
    }
    return new Most(queue, what, most);
  }

  private static long millis(Map<String, Object> queue, String what, long otherwise) {
    if (ObjectTree.text(queue, "spec", what, "gpu").equals("unlimited")) {
      return Long.MAX_VALUE;
    }
    long devices = ObjectTree.number(queue, otherwise, "spec", what, "gpu");
    return devices == Long.MAX_VALUE ? devices : devices * MILLIS;
  }
}
