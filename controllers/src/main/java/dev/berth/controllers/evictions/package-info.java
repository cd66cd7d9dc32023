/// Victims leave through the Eviction API, each evicted once, within a budget per second. No
/// eviction on stale data. May import the engine, `client` and `loop`.
@NullMarked
package dev.berth.controllers.evictions;

import org.jspecify.annotations.NullMarked;
