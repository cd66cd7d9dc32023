package dev.berth.controllers.gates;

import dev.berth.controllers.client.PodClient;
import dev.berth.controllers.loop.CoalescedTask;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.LedgerPlans;
import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.WrittenPlan;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/// Decides when gates are lifted. A block (the minimum of a gang, or one pod) is lifted when every
/// member's room is clear and its devices are held, and when not too many others are on their way
/// to kube-scheduler; until then it is looked at again after each change. [GateWrites] writes it.
public final class Gates {
  /// Of the window, for blocks that may pass while it is full: each namespace half of that.
  private static final int PART_BESIDE = 4;

  private static final Duration SOON = Duration.ofMillis(10);
  private static final Duration WHEN_FULL = Duration.ofMillis(100);

  private final LedgerPlans ledger;
  private final GateWrites writes;
  private final Workers workers;
  private final GateSettings settings;
  private final Nominations nominations;
  private final CoalescedTask look;

  // All below: guarded by this.
  private final List<PlanBlock> waiting = new ArrayList<>();
  private final Map<PodUid, WrittenPlan> onTheirWay = new LinkedHashMap<>();
  private final Map<PodUid, Assumed> beside = new LinkedHashMap<>(); // while the window is full
  private boolean stopped;

  /// @param nodes how many nodes the cluster has
  /// @param brokenGang told the name of a gang whose block was given back, so that no member waits
  ///   in its barrier
  public Gates(
      LedgerPlans ledger,
      PodClient pods,
      Workers workers,
      GateSettings settings,
      IntSupplier nodes,
      Consumer<String> brokenGang) {
    this.ledger = ledger;
    this.workers = workers;
    this.look = new CoalescedTask(workers, this::look);
    this.settings = settings;
    this.nominations = new Nominations(ledger, pods, workers, nodes, settings.nominateFrom());
    this.writes = new GateWrites(ledger, pods, nominations, workers, settings, brokenGang);
  }

  /// Takes plans that were assumed: members of a gang's block together, the others one by one.
  public void take(List<Assumed> plans) {
    var block = new ArrayList<Assumed>();
    synchronized (this) {
      if (stopped) {
        return;
      }
      for (var assumed : plans) {
        if (assumed.plan().size() > 1) {
          block.add(assumed);
        } else {
          waiting.add(PlanBlock.of(List.of(assumed)));
        }
      }
      if (!block.isEmpty()) {
        waiting.add(PlanBlock.of(block));
      }
    }
    changed();
  }

  /// The ledger changed: blocks that wait for room or devices are looked at again, soon.
  public void changed() {
    boolean full;
    synchronized (this) {
      if (waiting.isEmpty() && nominations.areNone()) {
        return;
      }
      full = waiting.isEmpty() || onTheirWay.size() >= settings.window();
    }
    look.trigger(full ? WHEN_FULL : SOON);
  }

  /// How many blocks wait for room that is being left, for devices, or for their turn.
  public synchronized int waiting() {
    return waiting.size();
  }

  /// The members of the blocks that wait, in the order in which they are lifted.
  public synchronized List<PodUid> waitingPods() {
    var pods = new ArrayList<PodUid>();
    for (PlanBlock block : waiting) {
      block.members().forEach(member -> pods.add(member.pod().uid()));
    }
    return pods;
  }

  /// Patches that wait in line or are under way.
  public int pending() {
    return writes.pending();
  }

  /// Begins no other block; those that were begun are written to their end.
  public synchronized void stop() {
    stopped = true;
    waiting.clear();
  }

  private void look() {
    var broken = new ArrayList<PlanBlock>();
    synchronized (this) {
      if (!isRoomForAll()) {
        onTheirWay
            .entrySet()
            .removeIf(entry -> !PlanBlock.stands(ledger, entry.getKey(), entry.getValue()));
      }
      beside
          .values()
          .removeIf(member -> !PlanBlock.stands(ledger, member.pod().uid(), member.plan()));
      var blocks = waiting.iterator();
      boolean full = onTheirWay.size() >= settings.window();
      while (blocks.hasNext()) {
        PlanBlock block = blocks.next();
        if (full && !mayPass(block)) {
          continue;
        }
        if (!block.stands(ledger)) {
          blocks.remove();
        } else if (isClear(block)) {
          full |= !hasRoom(block); // none takes its turn: a large block would never find room
          if (!full || mayPass(block)) {
            blocks.remove();
            lift(block, full, broken);
          }
        }
      }
    }
    broken.forEach(block -> writes.giveBack(block, ""));
    writes.sendNext();
    nominations.look();
  }

  /// A watch has shown a nomination. On a pod behind any gate one before this process wrote it:
  /// kube-scheduler does not look at such pods. (Berth's may be open and that of another client
  /// closed again, as etcd went back.)
  public void nominated(Pod pod, NodeName node) {
    if (!pod.life().gates().isEmpty()) {
      nominations.seen(pod.key(), pod.uid(), node);
    }
  }

  /// Whether all waiting pods may go, even if all that went are on their way still.
  private boolean isRoomForAll() {
    int pods = onTheirWay.size();
    for (PlanBlock block : waiting) {
      pods += block.members().size();
      if (pods > settings.window()) {
        return false;
      }
    }
    return true;
  }

  /// While the window is full a small block passes, so that no tenant's pods keep all others from
  /// starting: a few at a time, and half as many of one namespace.
  private boolean mayPass(PlanBlock block) {
    int most = settings.window() / PART_BESIDE;
    int size = block.members().size();
    if (size > most / 2 || beside.size() + size > most) {
      return false;
    }
    String namespace = block.members().getFirst().pod().key().namespace();
    int own = 0;
    for (Assumed member : beside.values()) {
      own += member.pod().key().namespace().equals(namespace) ? 1 : 0;
    }
    return own + size <= most / 2;
  }

  private boolean hasRoom(PlanBlock block) {
    return onTheirWay.isEmpty() || onTheirWay.size() + block.members().size() <= settings.window();
  }

  /// Puts the patches of a block in line; the deadlines of its plans begin now.
  ///
  /// @param besides whether it passes a full window
  private void lift(PlanBlock block, boolean besides, List<PlanBlock> broken) {
    Instant until =
        workers.time().instant().plus(isOpen(block) ? settings.again() : settings.deadline());
    var renewed = ledger.renew(block.members(), until.truncatedTo(ChronoUnit.MILLIS));
    if (renewed.isEmpty()) {
      broken.add(block);
      return;
    }
    var lifted = PlanBlock.of(renewed.get());
    for (var member : lifted.members()) {
      if (besides) {
        beside.put(member.pod().uid(), member);
      } else {
        onTheirWay.put(member.pod().uid(), member.plan());
      }
    }
    writes.add(lifted);
  }

  /// Whether no member is behind its gate any more: planned anew after a refusal.
  private boolean isOpen(PlanBlock block) {
    for (var member : block.members()) {
      if (ledger.pod(member.pod().uid()).orElse(member.pod()).isGated()) {
        return false;
      }
    }
    return true;
  }

  private boolean isClear(PlanBlock block) {
    for (var member : block.members()) {
      if (!ledger.isClear(member.pod().uid())) {
        return false;
      }
    }
    return true;
  }
}
