/// What a decision log would have been under other queues: the workloads of the log, played again
/// on virtual time by the planner that ships, once with the queues of the log and once with others.
/// May import the engine, `cli.decisions`, the simulator's reader of files, and Jackson.
@NullMarked
package dev.berth.cli.counterfactual;

import org.jspecify.annotations.NullMarked;
