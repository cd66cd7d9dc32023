package dev.berth.cli;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.PodClient;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.extender.verbs.Bindings;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/// The extender's client for Bindings: blocking calls, each on a thread of its own.
///
/// @param bound hears of every pod whose Binding was written, once the API server said so
record ApiBindings(PodClient pods, Workers workers, Untrue untrue, Consumer<PodUid> bound)
    implements Bindings {
  /// Tells that the API server proved untrue what this process has read: no Binding is ever undone
  /// but by an etcd that went back. Any thread.
  static final class Untrue {
    private volatile Consumer<String> listener = _ -> {};

    void tell(Consumer<String> hears) {
      listener = hears;
    }

    private void found(String sentence) {
      listener.accept(sentence);
    }
  }

  private interface Question {
    Outcome ask() throws ClientException;
  }

  @Override
  public CompletionStage<Outcome> bind(
      PodKey pod, PodUid uid, NodeName node, SortedMap<String, String> annotations) {
    return answer(() -> {
      pods.bind(pod, uid, node, annotations);
      bound.accept(uid);
      return new Outcome.Bound();
    });
  }

  @Override
  public CompletionStage<Outcome> look(PodKey pod, PodUid uid, NodeName node) {
    return answer(() -> {
      if (pods.isOn(pod, uid, node)) {
        bound.accept(uid);
        return new Outcome.Bound();
      }
      untrue.found(
          "etcd went back to an earlier state: pod "
              + pod
              + " was bound to "
              + node
              + ", and has no node now");
      return new Outcome.Refused("the API server does not know any more that it is bound");
    });
  }

  private CompletionStage<Outcome> answer(Question question) {
    var outcome = new CompletableFuture<Outcome>();
    workers.run(() -> {
      try {
        outcome.complete(question.ask());
      } catch (ClientException failed) {
        outcome.complete(
            failed.kind() == ClientException.Kind.UNREACHABLE
                ? new Outcome.Unsure(String.valueOf(failed.getMessage()))
                : new Outcome.Refused(String.valueOf(failed.getMessage())));
      } catch (RuntimeException internalError) {
        outcome.completeExceptionally(internalError);
      }
    });
    return outcome;
  }
}
