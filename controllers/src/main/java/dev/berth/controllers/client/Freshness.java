package dev.berth.controllers.client;

/// Whether what Berth sees of the cluster is complete and of now. No action on stale data.
public interface Freshness {
  boolean isFresh();

  /// What Berth waits for, for a log or a readiness answer; empty when fresh.
  String whatIsMissing();

  /// Of a world in memory, which cannot be cut off.
  static Freshness always() {
    return missing("");
  }

  /// The same for ever.
  ///
  /// @param what is missing; empty = fresh
  static Freshness missing(String what) {
    return new Freshness() {
      @Override
      public boolean isFresh() {
        return what.isEmpty();
      }

      @Override
      public String whatIsMissing() {
        return what;
      }
    };
  }
}
