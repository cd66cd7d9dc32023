/// The life of a pod as Berth has it: states, events, transitions. Immutable values and pure
/// functions; guarded by nothing. May import `engine.model`, never `engine.ledger`.
@NullMarked
package dev.berth.engine.ledger.pods;

import org.jspecify.annotations.NullMarked;
