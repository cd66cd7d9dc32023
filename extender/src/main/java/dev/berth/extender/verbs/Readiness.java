package dev.berth.extender.verbs;

import java.util.Optional;

/// Whether Berth may answer: not before the ledger is rebuilt, not without the lease.
public interface Readiness {
  /// What is missing, `the ledger is not rebuilt`; empty = ready.
  Optional<String> missing();

  static String sentence(String missing) {
    return "berth is not ready: " + missing;
  }
}
