/// The rule of shares as tables ([Division]), and its laws over random siblings.
@NullMarked
package dev.berth.engine.fairness;

import org.jspecify.annotations.NullMarked;
