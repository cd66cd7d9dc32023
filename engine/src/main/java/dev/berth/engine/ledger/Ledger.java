package dev.berth.engine.ledger;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The one memory of Berth.
public final class Ledger {
  /// @param changed called after every change of what we believe, outside the lock, from whichever
  ///     thread made it; it must be cheap (set a flag, wake a thread)
  public Ledger(LedgerSettings settings, Runnable changed) {
    throw new UnsupportedOperationException();
  }

  /// Takes in a fact. Late, repeated and reordered facts change nothing.
  ///
  /// @return whether what we believe changed
  public boolean record(Fact fact) {
    throw new UnsupportedOperationException();
  }

  /// Grows with every change.
  public long version() {
    throw new UnsupportedOperationException();
  }

  /// What we believe now. The same lists as before where nothing changed.
  public Snapshot snapshot(Instant now) {
    throw new UnsupportedOperationException();
  }

  /// Keeps the places of a decision, all or none: every pod must still wait and every place still
  /// be free. Members of its block get one gang name.
  ///
  /// @param until the deadline written into the plans
  /// @return the plans by pod, or empty when the world has moved on
  public Optional<List<Assumed>> assume(Decision.Reserve decision, Instant until) {
    throw new UnsupportedOperationException();
  }

  /// A plan that is kept for a pod.
  public record Assumed(Pod pod, WrittenPlan plan) {}

  /// Gives back what was assumed or written for a pod that is not bound, if it is still this plan.
  public boolean forget(PodUid uid, WrittenPlan plan) {
    throw new UnsupportedOperationException();
  }

  /// Gives back every plan whose deadline has passed and that is neither bound nor being bound.
  public List<Assumed> expire(Instant now) {
    throw new UnsupportedOperationException();
  }

  /// Remembers that kube-scheduler refused a node for a pod; the pod's plan there is given back. The
  /// veto ends at `until`, or when the node's object changes, or when the pod is gone.
  public void veto(PodUid uid, NodeName node, String words, Instant until) {
    throw new UnsupportedOperationException();
  }

  /// Where a pod stands; empty for a pod we do not know (or not yet).
  public Optional<Standing> standing(PodUid uid) {
    throw new UnsupportedOperationException();
  }

  /// The pod as last seen.
  public Optional<Pod> pod(PodUid uid) {
    throw new UnsupportedOperationException();
  }

  /// The group that a pod belongs to, as a snapshot would show it.
  public Optional<PodGroup> groupOf(PodUid uid) {
    throw new UnsupportedOperationException();
  }

  /// kube-scheduler wants to bind: checks under the lock that the plan stands and fits. On
  /// [Commit.Ready] the plan no longer expires.
  public Commit commit(PodUid uid, NodeName node) {
    throw new UnsupportedOperationException();
  }

  /// The Binding is written. From here the pod counts as bound, whatever the watch says later
  /// (unless it is gone).
  public void confirm(PodUid uid, Placement placement) {
    throw new UnsupportedOperationException();
  }

  /// The Binding was not written: the plan stands as before the commit and may expire again.
  public void release(PodUid uid) {
    throw new UnsupportedOperationException();
  }

  /// Slots that are planned or used and have no holder.
  public List<SlotKey> missingHolders() {
    throw new UnsupportedOperationException();
  }

  /// Slots whose holder nobody uses, with the holder.
  public List<IdleHolder> idleHolders() {
    throw new UnsupportedOperationException();
  }

  /// Closes an unused slot, so that its holder can be deleted: nobody may join it any more.
  ///
  /// @return false if somebody uses or plans it by now
  public boolean retire(SlotKey slot) {
    throw new UnsupportedOperationException();
  }

  /// Deleting the holder failed: the slot is open again.
  public void reopen(SlotKey slot) {
    throw new UnsupportedOperationException();
  }

  /// One shared device of a node.
  public record SlotKey(NodeName node, int slot) implements Comparable<SlotKey> {
    @Override
    public int compareTo(SlotKey other) {
      int byNode = node.compareTo(other.node);
      return byNode != 0 ? byNode : Integer.compare(slot, other.slot);
    }
  }

  public record IdleHolder(SlotKey slot, Pod holder) {}

  /// Whether the plan of a pod could be bound now: its node has the room without anything that is
  /// still leaving, and the holders of its slots have reported. Gates open only then.
  public boolean isClear(PodUid uid) {
    throw new UnsupportedOperationException();
  }
}
