/// The nouns of Berth: what the cluster is, what pods ask for, what should happen and why not.
/// Values only: records checked at birth, immutable, in key order; no thread, no clock, no I/O. May
/// import `java.lang`, `java.util` and `java.time`; everything else may import it.
@NullMarked
package dev.berth.engine.model;

import org.jspecify.annotations.NullMarked;
