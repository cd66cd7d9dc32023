package dev.berth.extender.verbs;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// An API server that remembers Bindings, and answers at once or when a test says so.
public final class InMemoryBindings implements Bindings {
  public record Written(
      PodKey pod, PodUid uid, NodeName node, SortedMap<String, String> annotations) {}

  private final List<Written> written = new ArrayList<>();
  private final List<CompletableFuture<Outcome>> open = new ArrayList<>();
  private Outcome answer = new Outcome.Bound();
  private Outcome known = new Outcome.Bound();
  private boolean slow;
  private Runnable meanwhile = () -> {};

  @Override
  public synchronized CompletionStage<Outcome> bind(
      PodKey pod, PodUid uid, NodeName node, SortedMap<String, String> annotations) {
    written.add(new Written(pod, uid, node, annotations));
    var happens = meanwhile;
    meanwhile = () -> {};
    happens.run();
    if (slow) {
      var later = new CompletableFuture<Outcome>();
      open.add(later);
      return later;
    }
    return CompletableFuture.completedStage(answer);
  }

  @Override
  public synchronized CompletionStage<Outcome> look(PodKey pod, PodUid uid, NodeName node) {
    return CompletableFuture.completedStage(known);
  }

  /// What it says of pods that were bound before.
  public synchronized void knows(Outcome outcome) {
    known = outcome;
  }

  public synchronized List<Written> written() {
    return List.copyOf(written);
  }

  public synchronized void answersWith(Outcome outcome) {
    answer = outcome;
  }

  /// Happens while the next one is written.
  public synchronized void meanwhile(Runnable what) {
    meanwhile = what;
  }

  /// From now on a write is under way until [#answer].
  public synchronized void slow() {
    slow = true;
  }

  public void answer(Outcome outcome) {
    CompletableFuture<Outcome> first;
    synchronized (this) {
      first = open.removeFirst();
    }
    first.complete(outcome);
  }
}
