package dev.berth.engine.ledger.view;

import java.util.List;

/// @param kept idle holders that stay
/// @param missing the slot of one that may be created; none where no device is free for it
public record Warmth(List<SlotKey> kept, List<SlotKey> missing) {
  public static final Warmth NONE = new Warmth(List.of(), List.of());
}
