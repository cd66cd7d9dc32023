package dev.berth.engine.session;

import dev.berth.engine.model.Alignment;
import dev.berth.engine.model.Pod;
import dev.berth.engine.session.PodClass.Key;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;

/// The [PodClass]s of a session, one for all pods that ask alike, in the order in which they came.
final class PodClasses {
  private static final int SPARE = 10_000;

  private final FreeCapacity room;
  private final QueueTree queues;
  private final Models models;
  private final ClaimAllocation claims;
  private final List<PodClass> all = new ArrayList<>();
  private final HashMap<Key, PodClass> byKey = new HashMap<>();

  /// By identity: the ledger gives pods that ask alike one object, so that few are looked up by
  /// value. Never iterated.
  private final IdentityHashMap<Pod.Asks, PodClass> byAsks = new IdentityHashMap<>();

  private int most;

  PodClasses(FreeCapacity room, QueueTree queues, Models models, ClaimAllocation claims) {
    this.room = room;
    this.queues = queues;
    this.models = models;
    this.claims = claims;
  }

  /// Of pods that ask for this, and for so many GPUs by claims.
  PodClass of(Pod.Asks asks, ClaimedGpus claimed) {
    return claimed.isNone()
        ? byAsks.computeIfAbsent(asks, _ -> byValue(asks, claimed))
        : byValue(asks, claimed);
  }

  /// Of a pod that may be no member of any group; it has no number of its own.
  PodClass foreign(Pod pod) {
    var request = pod.asks().request();
    return podClass(-1, new Key(request, pod.asks().constraints(), claims.gpus(pod)));
  }

  private PodClass byValue(Pod.Asks asks, ClaimedGpus claimed) {
    var request = room.isZoned() ? asks.request() : asks.request().aligned(Alignment.NONE);
    return byKey.computeIfAbsent(
        new Key(request, asks.constraints(), claimed),
        key -> {
          var podClass = podClass(all.size(), key);
          all.add(podClass);
          return podClass;
        });
  }

  private PodClass podClass(int number, Key key) {
    return new PodClass(
        number,
        key,
        models.only(key.request(), key.constraints()),
        room.hardware(),
        queues.counted());
  }

  /// Of all members, and perhaps some of members that are gone.
  List<PodClass> all() {
    return Collections.unmodifiableList(all);
  }

  /// All members of the first snapshot have come.
  void begin() {
    most = SPARE + 2 * byAsks.size();
  }

  /// Whether so many are of members that are gone that it is time to begin anew.
  boolean areTooMany() {
    return byAsks.size() > most;
  }
}
