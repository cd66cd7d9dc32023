package dev.berth.extender.rest;

import dev.berth.extender.rest.ApiProblem.Kind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Plans over copies of the cluster, made one after the other on a thread of their own, in the
/// turns of those that ask. The same question is answered by the study that is under way, or by one
/// that ended just now: a client that gives up waiting asks again and loses nothing.
///
/// @param <R> what a study comes to
final class Studies<R> {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /// An answer is given again for so long.
  private static final Duration KEPT = Duration.ofSeconds(5);

  private final ClientTurns turns;
  private final Map<Object, Study<R>> studies = new LinkedHashMap<>(); // guarded by this

  private record Study<R>(CompletableFuture<R> result, long endsNanos) {}

  Studies(ClientTurns turns) {
    this.turns = turns;
  }

  /// Waits for the answer. Not on a platform thread.
  ///
  /// @param party that asks
  /// @throws ApiProblem too many others wait, or it takes longer than [#PATIENCE]
  R answer(String party, Object question, Supplier<R> study) {
    try {
      return study(party, question, study).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException slow) {
      throw new ApiProblem(
          Kind.NOT_YET,
          "",
          "The plans take longer than "
              + PATIENCE.toSeconds()
              + " s and go on: ask the same again for their outcome");
    } catch (RejectedExecutionException busy) {
      throw new ApiProblem(
          Kind.BUSY,
          "",
          "Other explanations, offers and what-ifs are under way: ask again in a moment");
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new ApiProblem(Kind.BUSY, "", "Berth stops: ask again in a moment");
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof ApiProblem problem) {
        throw problem;
      }
      throw new IllegalStateException("a study failed", failed.getCause());
    }
  }

  private synchronized CompletableFuture<R> study(
      String party, Object question, Supplier<R> study) {
    long now = System.nanoTime();
    studies
        .values()
        .removeIf(each ->
            each.result().isCompletedExceptionally()
                || each.result().isDone() && each.endsNanos() - now < 0);
    var known = studies.get(question);
    if (known != null) {
      return known.result();
    }
    var result = CompletableFuture.supplyAsync(study, work -> turns.run(party, work));
    studies.put(question, new Study<>(result, Long.MAX_VALUE));
    result.whenComplete((_, _) -> ended(question, result));
    return result;
  }

  private synchronized void ended(Object question, CompletableFuture<R> result) {
    long until = System.nanoTime() + KEPT.toNanos();
    studies.replace(question, new Study<>(result, until));
  }

  /// Studies that run or wait for their turn.
  synchronized int underWay() {
    return (int) studies.values().stream().filter(each -> !each.result().isDone()).count();
  }
}
