/// Berth itself as one of the policies: facts in, plans out, through the engine's public types. One
/// thread per policy. May import the engine, `bench.cluster` and `bench.trace`.
@NullMarked
package dev.berth.bench.ours;

import org.jspecify.annotations.NullMarked;
