package dev.berth.engine.ledger;

import dev.berth.engine.ledger.view.BindCommit;
import dev.berth.engine.ledger.view.Unasked;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodUid;
import java.time.Instant;
import java.util.List;

/// What binds pods: the verbs.
public interface LedgerBindings extends LedgerReader {
  /// kube-scheduler wants to bind: checks under the lock that the plan stands and fits. On
  /// [BindCommit.Ready] the plan no longer expires; one of a gang waits for the others then.
  BindCommit commit(PodUid uid, NodeName node);

  /// @param admitted whether all of its gang have come: on [BindCommit.Ready] its Binding is
  ///   written, and its plan does not end with that of another before it is known what came of that
  BindCommit commit(PodUid uid, NodeName node, boolean admitted);

  /// The Binding is written. From here the pod counts as bound, whatever the watch says later
  /// (unless it is gone).
  void confirm(PodUid uid, Placement placement);

  /// It is unknown whether the Binding is written: the place stays taken until the pod is seen
  /// bound, or bound again, but no longer than until then (or the plan's deadline, if that is
  /// later). A later try that is not written says nothing of this one.
  void doubt(PodUid uid, Instant until);

  /// The Binding was not written: the plan stands as before the commit, in doubt if it was, and may
  /// expire again. (Where that of its gang was given back meanwhile it ends at once, if it is not
  /// in doubt.)
  void release(PodUid uid);

  /// Pods that have a place and for which kube-scheduler has not asked while an earlier plan stood.
  List<Unasked> unasked();
}
