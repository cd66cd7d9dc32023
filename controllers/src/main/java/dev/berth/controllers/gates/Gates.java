package dev.berth.controllers.gates;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.PodClient;
import dev.berth.controllers.loop.Backoff;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.LedgerPlans;
import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lifts gates. A block (the minimum of a gang, or one pod) is lifted when every member's room is
/// clear and its devices are held, and when not too many others are on their way to kube-scheduler;
/// until then it is looked at again after each change.
///
/// A write that fails for good gives the whole block back: the planner decides anew (after a pause,
/// where it was forbidden). A write that may have happened is repeated until the plan's deadline,
/// which is the ledger's to keep, and which begins when the gate is lifted.
///
/// Patches wait in a line of their own and not in the client's: there they would stand before the
/// bindings of the pods that were lifted first, and a plan that fell meanwhile would be written all
/// the same. The line is FIFO over blocks, which the keys of a `KeyedLoop` do not fit.
public final class Gates {
  private static final Logger LOG = LoggerFactory.getLogger(Gates.class);
  private static final Duration FIRST_RETRY = Duration.ofMillis(200);
  private static final Duration AFTER_REFUSAL = Duration.ofSeconds(30);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(5);
  private static final Backoff RETRY = new Backoff(FIRST_RETRY, LONGEST_RETRY);

  /// Whoever changes a pod so often that its plan cannot be written keeps the place of its whole
  /// block on the way to kube-scheduler, of which there are few.
  private static final int MOST_BEATEN = 3;

  /// Looks at a pod past the watch in one try, each right before another patch.
  private static final int MOST_LOOKS = 3;

  /// Of the window, for blocks that may pass while it is full: each namespace half of that.
  private static final int PART_BESIDE = 4;

  private static final Duration SOON = Duration.ofMillis(10);
  private static final Duration WHEN_FULL = Duration.ofMillis(100);

  /// Members that are lifted together.
  ///
  /// @param isRefused set by the first whose lift is forbidden: the others are not tried then
  private record Block(List<Assumed> members, AtomicBoolean isRefused) {
    static Block of(List<Assumed> members) {
      return new Block(List.copyOf(members), new AtomicBoolean());
    }
  }

  /// A patch to be sent.
  ///
  /// @param seen version of the pod that the last try named; 0 = none yet
  /// @param beaten tries that lost against somebody who changed the pod since the one before
  private record Write(Block block, Assumed member, Duration retry, long seen, int beaten) {
    Write(Block block, Assumed member) {
      this(block, member, FIRST_RETRY, 0, 0);
    }
  }

  private final LedgerPlans ledger;
  private final PodClient pods;
  private final Workers workers;
  private final GateSettings settings;
  private final IntSupplier nodes;
  private final Consumer<String> brokenGang;
  private final Nominations nominations;
  private final AtomicBoolean due = new AtomicBoolean();

  // All below: guarded by this.
  private final List<Block> waiting = new ArrayList<>();
  private final Map<PodUid, WrittenPlan> onTheirWay = new LinkedHashMap<>();
  private final Map<PodUid, Assumed> beside = new LinkedHashMap<>(); // while the window is full
  private final ArrayDeque<Write> line = new ArrayDeque<>();
  private int inFlight;
  private boolean stopped;

