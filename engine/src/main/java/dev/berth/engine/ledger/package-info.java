/// What Berth believes about the cluster now: facts in, snapshots out, plans assumed and confirmed.
/// One writer at a time under one lock; snapshots are immutable and readers never wait. May import
/// `engine.model`, its own sub-packages and the JDK's locks; must not know what is done with a
/// snapshot.
@NullMarked
package dev.berth.engine.ledger;

import org.jspecify.annotations.NullMarked;
