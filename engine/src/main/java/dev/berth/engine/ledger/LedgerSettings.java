package dev.berth.engine.ledger;

import dev.berth.engine.model.QueueName;
import java.util.List;

/// @param schedulers scheduler names whose pods are ours
/// @param defaultQueue where pods go that name no queue, nor their owner, nor their namespace
/// @param holdersNamespace where Berth keeps its holders: what calls itself one elsewhere is none.
///   Empty = anywhere
public record LedgerSettings(
    List<String> schedulers, QueueName defaultQueue, String holdersNamespace) {
  public static final LedgerSettings DEFAULT =
      new LedgerSettings(List.of("berth"), new QueueName("default"), "");

  public LedgerSettings {
    schedulers = List.copyOf(schedulers);
  }
}
