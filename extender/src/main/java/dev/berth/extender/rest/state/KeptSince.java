package dev.berth.extender.rest.state;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/// Since when all evictions are kept.
///
/// @param begin of namespaces of which none was dropped
/// @param byNamespace of the others
public record KeptSince(Instant begin, Map<String, Instant> byNamespace) {
  public KeptSince {
    byNamespace = Collections.unmodifiableMap(new LinkedHashMap<>(byNamespace));
  }

  /// Of pods of some namespaces. What was dropped in others is no part of it: it would tell that
  /// something was evicted there.
  ///
  /// @param namespaces may ask the API server: asked about those alone that would change the answer
  public Instant of(Predicate<String> namespaces) {
    var since = begin;
    for (var each : byNamespace.entrySet()) {
      if (each.getValue().isAfter(since) && namespaces.test(each.getKey())) {
        since = each.getValue();
      }
    }
    return since;
  }
}
