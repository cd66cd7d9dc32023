package dev.berth.engine.ledger;

import dev.berth.engine.model.QueueName;
import java.util.Collections;
import java.util.SortedMap;

/// What a namespace says of its pods.
///
/// @param queue none = the namespace names none
/// @param labels of the namespace
/// @param terminates it is being deleted
record NamespaceDefaults(QueueName queue, SortedMap<String, String> labels, boolean terminates) {
  /// Nothing is known of it.
  static final NamespaceDefaults UNKNOWN =
      new NamespaceDefaults(QueueName.NONE, Collections.emptySortedMap(), false);
}
