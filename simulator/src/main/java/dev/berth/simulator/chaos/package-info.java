/// The chaos simulation: the shipped product on a small world that a seed makes up, with everything
/// that goes wrong by the same seed; invariants after every event, then no faults and demand
/// progress. Promises one thread, virtual time, and the same run for the same seed. May import the
/// simulator's other packages and the engine, the extender and the controllers' clients.
@NullMarked
package dev.berth.simulator.chaos;

import org.jspecify.annotations.NullMarked;
