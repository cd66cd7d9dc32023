/// What clients may hold of a server: bytes that they do not read, questions that they do not send.
@NullMarked
package dev.berth.extender.bounds;

import org.jspecify.annotations.NullMarked;
