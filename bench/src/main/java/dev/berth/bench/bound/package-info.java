/// Upper bounds by linear programming, with the GLOP solver of OR-Tools. One thread per bound. May
/// import OR-Tools and `bench.trace`.
@NullMarked
package dev.berth.bench.bound;

import org.jspecify.annotations.NullMarked;
