package dev.berth.extender.verbs;

import dev.berth.engine.ledger.LedgerBindings;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/// Writes the Binding of a pod, or looks whether it is bound, and tells the ledger what came of it.
/// Any thread; the result completes on the client's.
public final class BindWriter {
  /// @param sentence why not; empty = it is bound there
  record Written(VerbOutcome outcome, String sentence) {}

  private final LedgerBindings ledger;
  private final Bindings bindings;
  private final BindClock clock;

  public BindWriter(LedgerBindings ledger, Bindings bindings, BindClock clock) {
    this.ledger = ledger;
    this.bindings = bindings;
    this.clock = clock;
  }

  /// @return completes exceptionally by a mistake of Berth alone: the Binding is written or not
  CompletionStage<Written> write(Pod pod, Placement place, SortedMap<String, String> annotations) {
    return called(() -> bindings.bind(pod.key(), pod.uid(), place.node(), annotations))
        .thenApply(outcome -> written(pod.uid(), place, outcome));
  }

  private Written written(PodUid uid, Placement place, Bindings.Outcome outcome) {
    return switch (outcome) {
      case Bindings.Outcome.Bound() -> {
        ledger.confirm(uid, place);
        yield new Written(VerbOutcome.WRITTEN, "");
      }
      case Bindings.Outcome.Refused(String sentence) -> {
        ledger.release(uid);
        yield new Written(VerbOutcome.WRITE_FAILED, sentence);
      }
      case Bindings.Outcome.Unsure(String sentence) -> {
        doubt(uid);
        yield new Written(VerbOutcome.UNSURE, sentence);
      }
    };
  }

  /// For a pod that is bound there as far as the ledger knows. kube-scheduler keeps the place of a
  /// pod for ever once it heard that, and asks no more: so it must be true still, and etcd may have
  /// gone back to an earlier state, of which Berth hears later.
  CompletionStage<Written> look(Pod pod, NodeName node) {
    return called(() -> bindings.look(pod.key(), pod.uid(), node))
        .thenApply(outcome ->
            switch (outcome) {
              case Bindings.Outcome.Bound() -> new Written(VerbOutcome.ALREADY, "");
              case Bindings.Outcome.Refused(String sentence) ->
                  new Written(VerbOutcome.WRITE_FAILED, sentence);
              case Bindings.Outcome.Unsure(String sentence) ->
                  new Written(VerbOutcome.UNSURE, sentence);
            });
  }

  private static CompletionStage<Bindings.Outcome> called(
      Supplier<CompletionStage<Bindings.Outcome>> call) {
    try {
      return call.get();
    } catch (RuntimeException internalError) {
      return CompletableFuture.failedStage(internalError);
    }
  }

  /// The place stays taken until the pod is seen, or comes again. But kube-scheduler may come no
  /// more, and the pod may show nothing: so not for ever.
  void doubt(PodUid uid) {
    ledger.doubt(uid, clock.timer().instant().plus(clock.limits().adoptionTimeout()));
  }
}
