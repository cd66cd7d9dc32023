package dev.berth.cli;

import java.util.Optional;
import picocli.CommandLine.Option;

/// `--plans`, of commands that look for what lets a workload start.
final class PlansOption {
  @Option(
      names = "--plans",
      paramLabel = "N",
      defaultValue = "500",
      description = "Plans that are made for each workload (${DEFAULT-VALUE}).")
  private int plans = 500;

  /// What is wrong with it, if so.
  Optional<String> flaw() {
    return plans < 1 ? Optional.of("--plans " + plans + ": must be 1 or more") : Optional.empty();
  }

  int count() {
    return plans;
  }
}
