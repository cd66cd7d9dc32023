package dev.berth.extender.verbs;

import dev.berth.engine.injection.InjectionMode;
import dev.berth.engine.ledger.LedgerBindings;
import dev.berth.engine.ledger.view.BindCommit;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import dev.berth.engine.placement.NodeRules;
import dev.berth.extender.barrier.Barrier;
import dev.berth.extender.barrier.BarrierResult;
import dev.berth.extender.verbs.BindRequests.BindRequest;
import dev.berth.extender.wire.BindAnswer;
import dev.berth.extender.wire.BindQuestion;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// The one verb that acts: checks the plan under the ledger's lock, waits for the rest of the gang,
/// checks again, writes one Binding that carries the devices, and tells the ledger.
///
/// Success is answered only when the API server said so. Every request may be repeated: bound there
/// already is success, once the API server was asked again, and a repeat takes the place of the one
/// that still waits. A pod without a plan is adopted first, if it came without a gate or is another
/// scheduler's. No pod is bound to a node that is cordoned or tainted against it, or that its
/// selector or required affinity does not choose, whatever the caller asks. Waiting costs no
/// thread.
public final class BindVerb {
  private final LedgerBindings ledger;
  private final Adoption adoption;
  private final Barrier barrier;
  private final BindWriter writer;
  private final BindClock clock;
  private final VerbContext context;

  private final BindRequests requests = new BindRequests();
  private final WaitingBinds waitingBinds = new WaitingBinds();
  private final Coalescer coalescer;

  public BindVerb(
      LedgerBindings ledger,
      Adoption adoption,
      Barrier barrier,
      BindWriter writer,
      BindClock clock,
      VerbContext context) {
    this.ledger = ledger;
    this.adoption = adoption;
    this.barrier = barrier;
    this.writer = writer;
    this.clock = clock;
    this.context = context;
    this.coalescer =
        new Coalescer(clock.timer(), clock.limits().coalescingWindow(), this::lookAgain);
  }

  /// Never completes exceptionally. Completes on the caller's thread, the alarm's, that of the last
  /// of the gang or that of the client.
  public CompletionStage<BindAnswer> answer(BindQuestion question) {
    var missing = context.readiness().missing();
    if (missing.isPresent()) {
      context.tally().counted(OutcomeCounter.Verb.BIND, VerbOutcome.NOT_READY);
      return CompletableFuture.completedStage(new BindAnswer(Readiness.sentence(missing.get())));
    }
    var request = new BindRequest(question, clock.timer().instant());
    var begun = requests.begin(request);
    begun.replaced().ifPresent(this::replaced);
    if (begun.runs()) {
      advance(request);
    }
    return request.answer;
  }

  /// The ledger changed: binds that wait look again, soon. Cheap; any thread.
  public void changed() {
    waitingBinds.changed();
    if (requests.size() > 0) {
      coalescer.trigger();
    }
  }

  /// Berth is not ready any more: waiting requests fail now, and reach the leader when they are
  /// repeated.
  public void callOff() {
    lookAgain();
  }

  private void lookAgain() {
    waitingBinds.takeAll().forEach(this::advance);
    boolean shut = context.readiness().missing().isPresent();
    for (Barrier.Arrival arrival : barrier.arrivals()) {
      if (shut || isLost(arrival)) {
        barrier.giveUp(arrival.gang());
      }
    }
  }

  /// Whether the plan with which it came to the barrier is no more.
  private boolean isLost(Barrier.Arrival arrival) {
    var standing = ledger.standing(arrival.member());
    if (standing.isEmpty()) {
      return true;
    }
    return switch (standing.get()) {
      case Standing.Planned(WrittenPlan plan, _) -> !plan.gang().equals(arrival.gang());
      case Standing.Waiting _, Standing.Awaited _, Standing.Over _ -> true;
      case Standing.Bound _, Standing.Leaving _ -> false;
    };
  }

  /// Binds that have not been answered.
  public int waiting() {
    return requests.size();
  }

  private void replaced(BindRequests.Replaced earlier) {
    BindRequest request = earlier.request();
    waitingBinds.take(request);
    if (earlier.state() instanceof BindState.AtBarrier(String gang)) {
      barrier.leave(request.question.uid(), gang);
    }
    tell(request, VerbOutcome.REPLACED, "replaced by a later bind of the same pod");
  }

