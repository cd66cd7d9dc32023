/// What a benchmark says at its end: statistics, goals, the host, a JSON document, a plot. Writes
/// files below `target/bench`. May import Jackson and the JDK.
@NullMarked
package dev.berth.bench.report;

import org.jspecify.annotations.NullMarked;
