package dev.berth.engine.ledger;

import dev.berth.engine.model.QueueName;
import java.util.Optional;

/// What the cluster says of groups that do not say it themselves.
interface GroupDefaults {
  QueueName defaultQueue();

  NamespaceDefaults home(String namespace);

  /// Empty where there is no such class.
  Optional<PriorityRank> rankOf(String priorityClass);
}
