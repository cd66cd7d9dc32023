/// What deciding costs: worlds of a stated size, made of facts, and a stopwatch over the engine
/// that ships, or over its planning cycle. Single-threaded, but for the arrivals; nothing here is a
/// test. May import the engine and the controllers.
@NullMarked
package dev.berth.cli.bench;

import org.jspecify.annotations.NullMarked;
