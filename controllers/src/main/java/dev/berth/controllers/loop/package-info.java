/// Work at the edge: where it runs, when it comes again, how often it may. Everything takes its
/// time from [Workers], so the simulator runs the same code on one thread and virtual time. May
/// import `client` and the JDK's concurrency.
@NullMarked
package dev.berth.controllers.loop;

import org.jspecify.annotations.NullMarked;
