/// `berth bench packing`: pods keep coming until the cluster is full. How many GPUs are allocated?
/// The procedure, the check of the ports against published results, table and goals. May import all
/// of the module but commands.
@NullMarked
package dev.berth.bench.packing;

import org.jspecify.annotations.NullMarked;
