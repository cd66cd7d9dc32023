/// Who of a gang has reached bind, and until when the others may follow: all of them or none. One
/// lock, held for lookups only: futures are completed and clients are called outside of it, and
/// nobody waits as a thread. May import `engine.model` and `java.util.concurrent`.
@NullMarked
package dev.berth.extender.barrier;

import org.jspecify.annotations.NullMarked;
