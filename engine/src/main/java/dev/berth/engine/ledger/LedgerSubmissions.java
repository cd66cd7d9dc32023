package dev.berth.engine.ledger;

import dev.berth.engine.model.Fact;
import dev.berth.engine.model.Pod;

/// What resolves pods that are not submitted yet. Only reads.
public interface LedgerSubmissions {
  /// What a namespace says of its pods, without its version; nothing where it is not known.
  Fact.NamespaceSeen namespace(String name);

  /// A pod that need not be there, with what its volumes would mean for it now.
  Pod judged(Pod pod);
}
