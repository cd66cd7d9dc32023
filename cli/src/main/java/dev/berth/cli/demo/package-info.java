/// What `berth demo` shows: a cluster and a workload in the simulator's world, in real time, and
/// the live view of them. The product on top is wired elsewhere: here is only what it meets and
/// what of it is seen. May import the engine's model, the simulator and the controllers' clients.
@NullMarked
package dev.berth.cli.demo;

import org.jspecify.annotations.NullMarked;
