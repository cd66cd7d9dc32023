/// All HTTP of Berth: the server, its routes and its metrics; decodes, asks a verb, encodes.
/// Platform threads answer, a bind that waits holds none of them. May import everything in the
/// extender, the engine, Javalin, SLF4J and, in [Metrics] alone, the metrics client.
@NullMarked
package dev.berth.extender;

import org.jspecify.annotations.NullMarked;
