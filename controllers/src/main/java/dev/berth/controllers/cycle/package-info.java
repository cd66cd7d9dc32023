/// The planning cycle: waits for a change, takes a snapshot, plans, assumes, hands over what should
/// happen. Event-driven, one cycle at a time; a cycle that fails is dropped whole and the next
/// starts from a fresh snapshot. May import the engine, `client` and `loop`.
@NullMarked
package dev.berth.controllers.cycle;

import org.jspecify.annotations.NullMarked;
