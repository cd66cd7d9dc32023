package dev.berth.engine.ledger.view;

/// @param uuid the GPU that the holder of the slot holds
public record Unproven(SlotKey slot, String uuid) {}
