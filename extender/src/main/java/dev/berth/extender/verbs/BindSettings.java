package dev.berth.extender.verbs;

import java.time.Duration;

/// @param patience how long a bind waits for holders, and a gang for its last member; must end
///   before kube-scheduler's `httpTimeout`
/// @param strangerPatience how long a bind waits for the watch to bring its pod
/// @param adoption how long the plan of a pod that came without a gate is kept
/// @param coalescer how long changes of the ledger are gathered before waiting binds look again
public record BindSettings(
    Duration patience, Duration strangerPatience, Duration adoption, Duration coalescer) {
  public static final BindSettings DEFAULT =
      new BindSettings(
          Duration.ofSeconds(20),
          Duration.ofSeconds(2),
          Duration.ofSeconds(60),
          Duration.ofMillis(5));

  public BindSettings {
    positive("patience", patience);
    positive("strangerPatience", strangerPatience);
    positive("adoption", adoption);
    if (coalescer.isNegative()) {
      throw new IllegalArgumentException("bind.lull is " + coalescer + ", but must be 0 or more");
    }
  }

  private static void positive(String name, Duration value) {
    if (!value.isPositive()) {
      throw new IllegalArgumentException(
          "bind." + name + " is " + value + ", but must be more than 0");
    }
  }
}
