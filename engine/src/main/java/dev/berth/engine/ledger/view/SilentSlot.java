package dev.berth.engine.ledger.view;

import dev.berth.engine.model.Pod;
import java.util.Optional;

/// @param holder empty = to be created
public record SilentSlot(SlotKey slot, Optional<Pod> holder) {}
