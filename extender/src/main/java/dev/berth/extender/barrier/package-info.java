/// Which members of a gang have reached bind, and until when the others may follow: all of them or
/// none. One lock, held for lookups only: futures are completed and clients are called outside of
/// it, and no thread waits. May import `engine.model` and `java.util.concurrent`.
@NullMarked
package dev.berth.extender.barrier;

import org.jspecify.annotations.NullMarked;
