package dev.berth.extender.verbs;

import java.time.Duration;

/// @param barrier how long a bind waits for holders, and a gang for its last member; must end
///   before kube-scheduler's `httpTimeout`
/// @param watchTimeout how long a bind waits for the watch to bring its pod
/// @param adoptionTimeout how long the plan of a pod that came without a gate is kept
/// @param coalescingWindow how long changes of the ledger are gathered before waiting binds look
///   again
public record BindSettings(
    Duration barrier, Duration watchTimeout, Duration adoptionTimeout, Duration coalescingWindow) {
  public static final BindSettings DEFAULT =
      new BindSettings(
          Duration.ofSeconds(20),
          Duration.ofSeconds(2),
          Duration.ofSeconds(60),
          Duration.ofMillis(5));

  public BindSettings {
    positive("extender.barrier", barrier);
    positive("the time that the watch has to bring a pod", watchTimeout);
    positive("the time that the plan of an ungated pod is kept", adoptionTimeout);
    if (coalescingWindow.isNegative()) {
      throw new IllegalArgumentException(
          "the coalescing window is " + coalescingWindow + ", but must be 0 or more");
    }
  }

  private static void positive(String name, Duration value) {
    if (!value.isPositive()) {
      throw new IllegalArgumentException(name + " is " + value + ", but must be more than 0");
    }
  }
}
