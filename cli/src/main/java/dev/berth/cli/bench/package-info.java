/// What deciding costs: worlds of a stated size, made of facts, and a stopwatch over the engine
/// that ships. Single-threaded; nothing here is a test. May import the engine.
@NullMarked
package dev.berth.cli.bench;

import org.jspecify.annotations.NullMarked;
