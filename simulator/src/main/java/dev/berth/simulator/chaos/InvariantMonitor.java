package dev.berth.simulator.chaos;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.check.QueueWatch;
import dev.berth.simulator.check.RoomWatch;
import dev.berth.simulator.world.KeptRoom;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import dev.berth.simulator.world.Time;
import dev.berth.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Hears every change of the world, tells those that matter, and lets the rules of room be judged.
final class InvariantMonitor implements World.Audit, ProcessView.Astray {
  private final Time time;
  private final Journal journal;
  private final RoomWatch rooms;
  private final QueueWatch queues;
  private long changes;

  InvariantMonitor(Time time, Journal journal, RoomWatch rooms, QueueWatch queues) {
    this.queues = queues;
    this.time = time;
    this.journal = journal;
    this.rooms = rooms;
  }

  /// How many changes there were.
  long changes() {
    return changes;
  }

  /// @param rooms what kube-scheduler keeps now for pods that it waits with for volumes
  void keeper(Supplier<List<KeptRoom>> rooms) {
    this.rooms.keeper(rooms);
    queues.keeper(rooms);
  }

  /// kube-scheduler begins to wait for volumes of a pod.
  void keeps(KeptRoom room) {
    journal.tell(
        "kube-scheduler waits for volumes of " + ObjectTree.name(room.pod()) + onNode(room.node()));
    journal.count("kube-scheduler waits for volumes");
    queues.keeps(room, time.instant());
  }

  /// Another process leads from now on.
  void anotherLeads() {
    queues.anotherLeads(time.instant());
  }

  /// Lets the rules be judged that hold at every moment.
  void judge() {
    rooms.broken().forEach(journal::breaks);
    queues.broken().forEach(journal::breaks);
  }

  @Override
  public void changed(
      ObjectRef ref, Optional<Map<String, Object>> before, Optional<Map<String, Object>> after) {
    changes++;
    journal.mark(after.map(Map::hashCode).orElse(ref.name().hashCode()));
    rooms.changed(ref, before, after, time.instant());
    queues.changed(ref, before, after, time.instant());
    if (ref.kind() == Kind.POD) {
      tell(ref, before.map(PodView::of), after.map(PodView::of));
    }
  }

  @Override
  public void restored(
      ObjectRef ref, Optional<Map<String, Object>> before, Optional<Map<String, Object>> after) {
    changes++;
    journal.mark(after.map(Map::hashCode).orElse(ref.name().hashCode()));
    rooms.restored(ref, before, after, time.instant());
    queues.restored(ref, before, after, time.instant());
    if (ref.kind() == Kind.POD) {
      journal.tell(
          "pod "
              + ref.name()
              + " is as it was: "
              + after.map(InvariantMonitor::state).orElse("not there"));
    }
  }

  private static String state(Map<String, Object> tree) {
    var pod = PodView.of(tree);
    return (pod.node().isEmpty() ? "without a node" : pod.phase() + " on " + pod.node())
        + devices(pod)
        + (pod.isLeaving() ? ", leaving" : "");
  }

  @Override
  public void puts(ObjectRef pod) {
    journal.count("etcd went back: put on a node by a process that does not know yet");
    rooms.goesAstray(pod);
    queues.goesAstray(pod);
  }

  @Override
  public void deletes(ObjectRef holder) {
    journal.count("etcd went back: a holder deleted by a process that does not know yet");
    rooms.losesHolder(holder, time.instant());
  }

  private void tell(ObjectRef ref, Optional<PodView> before, Optional<PodView> after) {
    if (after.isEmpty()) {
      journal.tell("pod " + ref.name() + " is gone");
      return;
    }
    if (before.isEmpty()) {
      journal.tell("pod " + ref.name() + " is created" + onNode(after.get().node()));
      return;
    }
    var was = before.get();
    var is = after.get();
    var news = new ArrayList<String>();
    if (!ObjectTree.annotation(was.tree(), "berth.dev/plan")
        .equals(ObjectTree.annotation(is.tree(), "berth.dev/plan"))) {
      news.add("has the plan " + ObjectTree.annotation(is.tree(), "berth.dev/plan"));
    }
    if (was.node().isEmpty() && !is.node().isEmpty()) {
      news.add("is bound" + onNode(is.node()) + devices(is));
    }
    if (!was.phase().equals(is.phase())) {
      news.add("is " + is.phase() + reason(is));
      if (is.phase().equals("Failed") && !reason(is).isEmpty()) {
        journal.count((is.isHolder() ? "kubelet refused a holder" : "kubelet refused a pod"));
      }
    }
    if (!was.reportedDevice().equals(is.reportedDevice())) {
      news.add("holds " + is.reportedDevice());
    }
    if (was.isLeaving() != is.isLeaving()) {
      news.add("leaves");
    }
    String refusal = refusal(is);
    if (!refusal.isEmpty() && !refusal.equals(refusal(was))) {
      news.add("is refused: " + refusal);
    }
    if (!news.isEmpty()) {
      journal.tell("pod " + ref.name() + " " + String.join(", ", news));
    }
  }

  private static String onNode(String node) {
    return node.isEmpty() ? "" : " on " + node;
  }

  private static String devices(PodView pod) {
    List<String> devices = pod.devices("berth.dev/gpu-devices");
    return devices.isEmpty() ? "" : " with " + String.join(", ", devices);
  }

  private static String reason(PodView pod) {
    String reason = ObjectTree.text(pod.tree(), "status", "reason");
    return reason.isEmpty() ? "" : " (" + reason + ")";
  }

  private static String refusal(PodView pod) {
    for (var condition : ObjectTree.maps(pod.tree(), "status", "conditions")) {
      if (ObjectTree.text(condition, "type").equals("PodScheduled")
          && ObjectTree.text(condition, "status").equals("False")) {
        String reason = ObjectTree.text(condition, "reason");
        return reason.equals("SchedulingGated") ? "" : ObjectTree.text(condition, "message");
      }
    }
    return "";
  }
}
