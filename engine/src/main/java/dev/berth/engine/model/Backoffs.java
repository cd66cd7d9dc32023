package dev.berth.engine.model;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The workloads for which no victim is evicted for a while, since plans with victims ended without
/// a Binding.
///
/// @param workloads by workload; looked up only
/// @param namespaces those of which several workloads failed so, by name; looked up only
public record Backoffs(Map<Workload, Backoff> workloads, Map<String, Backoff> namespaces) {
  /// None.
  public static final Backoffs NONE = new Backoffs(Map.of(), Map.of());

  /// @param namespace of which several workloads failed; empty = the workload itself did
  /// @param failures plans of the workload, or workloads of the namespace, since the last success
  /// @param words what was said of the last one; empty = nothing
  /// @param until when others may be evicted for it again
  public record Backoff(String namespace, int failures, String words, Instant until) {}

  public Backoffs {
    workloads = Collections.unmodifiableMap(new LinkedHashMap<>(workloads));
    namespaces = Collections.unmodifiableMap(new LinkedHashMap<>(namespaces));
  }

  /// The one that lasts longest for a group with members; empty = there is none. It may be over.
  public Optional<Backoff> of(PodGroup group) {
    if (this == NONE || group.members().isEmpty()) {
      return Optional.empty();
    }
    var first = group.members().getFirst().pod();
    var own = Optional.ofNullable(workloads.get(first.workload()));
    var shared = Optional.ofNullable(namespaces.get(first.key().namespace()));
    return own.filter(mine -> shared.filter(all -> all.until().isAfter(mine.until())).isEmpty())
        .or(() -> shared);
  }
}
