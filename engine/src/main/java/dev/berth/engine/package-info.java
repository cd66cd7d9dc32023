/// The decision core: `Planner` turns a snapshot into a plan, `SinglePodPlanner` answers for pods
/// that arrive ungated, `explain` says why a group waits. Deterministic and pure: no clock, no
/// chance, no thread, no I/O; the ledger alone has a lock. Depends on the JDK alone.
@NullMarked
package dev.berth.engine;

import org.jspecify.annotations.NullMarked;
