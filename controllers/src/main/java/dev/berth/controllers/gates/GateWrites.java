package dev.berth.controllers.gates;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.PodClient;
import dev.berth.controllers.loop.Backoff;
import dev.berth.controllers.loop.Lanes;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.LedgerPlans;
import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Problem;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes the plan of each member of a block and lifts its gate, in one patch a pod.
///
/// A write that fails for good gives the whole block back: the planner decides anew (after a pause,
/// where it was forbidden). A write that may have happened is repeated until the plan's deadline,
/// which is the ledger's to keep, and which begins when the gate is lifted.
///
/// Patches wait in a line of their own and not in the client's: there they would stand before the
/// bindings of the pods that were lifted first, and a plan that fell meanwhile would be written all
/// the same. Namespaces take turns in it: a block of hundreds of pods does not stand before the
/// pods of others. Within each it is FIFO over blocks, which the keys of a `KeyedLoop` do not fit.
/// Single pods with affinity or spread constraints are sent one after the other: kube-scheduler
/// counts the pods that it has placed by then, and refuses a node that was planned after others of
/// which it does not know yet. (Members of a gang are not: hundreds would reach the barrier late.)
/// Any thread.
final class GateWrites {
  private static final Logger LOG = LoggerFactory.getLogger(GateWrites.class);
  private static final Duration FIRST_RETRY = Duration.ofMillis(200);
  private static final Duration AFTER_REFUSAL = Duration.ofSeconds(30);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(5);
  private static final Backoff RETRY = new Backoff(FIRST_RETRY, LONGEST_RETRY);

  /// Ends the name of a lane whose patches are sent one after the other.
  private static final String IN_ORDER = " in order";

  /// A pod that is changed so often that its plan cannot be written keeps the place of its whole
  /// block on the way to kube-scheduler, of which there are few.
  private static final int MOST_BEATEN = 3;

  /// Looks at a pod past the watch in one try, each right before another patch.
  private static final int MOST_LOOKS = 3;

  /// A patch to be sent.
  ///
  /// @param seen version of the pod that the last try named; 0 = none yet
  /// @param beaten tries that lost against another client that changed the pod since the one before
  private record Write(PlanBlock block, Assumed member, Duration retry, long seen, int beaten) {
    Write(PlanBlock block, Assumed member) {
      this(block, member, FIRST_RETRY, 0, 0);
    }

    String lane() {
      boolean inOrder =
          block.members().size() == 1 && !member.pod().asks().constraints().interPod().isNone();
      return member.pod().key().namespace() + (inOrder ? IN_ORDER : "");
    }
  }

  private final LedgerPlans ledger;
  private final PodClient pods;
  private final Nominations nominations;
  private final Workers workers;
  private final GateSettings settings;
  private final Consumer<String> brokenGang;

  // Both: guarded by this.
  private final Lanes<Write> line =
      new Lanes<>(Write::lane, lane -> lane.endsWith(IN_ORDER) ? 1 : Integer.MAX_VALUE);
  private int inFlight;

  /// @param brokenGang told the name of a gang whose block was given back, so that no member waits
  ///   in its barrier
  GateWrites(
      LedgerPlans ledger,
      PodClient pods,
      Nominations nominations,
      Workers workers,
      GateSettings settings,
      Consumer<String> brokenGang) {
    this.ledger = ledger;
    this.pods = pods;
    this.nominations = nominations;
    this.workers = workers;
    this.settings = settings;
    this.brokenGang = brokenGang;
  }

  /// Puts the patches of a block in line, to be sent by [#sendNext].
  synchronized void add(PlanBlock block) {
    block.members().forEach(member -> line.add(new Write(block, member)));
  }

  /// Patches that wait in line or are under way.
  synchronized int pending() {
    return line.size() + inFlight;
  }

  /// Sends what waits in line, as far as it may be under way at once.
  void sendNext() {
    while (true) {
      Write next;
      synchronized (this) {
        if (!line.hasNext() || inFlight >= settings.inFlight()) {
          return;
        }
        next = line.next();
        inFlight++;
      }
      workers.run(() -> {
        try {
          write(next);
        } finally {
          synchronized (this) {
            line.done(next);
            inFlight--;
          }
          sendNext();
        }
      });
    }
  }

  private void write(Write write) {
    var member = write.member();
    if (write.block().isRefused().get()
        || !PlanBlock.stands(ledger, member.pod().uid(), member.plan())) {
      return;
    }
    Pod pod = ledger.pod(member.pod().uid()).orElse(member.pod());
    if (!pod.isGated() && pod.written().plan().equals(member.plan())) {
      return; // a try that got no answer did it
    }
    long version = pod.version();
    try {
      if (nominations.areWritten()) {
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

  /// A change of the pod meanwhile costs another look at it and another try, and no plan. A plan is
  /// never written over a later one: that would be written before the look, when this one stands no
  /// more, or after it, and is a change of the pod again.
  private void lift(Pod pod, Assumed member, long seen) throws ClientException {
    long version = seen;
    for (int looks = 0; PlanBlock.stands(ledger, pod.uid(), member.plan()); looks++) {
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

  /// The write is forbidden, and will be again, or the pod changes all the time, or it is such that
  /// nothing can be written on it: the plan keeps no room, and the pod is not planned for a while,
  /// and says why.
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
  /// @param words the message of the component that refused it
  void giveBack(PlanBlock block, String words) {
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
