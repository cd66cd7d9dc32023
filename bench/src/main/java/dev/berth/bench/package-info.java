/// Benchmarks of placement quality: one class for the command line, one package for each benchmark.
/// Not part of the product and of the default build (profile `bench`). May import the engine, and
/// of the JDK what it likes.
@NullMarked
package dev.berth.bench;

import org.jspecify.annotations.NullMarked;
