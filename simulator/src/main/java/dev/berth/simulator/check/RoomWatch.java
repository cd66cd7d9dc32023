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
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/// Room is given out once: judged change by change, at the cost of what changed.
///
/// Each binding of Berth, and each holder, must have fitted its node. It is judged by what could be
/// known of the node: what others bound there, and what the node lost, less than `blind` ago counts
/// as if it had not happened yet (two schedulers see each other through their watches alone; the
/// kubelet refuses the later pod). So does what kube-scheduler keeps for pods that it waits with
/// for volumes, which takes room as if they were bound. Shared devices are Berth's alone: there
/// every rule holds at every moment.
public final class RoomWatch {
  /// What a node had to give, and from when.
  private record Given(Instant since, SortedMap<String, Long> amounts) {}

  private record Placed(Instant since, PodView pod, SortedMap<String, Long> amounts) {}

  private final Duration blind;
  private final TreeMap<String, List<Given>> given = new TreeMap<>();
  private final TreeMap<String, Map<String, Object>> nodes = new TreeMap<>();
  private final TreeMap<String, TreeMap<ObjectRef, Placed>> placed = new TreeMap<>();
  private final TreeSet<String> touched = new TreeSet<>();

  /// Devices whose holder was taken away by others than Berth, and until when a pod may be bound to
  /// one that was not known yet.
  private final TreeMap<String, Instant> unheld = new TreeMap<>();

  /// Pods that name a device of which that is true, by UID.
  private final TreeMap<String, TreeSet<String>> bereft = new TreeMap<>();

  /// The same of pods that are off their nodes: a restore may put them back.
  private final TreeMap<String, TreeSet<String>> wereBereft = new TreeMap<>();

  /// Pods that were bound by a process that could not know what is on the node.
  private final TreeSet<ObjectRef> astray = new TreeSet<>();

  /// The same, by UID, of those that are there no more: they may come back.
  private final TreeSet<String> strayed = new TreeSet<>();

  private final List<String> broken = new ArrayList<>();
  private Supplier<List<KeptRoom>> keeper = List::of;

  /// @param blind how late what happens may be known
  public RoomWatch(Duration blind) {
    this.blind = blind;
  }

  /// @param rooms what kube-scheduler keeps now
  public void keeper(Supplier<List<KeptRoom>> rooms) {
    keeper = rooms;
  }

  /// Something changed.
  public void changed(
      ObjectRef ref,
      Optional<Map<String, Object>> before,
      Optional<Map<String, Object>> after,
      Instant now) {
    note(ref, before, after, now);
    if (!takesRoom(ref, after) && astray.remove(ref)) {
      before.ifPresent(pod -> strayed.add(ObjectTree.uid(pod)));
    }
  }

  private static boolean takesRoom(ObjectRef ref, Optional<Map<String, Object>> tree) {
    return ref.kind() == Kind.POD && tree.map(PodView::of).filter(PodView::takesRoom).isPresent();
  }

  private void note(
      ObjectRef ref,
      Optional<Map<String, Object>> before,
      Optional<Map<String, Object>> after,
      Instant now) {
    if (ref.kind() == Kind.NODE) {
      nodeChanged(ref.name(), after, now);
    } else if (ref.kind() == Kind.POD) {
      podChanged(ref, before.map(PodView::of), after.map(PodView::of), now);
    }
  }

  /// The store went back to an earlier state, in which this was so: no pod is judged by it. A
  /// holder that is there again may be given another device, and tells the former one until then.
  public void restored(
      ObjectRef ref,
      Optional<Map<String, Object>> before,
      Optional<Map<String, Object>> after,
      Instant now) {
    if (astray.contains(ref)) {
      before.ifPresent(pod -> strayed.add(ObjectTree.uid(pod)));
    }
    astray.add(ref);
    note(ref, before, after, now);
    if (!takesRoom(ref, after) || !strayed.contains(ObjectTree.uid(after.get()))) {
      astray.remove(ref);
    }
    if (takesRoom(ref, after)) {
      String uid = ObjectTree.uid(after.get());
      bereft
          .computeIfAbsent(uid, _ -> new TreeSet<>())
          .addAll(wereBereft.getOrDefault(uid, new TreeSet<>()));
    }
    if (ref.kind() == Kind.NODE && before.isEmpty()) { // nothing ran on when it was lost
      placed.getOrDefault(ref.name(), new TreeMap<>()).values().stream()
          .map(Placed::pod)
          .filter(PodView::isHolder)
          .forEach(pod -> losesHolder(pod, now));
    }
    after
        .map(PodView::of)
        .filter(_ -> ref.kind() == Kind.POD)
        .filter(PodView::isHolder)
        .filter(pod -> !before.map(PodView::of).filter(was -> holdsTheSame(was, pod)).isPresent())
        .ifPresent(pod -> losesHolder(pod, now));
  }

  private static boolean holdsTheSame(PodView was, PodView is) {
    return was.uid().equals(is.uid())
        && was.takesRoom()
        && was.reportedDevice().equals(is.reportedDevice());
  }

  /// A pod is about to be bound by a process that was not told yet that the store went back: it is
  /// not judged by it, and others only by what they could know of it.
  public void goesAstray(ObjectRef pod) {
    astray.add(pod);
  }

