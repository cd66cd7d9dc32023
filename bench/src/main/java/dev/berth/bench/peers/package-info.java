/// Placement rules of other systems, ported from their published description. Deterministic for a
/// seed; one thread per policy. May import `bench.cluster` and `bench.trace`.
@NullMarked
package dev.berth.bench.peers;

import org.jspecify.annotations.NullMarked;
