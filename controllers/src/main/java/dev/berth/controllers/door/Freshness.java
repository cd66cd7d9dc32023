package dev.berth.controllers.door;

/// Whether what we see of the cluster is complete and of now. Stale eyes act on nobody.
public interface Freshness {
  boolean isFresh();

  /// What we wait for, for a log or a readiness answer; empty when fresh.
  String whatIsMissing();
}
