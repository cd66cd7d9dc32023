/// What the ledger hands to its readers: immutable records. May import `engine.model`, never
/// `engine.ledger`.
@NullMarked
package dev.berth.engine.ledger.view;

import org.jspecify.annotations.NullMarked;