  /// Takes an bind request as far as it goes now.
  private void advance(BindRequest request) {
    try {
      step(request, false);
    } catch (RuntimeException internalError) { // before the write: the place is not taken
      ledger.release(request.question.uid());
      fault(request, internalError);
    }
  }

  /// An internal error; there would be no other answer.
  private void fault(BindRequest request, Throwable internalError) {
    BindLog.fault(request.question, internalError);
    end(request, VerbOutcome.INTERNAL_ERROR, "internal error");
  }

  /// One look at the ledger for a request.
  ///
  /// @param admitted whether it has passed the barrier: the ledger had agreed before
  /// @param adopted whether the pod got its plan in this step: what it meets then is final
  /// @param seen changes of the ledger before the look
  private record Look(BindRequest request, boolean admitted, boolean adopted, long seen) {}

  private void step(BindRequest request, boolean adopted) {
    BindState state = requests.state(request);
    if (!state.isAtWork()) {
      return;
    }
    BindQuestion question = request.question;
    var missing = context.readiness().missing();
    if (missing.isPresent()) { // the lease went while it waited: another may be binding by now
      ledger.release(question.uid());
      end(request, VerbOutcome.NOT_READY, "not ready any more: " + missing.get());
      return;
    }
    boolean admitted = state instanceof BindState.Admitted;
    var look = new Look(request, admitted, adopted, waitingBinds.changes());
    Optional<Pod> pod = ledger.pod(question.uid());
    if (pod.isEmpty()) {
      park(look, clock.limits().watchTimeout(), "the pod is not known");
      return;
    }
    if (!pod.get().key().equals(question.pod())) {
      end(request, VerbOutcome.REFUSED, "the UID belongs to pod " + pod.get().key());
      return;
    }
    committed(look, pod.get());
  }

  private void committed(Look look, Pod pod) {
    BindRequest request = look.request();
    NodeName node = request.question.node();
    switch (ledger.commit(pod.uid(), node, look.admitted())) {
      case BindCommit.Ready ready -> {
        var objection = objection(pod, node);
        if (objection.isEmpty()) {
          enter(look, pod, ready);
        } else { // the node changed since it was planned, or kube-scheduler was not asked
          ledger.release(pod.uid());
          end(request, VerbOutcome.REFUSED, objection.get());
        }
      }
      case BindCommit.AwaitsHolders _ ->
          park(look, clock.limits().barrier(), "the holders of its devices have not reported");
      case BindCommit.AwaitsVictims _ ->
          park(look, clock.limits().barrier(), "waiting for victims to be evicted");
      case BindCommit.AwaitsBlock _ ->
          park(look, clock.limits().barrier(), "waiting for the minimum of its group to start");
      case BindCommit.AwaitsClaims _ ->
          park(look, clock.limits().barrier(), "the devices of its claims are not known yet");
      case BindCommit.AlreadyBound() -> lookUp(request, pod);
      case BindCommit.Refused(BindCommit.Why why, _) -> refused(look, pod, why);
    }
  }

  private void refused(Look look, Pod pod, BindCommit.Why why) {
    if (why != BindCommit.Why.NO_PLAN || look.adopted()) {
      turnAway(look, VerbOutcome.REFUSED, BindSentences.of(why));
      return;
    }
    BindRequest request = look.request();
    NodeName node = request.question.node();
    var objection = adoption.refusal(pod).or(() -> objection(pod, node));
    if (objection.isPresent()) {
      end(request, VerbOutcome.REFUSED, objection.get());
      return;
    }
    switch (adoption.adopt(pod, node)) {
      case Adoption.Result.Kept() -> step(request, true);
      case Adoption.Result.Foreign() -> write(request, pod, Placement.on(node), new TreeMap<>());
      case Adoption.Result.Refused(String obstacle) -> end(request, VerbOutcome.REFUSED, obstacle);
    }
  }

  /// What of the node itself forbids the pod, as the ledger knows it.
  private Optional<String> objection(Pod pod, NodeName name) {
    return ledger
        .node(name)
        .flatMap(node -> NodeRules.chosen(pod.asks().constraints(), node))
        .map(BindSentences::of);
  }

  /// One that has passed the barrier had the ledger's word before: its plan may lapse again.
  private void turnAway(Look look, VerbOutcome outcome, String sentence) {
    if (look.admitted()) {
      ledger.release(look.request().question.uid());
    }
    end(look.request(), outcome, sentence);
  }

