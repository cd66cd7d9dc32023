/// Objects as the watch tells them: the latest version of each, sorted copies, and which sightings
/// say the same. Guarded by the ledger's lock. May import `engine.model`, never `engine.ledger`.
@NullMarked
package dev.berth.engine.ledger.objects;

import org.jspecify.annotations.NullMarked;
