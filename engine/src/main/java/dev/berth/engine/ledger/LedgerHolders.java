package dev.berth.engine.ledger;

import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.ledger.view.IdleHolder;
import dev.berth.engine.ledger.view.LostShare;
import dev.berth.engine.ledger.view.SilentSlot;
import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.ledger.view.Unproven;
import dev.berth.engine.ledger.view.Warmth;
import dev.berth.engine.model.Injection;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What keeps holders, and what is known of the devices of nodes.
public interface LedgerHolders extends LedgerReader {
  /// Slots that are planned or used and have no holder.
  List<SlotKey> missingHolders();

  /// Slots whose holder no pod uses, with the holder.
  List<IdleHolder> idleHolders();

  /// Slots on which a plan or a pod counts and whose holder has not reported its device.
  List<SilentSlot> silentSlots();

  /// How containers of a node get the GPU of their share. Until that is said it is
  /// [Injection#ASSUMED]. Where it has a fault, plans that wait for a holder or a proof there are
  /// given back.
  void injection(NodeName node, Injection injection);

  /// Nodes on which a holder has told its GPU and injection is not proven, by name.
  List<Unproven> unproven();

  /// Shares whose GPU no holder of their node holds: the kubelet may give it to any pod.
  List<LostShare> lostShares();

  /// Which idle holders of a node stay ready, and which it lacks, where it is to have so many as
  /// long as a pod shares a device of it.
  Warmth warmth(NodeName node, int most);

  /// What the [#warmth] of all nodes lacks, in the order of their names.
  List<SlotKey> coldSlots(int most);

  /// No further device of a node can be held for shares: plans that wait for a holder there are
  /// given back, and until then, or until the node's object changes, shares only join devices that
  /// are held. Pods that run on a device stay counted.
  List<Assumed> trouble(NodeName node, String words, Instant until);

  /// Whether a node is in the trouble that [#trouble] began.
  boolean isTroubled(NodeName node);

  /// It is unknown whether a slot's holder was created: until then one may appear, whatever has
  /// become of the plan that needed it, and of another holder that was created meanwhile. Its
  /// device stays taken.
  void doubt(SlotKey slot, Instant until);

  /// A holder is created for a slot: its device stays taken until the watch shows it, whatever
  /// becomes of the plan that needs it, but no longer than until then.
  ///
  /// @return false if one is awaited there already, or is there
  boolean await(SlotKey slot, Instant until);

  /// The holder is not created.
  void awaitNoMore(SlotKey slot);

  /// Whether a slot is one of [#missingHolders].
  boolean lacksHolder(SlotKey slot);

  /// The slot's holder, if it is one of [#idleHolders].
  Optional<IdleHolder> idleHolder(SlotKey slot);

  /// Closes an unused slot, so that its holder can be deleted: no plan may use it any more.
  ///
  /// @return the holder to delete; empty if a pod uses the slot or a plan counts on it by now, or
  ///   its holder is being deleted already
  Optional<Pod> retire(SlotKey slot);

  /// Deleting the holder failed: the slot is open again.
  void reopen(SlotKey slot);
}
