/// Victims leave through the Eviction API, each asked once, within a budget per second. Stale eyes
/// evict nobody. May import the engine, `client` and `loop`.
@NullMarked
package dev.berth.controllers.evictions;

import org.jspecify.annotations.NullMarked;
