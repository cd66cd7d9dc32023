package dev.berth.controllers.client;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.engine.model.PodUid;
import java.util.LinkedHashMap;
import java.util.Map;

/// What the API server has answered to this process's writes on pods, and what every list that
/// begins later must show of them: a bound pod has a node, and an evicted one is being deleted, or
/// they are gone. A list that does not is of an earlier state: etcd was put back.
///
/// A watch may have been blind for what was written, and versions that etcd has given out again may
/// have grown beyond all that was read: then nothing else tells. Any thread.
public final class AnsweredWrites {
  /// UIDs of the latest that are remembered, of either kind.
  private static final int KEPT = 10_000;

  /// The number of the answer, by UID; all of these: guarded by this.
  private final LinkedHashMap<String, Long> bound = new LinkedHashMap<>();

  private final LinkedHashMap<String, Long> going = new LinkedHashMap<>();
  private long answers;

  /// How many answers there were: a list that begins now shows all of them.
  public synchronized long soFar() {
    return answers;
  }

  /// Whether what a list shows is of a state before an answer.
  ///
  /// @param before what [#soFar] said when the list began
  public boolean isPast(Kind kind, Map<String, ?> object, long before) {
    if (kind != Kind.POD || !(object.get("metadata") instanceof Map<?, ?> metadata)) {
      return false;
    }
    String uid = String.valueOf(metadata.get("uid"));
    boolean goes = metadata.get("deletionTimestamp") != null;
    boolean hasNode =
        object.get("spec") instanceof Map<?, ?> spec
            && spec.get("nodeName") instanceof String node
            && !node.isEmpty();
    return !hasNode && isAmong(bound, uid, before) || !goes && isAmong(going, uid, before);
  }

  private synchronized boolean isAmong(
      LinkedHashMap<String, Long> answered, String uid, long before) {
    return answered.getOrDefault(uid, Long.MAX_VALUE) <= before;
  }

  private synchronized void note(LinkedHashMap<String, Long> answered, PodUid uid) {
    answered.put(uid.value(), ++answers);
    if (answered.size() > KEPT) {
      answered.pollFirstEntry();
    }
  }

  /// Listens to what is answered there.
  public ApiWriter noting(ApiWriter inner) {
    return write -> {
      String version = inner.write(write);
      switch (write) {
        case ApiWrite.Bind(_, var uid, _, _) -> note(bound, uid);
        case ApiWrite.Evict(_, var uid) -> note(going, uid);
        case ApiWrite.Stop(_, var uid, _) -> note(going, uid);
        case ApiWrite.DeleteHolder(_, var uid) -> note(going, uid);
        default -> {} // says nothing of the node or the end of a pod
      }
      return version;
    };
  }
}