  /// A holder is about to be taken away by others than Berth: shares of its device run without it
  /// until Berth stops them.
  public void losesHolder(PodView holder, Instant now) {
    String device = holder.reportedDevice();
    if (!device.isEmpty()) {
      unheld.put(device, now.plus(blind));
      for (var one : placed.getOrDefault(holder.node(), new TreeMap<>()).values()) {
        bereave(one.pod(), now);
      }
    }
  }

  /// The same by Berth, which does not know yet that its shares are there again.
  public void losesHolder(ObjectRef holder, Instant now) {
    for (var there : placed.values()) {
      var known = there.get(holder);
      if (known != null) {
        losesHolder(known.pod(), now);
        return;
      }
    }
  }

  private void bereave(PodView pod, Instant now) {
    for (String device : pod.devices(DeviceWatch.DEVICES)) {
      if (unheld.getOrDefault(device, Instant.MIN).isAfter(now)) {
        bereft.computeIfAbsent(pod.uid(), _ -> new TreeSet<>()).add(device);
      }
    }
  }

  /// What was broken since this was last asked.
  public List<String> broken() {
    for (String name : touched) {
      broken.addAll(sharedWrongly(name, bereft));
    }
    touched.clear();
    var found = List.copyOf(broken);
    broken.clear();
    return found;
  }

  /// What is wrong with shared devices where nothing is excused by others any more.
  public List<String> atRest() {
    var wrong = new ArrayList<String>();
    nodes.keySet().forEach(name -> wrong.addAll(sharedWrongly(name, new TreeMap<>())));
    return wrong;
  }

  private List<String> sharedWrongly(String name, SortedMap<String, TreeSet<String>> excused) {
    var node = nodes.get(name);
    if (node == null) {
      return List.of();
    }
    var there = new ArrayList<PodView>();
    placed
        .getOrDefault(name, new TreeMap<>())
        .forEach((ref, one) -> {
          if (one.pod().isHolder() || !astray.contains(ref)) {
            there.add(one.pod());
          }
        });
    return DeviceWatch.sharedWrongly(node, there, excused);
  }

  private void nodeChanged(String name, Optional<Map<String, Object>> after, Instant now) {
    SortedMap<String, Long> amounts =
        after.map(PodView::allocatable).orElseGet(() -> new TreeMap<>());
    var history = given.computeIfAbsent(name, _ -> new ArrayList<>());
    if (history.isEmpty() || !history.getLast().amounts().equals(amounts)) {
      history.add(new Given(now, amounts));
    }
    after.ifPresentOrElse(node -> nodes.put(name, node), () -> nodes.remove(name));
    touched.add(name);
  }

  private void podChanged(
      ObjectRef ref, Optional<PodView> before, Optional<PodView> after, Instant now) {
    boolean was = before.filter(PodView::takesRoom).isPresent();
    if (after.filter(PodView::takesRoom).isPresent()) {
      var pod = after.get();
      var there = placed.computeIfAbsent(pod.node(), _ -> new TreeMap<>());
      var known = there.get(ref);
      there.put(
          ref,
          known == null
              ? new Placed(now, pod, pod.amounts())
              : new Placed(known.since(), pod, known.amounts()));
      touched.add(pod.node());
      if (!was) {
        bereave(pod, now);
      }
      if (!was && isOurs(pod) && !astray.contains(ref)) {
        judge(pod, now);
      }
    } else if (was) {
      String node = before.get().node();
      placed.getOrDefault(node, new TreeMap<>()).remove(ref);
      var unheldDevices = bereft.remove(before.get().uid());
      if (unheldDevices != null) {
        wereBereft.put(before.get().uid(), unheldDevices);
      }
      touched.add(node);
    }
  }

  private static boolean isOurs(PodView pod) {
    return pod.isHolder() || ObjectTree.text(pod.tree(), "spec", "schedulerName").equals("berth");
  }

  private void judge(PodView pod, Instant now) {
    Instant known = now.minus(blind);
    var kept =
        keeper.get().stream()
            .filter(room -> room.node().equals(pod.node()) && !room.since().isAfter(known))
            .map(room -> PodView.of(room.pod()))
            .filter(other -> !other.uid().equals(pod.uid()))
            .toList();
    pod.amounts()
        .forEach((resource, _) -> {
          long used = 0;
          for (var entry : placed.getOrDefault(pod.node(), new TreeMap<>()).entrySet()) {
            var other = entry.getValue();
            boolean ours = isOurs(other.pod()) && !astray.contains(entry.getKey());
            boolean counts = ours || other.since().isBefore(known);
            used += counts ? other.amounts().getOrDefault(resource, 0L) : 0;
          }
          for (var other : kept) {
            used += other.amounts().getOrDefault(resource, 0L);
          }
          long most = most(pod.node(), resource, known);
          if (used > most) {
            broken.add(
                "node "
                    + pod.node()
                    + " gives out "
                    + used
                    + " of its "
                    + most
                    + " "
                    + resource
                    + " with "
                    + pod.name()
                    + (kept.isEmpty()
                        ? ""
                        : " and what kube-scheduler keeps for volumes of "
                            + String.join(", ", kept.stream().map(PodView::name).toList())));
          }
        });
  }

  /// The most that the node had since then.
  private long most(String node, String resource, Instant known) {
    long most = 0;
    var history = given.getOrDefault(node, List.of());
    for (int i = history.size() - 1; i >= 0; i--) {
      most = Math.max(most, history.get(i).amounts().getOrDefault(resource, 0L));
      if (history.get(i).since().isBefore(known)) {
        break;
      }
    }
    return most;
  }
}
