/// A cluster in memory: API objects as plain trees, kubelets, a kube-scheduler, the Job controller,
/// and the time they live in. Deterministic on virtual time, where everything runs on one thread;
/// on real time the API alone is called from many threads and has one lock. May import the engine,
/// the extender and the controllers' clients; no socket, no wall clock, no sleep.
@NullMarked
package dev.berth.simulator.world;

import org.jspecify.annotations.NullMarked;
