/// The four verbs of a kube-scheduler extender: filter, prioritize, preempt and bind. Each is a
/// question in, an answer out, without HTTP; any thread, no lock held for long, and only bind
/// writes or waits (as a future, never as a thread). What they need of the outside are the clients
/// here. May import the engine, `extender.wire`, `extender.barrier` and Javalin.
@NullMarked
package dev.berth.extender.verbs;

import org.jspecify.annotations.NullMarked;
