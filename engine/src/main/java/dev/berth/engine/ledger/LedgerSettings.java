package dev.berth.engine.ledger;

import dev.berth.engine.model.QueueName;
import java.time.Duration;
import java.util.List;

/// @param schedulers scheduler names whose pods are Berth's
/// @param defaultQueue where pods go that name no queue, nor their owner, nor their namespace
/// @param holdersNamespace where Berth keeps its holders: what calls itself one elsewhere is none.
///   Empty = anywhere
/// @param placeHold how long the place of a Job's moved pod is kept once that is gone; no longer
///   than [#LONGEST_PAUSE]
/// @param volumeBindTimeout how long kube-scheduler waits for the volumes of a pod before it calls
///   bind: `bindTimeoutSeconds` of its plugin VolumeBinding. No less than that, else room is given
///   out that it keeps
public record LedgerSettings(
    List<String> schedulers,
    QueueName defaultQueue,
    String holdersNamespace,
    Duration placeHold,
    Duration volumeBindTimeout) {
  /// The Job controller pauses for 10 s after a pod failed, doubled with each further one up to
  /// this (`backoffLimit` in the documentation of Jobs).
  public static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

  public static final LedgerSettings DEFAULT =
      new LedgerSettings(
          List.of("berth"),
          new QueueName("default"),
          "",
          Duration.ofMinutes(1),
          Duration.ofMinutes(10)); // kube-scheduler's default

  public LedgerSettings {
    schedulers = List.copyOf(schedulers);
  }
}
