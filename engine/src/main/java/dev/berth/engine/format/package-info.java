/// Writes values of the engine as bytes and reads them back exactly: equal, and of one object again
/// where one object was written twice. Records tell their own shape, so a type needs no code here.
/// Of one thread at a time; knows the model's own containers and the JDK alone.
@NullMarked
package dev.berth.engine.format;

import org.jspecify.annotations.NullMarked;
