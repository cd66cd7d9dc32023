/// The words of the engine, each alone.
@NullMarked
package dev.berth.engine.model;

import org.jspecify.annotations.NullMarked;
