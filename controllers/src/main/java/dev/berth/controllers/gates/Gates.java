package dev.berth.controllers.gates;

import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Pods;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.Ledger.Assumed;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lifts gates. A block (the minimum of a gang, or one pod) is lifted when every member's room is
/// clear and its devices are held; until then it is looked at again after each change.
///
/// A write that fails for good gives the whole block back: the planner decides anew. A write that
/// may have happened is repeated until the plan's deadline, which is the ledger's to keep.
public final class Gates {
  private static final Logger LOG = LoggerFactory.getLogger(Gates.class);
  private static final Duration FIRST_RETRY = Duration.ofMillis(200);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(5);

  /// Members that are lifted together.
  private record Block(List<Assumed> members) {}

  private final Ledger ledger;
  private final Pods pods;
  private final Workers workers;
  private final GateSettings settings;
  private final IntSupplier nodes;
  private final Consumer<String> brokenGang;
  private final List<Block> waiting = new ArrayList<>();
  private final AtomicBoolean due = new AtomicBoolean();

  /// @param nodes how many nodes the cluster has
  /// @param brokenGang told the name of a gang whose block was given back, so that nobody waits in
  ///   its barrier
  public Gates(
      Ledger ledger,
      Pods pods,
      Workers workers,
      GateSettings settings,
      IntSupplier nodes,
      Consumer<String> brokenGang) {
    this.ledger = ledger;
    this.pods = pods;
    this.workers = workers;
    this.settings = settings;
    this.nodes = nodes;
    this.brokenGang = brokenGang;
  }

  /// Takes plans that were assumed: members of a gang's block together, the others one by one.
  public void take(List<Assumed> plans) {
    var block = new ArrayList<Assumed>();
    for (var assumed : plans) {
      if (assumed.plan().size() > 1) {
        block.add(assumed);
      } else {
        takeBlock(new Block(List.of(assumed)));
      }
    }
    if (!block.isEmpty()) {
      takeBlock(new Block(List.copyOf(block)));
    }
  }

  private void takeBlock(Block block) {
    if (isClear(block)) {
      lift(block);
    } else {
      synchronized (waiting) {
        waiting.add(block);
      }
    }
  }

  /// The ledger changed: blocks that wait for room or devices are looked at again.
  public void changed() {
    synchronized (waiting) {
      if (waiting.isEmpty()) {
        return;
      }
    }
    if (due.compareAndSet(false, true)) {
      workers.run(this::lookAgain);
    }
  }

  private void lookAgain() {
    due.set(false);
    var clear = new ArrayList<Block>();
    synchronized (waiting) {
      var blocks = waiting.iterator();
      while (blocks.hasNext()) {
        Block block = blocks.next();
        if (!stands(block)) {
          blocks.remove();
        } else if (isClear(block)) {
          blocks.remove();
          clear.add(block);
        }
      }
    }
    clear.forEach(this::lift);
  }

  /// How many blocks wait for room that is being left, or for devices.
  public int waiting() {
    synchronized (waiting) {
      return waiting.size();
    }
  }

  private boolean stands(Block block) {
    for (var member : block.members()) {
      if (!stands(member)) {
        return false;
      }
    }
    return true;
  }

  /// Whether this very plan is still kept for the pod.
  private boolean stands(Assumed assumed) {
    return ledger.standing(assumed.pod().uid()).orElse(new Standing.Waiting())
            instanceof Standing.Planned(var plan, _)
        && plan.equals(assumed.plan());
  }

  private boolean isClear(Block block) {
    for (var member : block.members()) {
      if (!ledger.isClear(member.pod().uid())) {
        return false;
      }
    }
    return true;
  }

  private void lift(Block block) {
    for (var member : block.members()) {
      workers.run(() -> write(block, member, FIRST_RETRY));
    }
  }

  private void write(Block block, Assumed member, Duration retry) {
    if (!stands(member)) {
      return;
    }
    // As last seen: the gates of others may have gone since the plan.
    Pod pod = ledger.pod(member.pod().uid()).orElse(member.pod());
    try {
      if (nodes.getAsInt() >= settings.nominateFrom()) {
        pods.nominate(pod.key(), pod.uid(), member.plan().placement().node());
      }
      pods.lift(pod.key(), pod.uid(), member.plan().text(), othersGates(pod));
    } catch (DoorException failed) {
      if (failed.isPassing() || failed.kind() == DoorException.Kind.CONFLICT) {
        var next = retry.multipliedBy(2);
        workers.at(
            workers.time().instant().plus(retry),
            () -> write(block, member, next.compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : next));
        return;
      }
      LOG.atWarn()
          .addKeyValue("pod", pod.key())
          .addKeyValue("why", failed.getMessage())
          .log("gate not lifted");
      giveBack(block);
    }
  }

  private void giveBack(Block block) {
    for (var member : block.members()) {
      ledger.forget(member.pod().uid(), member.plan());
    }
    Assumed first = block.members().getFirst();
    if (first.plan().size() > 1) {
      brokenGang.accept(first.plan().gang());
    }
  }

  private static List<String> othersGates(Pod pod) {
    var gates = new ArrayList<>(pod.life().gates());
    gates.remove(Pod.Life.GATE);
    return gates;
  }
}
