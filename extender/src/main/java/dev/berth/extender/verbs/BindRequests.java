package dev.berth.extender.verbs;

import dev.berth.engine.model.PodUid;
import dev.berth.extender.verbs.BindState.Event;
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
  private final Map<PodUid, BindRequest> followers = new HashMap<>();

  /// One request. Worked on by one thread at a time: the one that holds it, or that takes it from
  /// wherever it waits.
  static final class BindRequest {
    final BindQuestion question;
    final Instant since;
    final CompletableFuture<BindAnswer> answer = new CompletableFuture<>();
    private BindState state = new BindState.Following(); // guarded by the requests

    BindRequest(BindQuestion question, Instant since) {
      this.question = question;
      this.since = since;
    }
  }

  /// A request that lost its place to a later one.
  ///
  /// @param state that it was in
  record Replaced(BindRequest request, BindState state) {}

  /// @param runs whether the new bind request may start now
  /// @param replaced the request that lost its place to it
  record Begun(boolean runs, Optional<Replaced> replaced) {}

  synchronized Begun begin(BindRequest request) {
    PodUid uid = request.question.uid();
    var current = Optional.ofNullable(atWork.get(uid));
    if (current.isPresent() && current.get().state instanceof BindState.Writing) {
      return new Begun(false, replaced(Optional.ofNullable(followers.put(uid, request))));
    }
    atWork.put(uid, request);
    on(request, new Event.Start());
    return new Begun(true, replaced(current));
  }

  private Optional<Replaced> replaced(Optional<BindRequest> earlier) {
    var replaced = earlier.map(request -> new Replaced(request, request.state));
    earlier.ifPresent(request -> on(request, new Event.Replace()));
    return replaced;
  }

  /// @return the state after it
  synchronized BindState on(BindRequest request, Event event) {
    request.state = request.state.on(event);
    return request.state;
  }

  synchronized BindState state(BindRequest request) {
    return request.state;
  }

  boolean isAtWork(BindRequest request) {
    return state(request).isAtWork();
  }

  /// @return whether it may write its Binding now; no if it was replaced
  boolean startWriting(BindRequest request) {
    return on(request, new Event.Write()) instanceof BindState.Writing;
  }

  /// @param counts no if it had been replaced: then its answer is told already
  /// @param next the request that waited for it to end, and starts now
  record Ended(boolean counts, Optional<BindRequest> next) {}

  synchronized Ended end(BindRequest request) {
    if (!request.state.isAtWork()) {
      return new Ended(false, Optional.empty());
    }
    on(request, new Event.End());
    PodUid uid = request.question.uid();
    var next = Optional.ofNullable(followers.remove(uid));
    next.ifPresentOrElse(
        follower -> {
          atWork.put(uid, follower);
          on(follower, new Event.Start());
        },
        () -> atWork.remove(uid));
    return new Ended(true, next);
  }

  synchronized int size() {
    return atWork.size();
  }
}