  /// @param nodes how many nodes the cluster has
  /// @param brokenGang told the name of a gang whose block was given back, so that nobody waits in
  ///   its barrier
  public Gates(
      LedgerPlans ledger,
      PodClient pods,
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
    this.nominations = new Nominations(ledger, pods, workers);
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
          waiting.add(Block.of(List.of(assumed)));
        }
      }
      if (!block.isEmpty()) {
        waiting.add(Block.of(block));
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
    if (due.compareAndSet(false, true)) {
      workers.at(workers.time().instant().plus(full ? WHEN_FULL : SOON), this::look);
    }
  }

  /// How many blocks wait for room that is being left, for devices, or for their turn.
  public synchronized int waiting() {
    return waiting.size();
  }

  /// The members of the blocks that wait, in the order in which they are lifted.
  public synchronized List<PodUid> waitingPods() {
    var pods = new ArrayList<PodUid>();
    for (Block block : waiting) {
      block.members().forEach(member -> pods.add(member.pod().uid()));
    }
    return pods;
  }

  /// Patches that wait in line or are under way.
  public synchronized int pending() {
    return line.size() + inFlight;
  }

  /// Begins no other block; those that were begun are written to their end.
  public synchronized void stop() {
    stopped = true;
    waiting.clear();
  }

  private void look() {
    due.set(false);
    var broken = new ArrayList<Block>();
    synchronized (this) {
      if (!isRoomForAll()) {
        onTheirWay.entrySet().removeIf(entry -> !stands(entry.getKey(), entry.getValue()));
      }
      beside.values().removeIf(member -> !stands(member.pod().uid(), member.plan()));
      var blocks = waiting.iterator();
      boolean full = onTheirWay.size() >= settings.window();
      while (blocks.hasNext()) {
        Block block = blocks.next();
        if (full && !mayPass(block)) {
          continue;
        }
        if (!stands(block)) {
          blocks.remove();
        } else if (isClear(block)) {
          full |= !hasRoom(block); // nobody takes its turn: a large block would never find room
          if (!full || mayPass(block)) {
            blocks.remove();
            lift(block, full, broken);
          }
        }
      }
    }
    broken.forEach(block -> giveBack(block, ""));
    sendNext();
    nominations.look();
  }

  /// A watch has shown a nomination on a gated pod: one before us may have written it.
  public void nominated(Pod pod, NodeName node) {
    nominations.seen(pod.key(), pod.uid(), node);
  }

  /// Whether all who wait may go, even if everybody who went is on his way still.
  private boolean isRoomForAll() {
    int pods = onTheirWay.size();
    for (Block block : waiting) {
      pods += block.members().size();
      if (pods > settings.window()) {
        return false;
      }
    }
    return true;
  }

  /// While the window is full a small block passes, so that no tenant's pods keep all others from
  /// starting: a few at a time, and half as many of one namespace.
  private boolean mayPass(Block block) {
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

  private boolean hasRoom(Block block) {
    return onTheirWay.isEmpty() || onTheirWay.size() + block.members().size() <= settings.window();
  }

  /// Puts the patches of a block in line; the deadlines of its plans begin now.
  ///
  /// @param besides whether it passes a full window
  private void lift(Block block, boolean besides, List<Block> broken) {
    Instant until =
        workers.time().instant().plus(isOpen(block) ? settings.again() : settings.deadline());
    var renewed = ledger.renew(block.members(), until.truncatedTo(ChronoUnit.MILLIS));
    if (renewed.isEmpty()) {
      broken.add(block);
      return;
    }
    var lifted = Block.of(renewed.get());
    for (var member : lifted.members()) {
      if (besides) {
        beside.put(member.pod().uid(), member);
      } else {
        onTheirWay.put(member.pod().uid(), member.plan());
      }
      line.add(new Write(lifted, member));
    }
  }

  /// Whether no member is behind its gate any more: planned anew after a refusal.
  private boolean isOpen(Block block) {
    for (var member : block.members()) {
      if (ledger.pod(member.pod().uid()).orElse(member.pod()).isGated()) {
        return false;
      }
    }
    return true;
  }

  private void sendNext() {
    while (true) {
      Write next;
      synchronized (this) {
        if (line.isEmpty() || inFlight >= settings.inFlight()) {
          return;
        }
        next = line.removeFirst();
        inFlight++;
      }
      workers.run(() -> {
        try {
          write(next);
        } finally {
          synchronized (this) {
            inFlight--;
          }
          sendNext();
        }
      });
    }
  }

  private boolean stands(Block block) {
    for (var member : block.members()) {
      if (!stands(member.pod().uid(), member.plan())) {
        return false;
      }
    }
    return true;
  }

  /// Whether this very plan is still kept for the pod.
  private boolean stands(PodUid uid, WrittenPlan kept) {
    return ledger.standing(uid).orElse(new Standing.Waiting())
            instanceof Standing.Planned(var plan, _)
        && plan.equals(kept);
  }

  private boolean isClear(Block block) {
    for (var member : block.members()) {
      if (!ledger.isClear(member.pod().uid())) {
        return false;
      }
    }
    return true;
  }

  private void write(Write write) {
    var member = write.member();
    if (write.block().isRefused().get() || !stands(member.pod().uid(), member.plan())) {
      return;
    }
    Pod pod = ledger.pod(member.pod().uid()).orElse(member.pod());
    if (!pod.isGated() && pod.written().plan().equals(member.plan())) {
      return; // a try that got no answer did it
    }
    long version = pod.version();
    try {
      if (nodes.getAsInt() >= settings.nominateFrom()) {
        NodeName node = member.plan().placement().node();
        var after = nominations.write(pod.key(), pod.uid(), node);
        if (after.isEmpty()) {
          again(write);
          return;
        }
        version = after.getAsLong();
      }
      lift(pod, member, version);
    } catch (ClientException failed) {
      boolean isBeaten =
          failed.kind() == ClientException.Kind.CONFLICT
              && write.seen() > 0
              && write.seen() != pod.version();
      int beaten = write.beaten() + (isBeaten ? 1 : 0);
      boolean mayComeAgain = failed.isPassing() || failed.kind() == ClientException.Kind.CONFLICT;
      if (mayComeAgain && beaten <= MOST_BEATEN) {
        var next = new Write(write.block(), write.member(), write.retry(), pod.version(), beaten);
        again(next);
        return;
      }
      LOG.atWarn()
          .addKeyValue("pod", pod.key())
          .addKeyValue("why", failed.getMessage())
          .log("gate not lifted");
      if (failed.kind() == ClientException.Kind.REFUSED || mayComeAgain) {
        refused(write, failed);
      } else {
        giveBack(write.block(), "");
      }
    }
  }

  /// Whoever changes the pod meanwhile costs another look at it and another try, and no plan. A
  /// plan is never written over a later one: that would be written before the look, when this one
  /// stands no more, or after it, and is a change of the pod again.
  private void lift(Pod pod, Assumed member, long seen) throws ClientException {
    long version = seen;
    for (int looks = 0; stands(pod.uid(), member.plan()); looks++) {
      try {
        pods.lift(pod.key(), pod.uid(), version, member.plan().text());
        return;
      } catch (ClientException failed) {
        if (failed.kind() != ClientException.Kind.CONFLICT || looks >= MOST_LOOKS) {
          throw failed;
        }
      }
      version = pods.version(pod.key(), pod.uid());
    }
  }

  /// Somebody forbids it, and will again, or changes the pod all the time, or it is such that
  /// nothing can be written on it: the plan keeps nobody's room, and the pod is not planned for a
  /// while, and says why.
  private void refused(Write write, ClientException failed) {
    if (write.block().isRefused().compareAndSet(false, true)) {
      giveBack(write.block(), String.valueOf(failed.getMessage()));
    }
    var uid = write.member().pod().uid();
    ledger.refused(
        uid,
        new Problem(
            "the answer to the write of its plan",
            String.valueOf(failed.getMessage()),
            "without that write it cannot start. Berth tries again in a while; correct what the"
                + " answer names, or create the pod anew."));
    workers.at(workers.time().instant().plus(AFTER_REFUSAL), () -> ledger.relent(uid));
  }

  private void again(Write write) {
    var next = RETRY.next(write.retry());
    workers.at(
        workers.time().instant().plus(write.retry()),
        () -> {
          synchronized (this) {
            line.addFirst(
                new Write(write.block(), write.member(), next, write.seen(), write.beaten()));
          }
          sendNext();
        });
  }

  /// Its gang hears of it only where its plan stood until now: else it has heard.
  ///
  /// @param words of whoever refused it
  private void giveBack(Block block, String words) {
    boolean stood = false;
    for (var member : block.members()) {
      stood |= ledger.forget(member.pod().uid(), member.plan(), words);
    }
    Assumed first = block.members().getFirst();
    if (stood && first.plan().size() > 1) {
      brokenGang.accept(first.plan().gang());
    }
  }
}
