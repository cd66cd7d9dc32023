/// Published traces as values. Reads files; holds no state. May import the JDK alone.
@NullMarked
package dev.berth.bench.trace;

import org.jspecify.annotations.NullMarked;
