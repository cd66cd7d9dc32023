package dev.berth.extender.verbs;

import dev.berth.engine.model.PodUid;
import dev.berth.extender.wire.BindAnswer;
import dev.berth.extender.wire.BindQuestion;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// The bind requests that are under way: at most one at work for a pod.
///
/// A later request for a pod takes the place of the earlier, whose caller is gone (kube-scheduler
/// restarted, or its `httpTimeout` passed); but a Binding that is being written is not overtaken:
/// the later one waits for it. Guarded by its own lock; futures are completed by the caller,
/// outside.
final class BindRequests {
  private final Map<PodUid, BindRequest> atWork = new HashMap<>();

  /// One request. Worked on by one thread at a time: the one that holds it, or that takes it from
  /// wherever it waits.
  static final class BindRequest {
    final BindQuestion question;
    final Instant since;
    final CompletableFuture<BindAnswer> answer = new CompletableFuture<>();

    /// Its gang has come together (or it has none, then this says nothing).
    volatile boolean admitted;

    /// The gang at whose barrier it waits; empty = none.
    volatile String gang = "";

    /// Its alarm is set.
    volatile boolean timed;

    private boolean writing;
    private Optional<BindRequest> follower = Optional.empty();

    BindRequest(BindQuestion question, Instant since) {
      this.question = question;
      this.since = since;
    }
  }

  /// @param runs whether the new bind request may start now
  /// @param replaced who lost its place to it
  record Begun(boolean runs, Optional<BindRequest> replaced) {}

  synchronized Begun begin(BindRequest request) {
    PodUid uid = request.question.uid();
    var current = Optional.ofNullable(atWork.get(uid));
    if (current.isPresent() && current.get().writing) {
      var before = current.get().follower;
      current.get().follower = Optional.of(request);
      return new Begun(false, before);
    }
    atWork.put(uid, request);
    return new Begun(true, current);
  }

  /// @return whether it may write its Binding now; no if it was replaced
  synchronized boolean startWriting(BindRequest request) {
    if (!isAtWork(request)) {
      return false;
    }
    request.writing = true;
    return true;
  }

  synchronized boolean isAtWork(BindRequest request) {
    return atWork.get(request.question.uid()) == request;
  }

  /// @param counts no if it had been replaced: then its answer is told already
  /// @param next who waited for it to end, and starts now
  record Ended(boolean counts, Optional<BindRequest> next) {}

  synchronized Ended end(BindRequest request) {
    if (!isAtWork(request)) {
      return new Ended(false, Optional.empty());
    }
    PodUid uid = request.question.uid();
    request.follower.ifPresentOrElse(next -> atWork.put(uid, next), () -> atWork.remove(uid));
    return new Ended(true, request.follower);
  }

  synchronized int size() {
    return atWork.size();
  }
}
