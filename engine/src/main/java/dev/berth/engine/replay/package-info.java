/// Past plans made again: what a planner was asked and what it answered, as values, and the proof
/// that it answers the same again. Pure; of one thread at a time. May import the planner, its
/// settings and `format`; nothing in the engine imports it.
@NullMarked
package dev.berth.engine.replay;

import org.jspecify.annotations.NullMarked;
