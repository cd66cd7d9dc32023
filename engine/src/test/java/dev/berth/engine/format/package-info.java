/// How values are written, each kind alone.
@NullMarked
package dev.berth.engine.format;

import org.jspecify.annotations.NullMarked;
