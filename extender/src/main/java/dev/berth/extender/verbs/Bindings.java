package dev.berth.extender.verbs;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.util.SortedMap;
import java.util.concurrent.CompletionStage;

/// The client through which a Binding is written. Its implementation repeats a write that failed in
/// transport, finds out about a lost reply, and bounds the writes in flight (a gang of 512 opens at
/// once).
public interface Bindings {
  /// One Binding with the UID as precondition; its annotations land on the pod in the same write.
  /// Bound to this node already is [Outcome.Bound].
  CompletionStage<Outcome> bind(
      PodKey pod, PodUid uid, NodeName node, SortedMap<String, String> annotations);

  /// Whether the pod has this node now, as the API server says: nothing is written.
  CompletionStage<Outcome> look(PodKey pod, PodUid uid, NodeName node);

  sealed interface Outcome {
    /// The pod has this node: the API server said so.
    record Bound() implements Outcome {}

    /// The pod does not have this node and will not get it from this write.
    record Refused(String sentence) implements Outcome {}

    /// It is unknown whether it was written: the place stays taken until the pod is seen.
    record Unsure(String sentence) implements Outcome {}
  }
}
