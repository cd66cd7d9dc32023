package dev.berth.engine.model;

/// Where a pod says why it waits.
///
/// @param isConditionTaken kube-scheduler wrote its condition `PodScheduled`, which is false, with
///   a reason of its own, such as `SchedulerError`
/// @param isAnnotated it carries the annotation `berth.dev/waiting`
public record WordsOnPod(boolean isConditionTaken, boolean isAnnotated) {
  public static final WordsOnPod NONE = new WordsOnPod(false, false);
}
