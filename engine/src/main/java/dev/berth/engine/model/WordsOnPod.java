package dev.berth.engine.model;

import java.time.Instant;

/// What a pod says of why it waits, and of its end.
///
/// @param isConditionTaken kube-scheduler wrote its condition `PodScheduled`, which is false, with
///   a reason of its own, such as `SchedulerError`
/// @param isAnnotated it carries the annotation `berth.dev/waiting`
/// @param warned since when its condition [#ENDS_SOON] is true; `EPOCH` = it is not
/// @param idle since when its condition [Idleness.Notice#POD_CONDITION] is true
public record WordsOnPod(
    boolean isConditionTaken, boolean isAnnotated, Instant warned, Idleness.Notice idle) {
  /// A condition that Berth writes on pods whose PodGroup, if there is one, is not Berth's to
  /// write.
  public static final String ENDS_SOON = "berth.dev/EndsSoon";

  public static final WordsOnPod NONE = new WordsOnPod(false, false);

  /// Of a pod that is not warned of its end.
  public WordsOnPod(boolean isConditionTaken, boolean isAnnotated) {
    this(isConditionTaken, isAnnotated, Instant.EPOCH);
  }

  /// Of a pod that is not said to be idle.
  public WordsOnPod(boolean isConditionTaken, boolean isAnnotated, Instant warned) {
    this(isConditionTaken, isAnnotated, warned, Idleness.Notice.NONE);
  }
}
