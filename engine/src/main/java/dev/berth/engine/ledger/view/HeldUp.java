package dev.berth.engine.ledger.view;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Injection;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import java.util.Optional;

/// A planned pod that waits for a shared device.
///
/// @param group that it belongs to
/// @param holder of the device; empty = there is none yet
/// @param told whether the holder has told its GPU, so that the proof of the node alone is missing
/// @param injection what is known of that
public record HeldUp(
    GroupKey group,
    PodUid pod,
    SlotKey slot,
    Optional<Pod> holder,
    boolean told,
    Injection injection) {}
