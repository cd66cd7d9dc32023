package dev.berth.engine.ledger.view;

import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import java.util.Optional;

/// A pod that was given a GPU which no holder holds.
///
/// @param device what it was given
/// @param heldNow what the holder of its slot holds instead; empty = nothing that it has told
/// @param held whether there is a holder, that is not over
/// @param takenBy the pod that the kubelet says it gave the GPU to; empty = none known
public record LostShare(
    Pod pod, SlotKey slot, String device, String heldNow, boolean held, Optional<PodKey> takenBy) {}
