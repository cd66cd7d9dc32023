/// Why a group waits, what would help, which groups are ahead: decisions as sentences. Pure;
/// nothing in the engine imports it. May import all of the engine except the ledger.
@NullMarked
package dev.berth.engine.explain;

import org.jspecify.annotations.NullMarked;
