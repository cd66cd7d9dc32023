package dev.berth.engine.ledger;

import dev.berth.engine.model.Fact;

/// What feeds the ledger: watches, through intake and grouping.
public interface LedgerFacts extends LedgerReader {
  /// Takes in a fact. Late, repeated and reordered facts change nothing.
  ///
  /// @return whether what Berth believes changed
  boolean record(Fact fact);
}
