/// Guesses for the platforms that there are, and the words of what is wrong.
@NullMarked
package dev.berth.engine.injection;

import org.jspecify.annotations.NullMarked;
