package dev.berth.e2e;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Real operators beside a cluster (`e2e/operators`).
final class Operators {
  private static final String SCRIPT = ControlPlane.root().resolve("e2e/operators").toString();

  private Operators() {}

  /// Why these cannot be fetched here; empty where they can. Fails instead where
  /// `BERTH_REQUIRE_MODULES` is 1, as every night: what is always skipped is never seen.
  static String missing(String... names) {
    return optional(
        System.getenv().getOrDefault("BERTH_REQUIRE_MODULES", "0"),
        told("fetch", List.of(names), Duration.ofMinutes(5)));
  }

  /// @param required 1 = modules must be there
  static String optional(String required, String missing) {
    if (required.equals("1") && !missing.isEmpty()) {
      throw new IllegalStateException("BERTH_REQUIRE_MODULES is 1, and " + missing);
    }
    return missing;
  }

  /// Why these cannot be built here; empty where they are.
  static String notBuilt(String... names) {
    return told("build", List.of(names), Duration.ofMinutes(30));
  }

  /// Applies their CRDs alone.
  static void kinds(ControlPlane cluster, String... names) {
    must(cluster, "kinds", names);
  }

  /// Installs and starts them.
  static void up(ControlPlane cluster, String... names) {
    must(cluster, "up", names);
  }

  private static void must(ControlPlane cluster, String verb, String... names) {
    var arguments = new ArrayList<>(List.of(names));
    arguments.addAll(List.of("--dir", cluster.dir().toString()));
    String failed = told(verb, arguments, Duration.ofMinutes(10));
    if (!failed.isEmpty()) {
      throw new IllegalStateException(failed);
    }
  }

  private static String told(String verb, List<String> arguments, Duration patience) {
    var command = new ArrayList<>(List.of(SCRIPT, verb));
    command.addAll(arguments);
    var run = ControlPlane.run(patience, command);
    return run.status() == 0 ? "" : "e2e/operators " + verb + ": " + run.output().strip();
  }
}
