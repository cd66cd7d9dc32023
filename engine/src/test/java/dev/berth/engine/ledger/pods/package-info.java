/// The table of a pod's states against the page that shows it, and the laws of [Transition].
@NullMarked
package dev.berth.engine.ledger.pods;

import org.jspecify.annotations.NullMarked;