  private void park(Look look, Duration patience, String whatFor) {
    BindRequest request = look.request();
    var deadline = request.since.plus(patience);
    if (!clock.timer().instant().isBefore(deadline)) {
      turnAway(look, VerbOutcome.LATE, whatFor);
      return;
    }
    var added = waitingBinds.add(request, look.seen());
    if (added.again()) {
      coalescer.trigger();
    }
    if (added.needsAlarm()) {
      clock.timer().at(deadline, () -> lookOnceMore(request));
    }
    if (!requests.isAtWork(request)) { // replaced on the way: it would not be taken out
      waitingBinds.take(request);
    }
  }

  private void lookOnceMore(BindRequest request) {
    if (waitingBinds.takeAlarmed(request)) {
      advance(request);
    }
  }

  /// Past the ledger's check: through the barrier, if it is one of a gang.
  private void enter(Look look, Pod pod, BindCommit.Ready ready) {
    BindRequest request = look.request();
    WrittenPlan plan = ready.plan();
    if (plan.size() <= 1 || look.admitted()) {
      write(request, pod, plan.placement(), annotations(pod, ready));
      return;
    }
    requests.on(request, new BindState.Event.Arrive(plan.gang()));
    var result = barrier.arrive(request.question.uid(), plan);
    if (!requests.isAtWork(request)) { // replaced on the way: it would not be called off
      barrier.leave(request.question.uid(), plan.gang());
    }
    var _ = result.thenAccept(how -> passed(request, how));
  }

  private SortedMap<String, String> annotations(Pod pod, BindCommit.Ready ready) {
    NodeName node = ready.plan().placement().node();
    long memoryMib = ledger.node(node).map(each -> each.accelerator().memoryMib()).orElse(0L);
    var injection =
        InjectionMode.of(ledger.injection(node).mode()).orElse(InjectionMode.ENV); // of no share
    return DeviceAnnotations.annotations(pod, ready.plan(), ready.devices(), memoryMib, injection);
  }

  private void passed(BindRequest request, BarrierResult how) {
    switch (how) {
      case BarrierResult.Open() -> {
        requests.on(request, new BindState.Event.Pass());
        advance(request); // the world went on while it waited: check again, then write
      }
      case BarrierResult.Closed(BarrierResult.Why why) -> closed(request, why);
    }
  }

  private void closed(BindRequest request, BarrierResult.Why why) {
    var missing = context.readiness().missing();
    if (missing.isPresent() && why != BarrierResult.Why.LEFT) {
      ledger.release(request.question.uid());
      end(request, VerbOutcome.NOT_READY, "not ready any more: " + missing.get());
      return;
    }
    if (why != BarrierResult.Why.LEFT) { // else the later bind holds the plan
      ledger.release(request.question.uid());
    }
    end(request, VerbOutcome.GANG_FAILED, BindSentences.of(why));
  }

  private void write(
      BindRequest request, Pod pod, Placement place, SortedMap<String, String> annotations) {
    if (!requests.startWriting(request)) {
      return;
    }
    var _ =
        writer
            .write(pod, place, annotations)
            .thenAccept(written -> end(request, written.outcome(), written.sentence()))
            .exceptionally(internalError -> { // written or not
              writer.doubt(pod.uid());
              fault(request, internalError);
              return null;
            });
  }

  /// The ledger believes that it is bound there, and the API server is asked.
  private void lookUp(BindRequest request, Pod pod) {
    if (!requests.startWriting(request)) {
      return;
    }
    var _ =
        writer
            .look(pod, request.question.node())
            .thenAccept(found -> end(request, found.outcome(), found.sentence()))
            .exceptionally(internalError -> {
              fault(request, internalError);
              return null;
            });
  }

  private void end(BindRequest request, VerbOutcome outcome, String sentence) {
    var ended = requests.end(request);
    if (ended.counts()) {
      tell(request, outcome, sentence);
    }
    ended.next().ifPresent(this::advance);
  }

  private void tell(BindRequest request, VerbOutcome outcome, String sentence) {
    context.tally().counted(OutcomeCounter.Verb.BIND, outcome);
    BindLog.bind(request.question, outcome, sentence);
    request.answer.complete(
        sentence.isEmpty() ? BindAnswer.BOUND : new BindAnswer("berth: " + sentence));
  }
}
